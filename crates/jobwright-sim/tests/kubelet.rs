//! The kubelet that plays scripts: restarts in place, sidecars, and the pod's own deadline.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use jobwright_core::{Millis, Resource};
use jobwright_sim::kubelet::{Kubelet, Outcomes};
use jobwright_sim::object;
use jobwright_sim::world::{ORIGIN, World};
use serde_json::{Value, json};

/// Runs a Job of one pod with these fields of the pod, and shows its only pod at some second.
fn pod_at(fields: Value, outcomes: &str, second: i64) -> Value {
    let mut pod = json!({"containers": [{"name": "main", "image": "busybox"}]});
    pod.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let job = json!({"metadata": {"name": "job"}, "spec": {"template": {"spec": pod}}});
    let mut world = World::new(1, Some(Kubelet::new(Outcomes::parse(outcomes).unwrap())));
    world.create_job(&job).unwrap();
    world.run_to(ORIGIN + Millis::from_seconds(second));
    let pods: Vec<_> = world.api().list(Resource::Pods).collect();
    assert_eq!(pods.len(), 1, "at {second} s");
    Value::clone(pods[0])
}

fn state_of<'a>(pod: &'a Value, list: &str) -> &'a Value {
    &object::list(pod, &["status", list])[0]
}

#[test]
fn on_failure_restarts_the_container_with_growing_delays() {
    let on_failure = json!({"restartPolicy": "OnFailure"});
    // Starts at 1 s, ends at 6 s and is started at once; ends at 11 s and waits for 10 s.
    for (second, restarts, phase) in
        [(5, 0, "Running"), (7, 1, "Running"), (20, 1, "Running"), (22, 2, "Running"), (27, 2, "Succeeded")]
    {
        let pod = pod_at(on_failure.clone(), "1,3,0", second);
        let status = state_of(&pod, "containerStatuses");
        assert_eq!(object::integer(status, &["restartCount"]), Some(restarts), "at {second} s");
        assert_eq!(object::text(&pod, &["status", "phase"]), phase, "at {second} s");
    }
    let waiting = pod_at(on_failure, "1,3,0", 15);
    let status = state_of(&waiting, "containerStatuses");
    assert_eq!(object::text(status, &["state", "waiting", "reason"]), "CrashLoopBackOff");
    assert_eq!(object::integer(status, &["lastState", "terminated", "exitCode"]), Some(3));
    assert!(!object::condition_is_true(&waiting, "Ready"));
}

#[test]
fn a_pod_ends_when_its_sidecars_have_stopped() {
    let sidecar = json!({
        "restartPolicy": "Never",
        "initContainers": [{"name": "proxy", "image": "proxy", "restartPolicy": "Always"}],
    });
    let stopping = pod_at(sidecar.clone(), "7", 6);
    assert_eq!(object::text(&stopping, &["status", "phase"]), "Running");
    let end = &["state", "terminated", "exitCode"];
    assert_eq!(object::integer(state_of(&stopping, "containerStatuses"), end), Some(7));
    assert_eq!(object::integer(state_of(&stopping, "initContainerStatuses"), end), None);
    let ended = pod_at(sidecar, "7", 7);
    assert_eq!(object::text(&ended, &["status", "phase"]), "Failed");
    let finished =
        |pod: &Value, list: &str| object::text(state_of(pod, list), &["state", "terminated", "finishedAt"]).to_owned();
    assert_eq!(finished(&ended, "containerStatuses"), "2000-01-01T01:00:06Z");
    assert_eq!(finished(&ended, "initContainerStatuses"), "2000-01-01T01:00:07Z");
}

#[test]
fn the_deadline_of_the_pod_ends_it() {
    let fields = json!({"restartPolicy": "Never", "activeDeadlineSeconds": 30});
    let running = pod_at(fields.clone(), "hang", 30);
    assert_eq!(object::text(&running, &["status", "phase"]), "Running");
    let over = pod_at(fields, "hang", 31);
    assert_eq!(object::text(&over, &["status", "phase"]), "Failed");
    assert_eq!(object::text(&over, &["status", "reason"]), "DeadlineExceeded");
}

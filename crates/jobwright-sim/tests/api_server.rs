//! The simulated API server: deletion, finalizers, conflicts, generated names, what a patch changes.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use jobwright_core::{Resource, Timestamp};
use jobwright_sim::api_server::{ApiServer, DeletePod, Propagation, Reason};
use jobwright_sim::garbage_collector::GarbageCollector;
use jobwright_sim::kubelet::transition;
use jobwright_sim::object;
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::from_seconds(946_688_400);

fn job() -> Value {
    json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "job"},
        "spec": {"completions": 2, "template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}],
        }}},
    })
}

fn pod(owner: &str, finalizers: &[&str]) -> Value {
    let owners = if owner.is_empty() {
        json!(null)
    } else {
        json!([{"apiVersion": "batch/v1", "kind": "Job", "name": "job", "uid": owner, "controller": true,
                "blockOwnerDeletion": true}])
    };
    json!({
        "metadata": {"generateName": "job-", "finalizers": finalizers, "ownerReferences": owners},
        "spec": {"terminationGracePeriodSeconds": 30, "containers": [{"name": "main", "image": "busybox"}]},
    })
}

/// A server with one Job and one pod of it; the name of the pod.
fn cluster(finalizers: &[&str]) -> (ApiServer, String) {
    let mut api = ApiServer::new(1);
    let job = api.create_job(&job(), NOW).unwrap();
    let pod = api.create_pod(pod(object::uid(&job), finalizers), NOW).unwrap();
    let name = object::name(&pod).to_owned();
    (api, name)
}

fn run(api: &mut ApiServer, name: &str) {
    api.change_pod_status("default", name, |pod| transition::run(pod, true, NOW)).unwrap();
}

fn grace_of(api: &ApiServer, name: &str) -> Option<i64> {
    let pod = api.get(Resource::Pods, "default", name).ok()?;
    object::integer(&pod, &["metadata", "deletionGracePeriodSeconds"])
}

fn delete(api: &mut ApiServer, name: &str, grace: Option<i64>) {
    api.delete_pod("default", name, DeletePod { grace, uid: None }, NOW).unwrap();
}

#[test]
fn env_1_generated_names_end_in_five_characters_and_long_prefixes_are_cut() {
    let (mut api, name) = cluster(&[]);
    assert!(name.starts_with("job-") && name.len() == 9, "{name}");
    let mut long = pod("", &[]);
    object::set(&mut long, &["metadata", "generateName"], "a".repeat(70));
    let made = api.create_pod(long, NOW).unwrap();
    assert_eq!(object::name(&made).len(), 63);
}

#[test]
fn env_2_a_pod_that_nobody_runs_goes_at_once() {
    let (mut api, name) = cluster(&[]);
    delete(&mut api, &name, None);
    assert!(api.get(Resource::Pods, "default", &name).is_err());
}

#[test]
fn env_2_a_finalizer_keeps_the_object() {
    let (mut api, name) = cluster(&["a.io/b"]);
    delete(&mut api, &name, None);
    assert_eq!(grace_of(&api, &name), Some(0));
    api.patch_pod("default", &name, |pod| object::set_finalizers(pod, &[])).unwrap();
    assert!(api.get(Resource::Pods, "default", &name).is_err());
}

#[test]
fn env_2_a_running_pod_has_its_grace_and_it_can_only_be_shortened() {
    let (mut api, name) = cluster(&["a.io/b"]);
    run(&mut api, &name);
    delete(&mut api, &name, None);
    assert_eq!(grace_of(&api, &name), Some(30));
    delete(&mut api, &name, Some(60));
    assert_eq!(grace_of(&api, &name), Some(30));
    delete(&mut api, &name, Some(10));
    let pod = api.get(Resource::Pods, "default", &name).unwrap();
    assert_eq!(object::text(&pod, &["metadata", "deletionTimestamp"]), "2000-01-01T01:00:10Z");
    // Without finalizers it stays as long as its kubelet has not ended it.
    api.patch_pod("default", &name, |pod| object::set_finalizers(pod, &[])).unwrap();
    assert_eq!(grace_of(&api, &name), Some(10));
    delete(&mut api, &name, Some(0));
    assert!(api.get(Resource::Pods, "default", &name).is_err());
}

#[test]
fn a_precondition_protects_another_pod_of_the_same_name() {
    let (mut api, name) = cluster(&[]);
    let error = api.delete_pod("default", &name, DeletePod { grace: None, uid: Some("other") }, NOW).unwrap_err();
    assert_eq!(error.reason, Reason::Conflict);
}

#[test]
fn a_change_that_changes_nothing_writes_nothing() {
    let (mut api, name) = cluster(&["a.io/b"]);
    // The first change of a Job also stores the labels that reading it shows (DEF-4).
    api.patch_job("default", "job", &json!({})).unwrap();
    api.take_log();
    let before = api.version();
    api.patch_pod("default", &name, |pod| object::remove_finalizer(pod, "c.io/d")).unwrap();
    api.patch_job("default", "job", &json!({"spec": {"completions": 2}})).unwrap();
    assert_eq!((api.version(), api.take_log().len()), (before, 0));
}

#[test]
fn obj_1_the_generation_grows_with_the_spec_and_with_the_deletion() {
    let (mut api, _) = cluster(&[]);
    let generation = |api: &ApiServer| {
        object::integer(&api.get(Resource::Jobs, "default", "job").unwrap(), &["metadata", "generation"])
    };
    assert_eq!(generation(&api), Some(1));
    api.patch_job("default", "job", &json!({"metadata": {"labels": {"a": "b"}}})).unwrap();
    assert_eq!(generation(&api), Some(1));
    api.patch_job("default", "job", &json!({"spec": {"parallelism": 2}})).unwrap();
    assert_eq!(generation(&api), Some(2));
    api.patch_job_status("default", "job", &json!({"status": {"startTime": "$now"}}), NOW).unwrap();
    assert_eq!(generation(&api), Some(2));
    api.delete_job(("default", "job"), Some(Propagation::Foreground), None, NOW).unwrap();
    assert_eq!(generation(&api), Some(3));
}

#[test]
fn env_4_a_status_write_needs_the_present_version() {
    let (mut api, _) = cluster(&[]);
    let job = api.get(Resource::Jobs, "default", "job").unwrap();
    let (uid, version) = (object::uid(&job).to_owned(), object::version(&job));
    let status = json!({"active": 1});
    let put = |api: &mut ApiServer, uid: &str, version| {
        api.put_job_status(("default", "job"), uid, version, status.clone()).map_err(|error| error.reason)
    };
    assert_eq!(put(&mut api, "other", version).unwrap_err(), Reason::Conflict);
    put(&mut api, &uid, version).unwrap();
    assert_eq!(put(&mut api, &uid, version).unwrap_err(), Reason::Conflict);
    let bad = api.patch_job_status("default", "job", &json!({"status": {"active": -1}}), NOW).unwrap_err();
    assert_eq!((bad.reason, bad.causes[0].field.as_str()), (Reason::Invalid, "status.active"));
}

#[test]
fn a_job_that_breaks_a_rule_is_refused() {
    let (mut api, _) = cluster(&[]);
    assert_eq!(api.create_job(&job(), NOW).unwrap_err().reason, Reason::AlreadyExists);
    let mut bad = job();
    object::set(&mut bad, &["metadata", "name"], "bad");
    object::set(&mut bad, &["spec", "completions"], -1);
    assert_eq!(api.create_job(&bad, NOW).unwrap_err().causes[0].field, "spec.completions");
    let patched = api.patch_job("default", "job", &json!({"spec": {"completions": 5}})).unwrap_err();
    assert_eq!(patched.causes[0].detail, "Invalid value: 5: field is immutable");
    let wrong = api.patch_job("default", "job", &json!({"spec": {"parallelism": "many"}})).unwrap_err();
    assert_eq!(wrong.reason, Reason::BadRequest);
}

/// Passes of the garbage collector, one after the other, until it needs none.
fn collect(collector: &mut GarbageCollector, api: &mut ApiServer) {
    loop {
        for change in api.take_log() {
            collector.notice(&change, NOW);
        }
        if collector.due().is_none() {
            return;
        }
        collector.pass(api, NOW);
    }
}

#[test]
fn gcd_2_background_takes_the_job_at_once_and_the_pods_later() {
    let (mut api, name) = cluster(&[]);
    let mut collector = GarbageCollector::default();
    api.delete_job(("default", "job"), Some(Propagation::Background), None, NOW).unwrap();
    assert!(api.get(Resource::Jobs, "default", "job").is_err());
    assert!(api.get(Resource::Pods, "default", &name).is_ok());
    collect(&mut collector, &mut api);
    assert!(api.get(Resource::Pods, "default", &name).is_err());
}

#[test]
fn gcd_3_foreground_waits_for_the_pods() {
    let (mut api, name) = cluster(&["a.io/b"]);
    let mut collector = GarbageCollector::default();
    api.delete_job(("default", "job"), Some(Propagation::Foreground), None, NOW).unwrap();
    collect(&mut collector, &mut api);
    assert_eq!(grace_of(&api, &name), Some(0));
    assert!(api.get(Resource::Jobs, "default", "job").is_ok());
    api.patch_pod("default", &name, |pod| object::set_finalizers(pod, &[])).unwrap();
    collect(&mut collector, &mut api);
    assert!(api.get(Resource::Jobs, "default", "job").is_err());
}

#[test]
fn gcd_1_gcd_4_without_a_policy_the_pods_stay_and_lose_their_owner() {
    let (mut api, name) = cluster(&[]);
    let mut collector = GarbageCollector::default();
    api.delete_job(("default", "job"), None, None, NOW).unwrap();
    collect(&mut collector, &mut api);
    assert!(api.get(Resource::Jobs, "default", "job").is_err());
    let pod = api.get(Resource::Pods, "default", &name).unwrap();
    assert!(object::list(&pod, &["metadata", "ownerReferences"]).is_empty() && !object::is_terminating(&pod));
}

#[test]
fn gcd_1_a_second_deletion_without_a_policy_goes_on_as_the_first() {
    use Propagation::{Background, Foreground, Orphan};
    for (first, second, left) in [
        (Some(Foreground), None, vec!["a.io/b", "foregroundDeletion"]),
        (None, None, vec!["a.io/b", "orphan"]),
        (Some(Orphan), Some(Foreground), vec!["a.io/b", "foregroundDeletion"]),
        (Some(Foreground), Some(Background), vec!["a.io/b"]),
        (Some(Background), None, vec!["a.io/b", "orphan"]),
    ] {
        let (mut api, _) = cluster(&[]);
        api.patch_job("default", "job", &json!({"metadata": {"finalizers": ["a.io/b"]}})).unwrap();
        for propagation in [first, second] {
            api.delete_job(("default", "job"), propagation, None, NOW).unwrap();
        }
        let job = api.get(Resource::Jobs, "default", "job").unwrap();
        assert_eq!(object::finalizers(&job), left, "{first:?}, then {second:?}");
    }
}

#[test]
fn what_is_being_deleted_gets_no_new_finalizers() {
    let (mut api, name) = cluster(&["a.io/b"]);
    api.delete_pod("default", &name, DeletePod::default(), NOW).unwrap();
    api.delete_job(("default", "job"), Some(Propagation::Foreground), None, NOW).unwrap();
    let more = ["a.io/b", "c.io/d"].map(str::to_owned);
    let pod = api.patch_pod("default", &name, |pod| object::set_finalizers(pod, &more)).unwrap_err();
    let job = api.patch_job("default", "job", &json!({"metadata": {"finalizers": more}})).unwrap_err();
    for error in [pod, job] {
        assert_eq!((error.reason, error.causes[0].field.as_str()), (Reason::Invalid, "metadata.finalizers"));
    }
}

//! One look at a snapshot: what is written, what is remembered, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use jobwright_core::Timestamp;
use jobwright_sim::reconcile::{Snapshot, reconcile};
use jobwright_sim::session::{Options, Session};
use serde_json::{Value, json};

const T0: i64 = 946_688_400;

fn snapshot(spec: &Value, status: &Value, pods: Vec<Value>) -> Snapshot {
    let job = json!({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {"name": "job", "namespace": "default", "uid": "u-j", "resourceVersion": "5",
            "creationTimestamp": "2000-01-01T01:00:00Z", "generation": 1},
        "spec": spec, "status": status,
    });
    Snapshot { job, pods, now: Timestamp::from_seconds(T0 + 60), recall: false }
}

fn spec(further: Value) -> Value {
    let mut spec =
        json!({"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "i"}]}}});
    spec.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
    spec
}

fn pod(name: &str, phase: &str, finalizers: &[&str], ended: Option<&str>) -> Value {
    let owner = json!({"apiVersion": "batch/v1", "kind": "Job", "name": "job", "uid": "u-j", "controller": true});
    let code = i32::from(phase == "Failed");
    let state = ended.map(|at| json!({"terminated": {"exitCode": code, "finishedAt": at}}));
    json!({
        "metadata": {"name": name, "namespace": "default", "uid": format!("u-{name}"), "finalizers": finalizers,
            "creationTimestamp": "2000-01-01T01:00:01Z", "resourceVersion": "6", "ownerReferences": [owner],
            "labels": {"batch.kubernetes.io/controller-uid": "u-j"}},
        "spec": {"containers": [{"name": "main"}]},
        "status": {"phase": phase, "containerStatuses": [{"name": "main", "state": state}]},
    })
}

const HELD: &[&str] = &["batch.kubernetes.io/job-tracking"];

fn lines(of: &Snapshot) -> Vec<String> {
    reconcile(of)
        .unwrap()
        .writes
        .iter()
        .map(|write| format!("{} {} ({})", write.verb, write.path, write.rule))
        .collect()
}

#[test]
fn a_new_job_gets_its_pods_cre_8() {
    let new = snapshot(&spec(json!({"parallelism": 2, "completions": 2})), &Value::Null, Vec::new());
    let result = reconcile(&new).unwrap();
    let pods = "/api/v1/namespaces/default/pods";
    let status = "/apis/batch/v1/namespaces/default/jobs/job/status";
    let seen: Vec<_> = result.writes.iter().map(|write| (&*write.verb, &*write.path)).collect();
    assert_eq!(seen, [("POST", pods), ("POST", pods), ("PUT", status)]);
    let body = result.writes[0].body.as_ref().unwrap();
    assert_eq!(body["metadata"]["ownerReferences"][0]["uid"], "u-j");
    assert_eq!(result.writes[2].body.as_ref().unwrap()["status"]["active"], 2);
    let events: Vec<&str> = result.events.iter().map(|event| &*event.message).collect();
    assert_eq!(events, ["Created pod: job-*"; 2]);
    assert!(result.again && result.next.is_none());
    assert_eq!((result.decisions.len(), &*result.decisions[0].rule), (1, "create-pods"));
    assert_eq!(result.decisions[0].record.rule.as_deref(), Some("create-pods"));
    assert_eq!(result.decisions[0].record.writes.len(), result.writes.len());
}

#[test]
fn a_failure_is_stored_before_its_finalizer_goes_trk_10() {
    let failed = pod("a", "Failed", HELD, Some("2000-01-01T01:00:58Z"));
    let result = lines(&snapshot(&spec(json!({})), &json!({"active": 1}), vec![failed]));
    let calls = [
        "PUT /apis/batch/v1/namespaces/default/jobs/job/status (store-status)",
        "PATCH /api/v1/namespaces/default/pods/a (release-pods)",
        "PUT /apis/batch/v1/namespaces/default/jobs/job/status (store-counters)",
    ];
    assert_eq!(result, calls);
}

#[test]
fn a_controller_that_starts_forgets_the_backoff_unless_it_recalls_bko_1() {
    let counted = vec![
        pod("a", "Failed", &[], Some("2000-01-01T01:00:20Z")),
        pod("b", "Succeeded", &[], Some("2000-01-01T01:00:10Z")),
        pod("c", "Failed", &[], Some("2000-01-01T01:00:50Z")),
        pod("d", "Failed", &[], Some("2000-01-01T01:00:05Z")),
    ];
    let status = json!({"failed": 3, "succeeded": 1, "startTime": "2000-01-01T01:00:00Z"});
    let fresh = snapshot(&spec(json!({"completions": 2})), &status, counted);
    assert_eq!(reconcile(&fresh).unwrap().decisions[0].rule, "create-pods");
    let running = reconcile(&Snapshot { recall: true, ..fresh }).unwrap();
    assert_eq!(running.decisions[0].rule, "backoff-wait");
    // Two failures after the success: 20 s after the last one.
    assert_eq!(running.next.map(|next| next.at).as_deref(), Some("2000-01-01T01:01:10.000Z"));
}

#[test]
fn a_finished_job_has_its_time_to_live_and_no_pod_keeps_a_finalizer() {
    let end = json!({"type": "Complete", "status": "True", "reason": "CompletionsReached",
        "lastTransitionTime": "2000-01-01T01:00:50Z"});
    let done = json!({"conditions": [end], "succeeded": 1});
    let mut late = pod("late", "Succeeded", HELD, None);
    late["metadata"]["deletionTimestamp"] = "2000-01-01T01:00:55Z".into();
    let kept = snapshot(&spec(json!({"ttlSecondsAfterFinished": 100})), &done, vec![late]);
    let result = reconcile(&kept).unwrap();
    let rules: Vec<&str> = result.decisions.iter().map(|card| &*card.rule).collect();
    assert_eq!(rules, ["orphan-released", "already-finished", "ttl-runs"], "ORP-4, TTL-4");
    assert_eq!(result.next.map(|next| next.reason).as_deref(), Some("time-to-live"));
    let over = snapshot(&spec(json!({"ttlSecondsAfterFinished": 10})), &done, Vec::new());
    let job = "/apis/batch/v1/namespaces/default/jobs/job";
    assert_eq!(lines(&over), [format!("GET {job} (ttl-check)"), format!("DELETE {job} (ttl-over)")], "TTL-5");
}

#[test]
fn pods_of_others_are_left_alone_and_loose_ones_are_adopted_ado_6() {
    let mut other = pod("other", "Running", HELD, None);
    other["metadata"]["ownerReferences"][0]["uid"] = "u-x".into();
    let mut loose = pod("loose", "Running", &[], None);
    loose["metadata"]["ownerReferences"] = json!([]);
    let result = reconcile(&snapshot(&spec(json!({})), &Value::Null, vec![other, loose])).unwrap();
    let calls: Vec<_> = result.writes.iter().map(|write| (&*write.verb, &*write.rule)).collect();
    assert_eq!(calls, [("GET", "check-before-adoption"), ("PATCH", "adopt-pod"), ("PUT", "store-status")]);
    assert_eq!(result.writes[1].path, "/api/v1/namespaces/default/pods/loose");
}

#[test]
fn what_is_wrong_is_named_with_its_field() {
    let read = |text: &str| {
        let result = Snapshot::from_json(text).map_err(|errors| errors[0].clone());
        let result = result.and_then(|it| reconcile(&it).map_err(|error| error.to_diagnostic()));
        let error = result.err().unwrap();
        (error.field.unwrap_or_default(), error.message)
    };
    let job = r#""job": {"metadata": {"name": "j"}, "spec": {"template": {}}}, "now": "2000-01-01T01:00:00Z""#;
    for (text, field) in [
        (r#"{"now": "2000-01-01T01:00:00Z"}"#.to_owned(), "job"),
        (r#"{"job": {"kind": "Pod", "spec": {}}, "now": "2000-01-01T01:00:00Z"}"#.to_owned(), "job"),
        (r#"{"job": {}, "now": "noon"}"#.to_owned(), "now"),
        (format!("{{{job}, \"pods\": 3}}"), "pods"),
        (format!("{{{job}, \"pods\": [{{}}, {{\"status\": {{\"phase\": 7}}}}]}}"), "pods[1].status.phase"),
        (
            job.replace("\"template\"", "\"parallelism\": \"two\", \"template\"").replacen("\"job\"", "{\"job\"", 1)
                + "}",
            "job.spec.parallelism",
        ),
    ] {
        let (found, message) = read(&text);
        assert_eq!(found, field, "{text}: {message}");
        assert!(message.contains("must stand"), "{message}");
    }
    assert!(Snapshot::from_json("").is_err());
}

/// What a dump is told to lead to is what its session does first.
#[test]
fn a_session_from_a_dump_begins_with_the_decision_that_was_explained() {
    let mut seen = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/dumps")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(mut session) = Session::from_text(&text, &Options::default()) else { continue };
        let explanation = session.explanation().unwrap();
        let rungs = |card: &jobwright_api::card::Card| json!([card.rule, card.tried]);
        let (told, at) = (rungs(&explanation.reconciled.decisions[0]), explanation.at.clone());
        assert!(session.step());
        assert_eq!(rungs(&session.card(1).unwrap()), told, "{}", path.display());
        assert_eq!(jobwright_api::time::format(session.record(1).unwrap().at), at);
        seen += 1;
    }
    assert!(seen >= 17, "{seen}");
}

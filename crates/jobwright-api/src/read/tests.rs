//! Objects as they come from an API server, and odd ones.

use jobwright_core::selector::Requirement;
use jobwright_core::{CompletionIndex, CompletionMode, ConditionStatus, PodPhase, Timestamp};
use serde_json::json;

use super::{job, pod};

#[test]
fn a_whole_pod_obj_10() {
    let read = pod(&json!({
        "metadata": {
            "namespace": "n", "name": "p", "uid": "u", "resourceVersion": "7",
            "creationTimestamp": "2000-01-01T01:00:00Z",
            "deletionTimestamp": "2000-01-01T01:01:00Z", "deletionGracePeriodSeconds": 30,
            "labels": {"b": "2", "a": "1"},
            "annotations": {
                "batch.kubernetes.io/job-completion-index": "3",
                "batch.kubernetes.io/job-index-failure-count": "2",
                "batch.kubernetes.io/job-index-ignored-failure-count": "x",
            },
            "finalizers": ["x.io/y", "batch.kubernetes.io/job-tracking"],
            "ownerReferences": [
                {"apiVersion": "v1", "kind": "X", "name": "other", "uid": "o"},
                {"apiVersion": "batch/v1", "kind": "Job", "name": "job", "uid": "j", "controller": true},
            ],
        },
        "spec": {"nodeName": "node-1", "initContainers": [{"name": "side", "restartPolicy": "Always"}, {"name": "init"}]},
        "status": {
            "phase": "Failed",
            "conditions": [{"type": "Ready", "status": "False", "lastTransitionTime": "2000-01-01T01:00:05Z"}],
            "initContainerStatuses": [{"name": "side", "restartCount": 2}, {"name": "init"}],
            "containerStatuses": [
                {"name": "a", "state": {"terminated": {"exitCode": 1, "finishedAt": "2000-01-01T01:00:09Z"}}},
                {"name": "b", "state": {"terminated": {"exitCode": 0, "finishedAt": null}}},
                {"name": "c", "state": {"running": {}}},
            ],
        },
    }))
    .unwrap();
    let second = |n: i64| Timestamp::from_seconds(946_688_400 + n);
    assert_eq!((&*read.key.namespace, &*read.key.name, read.resource_version.0), ("n", "p", 7));
    assert_eq!(read.created, second(0));
    assert_eq!(read.deletion.map(|d| (d.at, d.grace_seconds)), Some((second(60), 30)));
    assert_eq!(read.labels, [("a".into(), "1".into()), ("b".into(), "2".into())]);
    assert_eq!((read.index, read.index_failures, read.index_ignored_failures), (Some(CompletionIndex(3)), 2, 0));
    assert!(read.tracking_finalizer && read.scheduled);
    assert_eq!(read.controller.as_ref().map(|owner| owner.uid.to_string()), Some("j".into()));
    assert_eq!(read.phase, PodPhase::Failed);
    let ready = read.ready_condition().unwrap();
    assert_eq!((ready.status, ready.last_transition), (ConditionStatus::False, Some(second(5))));
    let side = &read.init_containers[0];
    assert_eq!((side.restartable, side.restart_count, read.init_containers[1].restartable), (true, 2, false));
    let ended: Vec<_> = read.containers.iter().map(|c| c.terminated.map(|t| (t.exit_code, t.finished_at))).collect();
    assert_eq!(ended, [Some((1, Some(second(9)))), Some((0, None)), None]);
}

#[test]
fn what_is_absent_or_unknown_is_fine() {
    for phase in [json!(null), json!(""), json!("Napping")] {
        let read = pod(&json!({"metadata": {"name": "p"}, "status": {"phase": phase}})).unwrap();
        assert_eq!((read.phase, read.index, read.tracking_finalizer), (PodPhase::Pending, None, false));
    }
    for index in ["-1", "4294967296", "x", " 1"] {
        let annotations = json!({"batch.kubernetes.io/job-completion-index": index});
        assert_eq!(pod(&json!({"metadata": {"annotations": annotations}})).unwrap().index, None, "GLO-9 {index}");
    }
    let odd = job(&json!({
        "metadata": {"name": "job"},
        "spec": {"completionMode": "Sorted", "podReplacementPolicy": "Odd"},
        "status": {"conditions": [{"type": "Own", "status": "Perhaps"}]},
    }))
    .unwrap();
    assert_eq!(odd.spec.completion_mode, CompletionMode::Unknown);
    assert_eq!(odd.spec.pod_replacement_policy, None);
    assert_eq!(odd.status.conditions[0].status, ConditionStatus::Unknown);
}

#[test]
fn a_wrong_type_is_named() {
    for (value, field) in [
        (json!({"status": {"active": "1"}}), "status.active"),
        (json!({"status": {"ready": 2.5}}), "status.ready"),
        (json!({"status": {"startTime": "yesterday"}}), "status.startTime"),
        (json!({"status": {"uncountedTerminatedPods": {"failed": [1]}}}), "status.uncountedTerminatedPods.failed[0]"),
        (json!({"spec": {"completions": 4_294_967_296_i64}}), "spec.completions"),
    ] {
        assert_eq!(job(&value).unwrap_err().field, field);
    }
}

#[test]
fn selectors_and_template_facts() {
    let read = job(&json!({"spec": {
        "selector": {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "c", "operator": "Exists"}]},
        "completionMode": "Indexed",
    }}))
    .unwrap();
    let rules = [Requirement::Equals("a".into(), "b".into()), Requirement::Exists("c".into())];
    assert_eq!(read.spec.selector.rules.as_deref(), Some(&rules[..]));
    assert!(read.spec.template.has_labels, "pods of an Indexed Job have the label of their index");
    let bare = job(&json!({"spec": {}})).unwrap().spec;
    assert_eq!((bare.selector.rules, bare.template.has_labels), (None, false), "CRE-10");
}

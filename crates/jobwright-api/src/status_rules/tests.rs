//! Each status rule, fired and not fired.

use serde_json::{Value, json};

use super::check;

/// The causes of an update of `status` under `spec`, as `field: text`.
fn causes(spec: &Value, old: &Value, new: &Value) -> Vec<String> {
    let job = |status: &Value| json!({"metadata": {"name": "job"}, "spec": spec, "status": status});
    check(&job(old), &job(new)).iter().map(ToString::to_string).collect()
}

fn conditions(kinds: &[&str]) -> Value {
    kinds.iter().map(|kind| json!({"type": kind, "status": "True"})).collect()
}

const T1: &str = "2000-01-01T01:00:01Z";
const T2: &str = "2000-01-01T01:00:02Z";

#[test]
fn counters_and_uids_stv_1_stv_2() {
    let new = json!({"active": -1, "ready": -2, "uncountedTerminatedPods": {"succeeded": ["a", ""], "failed": ["a"]}});
    assert_eq!(
        causes(&json!({}), &json!({}), &new),
        [
            "status.active: Invalid value: -1: must be greater than or equal to 0",
            "status.ready: Invalid value: -2: must be greater than or equal to 0",
            "status.uncountedTerminatedPods.succeeded[1]: Invalid value: \"\": must not be empty",
            "status.uncountedTerminatedPods.failed[0]: Duplicate value: \"a\"",
        ]
    );
}

#[test]
fn a_usual_end_is_taken() {
    let ended = json!({
        "conditions": conditions(&["SuccessCriteriaMet", "Complete"]),
        "startTime": T1, "completionTime": T2, "succeeded": 1, "terminating": 0, "ready": 0,
        "uncountedTerminatedPods": {},
    });
    let before = json!({"conditions": conditions(&["SuccessCriteriaMet"]), "startTime": T1, "succeeded": 1});
    assert_eq!(causes(&json!({"completions": 1}), &before, &ended), [""; 0]);
}

#[test]
fn ends_exclude_each_other_stv_3_stv_4_stv_10_stv_11() {
    let all = conditions(&["Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"]);
    let new = json!({"conditions": all, "startTime": T1, "completionTime": T1});
    assert_eq!(
        causes(&json!({}), &json!({"startTime": T1}), &new),
        [
            "status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions",
            "status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions",
            "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions",
            "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
        ]
    );
}

#[test]
fn completion_time_stv_12_stv_13_stv_14_stv_30_stv_33() {
    let complete = conditions(&["SuccessCriteriaMet", "Complete"]);
    let done = |at: &str| json!({"conditions": complete, "startTime": T1, "completionTime": at});
    let cannot = "cannot set completionTime when there is no Complete=True condition";
    for (old, new, expected) in [
        (
            json!({}),
            json!({"completionTime": T1}),
            vec![format!("status.completionTime: Invalid value: \"{T1}\": {cannot}")],
        ),
        (
            json!({"startTime": T1}),
            json!({"startTime": T1, "conditions": complete}),
            vec!["status.completionTime: Required value: completionTime is required for Complete jobs".to_owned()],
        ),
        (
            json!({"startTime": T1}),
            done("1999-01-01T00:00:00Z"),
            vec![
                "status.completionTime: Invalid value: \"1999-01-01T00:00:00Z\": must be equal to or after `startTime`"
                    .to_owned(),
            ],
        ),
        (done(T1), done(T2), vec![format!("status.completionTime: Invalid value: \"{T2}\": field is immutable")]),
        (json!({"completionTime": T1}), json!({}), vec![]),
    ] {
        assert_eq!(causes(&json!({}), &old, &new), expected, "{old} {new}");
    }
}

#[test]
fn ends_are_announced_stv_5_stv_15_stv_16() {
    let failed = json!({"startTime": T1, "conditions": conditions(&["Failed"])});
    let complete = json!({"startTime": T1, "completionTime": T1, "conditions": conditions(&["Complete"])});
    let old = json!({"startTime": T1});
    assert_eq!(
        causes(&json!({}), &old, &failed),
        ["status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition"]
    );
    let without = "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
    assert_eq!(causes(&json!({}), &old, &complete), [without]);
    assert_eq!(
        causes(&json!({"successPolicy": {}}), &old, &complete),
        [
            without,
            "status.conditions: Invalid value: cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True",
        ]
    );
}

#[test]
fn a_finished_job_has_nothing_open_stv_17_to_19_stv_25() {
    let new = json!({
        "conditions": conditions(&["FailureTarget", "Failed"]),
        "active": 3, "terminating": 1, "uncountedTerminatedPods": {"failed": ["a"]},
    });
    let all = [
        "status.active: Invalid value: 3: active>0 is invalid for finished job",
        "status.startTime: Required value: startTime is required for finished job",
        "status.uncountedTerminatedPods: Invalid value: {...}: must be empty for finished job",
        "status.terminating: Invalid value: 1: terminating>0 is invalid for finished job",
    ];
    assert_eq!(causes(&json!({"completions": 1}), &json!({}), &new), all);
    let spec = json!({"completions": 0, "suspend": true});
    assert_eq!(causes(&spec, &json!({}), &new), [all[0], all[2], all[3]], "STV-18");
    assert_eq!(causes(&spec, &new, &new), [""; 0], "an old violation stops nothing");
}

#[test]
fn index_lists_stv_20_to_24() {
    let indexed = json!({"completions": 5, "completionMode": "Indexed", "backoffLimitPerIndex": 1});
    for (spec, new, expected) in [
        (
            &indexed,
            json!({"completedIndexes": "0-7", "failedIndexes": "x"}),
            vec![
                "status.completedIndexes: Invalid value: \"0-7\": error parsing completedIndexes: too large index: \"7\"",
                "status.failedIndexes: Invalid value: \"x\": error parsing failedIndexes: cannot convert string to integer for index: \"x\"",
            ],
        ),
        (
            &indexed,
            json!({"completedIndexes": "0-2", "failedIndexes": "2-3"}),
            vec![
                "status.failedIndexes: Invalid value: \"2-3\": failedIndexes and completedIndexes overlap at index: 2",
            ],
        ),
        (&indexed, json!({"completedIndexes": "0-2", "failedIndexes": "3"}), vec![]),
        (
            &json!({"completions": 5}),
            json!({"completedIndexes": "0", "failedIndexes": ""}),
            vec![
                "status.completedIndexes: Invalid value: \"0\": cannot set non-empty completedIndexes when non-indexed completion mode",
                "status.failedIndexes: Invalid value: \"\": cannot set non-null failedIndexes when backoffLimitPerIndex is null",
            ],
        ),
    ] {
        assert_eq!(causes(spec, &json!({}), &new), expected, "{new}");
        assert_eq!(causes(spec, &new, &new), [""; 0]);
    }
}

#[test]
fn ready_stv_26_and_falling_counters_stv_28_stv_29() {
    let (low, high) = (json!({"failed": 1, "succeeded": 1}), json!({"failed": 2, "succeeded": 2}));
    let failed = "status.failed: Invalid value: 1: cannot decrease the failed counter";
    let succeeded = "status.succeeded: Invalid value: 1: cannot decrease the succeeded counter";
    assert_eq!(causes(&json!({}), &high, &low), [failed, succeeded]);
    let elastic = json!({"completionMode": "Indexed", "completions": 3, "parallelism": 3});
    assert_eq!(causes(&elastic, &high, &low), [failed]);
    assert_eq!(
        causes(&json!({}), &json!({}), &json!({"ready": 2, "active": 1})),
        ["status.ready: Invalid value: 2: cannot set more ready pods than active"]
    );
    let negative = "status.active: Invalid value: -1: must be greater than or equal to 0";
    assert_eq!(causes(&json!({}), &json!({}), &json!({"active": -1})), [negative]);
}

#[test]
fn what_is_true_stays_true_stv_6_stv_7_stv_27() {
    let with = |kinds: &[&str]| json!({"startTime": T1, "completionTime": T1, "conditions": conditions(kinds)});
    for (old, new, expected) in [
        (
            with(&["SuccessCriteriaMet", "Complete"]),
            with(&["Complete"]),
            vec![
                "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
                "status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition",
            ],
        ),
        (
            with(&["Complete"]),
            with(&["SuccessCriteriaMet", "Complete"]),
            vec![
                "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
            ],
        ),
        (
            json!({"startTime": T1, "conditions": conditions(&["FailureTarget", "Failed"])}),
            json!({"startTime": T1}),
            vec![
                "status.conditions: Invalid value: cannot disable the terminal Failed=True condition",
                "status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition",
            ],
        ),
    ] {
        assert_eq!(causes(&json!({}), &old, &new), expected, "{old} {new}");
    }
}

#[test]
fn start_time_stv_31_stv_32() {
    let suspended = |is: &str, at: Option<&str>| {
        let mut status = json!({"conditions": [{"type": "Suspended", "status": is}]});
        if let Some(at) = at {
            status["startTime"] = at.into();
        }
        status
    };
    let (running, held) = (json!({"suspend": false}), json!({"suspend": true}));
    let immutable = "field is immutable for unsuspended job once set";
    assert_eq!(
        causes(&running, &json!({"startTime": T1}), &json!({"startTime": T2})),
        [format!("status.startTime: Invalid value: \"{T2}\": {immutable}")]
    );
    assert_eq!(
        causes(&running, &json!({"startTime": T1}), &json!({})),
        [format!("status.startTime: Invalid value: null: {immutable}")]
    );
    for (spec, old, new) in [
        (&running, json!({}), json!({"startTime": T1})),
        (&held, json!({"startTime": T1}), json!({})),
        (&running, suspended("True", Some(T1)), suspended("False", Some(T2))),
    ] {
        assert_eq!(causes(spec, &old, &new), [""; 0], "{new}");
    }
}

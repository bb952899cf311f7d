//! `status` of a Job.
//!
//! Invariant: what is unset or zero is left out as in the API's JSON; a pointer to zero is not.

use jobwright_core::{Condition, JobStatus, Timestamp, Uid};
use serde_json::{Map, Value};

use crate::time;

/// The JSON of a status (OBJ-5); times have whole seconds.
#[must_use]
pub fn status(status: &JobStatus) -> Value {
    let mut out = Map::new();
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            out.insert(name.to_owned(), value);
        }
    };
    let count = |n: i32| (n != 0).then(|| Value::from(n));
    let conditions: Vec<Value> = status.conditions.iter().map(condition).collect();
    set("conditions", (!conditions.is_empty()).then_some(Value::Array(conditions)));
    set("startTime", status.start_time.map(at));
    set("completionTime", status.completion_time.map(at));
    set("active", count(status.active));
    set("succeeded", count(status.succeeded));
    set("failed", count(status.failed));
    set("terminating", status.terminating.map(Value::from));
    set("ready", status.ready.map(Value::from));
    set("completedIndexes", text(&status.completed_indexes));
    set("failedIndexes", status.failed_indexes.as_deref().map(Value::from));
    let uncounted = status.uncounted.as_ref().map(|pods| {
        let mut lists = Map::new();
        for (name, uids) in [("succeeded", &pods.succeeded), ("failed", &pods.failed)] {
            if !uids.is_empty() {
                lists.insert(name.to_owned(), uids.iter().map(Uid::to_string).collect());
            }
        }
        Value::Object(lists)
    });
    set("uncountedTerminatedPods", uncounted);
    Value::Object(out)
}

fn condition(condition: &Condition) -> Value {
    let fields = [
        ("type", Some(condition.kind.as_str().into())),
        ("status", Some(condition.status.as_str().into())),
        ("lastProbeTime", condition.last_probe_time.map(at)),
        ("lastTransitionTime", condition.last_transition_time.map(at)),
        ("reason", text(&condition.reason)),
        ("message", text(&condition.message)),
    ];
    let mut out = Map::new();
    for (name, value) in fields {
        if let Some(value) = value {
            out.insert(name.to_owned(), value);
        }
    }
    Value::Object(out)
}

fn at(at: Timestamp) -> Value {
    Value::String(time::format(at))
}

fn text(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| Value::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jobwright_core::{ConditionStatus, ConditionType, UncountedTerminatedPods};
    use serde_json::json;

    #[test]
    fn zero_is_left_out_and_a_pointer_to_zero_is_not() {
        assert_eq!(status(&JobStatus::default()), json!({}));
        let full = JobStatus {
            ready: Some(0),
            terminating: Some(0),
            failed_indexes: Some(String::new()),
            uncounted: Some(UncountedTerminatedPods::default()),
            ..JobStatus::default()
        };
        let expected = json!({"ready": 0, "terminating": 0, "failedIndexes": "", "uncountedTerminatedPods": {}});
        assert_eq!(status(&full), expected);
    }

    #[test]
    fn a_status_reads_back_as_it_was_obj_5() {
        let now = Timestamp(946_688_400_000);
        let condition =
            Condition::new(ConditionType::Suspended, ConditionStatus::True, "JobSuspended".into(), "m".into(), now);
        let before = JobStatus {
            conditions: vec![condition],
            start_time: Some(now),
            completion_time: Some(now),
            active: 1,
            succeeded: 2,
            failed: 3,
            terminating: Some(4),
            ready: Some(5),
            completed_indexes: "0-2".into(),
            failed_indexes: Some("3".into()),
            uncounted: Some(UncountedTerminatedPods { succeeded: vec![Uid::new("a")], failed: vec![Uid::new("b")] }),
        };
        let job = json!({"metadata": {"name": "job"}, "status": status(&before)});
        assert_eq!(crate::read::job(&job).unwrap().status, before);
    }
}

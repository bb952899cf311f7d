//! The Jobs that the model checker walks through, and what may go wrong in each walk.
//!
//! The full product of all disturbances is behind `cargo xtask soak`; the tests take them one at a time,
//! and all together for the smallest Jobs.

use jobwright_core::Gates;
use jobwright_sim::explore::{Scope, Subject};
use serde_json::{Value, json};

/// All that a pod may do in these walks.
pub const OUTCOMES: &str = "0,1,42,evict,delete";

/// One walk.
#[derive(Clone, Debug)]
pub struct Walk {
    /// What it is about, for messages.
    pub name: String,
    /// The Job.
    pub subject: Subject,
    /// What may happen.
    pub scope: Scope,
}

/// The specification of a Job with these fields and one container.
#[must_use]
pub fn job(mut spec: Value, restart_policy: &str) -> Value {
    spec["template"] =
        json!({"spec": {"restartPolicy": restart_policy, "containers": [{"name": "main", "image": "x"}]}});
    json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "job"}, "spec": spec})
}

/// A walk through what may happen to a Job.
///
/// # Errors
/// The outcomes cannot be read.
pub fn walk(name: &str, job: Value, any_of: &str, faults: [u8; 4], states_max: usize) -> Result<Walk, String> {
    let scope = Scope::any_of(any_of).map_err(|error| error.to_string())?;
    let [crashes, conflicts, stale, lost] = faults;
    let scope = Scope { crashes, conflicts, stale, lost, states_max, ..scope };
    Ok(Walk { name: name.to_owned(), subject: Subject { job, gates: Gates::default(), tamper: None }, scope })
}

/// Walks through Jobs with a pod failure policy, each with one disturbance: every action, by exit code and by condition.
///
/// # Errors
/// The outcomes cannot be read.
pub fn policies(states_max: usize) -> Result<Vec<Walk>, String> {
    let codes =
        |action: &str, code: i32| json!({"action": action, "onExitCodes": {"operator": "In", "values": [code]}});
    let evicted = json!({"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]});
    let plain = json!({"rules": [codes("FailJob", 42), evicted, codes("Count", 1)]});
    let per_index = json!({"rules": [codes("FailIndex", 42), evicted, codes("Count", 1)]});
    let jobs = [
        ("FailJob", json!({"completions": 2, "parallelism": 2, "backoffLimit": 1, "podFailurePolicy": plain})),
        (
            "FailIndex",
            json!({
                "completions": 2, "parallelism": 2, "completionMode": "Indexed", "backoffLimitPerIndex": 1,
                "podFailurePolicy": per_index,
            }),
        ),
    ];
    let mut walks = Vec::new();
    for (action, spec) in jobs {
        for (what, faults) in EACH {
            let name = format!("{action}, {what}");
            walks.push(walk(&name, job(spec.clone(), "Never"), "0,1,42,evict", faults, states_max)?);
        }
    }
    Ok(walks)
}

/// Walks in which a person changes the Job at any moment, each with one disturbance besides.
///
/// # Errors
/// The outcomes cannot be read.
pub fn changes(states_max: usize) -> Result<Vec<Walk>, String> {
    let spec = |spec: Value| json!({"spec": spec});
    let suspension = vec![spec(json!({"suspend": true})), spec(json!({"suspend": false}))];
    let scale = vec![spec(json!({"parallelism": 1})), spec(json!({"parallelism": 3}))];
    let elastic = vec![spec(json!({"parallelism": 1, "completions": 1}))];
    let rows =
        [("suspension", "NonIndexed", suspension), ("scale", "NonIndexed", scale), ("elastic", "Indexed", elastic)];
    let mut walks = Vec::new();
    for (change, mode, patches) in rows {
        for (what, faults) in EACH {
            let spec = json!({"completionMode": mode, "completions": 2, "parallelism": 2, "backoffLimit": 1});
            let mut walk = walk(&format!("{change}, {what}"), job(spec, "Never"), "0,1", faults, states_max)?;
            walk.scope.patches.clone_from(&patches);
            walks.push(walk);
        }
    }
    Ok(walks)
}

/// The disturbances, one at a time: a crash, a conflict, a stale watch, a lost event.
const EACH: [(&str, [u8; 4]); 5] = [
    ("nothing goes wrong", [0, 0, 0, 0]),
    ("a crash", [1, 0, 0, 0]),
    ("a conflict", [0, 1, 0, 0]),
    ("a stale watch", [0, 0, 1, 0]),
    ("a lost event", [0, 0, 0, 1]),
];

/// All walks of a size: `most` is the largest number of completions, of parallelism and of the limit.
///
/// # Errors
/// The outcomes cannot be read.
pub fn walks(most: (u32, u32, u32), all_at_once: bool, states_max: usize) -> Result<Vec<Walk>, String> {
    let faults = if all_at_once { vec![("all at once", [1, 1, 1, 1])] } else { EACH.to_vec() };
    let mut walks = Vec::new();
    for mode in ["NonIndexed", "Indexed"] {
        for policy in ["Never", "OnFailure"] {
            for (what, faults) in &faults {
                let (completions, parallelism, limit) = most;
                let spec = json!({"completionMode": mode, "completions": completions, "parallelism": parallelism, "backoffLimit": limit});
                let name = format!("{mode} {policy} {completions}/{parallelism}/{limit}, {what}");
                walks.push(walk(&name, job(spec, policy), OUTCOMES, *faults, states_max)?);
            }
        }
    }
    Ok(walks)
}

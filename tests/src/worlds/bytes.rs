//! Worlds from bytes, for the fuzzer: each byte is one choice, so that a small change of the bytes is a small change of
//! the world.
//!
//! Invariant: any bytes are a world; where they end, the world has no further step.

use serde_json::{Value, json};

use super::general::closing;
use super::jobs::{JobPlan, Mode};
use super::plan::{Plan, Step};

/// Milliseconds between two steps.
const GAPS: [u32; 8] = [1, 20, 300, 1_100, 2_500, 11_000, 60_000, 301_000];

/// What people, kubelets and faults do.
const ACTIONS: &[&str] = &[
    r#"{"pods": {"run": {"ready": true}}}"#,
    r#"{"pods": {"count": 1, "run": {"ready": false}}}"#,
    r#"{"pods": {"succeed": {}}}"#,
    r#"{"pods": {"count": 1, "succeed": {}}}"#,
    r#"{"pods": {"count": 1, "fail": {"exitCode": 1}}}"#,
    r#"{"pods": {"count": 2, "order": "newest", "fail": {"exitCode": 42}}}"#,
    r#"{"pods": {"index": 0, "fail": {"exitCode": 1}}}"#,
    r#"{"pods": {"count": 1, "fail": {"noStatuses": true}}}"#,
    r#"{"pods": {"count": 1, "condition": {"type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI"}}}"#,
    r#"{"pods": {"count": 1, "delete": {}}}"#,
    r#"{"pods": {"delete": {"grace": 0}}}"#,
    r#"{"pods": {"terminated": {}}}"#,
    r#"{"pods": {"count": 1, "terminated": {"phase": "Succeeded"}}}"#,
    r#"{"pods": {"count": 1, "vanish": {}}}"#,
    r#"{"pods": {"count": 1, "restart": {"times": 2}}}"#,
    r#"{"pods": {"ready": false}}"#,
    r#"{"job": {"patch": {"spec": {"parallelism": 0}}}}"#,
    r#"{"job": {"patch": {"spec": {"parallelism": 1}}}}"#,
    r#"{"job": {"patch": {"spec": {"parallelism": 5}}}}"#,
    r#"{"job": {"patch": {"spec": {"suspend": true}}}}"#,
    r#"{"job": {"patch": {"spec": {"suspend": false}}}}"#,
    r#"{"job": {"patch": {"spec": {"backoffLimit": 0}}}}"#,
    r#"{"job": {"patch": {"spec": {"activeDeadlineSeconds": 30}}}}"#,
    r#"{"job": {"delete": {"propagation": "background"}}}"#,
    r#"{"job": {"delete": {"propagation": "foreground"}}}"#,
    r#"{"job": {"delete": {}}}"#,
    r#"{"job": {"recreate": true}}"#,
    r#"{"controller": "restart"}"#,
    r#"{"controller": "stop"}"#,
    r#"{"controller": "start"}"#,
    r#"{"crash": {"afterWrites": 1}}"#,
    r#"{"crash": {"afterWrites": 2}}"#,
    r#"{"crash": {"afterWrites": 4}}"#,
    r#"{"watch": {"hold": "pods"}}"#,
    r#"{"watch": {"hold": "jobs"}}"#,
    r#"{"watch": {"release": "pods"}}"#,
    r#"{"watch": {"release": "jobs"}}"#,
    r#"{"watch": {"drop": "pods"}}"#,
    r#"{"fault": {"verb": "create", "resource": "pods", "error": "internal"}}"#,
    r#"{"fault": {"verb": "create", "resource": "pods", "error": "timeout", "applied": true}}"#,
    r#"{"fault": {"verb": "create", "resource": "pods", "skip": 1, "error": "forbidden"}}"#,
    r#"{"fault": {"verb": "delete", "resource": "pods", "error": "conflict", "applied": true}}"#,
    r#"{"fault": {"verb": "delete", "resource": "pods", "error": "internal"}}"#,
    r#"{"fault": {"verb": "patch", "resource": "pods", "error": "conflict"}}"#,
    r#"{"fault": {"verb": "patch", "resource": "pods", "error": "internal", "applied": true, "count": 2}}"#,
    r#"{"fault": {"verb": "update", "resource": "jobs", "subresource": "status", "error": "conflict"}}"#,
    r#"{"fault": {"verb": "update", "resource": "jobs", "subresource": "status", "error": "timeout", "applied": true}}"#,
    r#"{"fault": {"verb": "update", "resource": "jobs", "subresource": "status", "skip": 1, "error": "internal"}}"#,
];

/// The world that these bytes stand for; at most 60 steps are read.
#[must_use]
pub fn from_bytes(bytes: &[u8]) -> Plan {
    let mut choices = bytes.iter().copied();
    let mut choose = |of: usize| choices.next().map(|byte| usize::from(byte) % of);
    let mut first = |of: usize| choose(of).unwrap_or(0);
    let count = |n: usize| u32::try_from(n).unwrap_or(0);
    let mode = match first(3) {
        0 => Mode::WorkQueue,
        1 => Mode::Counted(count(first(6))),
        _ => Mode::Indexed(count(first(6))),
    };
    let (parallelism, limit, flags) = (count(first(5)), count(first(5)), first(8));
    let job = JobPlan {
        mode,
        parallelism,
        backoff_limit: (limit > 0).then(|| limit - 1),
        deadline: None,
        suspend: flags & 1 != 0,
        on_failure: flags & 2 != 0,
        many_containers: flags & 4 != 0,
    };
    let outcomes = [None, Some("0"), Some("1,0"), Some("1x*"), Some("evict,0"), Some("delete,0@30s")];
    let outcomes = outcomes[first(outcomes.len())].map(str::to_owned);
    let mut steps = Vec::new();
    while let (Some(gap), Some(action)) = (choose(GAPS.len()), choose(ACTIONS.len())) {
        steps.push(Step { gap: GAPS[gap], action: parse(ACTIONS[action]) });
        if steps.len() == 60 {
            break;
        }
    }
    Plan { seed: 1, job: job.manifest(), outcomes, steps, closing: closing(), extra: Vec::new(), settle: 2_000 }
}

fn parse(action: &str) -> Value {
    serde_json::from_str(action).unwrap_or_else(|_| json!({}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_action_can_be_part_of_a_scenario() {
        for (number, action) in ACTIONS.iter().enumerate() {
            let number = u8::try_from(number).unwrap_or(0);
            let plan = from_bytes(&[0, 1, 1, 0, 0, 3, number]);
            assert_eq!(plan.steps.len(), 1);
            assert!(plan.scenario().is_ok(), "{action}");
        }
    }
}

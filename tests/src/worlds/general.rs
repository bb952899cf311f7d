//! Worlds in which anything may happen that this version supports.
//!
//! Invariant: the last steps make everything come to an end: the controller runs, the watches flow, the
//! Job is resumed, and in each round all pods run, succeed, and go if they are being deleted. A round is
//! longer than the longest back-off delay (BKO-6) and than an expectation lives (EXP-5), and begins with a
//! change of the Job, so that a controller which waits for nothing looks again (INV-34).

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::acts;
use super::jobs::any_job;
use super::plan::{Plan, Step};
use super::pod_acts::pod_action;

/// Rounds in which pods run and succeed.
const ROUNDS: u32 = 6;

/// A world for the laws about single runs.
pub fn general() -> impl Strategy<Value = Plan> {
    let outcomes = option::weighted(0.4, script());
    (0_u64..1_000, any_job(), outcomes, vec(step(), 0..=36)).prop_map(|(seed, job, outcomes, steps)| Plan {
        seed,
        job: job.manifest(),
        outcomes,
        steps,
        closing: closing(),
        extra: Vec::new(),
        settle: 2_000,
    })
}

fn step() -> impl Strategy<Value = Step> {
    let action = prop_oneof![
        40 => pod_action(),
        10 => acts::job_patch(),
        1 => acts::job_deletion(),
        1 => Just(json!({"job": {"recreate": true}})),
        5 => acts::controller(),
        6 => acts::crash(),
        10 => acts::fault(true),
        6 => acts::watch(),
    ];
    let gap = prop_oneof![
        2 => 1_u32..20,
        4 => 200_u32..1_600,
        4 => 2_000_u32..12_000,
        1 => 30_000_u32..90_000,
        1 => 290_000_u32..310_000,
    ];
    (gap, action).prop_map(|(gap, action)| Step { gap, action })
}

/// How pods end by themselves, if they do.
fn script() -> impl Strategy<Value = String> {
    let ending = prop_oneof![
        5 => Just("0".to_owned()),
        4 => (1_u32..=3).prop_map(|code| code.to_string()),
        1 => Just("evict".to_owned()),
        1 => Just("delete".to_owned()),
        1 => Just("hang".to_owned()),
        1 => Just("pending".to_owned()),
    ];
    let entry = (ending, 0_u32..30).prop_map(|(ending, seconds)| format!("{ending}@{seconds}s"));
    vec(entry, 1..=8).prop_map(|entries| entries.join(","))
}

pub(super) fn closing() -> Vec<Step> {
    let later = |gap: u32, action: Value| Step { gap, action };
    let mut steps = vec![
        later(1_000, json!({"controller": "start"})),
        later(10, json!({"watch": {"release": "jobs"}})),
        later(10, json!({"watch": {"release": "pods"}})),
    ];
    for round in 0..ROUNDS {
        let spec = json!({"parallelism": 4, "suspend": false, "activeDeadlineSeconds": null});
        let poke = json!({"annotations": {"round": round.to_string()}});
        steps.push(later(640_000, json!({"job": {"patch": {"spec": spec, "metadata": poke}}})));
        steps.push(later(3_000, json!({"pods": {"run": {"ready": true}}})));
        steps.push(later(2_000, json!({"pods": {"succeed": {}}})));
        steps.push(later(3_000, json!({"pods": {"terminated": {}}})));
        steps.push(later(5_000, json!({"pods": {"terminated": {}}})));
    }
    steps
}

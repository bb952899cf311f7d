//! Generated actions on pods: everything that `tests/recorded/FORMAT.md` lets happen to them.
//!
//! Left out are patches of finalizers, labels and owners: a tracking finalizer that a person puts back is
//! counted again (SEEN-3), and adoption is not acted on. `vanish` is in; the observer knows such pods.

use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// `{"pods": {…}}`, mostly what pods do in the ordinary run of things.
pub(super) fn pod_action() -> impl Strategy<Value = Value> {
    let act = prop_oneof![
        10 => any::<bool>().prop_map(|ready| json!({"run": {"ready": ready}})),
        10 => Just(json!({"succeed": {}})),
        7 => failure().prop_map(|failure| json!({"fail": failure})),
        4 => terminated(),
        2 => any::<bool>().prop_map(|ready| json!({"ready": ready})),
        5 => restart(),
        1 => condition().prop_map(|condition| json!({"condition": condition})),
        3 => option::of(prop_oneof![Just(0), Just(5)]).prop_map(|grace| match grace {
            Some(grace) => json!({"delete": {"grace": grace}}),
            None => json!({"delete": {}}),
        }),
        1 => Just(json!({"vanish": {}})),
        1 => (0_u32..3).prop_map(|n| json!({"patch": {"metadata": {"annotations": {"note": n.to_string()}}}})),
    ];
    (selection(), act).prop_map(|(mut selection, act)| {
        if let Value::Object(act) = act {
            selection.extend(act);
        }
        json!({"pods": selection})
    })
}

fn selection() -> impl Strategy<Value = Map<String, Value>> {
    let count = option::weighted(0.6, 1_u32..=3);
    let index = option::weighted(0.1, 0_u32..4);
    let order = option::weighted(0.3, prop_oneof![Just("oldest"), Just("newest")]);
    // A pod that has ended cannot end again, so only phases are asked for that still run.
    let phase = option::weighted(0.1, prop_oneof![Just("Pending"), Just("Running")]);
    (count, index, order, phase).prop_map(|(count, index, order, phase)| {
        let mut selection = Map::new();
        let mut set = |field: &str, value: Option<Value>| {
            if let Some(value) = value {
                selection.insert(field.to_owned(), value);
            }
        };
        set("count", count.map(Value::from));
        set("index", index.map(Value::from));
        set("order", order.map(Value::from));
        set("phase", phase.map(Value::from));
        selection
    })
}

fn failure() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (1_u32..=255).prop_map(|code| json!({"exitCode": code})),
        1 => Just(json!({"initContainer": "setup", "exitCode": 3})),
        1 => Just(json!({"container": "side", "exitCode": 4})),
        1 => Just(json!({"reason": "Evicted", "message": "The node was low on resource: memory."})),
        1 => condition().prop_map(|condition| json!({"exitCode": 137, "conditions": [condition]})),
        1 => Just(json!({"noStatuses": true, "reason": "UnexpectedAdmissionError"})),
    ]
}

fn condition() -> impl Strategy<Value = Value> {
    let reasons = prop_oneof![Just("EvictionByEvictionAPI"), Just("PreemptionByScheduler"), Just("DeletionByPodGC")];
    let status = prop_oneof![3 => Just("True"), 1 => Just("False")];
    (reasons, status)
        .prop_map(|(reason, status)| json!({"type": "DisruptionTarget", "status": status, "reason": reason}))
}

fn terminated() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => Just(json!({"terminated": {}})),
        1 => Just(json!({"terminated": {"phase": "Succeeded"}})),
        1 => Just(json!({"terminated": {"phase": "Failed", "exitCode": 143}})),
    ]
}

fn restart() -> impl Strategy<Value = Value> {
    (1_u32..=2, 1_u32..=2, any::<bool>()).prop_map(|(times, code, init)| {
        if init {
            json!({"restart": {"times": times, "exitCode": code, "initContainer": "proxy"}})
        } else {
            json!({"restart": {"times": times, "exitCode": code}})
        }
    })
}

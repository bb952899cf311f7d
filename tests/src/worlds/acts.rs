//! Generated actions on the Job, the controller, its calls and its watches.
//!
//! Left out are patches of the status and of `completions`, which this version does not act on.

use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A patch of what may change on a living Job (UPD-1).
pub(super) fn job_patch() -> impl Strategy<Value = Value> {
    let spec = prop_oneof![
        4 => (0_u32..=5).prop_map(|n| json!({"parallelism": n})),
        4 => any::<bool>().prop_map(|suspend| json!({"suspend": suspend})),
        2 => (0_u32..=5).prop_map(|n| json!({"backoffLimit": n})),
        1 => option::weighted(0.6, 1_u32..300).prop_map(|n| json!({"activeDeadlineSeconds": n})),
        1 => (0_u32..=4, any::<bool>()).prop_map(|(n, suspend)| json!({"parallelism": n, "suspend": suspend})),
    ];
    spec.prop_map(|spec| json!({"job": {"patch": {"spec": spec}}}))
}

/// A deletion with each propagation.
pub(super) fn job_deletion() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({"job": {"delete": {"propagation": "background"}}})),
        Just(json!({"job": {"delete": {"propagation": "foreground"}}})),
        Just(json!({"job": {"delete": {"propagation": "orphan"}}})),
        Just(json!({"job": {"delete": {}}})),
    ]
}

/// The controller stops and starts.
pub(super) fn controller() -> impl Strategy<Value = Value> {
    let act = prop_oneof![1 => Just("stop"), 2 => Just("start"), 3 => Just("restart")];
    act.prop_map(|act| json!({"controller": act}))
}

/// The controller crashes after one of its next writes.
pub(super) fn crash() -> impl Strategy<Value = Value> {
    (1_u32..=6).prop_map(|n| json!({"crash": {"afterWrites": n}}))
}

/// A watch stands still, flows again, or breaks.
pub(super) fn watch() -> impl Strategy<Value = Value> {
    let act = prop_oneof![2 => Just("hold"), 2 => Just("release"), 1 => Just("drop")];
    (act, prop_oneof![Just("pods"), Just("jobs")]).prop_map(|(act, resource)| json!({"watch": {act: resource}}))
}

/// Every verb with every error; `lies` adds a "not found" for a pod that is there, which makes the
/// controller count that pod again.
pub(super) fn fault(lies: bool) -> impl Strategy<Value = Value> {
    let call = prop_oneof![
        3 => Just(("create", "pods", None)),
        3 => Just(("delete", "pods", None)),
        3 => Just(("patch", "pods", None)),
        3 => Just(("update", "jobs", Some("status"))),
        1 => Just(("get", "jobs", None)),
        1 => Just(("delete", "jobs", None)),
    ];
    let error = prop_oneof![
        Just("conflict"),
        Just("internal"),
        Just("timeout"),
        Just("forbidden"),
        Just("toomany"),
        Just("notfound"),
        Just("nsterminating"),
    ];
    let count = prop_oneof![3 => Just(1_u32), 1 => 2_u32..=3];
    (call, error, 0_u32..=2, count, any::<bool>()).prop_map(move |(call, error, skip, count, applied)| {
        let (verb, resource, subresource) = call;
        let lie = error == "notfound" && (verb, resource) != ("create", "pods") && !lies;
        let error = if lie { "internal" } else { error };
        let mut fault = json!({
            "verb": verb, "resource": resource, "skip": skip, "count": count, "error": error, "applied": applied,
        });
        if let (Some(subresource), Some(fault)) = (subresource, fault.as_object_mut()) {
            fault.insert("subresource".to_owned(), subresource.into());
        }
        json!({"fault": fault})
    })
}

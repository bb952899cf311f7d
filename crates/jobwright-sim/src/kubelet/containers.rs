//! The statuses of a pod's containers, one for each container of its spec.
//!
//! Invariant: a status keeps what it had, apart from the state and what follows from it.

use jobwright_core::Timestamp;
use serde_json::{Map, Value, json};

use crate::object;

pub(super) fn wire(now: Timestamp) -> String {
    jobwright_api::time::format(now)
}

pub(super) fn ended(exit_code: i64, now: Timestamp) -> Value {
    let reason = if exit_code == 0 { "Completed" } else { "Error" };
    json!({"terminated": {"exitCode": exit_code, "reason": reason, "finishedAt": wire(now)}})
}

/// Whether a pod has init containers that run beside the others.
pub(super) fn has_sidecars(pod: &Value) -> bool {
    object::list(pod, &["spec", "initContainers"]).iter().any(is_restartable)
}

pub(super) fn is_restartable(container: &Value) -> bool {
    object::text(container, &["restartPolicy"]) == "Always"
}

/// The container that a failure names, or the first.
pub(super) fn failing_container(pod: &Value, specs: &str, wanted: Option<&str>) -> String {
    let first = || object::list(pod, &["spec", specs]).first().map_or("", |c| object::text(c, &["name"]));
    wanted.unwrap_or_else(first).to_owned()
}

/// One status for each container of the spec, made from the status that it has now.
pub(super) fn map_containers(
    pod: &Value,
    specs: &str,
    make: &mut dyn FnMut(&Value, Option<&Value>) -> Value,
) -> Vec<Value> {
    let statuses = object::list(
        pod,
        &["status", if specs == "containers" { "containerStatuses" } else { "initContainerStatuses" }],
    );
    let status_of = |name: &str| statuses.iter().find(|status| object::text(status, &["name"]) == name);
    object::list(pod, &["spec", specs])
        .iter()
        .map(|container| make(container, status_of(object::text(container, &["name"]))))
        .collect()
}

pub(super) fn set_statuses(pod: &mut Value, field: &str, list: Vec<Value>) {
    if !list.is_empty() {
        object::set(pod, &["status", field], list);
    }
}

pub(super) fn container_status(container: &Value, old: Option<&Value>, state: Value) -> Value {
    let mut status = old.and_then(Value::as_object).cloned().unwrap_or_else(|| {
        let mut fresh = Map::new();
        fresh.insert("name".to_owned(), json!(object::text(container, &["name"])));
        fresh.insert("image".to_owned(), json!(object::text(container, &["image"])));
        fresh.insert("imageID".to_owned(), json!(""));
        fresh.insert("restartCount".to_owned(), json!(0));
        fresh
    });
    status.insert("ready".to_owned(), json!(state.get("running").is_some()));
    status.insert("state".to_owned(), state);
    Value::Object(status)
}

/// A container that has ended with this code, or well enough for code 0, keeps its end.
pub(super) fn end_container(container: &Value, old: Option<&Value>, code: i64, now: Timestamp) -> Value {
    let state = match old.and_then(|status| object::at(status, &["state"])) {
        Some(state) if code == 0 && state.get("terminated").is_some() => state.clone(),
        Some(state) if object::integer(state, &["terminated", "exitCode"]) == Some(code) => state.clone(),
        _ => ended(code, now),
    };
    container_status(container, old, state)
}

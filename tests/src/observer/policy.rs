//! What a pod failure policy says of a pod (PFP-2 to PFP-4), read from the stored objects.
//!
//! Invariant: nothing of this is shared with the core.

use jobwright_sim::object;
use serde_json::Value;

/// Whether the first rule that matches this failed pod has the action `Ignore`.
pub(super) fn is_ignored(job: &Value, pod: &Value) -> bool {
    let rules = object::list(job, &["spec", "podFailurePolicy", "rules"]);
    let first = rules.iter().find(|rule| matches(rule, pod));
    first.is_some_and(|rule| object::text(rule, &["action"]) == "Ignore")
}

fn matches(rule: &Value, pod: &Value) -> bool {
    let codes = object::at(rule, &["onExitCodes"]).filter(|codes| !codes.is_null());
    match codes {
        Some(codes) => statuses(pod).any(|status| code_matches(codes, status)),
        None => object::list(rule, &["onPodConditions"]).iter().any(|pattern| has_condition(pod, pattern)),
    }
}

fn statuses(pod: &Value) -> impl Iterator<Item = &Value> {
    let of = |list| object::list(pod, &["status", list]);
    of("containerStatuses").iter().chain(of("initContainerStatuses"))
}

fn code_matches(codes: &Value, status: &Value) -> bool {
    let name = object::text(codes, &["containerName"]);
    let Some(code) = object::integer(status, &["state", "terminated", "exitCode"]).filter(|code| *code != 0) else {
        return false;
    };
    let listed = object::list(codes, &["values"]).iter().any(|value| value.as_i64() == Some(code));
    (name.is_empty() || name == object::text(status, &["name"]))
        && listed == (object::text(codes, &["operator"]) == "In")
}

fn has_condition(pod: &Value, pattern: &Value) -> bool {
    let status = object::text(pattern, &["status"]);
    let wanted = if status.is_empty() { "True" } else { status };
    let is_it = |condition: &Value| {
        object::text(condition, &["type"]) == object::text(pattern, &["type"])
            && object::text(condition, &["status"]) == wanted
    };
    object::list(pod, &["status", "conditions"]).iter().any(is_it)
}

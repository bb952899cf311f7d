//! What of a pod stays as it is, whoever patches it.
//!
//! Invariant: nothing that the controller patches (finalizers, owner references) is looked at here.

use jobwright_api::validate::{ErrorKind, FieldError};
use serde_json::Value;

use super::{ApiError, differs, refuse};
use crate::object;

const SPEC: &str = "pod updates may not change fields other than `spec.containers[*].image`,\
                    `spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing \
                    tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/// Whether a pod may become this one.
///
/// # Errors
/// 400 for another name or namespace, 422 for another UID and for fields of the spec that stay.
pub(super) fn check(old: &Value, new: &Value) -> Result<(), ApiError> {
    let mut errors = Vec::new();
    for (field, place) in [("name", "URL"), ("namespace", "request"), ("uid", "")] {
        let path = ["metadata", field];
        let (is, wanted) = (object::text(old, &path), object::text(new, &path));
        if is == wanted || (wanted.is_empty() && field != "name") {
            continue;
        }
        if field == "uid" {
            errors.push(FieldError::invalid("metadata.uid", object::at(new, &path), "field is immutable"));
            continue;
        }
        let text = format!("the {field} of the object ({wanted}) does not match the {field} on the {place} ({is})");
        return Err(ApiError::bad_request(&text));
    }
    if old.get("spec") != new.get("spec") {
        spec(old, new, &mut errors);
    }
    refuse("Pod", object::name(old), errors)
}

fn spec(old: &Value, new: &Value, errors: &mut Vec<FieldError>) {
    fn items<'a>(pod: &'a Value, field: &str) -> &'a [Value] {
        object::list(pod, &["spec", field])
    }
    for field in ["containers", "initContainers"] {
        if items(old, field).len() != items(new, field).len() {
            errors.push(forbidden(format!("spec.{field}"), "pod updates may not add or remove containers"));
            return;
        }
    }
    active_deadline(old, new, errors);
    for (number, gate) in items(new, "schedulingGates").iter().enumerate() {
        if !items(old, "schedulingGates").contains(gate) {
            let name = object::text(gate, &["name"]);
            let what = format!("only deletion is allowed, but found new scheduling gate '{name}'");
            errors.push(forbidden(format!("spec.schedulingGates[{number}].name"), what));
        }
    }
    let had = items(new, "tolerations").iter().map(without_seconds).collect::<Vec<_>>();
    if items(old, "tolerations").iter().any(|toleration| !had.contains(&without_seconds(toleration))) {
        let what = "existing toleration can not be modified except its tolerationSeconds";
        errors.push(forbidden("spec.tolerations", what));
    }
    let gated = !items(old, "schedulingGates").is_empty();
    let rest = |pod: &Value| fixed(pod, gated, object::integer(old, &["spec", "terminationGracePeriodSeconds"]));
    if differs(Some(&rest(old)), Some(&rest(new))) {
        errors.push(forbidden("spec", SPEC));
    }
}

/// It may be set, and made shorter.
fn active_deadline(old: &Value, new: &Value, errors: &mut Vec<FieldError>) {
    let path = ["spec", "activeDeadlineSeconds"];
    let what = match (object::integer(old, &path), object::integer(new, &path)) {
        (_, Some(new)) if !(0..=i64::from(i32::MAX)).contains(&new) => "must be between 0 and 2147483647, inclusive",
        (Some(old), Some(new)) if new > old => "must be less than or equal to previous value",
        (Some(_), None) => "must not update from a positive integer to nil value",
        _ => return,
    };
    errors.push(FieldError::invalid("spec.activeDeadlineSeconds", object::at(new, &path), what));
}

/// What is left of a spec without the fields that may change. A pod that waits at a gate may still get nodes to choose from.
fn fixed(pod: &Value, gated: bool, grace: Option<i64>) -> Value {
    let mut spec = pod.get("spec").cloned().unwrap_or_default();
    let free = ["activeDeadlineSeconds", "tolerations", "schedulingGates"];
    let for_gated = ["nodeSelector", "affinity"].into_iter().filter(|_| gated);
    for field in free.into_iter().chain(for_gated) {
        object::unset(&mut spec, &[field]);
    }
    let gets_one = object::integer(&spec, &["terminationGracePeriodSeconds"]) == Some(1);
    if grace.is_some_and(|grace| grace < 0) && gets_one {
        object::set(&mut spec, &["terminationGracePeriodSeconds"], grace.unwrap_or_default());
    }
    for field in ["containers", "initContainers"] {
        for container in spec.get_mut(field).and_then(Value::as_array_mut).into_iter().flatten() {
            object::unset(container, &["image"]);
        }
    }
    spec
}

fn without_seconds(toleration: &Value) -> Value {
    let mut toleration = toleration.clone();
    object::unset(&mut toleration, &["tolerationSeconds"]);
    toleration
}

fn forbidden(field: impl Into<String>, detail: impl Into<String>) -> FieldError {
    FieldError { kind: ErrorKind::Forbidden, field: field.into(), value: None, detail: detail.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refusal(patch: &Value) -> String {
        let old = json!({"metadata": {"name": "a", "namespace": "default", "uid": "u"}, "spec": {
            "activeDeadlineSeconds": 9, "restartPolicy": "Never", "terminationGracePeriodSeconds": -1,
            "containers": [{"name": "main", "image": "x"}], "tolerations": [{"key": "k", "tolerationSeconds": 3}],
            "schedulingGates": [{"name": "g"}],
        }});
        let mut new = old.clone();
        jobwright_api::patch::merge(&mut new, patch);
        check(&old, &new).err().map(|error| error.message).unwrap_or_default()
    }

    #[test]
    fn most_of_a_pod_stays_as_it_is() {
        let invalid = |what: &str| format!("Pod \"a\" is invalid: {what}");
        let spec = |spec: Value| json!({"spec": spec});
        let rows = [
            (json!({"metadata": {"labels": {"a": "b"}, "finalizers": ["a/b"]}}), String::new()),
            (
                json!({"metadata": {"name": "b"}}),
                "the name of the object (b) does not match the name on the URL (a)".into(),
            ),
            (
                json!({"metadata": {"namespace": "b"}}),
                "the namespace of the object (b) does not match the namespace on the request (default)".into(),
            ),
            (json!({"metadata": {"uid": "v"}}), invalid("metadata.uid: Invalid value: \"v\": field is immutable")),
            (json!({"metadata": {"uid": null}}), String::new()),
            (spec(json!({"containers": [{"name": "main", "image": "y"}], "schedulingGates": null})), String::new()),
            (spec(json!({"tolerations": [{"key": "l"}, {"key": "k"}], "activeDeadlineSeconds": 3})), String::new()),
            (spec(json!({"terminationGracePeriodSeconds": 1, "nodeSelector": {"a": "b"}})), String::new()),
            (
                spec(json!({"containers": []})),
                invalid("spec.containers: Forbidden: pod updates may not add or remove containers"),
            ),
            (
                spec(json!({"activeDeadlineSeconds": 10})),
                invalid("spec.activeDeadlineSeconds: Invalid value: 10: must be less than or equal to previous value"),
            ),
            (
                spec(json!({"schedulingGates": [{"name": "h"}]})),
                invalid(
                    "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'h'",
                ),
            ),
            (
                spec(json!({"tolerations": []})),
                invalid(
                    "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds",
                ),
            ),
            (spec(json!({"restartPolicy": "Always"})), invalid(&format!("spec: Forbidden: {SPEC}"))),
        ];
        for (patch, expected) in rows {
            assert_eq!(refusal(&patch), expected, "{patch}");
        }
    }
}

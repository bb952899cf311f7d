//! Small readers and writers for API objects in JSON form.
//!
//! Invariant: none of them fails; what is absent or of another type reads as absent.

use jobwright_api::names::COMPLETION_INDEX;
use jobwright_core::pod::PodPhase;
use serde_json::{Map, Value};

/// The value at a path of field names.
#[must_use]
pub fn at<'a>(object: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(object, |value, key| value.get(key)).filter(|value| !value.is_null())
}

/// The text at a path; empty if there is none.
#[must_use]
pub fn text<'a>(object: &'a Value, path: &[&str]) -> &'a str {
    at(object, path).and_then(Value::as_str).unwrap_or_default()
}

/// The whole number at a path.
#[must_use]
pub fn integer(object: &Value, path: &[&str]) -> Option<i64> {
    at(object, path).and_then(Value::as_i64)
}

/// The list at a path; empty if there is none.
#[must_use]
pub fn list<'a>(object: &'a Value, path: &[&str]) -> &'a [Value] {
    at(object, path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Changes the object at a path; what is missing on the way, or is no object, becomes an empty one first.
pub fn edit<R: Default>(object: &mut Value, path: &[&str], change: impl FnOnce(&mut Map<String, Value>) -> R) -> R {
    let mut here = object;
    for key in path {
        make_object(here);
        let Value::Object(map) = here else { return R::default() };
        here = map.entry(*key).or_insert(Value::Null);
    }
    make_object(here);
    here.as_object_mut().map(change).unwrap_or_default()
}

fn make_object(value: &mut Value) {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
}

/// Sets the value of the last name of a path.
pub fn set(object: &mut Value, path: &[&str], value: impl Into<Value>) {
    if let Some((last, parents)) = path.split_last() {
        edit(object, parents, |map| {
            map.insert((*last).to_owned(), value.into());
        });
    }
}

/// Removes the value of the last name of a path.
pub fn unset(object: &mut Value, path: &[&str]) {
    if let Some((last, parents)) = path.split_last()
        && at(object, parents).is_some()
    {
        edit(object, parents, |map| {
            map.remove(*last);
        });
    }
}

/// `metadata.name`
#[must_use]
pub fn name(object: &Value) -> &str {
    text(object, &["metadata", "name"])
}

/// `metadata.namespace`
#[must_use]
pub fn namespace(object: &Value) -> &str {
    text(object, &["metadata", "namespace"])
}

/// `metadata.uid`
#[must_use]
pub fn uid(object: &Value) -> &str {
    text(object, &["metadata", "uid"])
}

/// `metadata.resourceVersion` as a number, 0 if absent.
#[must_use]
pub fn version(object: &Value) -> u64 {
    text(object, &["metadata", "resourceVersion"]).parse().unwrap_or(0)
}

/// Whether somebody asked for the deletion of the object.
#[must_use]
pub fn is_terminating(object: &Value) -> bool {
    at(object, &["metadata", "deletionTimestamp"]).is_some()
}

/// `metadata.finalizers`
#[must_use]
pub fn finalizers(object: &Value) -> Vec<&str> {
    list(object, &["metadata", "finalizers"]).iter().filter_map(Value::as_str).collect()
}

/// Replaces `metadata.finalizers`; an empty list removes the field, as the API's JSON does.
pub fn set_finalizers(object: &mut Value, finalizers: &[String]) {
    if finalizers.is_empty() {
        unset(object, &["metadata", "finalizers"]);
    } else {
        let list: Value = finalizers.iter().cloned().map(Value::String).collect();
        set(object, &["metadata", "finalizers"], list);
    }
}

/// Takes one finalizer off.
pub fn remove_finalizer(object: &mut Value, finalizer: &str) {
    let kept: Vec<String> = finalizers(object).into_iter().filter(|f| *f != finalizer).map(str::to_owned).collect();
    if kept.len() != finalizers(object).len() {
        set_finalizers(object, &kept);
    }
}

/// The owner reference with `controller: true`.
#[must_use]
pub fn controller(object: &Value) -> Option<&Value> {
    let owners = list(object, &["metadata", "ownerReferences"]);
    owners.iter().find(|owner| owner.get("controller").and_then(Value::as_bool) == Some(true))
}

/// UID of the owner with `controller: true`; empty without one.
#[must_use]
pub fn controller_uid(object: &Value) -> &str {
    controller(object).map_or("", |owner| text(owner, &["uid"]))
}

/// `status.phase` of a pod.
#[must_use]
pub fn phase(pod: &Value) -> PodPhase {
    match text(pod, &["status", "phase"]) {
        "Running" => PodPhase::Running,
        "Succeeded" => PodPhase::Succeeded,
        "Failed" => PodPhase::Failed,
        "Unknown" => PodPhase::Unknown,
        _ => PodPhase::Pending,
    }
}

/// The completion index of a pod's annotation (GLO-9).
#[must_use]
pub fn completion_index(pod: &Value) -> Option<u32> {
    let annotation = at(pod, &["metadata", "annotations", COMPLETION_INDEX])?.as_str()?;
    jobwright_core::CompletionIndex::parse(annotation).map(|index| index.0)
}

/// Whether the condition of this type is `True`, in an object.
#[must_use]
pub fn condition_is_true(object: &Value, kind: &str) -> bool {
    object.get("status").is_some_and(|status| has_condition(status, kind))
}

/// Whether the condition of this type is `True`, in a status.
#[must_use]
pub fn has_condition(status: &Value, kind: &str) -> bool {
    list(status, &["conditions"])
        .iter()
        .any(|condition| text(condition, &["type"]) == kind && text(condition, &["status"]) == "True")
}

/// The word of scenarios for a resource.
pub(crate) const fn resource_word(resource: jobwright_core::Resource) -> &'static str {
    match resource {
        jobwright_core::Resource::Jobs => "jobs",
        jobwright_core::Resource::Pods => "pods",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_absent_reads_as_absent() {
        let odd = json!({"metadata": 3, "status": null});
        assert_eq!(name(&odd), "");
        assert_eq!(version(&odd), 0);
        assert!(finalizers(&odd).is_empty());
        assert!(!is_terminating(&json!({"metadata": {"deletionTimestamp": null}})));
        assert_eq!(completion_index(&json!({"metadata": {"annotations": {COMPLETION_INDEX: "x"}}})), None);
    }

    #[test]
    fn the_last_finalizer_takes_the_field_along() {
        let mut pod = json!({"metadata": {"finalizers": ["a", "b"]}});
        remove_finalizer(&mut pod, "a");
        assert_eq!(finalizers(&pod), ["b"]);
        remove_finalizer(&mut pod, "b");
        assert_eq!(pod, json!({"metadata": {}}));
    }

    #[test]
    fn what_is_missing_on_the_way_is_made() {
        let mut odd = json!({"spec": [1]});
        set(&mut odd, &["spec", "a", "b"], 1);
        assert_eq!(odd, json!({"spec": {"a": {"b": 1}}}));
        unset(&mut odd, &["status", "x"]);
        unset(&mut odd, &["spec", "a", "b"]);
        assert_eq!(odd, json!({"spec": {"a": {}}}));
    }
}

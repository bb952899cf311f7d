//! Whether two specifications mean the same.
//!
//! Invariant: `null`, an empty list and an absent field are the same, as they are for the API server.

use serde_json::{Map, Value};

/// Fields that are maps: without entries they are the same as absent.
const MAPS: &[&str] =
    &["labels", "annotations", "matchLabels", "nodeSelector", "limits", "requests", "overhead", "metadata"];

/// Whether an update changes `spec`, so that `metadata.generation` grows (UPD-5, OBJ-1).
#[must_use]
pub fn spec_changed(old: &Value, new: &Value) -> bool {
    !same(old.get("spec"), new.get("spec"))
}

fn same(old: Option<&Value>, new: Option<&Value>) -> bool {
    match (old, new) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => same_members(old, new),
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(Some(old), Some(new)))
        }
        (old, new) => old == new,
    }
}

fn same_members(old: &Map<String, Value>, new: &Map<String, Value>) -> bool {
    let set = |object: &Map<String, Value>, name: &str| object.get(name).filter(|value| is_set(name, value)).is_some();
    let names = old.keys().chain(new.keys());
    names.into_iter().all(|name| match (set(old, name), set(new, name)) {
        (true, true) => same(old.get(name), new.get(name)),
        (before, after) => before == after,
    })
}

fn is_set(name: &str, value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) if MAPS.contains(&name) => members.iter().any(|(name, value)| is_set(name, value)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_a_change_of_meaning_counts_upd_5() {
        for (old, new, changed) in [
            (json!({"a": 1}), json!({"a": 1}), false),
            (json!({"a": 1}), json!({"a": 2}), true),
            (json!({"a": 1}), json!({}), true),
            (json!({"a": null, "b": []}), json!({}), false),
            (json!({"template": {"metadata": {"labels": {}}}}), json!({"template": {}}), false),
            (json!({"podFailurePolicy": {}}), json!({}), true),
            (json!({"x": [{"a": null}]}), json!({"x": [{}]}), false),
        ] {
            assert_eq!(spec_changed(&json!({"spec": old}), &json!({"spec": new})), changed, "{old} {new}");
        }
    }
}

//! Which fields of a Job stay as they are (UPD-20 to UPD-28), and what no object may get while it is being deleted.
//!
//! Invariant: the errors come in the API server's order, behind those of the rules for every Job (UPD-34).

use jobwright_api::validate::{ErrorKind, FieldError};
use jobwright_core::{Gates, OrderedSet};
use serde_json::Value;

use super::template_rules;
use crate::object;

const IMMUTABLE: &str = "field is immutable";

/// What is wrong with a change of a Job by a person.
pub(super) fn check(old: &Value, new: &Value, gates: Gates) -> Vec<FieldError> {
    let mut errors = Vec::new();
    completions(old, new, &mut errors);
    frozen(old, new, "selector", &mut errors);
    if let Some(field) = template_rules::violation(old, new, gates) {
        errors.push(FieldError::invalid(field, object::at(new, &["spec", "template"]), IMMUTABLE));
    }
    for field in ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"] {
        frozen(old, new, field, &mut errors);
    }
    errors
}

/// An object that is being deleted, of whatever kind, may lose finalizers and gets no new ones.
pub(super) fn no_new_finalizers(old: &Value, new: &Value) -> Option<FieldError> {
    if !object::is_terminating(old) {
        return None;
    }
    let had = object::finalizers(old);
    let mut added = OrderedSet::new();
    for name in object::finalizers(new).into_iter().filter(|name| !had.contains(name)) {
        added.insert(format!("{name:?}"));
    }
    if added.is_empty() {
        return None;
    }
    // The API server prints the list as Go does, sorted.
    let listed: Vec<&str> = added.iter().map(String::as_str).collect();
    let detail = format!(
        "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
        listed.join(", ")
    );
    Some(FieldError { kind: ErrorKind::Forbidden, field: "metadata.finalizers".to_owned(), value: None, detail })
}

/// UPD-20, UPD-21, UPD-32.
fn completions(old: &Value, new: &Value, errors: &mut Vec<FieldError>) {
    let before = object::at(old, &["spec", "completions"]);
    let after = object::at(new, &["spec", "completions"]);
    if before == after {
        return;
    }
    let indexed = object::text(new, &["spec", "completionMode"]) == "Indexed";
    if !indexed {
        errors.push(FieldError::invalid("spec.completions", after, IMMUTABLE));
    } else if after.is_some() && after != object::at(new, &["spec", "parallelism"]) {
        errors.push(FieldError::invalid(
            "spec.completions",
            after,
            "can only be modified in tandem with spec.parallelism",
        ));
    }
}

/// UPD-22 to UPD-28.
fn frozen(old: &Value, new: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let after = object::at(new, &["spec", field]);
    if super::differs(object::at(old, &["spec", field]), after) {
        errors.push(FieldError::invalid(format!("spec.{field}"), after, IMMUTABLE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_that_stay_as_they_are_upd_20_to_28() {
        let job = |spec: Value| json!({"spec": spec});
        for (old, new, expected) in [
            (json!({"completions": 1}), json!({"completions": 2}), "Invalid value: 2: field is immutable"),
            (
                json!({"completions": 1, "parallelism": 1, "completionMode": "Indexed"}),
                json!({"completions": 2, "parallelism": 1, "completionMode": "Indexed"}),
                "Invalid value: 2: can only be modified in tandem with spec.parallelism",
            ),
            (json!({}), json!({"managedBy": "a/b"}), "Invalid value: \"a/b\": field is immutable"),
            (json!({"successPolicy": {}}), json!({}), "Invalid value: null: field is immutable"),
            (json!({}), json!({"template": {"spec": {}}}), "Invalid value: {...}: field is immutable"),
        ] {
            let errors = check(&job(old), &job(new), Gates::default());
            assert_eq!(errors.iter().map(FieldError::cause).collect::<Vec<_>>(), [expected]);
        }
        let both = json!({"completions": 3, "parallelism": 3, "completionMode": "Indexed"});
        let old = json!({"completions": 2, "parallelism": 1, "completionMode": "Indexed"});
        assert!(check(&job(old), &job(both), Gates::default()).is_empty());
    }

    #[test]
    fn an_object_that_is_being_deleted_gets_no_new_finalizers() {
        let object = |deleted: bool, finalizers: &[&str]| {
            let mut meta = json!({"finalizers": finalizers});
            if deleted {
                object::set(&mut meta, &["deletionTimestamp"], "2000-01-01T01:00:00Z");
            }
            json!({"metadata": meta})
        };
        let cause = |deleted: bool, new: &[&str]| {
            no_new_finalizers(&object(deleted, &["a/a"]), &object(deleted, new)).map(|error| error.cause())
        };
        assert_eq!(cause(false, &["a/a", "b/b"]), None);
        assert_eq!(cause(true, &[]), None);
        assert_eq!(
            cause(true, &["c/c", "b/b", "a/a"]).as_deref(),
            Some(
                "Forbidden: no new finalizers can be added if the object is being deleted, \
                 found new finalizers []string{\"b/b\", \"c/c\"}"
            )
        );
    }
}

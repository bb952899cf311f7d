//! Which fields of a Job stay as they are (UPD-20 to UPD-28).
//!
//! Invariant: the errors come in the API server's order, behind those of the rules for every Job (UPD-34).
//! The template of a suspended Job that never started is not looked at here (UPD-40 to UPD-46).

use jobwright_api::validate::{ErrorKind, FieldError};
use serde_json::Value;

use crate::object;

const IMMUTABLE: &str = "field is immutable";

/// What is wrong with a change of a Job by a person.
pub(super) fn check(old: &Value, new: &Value) -> Vec<FieldError> {
    let mut errors = Vec::new();
    completions(old, new, &mut errors);
    frozen(old, new, "selector", &mut errors);
    if !is_template_open(old) {
        frozen(old, new, "template", &mut errors);
    }
    for field in ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"] {
        frozen(old, new, field, &mut errors);
    }
    errors
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
        errors.push(invalid("spec.completions", after, IMMUTABLE));
    } else if after.is_some() && after != object::at(new, &["spec", "parallelism"]) {
        errors.push(invalid("spec.completions", after, "can only be modified in tandem with spec.parallelism"));
    }
}

/// UPD-22 to UPD-28.
fn frozen(old: &Value, new: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let after = object::at(new, &["spec", field]);
    if object::at(old, &["spec", field]) != after {
        errors.push(invalid(&format!("spec.{field}"), after, IMMUTABLE));
    }
}

/// UPD-40
fn is_template_open(old: &Value) -> bool {
    let suspended = object::at(old, &["spec", "suspend"]) == Some(&Value::Bool(true));
    let never_started = object::at(old, &["status", "startTime"]).is_none();
    let has_condition = object::condition_is_true(old, "Suspended");
    let active = object::integer(old, &["status", "active"]).unwrap_or(0);
    suspended && (never_started || has_condition) && active == 0
}

fn invalid(field: &str, value: Option<&Value>, detail: &str) -> FieldError {
    let value = match value {
        None => "null".to_owned(),
        Some(Value::Object(_)) => "{...}".to_owned(),
        Some(value) => value.to_string(),
    };
    FieldError { kind: ErrorKind::Invalid, field: field.to_owned(), value: Some(value), detail: detail.to_owned() }
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
            let errors = check(&job(old), &job(new));
            assert_eq!(errors.iter().map(FieldError::cause).collect::<Vec<_>>(), [expected]);
        }
        let both = json!({"completions": 3, "parallelism": 3, "completionMode": "Indexed"});
        let old = json!({"completions": 2, "parallelism": 1, "completionMode": "Indexed"});
        assert!(check(&job(old), &job(both)).is_empty());
    }

    #[test]
    fn the_template_of_a_job_that_waits_is_open_upd_40() {
        let old = json!({"spec": {"suspend": true, "template": {}}});
        let new = json!({"spec": {"suspend": true, "template": {"spec": {}}}});
        assert!(check(&old, &new).is_empty());
    }
}

//! Which updates of a Job's status the API server takes (section 5).
//!
//! Invariant: errors come in the API server's order. Apart from those that always hold, a rule is
//! looked at only when what it is about has changed, so that an old violation stops nothing else.

mod conditions;
mod counters;

use serde_json::Value;

use crate::at::At;
use crate::validate::{ErrorKind, FieldError};

/// What is wrong with an update of the status (STV-1 to STV-33); both are whole Jobs.
#[must_use]
pub fn check(old: &Value, new: &Value) -> Vec<FieldError> {
    let (old, new) = (At::root(old), At::root(new));
    let (old_status, new_status) = (old.get("status"), new.get("status"));
    let mut update = Update {
        spec: Spec::read(&new.get("spec")),
        old: Side::read(&old_status),
        new: Side::read(&new_status),
        errors: Vec::new(),
    };
    counters::not_negative(&mut update);
    counters::uids(&mut update);
    conditions::exclusive_ends(&mut update);
    counters::times(&mut update);
    conditions::announced_ends(&mut update);
    counters::finished(&mut update);
    counters::index_lists(&mut update);
    counters::finished_terminating(&mut update);
    conditions::success(&mut update);
    conditions::stays_true(&mut update);
    counters::only_grow(&mut update);
    conditions::success_stays(&mut update);
    update.errors
}

/// What the rules read of the specification.
struct Spec {
    completions: Option<i64>,
    parallelism: Option<i64>,
    indexed: bool,
    per_index: bool,
    suspend: bool,
    success_policy: bool,
}

impl Spec {
    fn read(spec: &At<'_>) -> Self {
        Self {
            completions: spec.get("completions").int(),
            parallelism: spec.get("parallelism").int(),
            indexed: spec.get("completionMode").str() == Some("Indexed"),
            per_index: spec.get("backoffLimitPerIndex").is_set(),
            suspend: spec.get("suspend").is_true(),
            success_policy: spec.get("successPolicy").is_set(),
        }
    }
}

/// One of the two statuses, with the truth of its conditions (GLO-20: any True one counts).
struct Side<'a> {
    status: At<'a>,
    complete: bool,
    failed: bool,
    failure_target: bool,
    success_criteria_met: bool,
}

impl<'a> Side<'a> {
    fn read(status: &'a At<'a>) -> Self {
        let is_true = |kind: &str| has_condition(status, kind, "True");
        Self {
            status: *status,
            complete: is_true("Complete"),
            failed: is_true("Failed"),
            failure_target: is_true("FailureTarget"),
            success_criteria_met: is_true("SuccessCriteriaMet"),
        }
    }

    fn is_finished(&self) -> bool {
        self.complete || self.failed
    }

    /// A counter; unset is 0.
    fn count(&self, name: &str) -> i64 {
        self.status.get(name).int().unwrap_or(0)
    }

    /// A text; unset is empty.
    fn text(&self, name: &str) -> &'a str {
        self.status.value().and_then(|status| status.get(name)).and_then(Value::as_str).unwrap_or_default()
    }

    /// A value as it is compared: unset and `null` are the same.
    fn value(&self, name: &str) -> Option<&'a Value> {
        self.status.value().and_then(|status| status.get(name)).filter(|value| !value.is_null())
    }
}

/// Whether a condition of a type has a status.
fn has_condition(status: &At<'_>, kind: &str, wanted: &str) -> bool {
    let conditions = status.get("conditions");
    conditions.items().any(|c| c.get("type").str() == Some(kind) && c.get("status").str() == Some(wanted))
}

/// An update under judgement.
struct Update<'a> {
    spec: Spec,
    old: Side<'a>,
    new: Side<'a>,
    errors: Vec<FieldError>,
}

impl Update<'_> {
    /// Whether a field changed.
    fn changed(&self, name: &str) -> bool {
        self.old.value(name) != self.new.value(name)
    }

    /// Whether the Job became finished, or unfinished.
    fn finished_changed(&self) -> bool {
        self.old.is_finished() != self.new.is_finished()
    }

    fn complete_changed(&self) -> bool {
        self.old.complete != self.new.complete
    }

    /// Adds an error about the conditions, which are not printed.
    fn bad_conditions(&mut self, detail: impl Into<String>) {
        self.errors.push(FieldError {
            kind: ErrorKind::Invalid,
            field: "status.conditions".to_owned(),
            value: None,
            detail: detail.into(),
        });
    }

    /// Adds an error about a field of the new status, which is printed.
    fn bad(&mut self, name: &str, detail: impl Into<String>) {
        let error = FieldError::invalid(format!("status.{name}"), self.new.value(name), detail);
        self.errors.push(error);
    }
}

#[cfg(test)]
mod tests;

//! What lints ask of a Job, read once.
//!
//! Invariant: the Job is defaulted and valid, so that an absent number means "no limit".

use serde_json::Value;

use crate::at::At;
use crate::diagnostic::Severity;

/// The numbers of a Job.
pub(super) struct Facts<'a> {
    /// `spec`
    pub(super) spec: &'a Value,
    /// `spec.parallelism`
    pub(super) parallelism: i64,
    /// `spec.completions`; `None` makes a work queue.
    pub(super) completions: Option<i64>,
    /// As many pods run at the same time at most (POD-9, GLO-14).
    pub(super) slots: i64,
    /// `spec.backoffLimit`; `None` if per-index limits have put it out of reach (DEF-3).
    pub(super) limit: Option<i64>,
    /// `spec.backoffLimitPerIndex`
    pub(super) per_index: Option<i64>,
    /// `spec.maxFailedIndexes`
    pub(super) max_failed: Option<i64>,
    /// `spec.activeDeadlineSeconds`
    pub(super) deadline: Option<i64>,
    /// Whether containers restart in their pods.
    pub(super) on_failure: bool,
}

impl<'a> Facts<'a> {
    /// Of a Job.
    pub(super) fn of(job: &'a Value) -> Self {
        let spec = job.get("spec").unwrap_or(&Value::Null);
        let number = |name: &str| spec.get(name).and_then(Value::as_i64);
        let (parallelism, completions) = (number("parallelism").unwrap_or(1), number("completions"));
        let restart = spec.pointer("/template/spec/restartPolicy").and_then(Value::as_str);
        Self {
            spec,
            parallelism,
            completions,
            slots: completions.map_or(parallelism, |completions| parallelism.min(completions)),
            limit: number("backoffLimit").filter(|limit| *limit < i64::from(i32::MAX)),
            per_index: number("backoffLimitPerIndex"),
            max_failed: number("maxFailedIndexes"),
            deadline: number("activeDeadlineSeconds"),
            on_failure: restart == Some("OnFailure"),
        }
    }

    /// `spec`, with its members.
    pub(super) fn spec(&self) -> At<'a> {
        At::root(self.spec)
    }

    /// As many pods can fail before every index has used up its tries; `None` without a limit per index.
    pub(super) fn failures_of_indexes(&self) -> Option<i64> {
        Some(self.completions?.saturating_mul(self.per_index?.saturating_add(1)))
    }
}

/// Something that fired.
pub(super) struct Hit {
    /// The id of the lint.
    pub(super) id: &'static str,
    /// The field that causes it.
    pub(super) field: String,
    /// How grave it is, if that is not what the table says.
    pub(super) severity: Option<Severity>,
    /// The values of its text.
    pub(super) values: Vec<(&'static str, String)>,
}

impl Hit {
    /// About a field, with numbers for the text.
    pub(super) fn new(id: &'static str, field: &str, numbers: &[(&'static str, i64)]) -> Self {
        let values = numbers.iter().map(|(name, number)| (*name, number.to_string())).collect();
        Self { id, field: field.to_owned(), severity: None, values }
    }

    /// With one more value, a text.
    pub(super) fn with(mut self, name: &'static str, text: &str) -> Self {
        self.values.push((name, text.to_owned()));
        self
    }
}

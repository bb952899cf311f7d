//! What the API server refuses in a Job (section 3).
//!
//! Invariant: errors come in the API server's order, and all of them are given (VAL-1, VAL-4). What
//! of the pod template is not looked at stands in `docs/parity.md`.

mod compare;
mod cron_job;
mod error;
mod metadata;
mod pod_template;
mod policies;
mod selector;
mod spec;
mod warnings;

use serde_json::Value;

pub use compare::spec_changed;
pub use cron_job::cron_job;
pub use error::{ErrorKind, FieldError};
pub(crate) use metadata::owner;
pub use warnings::{Warning, warnings};

use crate::at::At;
use crate::places::Places;

/// What is wrong with a Job that is being created; it is defaulted and prepared.
#[must_use]
pub fn create(job: &Value) -> Vec<FieldError> {
    let job = At::root(job);
    let mut errors = metadata::check(&job);
    selector::generated(&job, &mut errors);
    rest(&job, &mut errors);
    once(errors)
}

/// What is wrong with the new form of a Job that is being changed; it is defaulted. What may change is
/// another question (section 4).
#[must_use]
pub fn update(job: &Value) -> Vec<FieldError> {
    let job = At::root(job);
    let mut errors = metadata::check(&job);
    rest(&job, &mut errors);
    once(errors)
}

/// Each error once: two labels of one wrong value give one.
fn once(errors: Vec<FieldError>) -> Vec<FieldError> {
    let mut kept: Vec<FieldError> = Vec::with_capacity(errors.len());
    let mut seen = Places::default();
    for error in errors {
        if seen.is_new(&error.to_string()) {
            kept.push(error);
        }
    }
    kept
}

/// The rules that hold on create and on update.
fn rest(job: &At<'_>, errors: &mut Vec<FieldError>) {
    let spec = job.get("spec");
    spec::check(&spec, errors);
    pod_template::check(&spec, errors);
    selector::matches(&spec, errors);
    metadata::index_name(job, errors);
}

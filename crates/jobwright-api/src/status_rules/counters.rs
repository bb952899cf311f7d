//! Rules for counters, times, lists of UIDs and lists of indexes.

use serde_json::Value;

use super::{Update, has_condition};
use crate::at::At;
use crate::index_text;
use crate::places::Places;
use crate::time;
use crate::validate::{ErrorKind, FieldError};

/// STV-1
pub(super) fn not_negative(update: &mut Update<'_>) {
    for name in ["active", "succeeded", "failed", "ready", "terminating"] {
        if update.new.count(name) < 0 {
            update.bad(name, "must be greater than or equal to 0");
        }
    }
}

/// STV-2
pub(super) fn uids(update: &mut Update<'_>) {
    let pods = update.new.status.get("uncountedTerminatedPods");
    let mut seen = Places::default();
    for list in ["succeeded", "failed"] {
        for uid in pods.get(list).items() {
            let text = uid.str().unwrap_or_default();
            if text.is_empty() {
                let empty = Value::from("");
                update.errors.push(FieldError::invalid(uid.path(), Some(&empty), "must not be empty"));
            } else if !seen.is_new(text) {
                update.errors.push(duplicate(&uid));
            }
        }
    }
}

fn duplicate(uid: &At<'_>) -> FieldError {
    FieldError { kind: ErrorKind::Duplicate, ..FieldError::invalid(uid.path(), uid.value(), "") }
}

/// STV-12 to STV-14
pub(super) fn times(update: &mut Update<'_>) {
    let at = |name: &str| time::parse(update.new.text(name));
    let (start, completion) = (at("startTime"), at("completionTime"));
    let (started, completed) = (update.changed("startTime"), update.changed("completionTime"));
    if update.complete_changed() || completed {
        match (update.new.complete, completion) {
            (false, Some(_)) => {
                update.bad("completionTime", "cannot set completionTime when there is no Complete=True condition");
            }
            (true, None) => required(update, "completionTime", "completionTime is required for Complete jobs"),
            _ => {}
        }
    }
    if (started || completed) && start.zip(completion).is_some_and(|(start, completion)| completion < start) {
        update.bad("completionTime", "must be equal to or after `startTime`");
    }
}

fn required(update: &mut Update<'_>, name: &str, detail: &str) {
    update.errors.push(FieldError {
        kind: ErrorKind::Required,
        field: format!("status.{name}"),
        value: None,
        detail: detail.to_owned(),
    });
}

/// STV-17 to STV-19
pub(super) fn finished(update: &mut Update<'_>) {
    let (changed, is_finished) = (update.finished_changed(), update.new.is_finished());
    if !is_finished {
        return;
    }
    if (changed || update.changed("active")) && update.new.count("active") > 0 {
        update.bad("active", "active>0 is invalid for finished job");
    }
    let never_started = update.spec.suspend && update.spec.completions == Some(0);
    let no_start = update.new.value("startTime").is_none();
    if (changed || update.changed("startTime")) && no_start && !never_started {
        required(update, "startTime", "startTime is required for finished job");
    }
    let pods = update.new.status.get("uncountedTerminatedPods");
    let is_left = ["succeeded", "failed"].iter().any(|list| pods.get(list).items().len() > 0);
    if (changed || update.changed("uncountedTerminatedPods")) && is_left {
        update.bad("uncountedTerminatedPods", "must be empty for finished job");
    }
}

/// STV-20 to STV-24
pub(super) fn index_lists(update: &mut Update<'_>) {
    let (completed, failed) = (update.new.text("completedIndexes"), update.new.text("failedIndexes"));
    let (completed_changed, failed_changed) = (update.changed("completedIndexes"), update.changed("failedIndexes"));
    let failed_set = update.new.value("failedIndexes").is_some();
    let (completions, per_index, indexed) = (update.spec.completions, update.spec.per_index, update.spec.indexed);
    if completed_changed && let Some(error) = completions.and_then(|n| index_text::parse_strict(completed, n).err()) {
        update.bad("completedIndexes", format!("error parsing completedIndexes: {error}"));
    }
    if failed_changed
        && failed_set
        && per_index
        && let Some(error) = completions.and_then(|n| index_text::parse_strict(failed, n).err())
    {
        update.bad("failedIndexes", format!("error parsing failedIndexes: {error}"));
    }
    if completed_changed && !indexed && !completed.is_empty() {
        update.bad("completedIndexes", "cannot set non-empty completedIndexes when non-indexed completion mode");
    }
    if failed_changed && failed_set && !per_index {
        update.bad("failedIndexes", "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
    }
    if (completed_changed || failed_changed)
        && failed_set
        && let Some(n) = completions
        && let Some(common) =
            index_text::first_common(&index_text::parse_parts(completed, n), &index_text::parse_parts(failed, n))
    {
        update.bad("failedIndexes", format!("failedIndexes and completedIndexes overlap at index: {common}"));
    }
}

/// STV-25, STV-26
pub(super) fn finished_terminating(update: &mut Update<'_>) {
    let is_finished = update.new.is_finished();
    let looked_at = update.finished_changed() || update.changed("terminating");
    if looked_at && is_finished && update.new.count("terminating") > 0 {
        update.bad("terminating", "terminating>0 is invalid for finished job");
    }
    let looked_at = update.changed("ready") || update.changed("active");
    // An unset number is not compared: it is no zero.
    let is_set = update.new.status.get("ready").is_set();
    if looked_at && is_set && update.new.count("ready") > update.new.count("active") {
        update.bad("ready", "cannot set more ready pods than active");
    }
}

/// STV-28 to STV-33
pub(super) fn only_grow(update: &mut Update<'_>) {
    let fell = |name: &str| update.new.count(name) < update.old.count(name);
    let (failed_fell, succeeded_fell) = (fell("failed"), fell("succeeded"));
    let elastic = update.spec.indexed && update.spec.completions == update.spec.parallelism;
    if failed_fell {
        update.bad("failed", "cannot decrease the failed counter");
    }
    if succeeded_fell && !elastic {
        update.bad("succeeded", "cannot decrease the succeeded counter");
    }
    let both = update.old.value("completionTime").is_some() && update.new.value("completionTime").is_some();
    if both && update.changed("completionTime") {
        update.bad("completionTime", "field is immutable");
    }
    let resumed = has_condition(&update.old.status, "Suspended", "True")
        && has_condition(&update.new.status, "Suspended", "False");
    let was_set = update.old.value("startTime").is_some();
    if update.changed("startTime") && !resumed && was_set && !update.spec.suspend {
        update.bad("startTime", "field is immutable for unsuspended job once set");
    }
}

//! The report for programs: a list with one entry for each Job.
//!
//! Invariant: `accepted`, `stage`, `errors`, `warnings` and `defaulted` are those of `tests/recorded/FORMAT.md`,
//! section 4; what stands beside them is added, never changed.

use jobwright_api::Severity;
use serde_json::{Value, json};

use super::report::{File, Job, Message, Report};

/// All of it.
pub(super) fn show(report: &Report) -> Value {
    report.jobs().map(|(file, job)| entry(file, job)).collect()
}

fn entry(file: &File, job: &Job) -> Value {
    let verdict = &job.verdict;
    let errors: Vec<Value> = verdict
        .errors
        .iter()
        .map(|error| {
            json!({
                "type": error.kind,
                "field": error.field,
                "detail": error.detail,
                "line": error.span.line,
                "column": error.span.column,
            })
        })
        .collect();
    let warnings: Vec<String> = verdict.warnings.iter().map(|(warning, _)| warning.to_string()).collect();
    let lints: Vec<Value> = job.messages.iter().filter(|message| message.is_lint).map(lint).collect();
    let mut entry = json!({
        "file": file.name,
        "line": job.line,
        "accepted": verdict.stage.is_none(),
        "errors": errors,
        "defaulted": verdict.defaulted,
        "lints": lints,
    });
    // The recorded verdicts leave out what is not there.
    if let Some(stage) = verdict.stage {
        entry["stage"] = stage.as_str().into();
    }
    if !warnings.is_empty() {
        entry["warnings"] = warnings.into();
    }
    entry
}

fn lint(message: &Message) -> Value {
    json!({
        "id": message.rule,
        "level": level(message.severity),
        "field": message.field,
        "message": message.text,
        "help": message.help,
        "line": message.place.line,
        "column": message.place.column,
        "witness": message.witness,
    })
}

/// The word for a severity in a lint.
pub(super) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warn",
        Severity::Info => "info",
    }
}

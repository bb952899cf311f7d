//! The report for people: each message with its line, a mark, and a way out; a sum at the end.
//!
//! Invariant: a line begins with `FILE:LINE:COLUMN:`, so that editors and terminals can go there.

use jobwright_api::Severity;

use super::report::{Message, Report};
use crate::excerpt;
use crate::layout::say;

/// All of it.
pub(super) fn show(report: &Report) -> String {
    if report.files.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    for file in &report.files {
        let lines: Vec<&str> = file.text.lines().collect();
        for message in file.jobs.iter().flat_map(|job| &job.messages) {
            out.push_str(&one(&file.name, &lines, message));
            out.push('\n');
        }
        // Files that are nothing of Kubernetes are only counted: a folder may hold many.
        for (line, kind) in file.others.iter().filter(|(_, kind)| !kind.is_empty()) {
            out.push_str(&format!("{}:{line}:1: note: {}\n", file.name, say("cli.validate.other", &[("kind", kind)])));
        }
    }
    out.push_str(&sum(report));
    out.push('\n');
    out
}

fn one(file: &str, lines: &[&str], message: &Message) -> String {
    let (line, column) = (message.place.line, message.place.column);
    let field = if message.field.is_empty() { String::new() } else { format!("{}: ", message.field) };
    let word = excerpt::word(message.severity);
    let mut out = format!("{file}:{line}:{column}: {word}[{}]: {field}{}\n", message.rule, message.text);
    let shown = lines.get(line.saturating_sub(1) as usize).copied().unwrap_or_default();
    out.push_str(&excerpt::quote(shown, message.place));
    let margin = " ".repeat(line.to_string().len());
    for (head, text) in [("help", &message.help), ("witness", &message.witness)] {
        if let Some(text) = text {
            out.push_str(&format!(" {margin} = {head}: {text}\n"));
        }
    }
    out
}

fn sum(report: &Report) -> String {
    let count = |severity| report.messages().filter(|(_, message)| message.severity == severity).count().to_string();
    let jobs = report.jobs().count();
    let valid = report.jobs().filter(|(_, job)| job.verdict.stage.is_none()).count();
    let others: usize = report.files.iter().map(|file| file.others.len()).sum();
    let numbers = [
        ("jobs", jobs.to_string()),
        ("files", report.files.len().to_string()),
        ("valid", valid.to_string()),
        ("invalid", (jobs - valid).to_string()),
        ("errors", count(Severity::Error)),
        ("warnings", count(Severity::Warning)),
        ("infos", count(Severity::Info)),
        ("others", others.to_string()),
    ];
    say("cli.validate.sum", &numbers.each_ref().map(|(name, number)| (*name, number.as_str())))
}

//! Shows what is wrong with a text: place, sentence, the line itself, and a mark under it.
//!
//! Invariant: a very long line is cut around the place, and tabs take one column.

use std::fmt::Write;

use jobwright_api::{Diagnostic, Severity};

/// As much of a line as is shown.
const WIDTH: usize = 100;

/// All findings about a text, one after the other.
#[must_use]
pub(crate) fn show(file: &str, text: &str, findings: &[Diagnostic]) -> String {
    findings.iter().map(|finding| one(file, text, finding)).collect::<Vec<_>>().join("\n")
}

fn one(file: &str, text: &str, finding: &Diagnostic) -> String {
    let word = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let field = finding.field.as_ref().map(|field| format!("{field}: ")).unwrap_or_default();
    let mut out = format!("{file}:{}:{}: {word}: {field}{}\n", finding.line, finding.column, finding.message);
    let line = text.lines().nth(finding.line.saturating_sub(1) as usize).unwrap_or_default();
    if line.trim().is_empty() {
        return out;
    }
    let column = finding.column.saturating_sub(1) as usize;
    let same_line = finding.end_line == finding.line && finding.end_column > finding.column;
    let length = if same_line { (finding.end_column - finding.column) as usize } else { 1 };
    let from = column.saturating_sub(WIDTH / 2);
    let shown: String = line.chars().skip(from).take(WIDTH).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let number = finding.line.to_string();
    let margin = " ".repeat(number.len());
    let marks = "^".repeat(length.clamp(1, shown.chars().count().saturating_sub(column - from).max(1)));
    // Writing to a String cannot fail.
    let _ = writeln!(out, " {number} | {}", shown.trim_end());
    let _ = writeln!(out, " {margin} | {}{marks}", " ".repeat(column - from));
    out
}

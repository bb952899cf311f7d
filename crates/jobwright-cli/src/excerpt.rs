//! Shows what is wrong with a text: place, sentence, the line itself, and a mark under it.
//!
//! Invariant: a very long line is cut around the place, and tabs take one column.

use jobwright_api::yaml::Span;
use jobwright_api::{Diagnostic, Severity};

/// As much of a line as is shown.
const WIDTH: usize = 100;

/// All findings about a text, one after the other.
#[must_use]
pub(crate) fn show(file: &str, text: &str, findings: &[Diagnostic]) -> String {
    findings.iter().map(|finding| one(file, text, finding)).collect::<Vec<_>>().join("\n")
}

fn one(file: &str, text: &str, finding: &Diagnostic) -> String {
    let field = finding.field.as_ref().map(|field| format!("{field}: ")).unwrap_or_default();
    let (line, column, word) = (finding.line, finding.column, word(finding.severity));
    let shown = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    format!("{file}:{line}:{column}: {word}: {field}{}\n{}", finding.message, quote(shown, finding.span()))
}

/// What a severity is called.
pub(crate) fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// The line of a place with its number, and marks under the place; nothing for an empty line.
#[must_use]
pub(crate) fn quote(line: &str, place: Span) -> String {
    if line.trim().is_empty() {
        return String::new();
    }
    let column = place.column.saturating_sub(1) as usize;
    let same_line = place.end_line == place.line && place.end_column > place.column;
    let length = if same_line { (place.end_column - place.column) as usize } else { 1 };
    let from = column.saturating_sub(WIDTH / 2);
    let shown: String = line.chars().skip(from).take(WIDTH).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    let marks = "^".repeat(length.clamp(1, shown.chars().count().saturating_sub(column - from).max(1)));
    let shown = shown.trim_end();
    format!(" {number} | {shown}\n {margin} | {}{marks}\n", " ".repeat(column - from))
}

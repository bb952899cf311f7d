//! The report as SARIF 2.1.0, which code scanning services read.
//!
//! Invariant: each result names a rule of the list, and its place in it.

use std::collections::BTreeMap;

use jobwright_api::Severity;
use jobwright_api::lint::LINTS;
use jobwright_api::{Catalogue, ErrorKind};
use serde_json::{Value, json};

use super::explain;
use super::report::{API_WARNING, File, Message, Report};
use crate::files::CommandError;
use crate::layout::say;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// All of it, with what could not be read.
pub(super) fn show(report: &Report, unreadable: &[CommandError]) -> Value {
    let rules = rules();
    let places: BTreeMap<&str, usize> = rules.iter().enumerate().map(|(at, rule)| (rule.id, at)).collect();
    let results: Vec<Value> = report.messages().map(|(file, message)| result(file, message, &places)).collect();
    let notifications: Vec<Value> =
        unreadable.iter().map(|error| json!({"level": "error", "message": {"text": error.to_string()}})).collect();
    let rules: Vec<Value> = rules.iter().map(Rule::to_json).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "jobwright", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": unreadable.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    })
}

/// A kind of message.
struct Rule {
    id: &'static str,
    severity: Severity,
    /// What it means.
    text: String,
    /// The way out.
    help: String,
}

impl Rule {
    fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "shortDescription": {"text": explain::first_sentence(&self.text)},
            "fullDescription": {"text": self.text},
            "help": {"text": self.help},
            "defaultConfiguration": {"level": level(self.severity)},
        })
    }
}

/// Every kind of error, the API server's warnings, and every lint.
fn rules() -> Vec<Rule> {
    let kinds = ErrorKind::ALL.iter().map(|kind| kind.reason());
    let fixed = ["Decoding", "StrictDecoding"].into_iter().chain(kinds);
    let error = |id| Rule {
        id,
        severity: Severity::Error,
        text: say(&format!("cli.rule.{id}"), &[]),
        help: say("cli.rule.help", &[]),
    };
    let mut rules: Vec<Rule> = fixed.map(error).collect();
    let id = API_WARNING;
    rules.push(Rule { severity: Severity::Warning, ..error(id) });
    rules.extend(LINTS.iter().map(|lint| Rule {
        id: lint.id,
        severity: lint.severity,
        text: explain::text(lint.id),
        help: Catalogue::english().text("cli.rule.help-lint", &[("id", lint.id)]),
    }));
    rules
}

fn result(file: &File, message: &Message, places: &BTreeMap<&str, usize>) -> Value {
    let field = if message.field.is_empty() { String::new() } else { format!("{}: ", message.field) };
    let help = message.help.as_ref().map(|help| format!(" {help}")).unwrap_or_default();
    let place = message.place;
    let mut region = json!({"startLine": place.line, "startColumn": place.column});
    if (place.end_line, place.end_column) > (place.line, place.column) {
        region["endLine"] = place.end_line.into();
        region["endColumn"] = place.end_column.into();
    }
    let mut result = json!({
        "ruleId": message.rule,
        "level": level(message.severity),
        "message": {"text": format!("{field}{}{help}", message.text)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(&file.name)}, "region": region}}],
    });
    if let Some(at) = places.get(message.rule) {
        result["ruleIndex"] = (*at).into();
    }
    result
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A path as a reference of RFC 3986.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let escape = |byte: u8| {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
        if is_plain { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    let escaped: String = path.bytes().map(escape).collect();
    if path.starts_with('/') { format!("file://{escaped}") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        for (path, shown) in [
            ("k8s/job.yaml", "k8s/job.yaml"),
            ("./job.yaml", "job.yaml"),
            ("my job.yaml", "my%20job.yaml"),
            ("/tmp/é.yaml", "file:///tmp/%C3%A9.yaml"),
            ("<stdin>", "%3Cstdin%3E"),
        ] {
            assert_eq!(uri(path), shown);
        }
    }
}

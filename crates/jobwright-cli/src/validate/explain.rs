//! What a lint means, at length.
//!
//! Invariant: every lint has such a text; a test looks.

use jobwright_api::lint::{LINTS, Lint};

use super::json::level;
use crate::layout::{block, say, table};

/// One lint; its name is known.
pub(super) fn one(id: &str) -> String {
    let Some(lint) = jobwright_api::lint::find(id) else { return String::new() };
    let mut out = format!("{id} ({})\n\n{}\n{}", level(lint.severity), paragraph(&text(id)), silence(lint));
    if lint.has_witness {
        out.push_str(&paragraph(&say("cli.validate.explain.witness", &[("id", id)])));
    }
    out
}

/// A text, wrapped.
fn paragraph(text: &str) -> String {
    block("", text).lines().map(|line| format!("{}\n", line.trim_start())).collect()
}

/// All lints, a line for each.
pub(super) fn list() -> String {
    let row = |lint: &Lint| {
        vec![lint.id.to_owned(), level(lint.severity).to_owned(), first_sentence(&text(lint.id)).to_owned()]
    };
    let mut lines = table(&LINTS.iter().map(row).collect::<Vec<_>>());
    lines.push(String::new());
    lines.join("\n")
}

/// The text about a lint.
pub(super) fn text(id: &str) -> String {
    say(&format!("cli.explain.{id}"), &[])
}

/// A text up to its first full stop.
pub(super) fn first_sentence(text: &str) -> &str {
    text.find(". ").and_then(|end| text.get(..=end)).unwrap_or(text)
}

fn silence(lint: &Lint) -> String {
    paragraph(&say("cli.validate.explain.silence", &[("id", lint.id)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lint_is_explained() {
        for lint in LINTS {
            let text = text(lint.id);
            assert!(text.ends_with('.') && text.len() > 80, "{}: {text}", lint.id);
            assert!(one(lint.id).contains(lint.id));
        }
        assert_eq!(list().lines().count(), LINTS.len());
    }
}

//! Lints: what the controller would do with the numbers of a Job that the API server takes, said before it does.
//!
//! Invariant: each lint is a pure function of the defaulted Job; its id is public and never reused. A comment
//! `# jobwright: allow(ID)` silences it: on the line of the node that causes it, on a line above that, or at the
//! top of the document for the whole document.

mod comments;
mod facts;
mod limits;
mod policy;
mod states;

use serde_json::Value;

use crate::catalogue::say;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::manifest::Manifest;
use crate::schema::nearest;
use crate::yaml::{Node, Span};
pub use comments::Comments;
use facts::{Facts, Hit};

/// What is fixed about a lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lint {
    /// Its public name; the texts of the catalogue are `lint.<id>` and `lint.<id>.help`.
    pub id: &'static str,
    /// How grave it is at most, unless somebody denies it.
    pub severity: Severity,
    /// Whether an exploration shows it (`jobwright explore FILE --lint ID`).
    pub has_witness: bool,
}

const fn warn(id: &'static str) -> Lint {
    Lint { id, severity: Severity::Warning, has_witness: false }
}

const fn info(id: &'static str) -> Lint {
    Lint { id, severity: Severity::Info, has_witness: false }
}

/// The same, with a question that an exploration answers.
const fn shown(lint: Lint) -> Lint {
    Lint { has_witness: true, ..lint }
}

/// Every lint.
pub const LINTS: &[Lint] = &[
    shown(warn("failed-pods-above-limit")),
    shown(warn("logs-deleted")),
    shown(info("no-deadline")),
    shown(info("work-queue")),
    warn("per-index-on-failure"),
    info("failed-indexes-unbounded"),
    info("waiting-indexes-block"),
    info("limit-never-reached"),
    info("deadline-before-limit"),
    warn("deadline-zero"),
    warn("rule-never-matches"),
    info("rule-without-effect"),
    warn("ignored-without-end"),
    warn("deleted-at-once"),
    info("parallelism-above-completions"),
    info("parallelism-zero"),
    info("completions-zero"),
    info("suspended"),
    info("managed-by-other"),
    info("not-acted-on"),
    warn("no-kind"),
    warn("unknown-lint"),
];

/// The lint with a name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Lint> {
    LINTS.iter().find(|lint| lint.id == id)
}

/// The lint whose name a person may have meant.
#[must_use]
pub fn similar(id: &str) -> Option<&'static str> {
    nearest(id, LINTS.iter().map(|lint| lint.id))
}

/// A lint that fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which.
    pub lint: &'static Lint,
    /// How grave it is here.
    pub severity: Severity,
    /// The field that causes it.
    pub field: String,
    /// One sentence: what the controller would do.
    pub message: String,
    /// The way out.
    pub help: String,
    /// Where the field stands, or what is nearest to it.
    pub span: Span,
}

impl Finding {
    /// A lint about a node, with the values of its text. An id that is no lint gives nothing; a test looks for that.
    pub(crate) fn new(id: &str, field: &str, span: Span, values: &[(&str, &str)]) -> Option<Self> {
        let lint = find(id)?;
        let text_id = format!("lint.{id}");
        Some(Self {
            lint,
            severity: lint.severity,
            field: field.to_owned(),
            message: say(&text_id, values),
            help: say(&format!("{text_id}.help"), values),
            span,
        })
    }

    /// As an editor shows it: sentence, way out, and the id that silences it.
    #[must_use]
    pub fn into_diagnostic(self) -> Diagnostic {
        let message = [&self.message, " ", &self.help, " [", self.lint.id, "]"].concat();
        let mut diagnostic = Diagnostic::error(Code::Lint, self.span, message).at_field(self.field);
        diagnostic.severity = self.severity;
        diagnostic.lint = Some(self.lint.id);
        diagnostic
    }
}

/// The lints about the Job of a manifest once it is defaulted, prepared and found valid. What a comment silences is
/// left out.
#[must_use]
pub fn check(job: &Value, manifest: &Manifest, comments: &Comments) -> Vec<Finding> {
    let mut found = Vec::new();
    for hit in hits(job) {
        let values: Vec<(&str, &str)> = hit.values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let field = manifest.field(&hit.field);
        let finding = Finding::new(hit.id, &field, manifest.node.locate(&field), &values);
        found.extend(finding.map(|finding| Finding { severity: hit.severity.unwrap_or(finding.severity), ..finding }));
    }
    silence(&mut found, &manifest.node, comments);
    found
}

/// Takes out what comments allow; an id in them that is no lint is a finding of its own.
pub(crate) fn silence(found: &mut Vec<Finding>, node: &Node, comments: &Comments) {
    for allow in comments.in_document(node) {
        if find(allow.id).is_some() {
            found.retain(|f| f.lint.id != allow.id || allow.line.is_some_and(|line| line != f.span.line));
            continue;
        }
        let Some(mut finding) = Finding::new("unknown-lint", "", allow.span, &[("id", allow.id)]) else { continue };
        if let Some(similar) = similar(allow.id) {
            finding.message = say("lint.unknown-lint.similar", &[("id", allow.id), ("similar", similar)]);
        }
        found.push(finding);
    }
}

/// All that fires, in the order of the table's groups.
fn hits(job: &Value) -> Vec<Hit> {
    let facts = Facts::of(job);
    let mut hits = Vec::new();
    if states::managed_by_other(&facts, &mut hits) {
        // Another controller carries it out; what it does is not known here.
        return hits;
    }
    limits::check(&facts, &mut hits);
    policy::check(&facts, &mut hits);
    states::check(&facts, &mut hits);
    hits
}

#[cfg(test)]
mod tests;

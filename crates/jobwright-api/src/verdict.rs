//! The verdict about each document of a text, in the form in which the reference's verdicts are recorded
//! (`tests/recorded/FORMAT.md`, section 4).
//!
//! Invariant: one verdict for each document that is or claims to be a Job; lints are given only for a Job that
//! the API server takes. The uid shows as `$uid`, the random end of a generated name as `*****`.

use serde_json::{Map, Value};

use crate::catalogue::say;
use crate::diagnostic::{Code, Diagnostic};
use crate::lint::{self, Comments, Finding};
use crate::manifest::{self, Manifest, SUFFIX};
use crate::validate::{self, Warning};
use crate::yaml::{self, Kind, Mode, Node, Span};
use crate::{defaults, names};

/// A uid that no manifest has; it is shown as `$uid`.
const UID: &str = "00000000-0000-4000-8000-000000000001";

/// A document of a text.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its first line, from 1.
    pub line: u32,
    /// What it is.
    pub content: Content,
}

/// What a document is.
#[derive(Clone, Debug)]
pub enum Content {
    /// A Job, or something that should be one.
    Judged(Box<Verdict>),
    /// Something else, with its kind; empty if it says none.
    Other(String),
}

/// What the API server would say to a POST of a Job, and what the controller would do with it.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Where a refusal happens; `None` if the Job is accepted.
    pub stage: Option<Stage>,
    /// What is wrong, in the API server's order.
    pub errors: Vec<Refusal>,
    /// The API server's warnings, with their places.
    pub warnings: Vec<(Warning, Span)>,
    /// The stored Job as a client reads it, without its template.
    pub defaulted: Option<Value>,
    /// What lints find.
    pub lints: Vec<Finding>,
}

/// Where a refusal happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It is no Job.
    Decode,
    /// It has fields that are unknown or stand twice.
    Strict,
    /// It breaks a rule.
    Validation,
}

impl Stage {
    /// The word in a verdict.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Strict => "strict",
            Self::Validation => "validation",
        }
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// `Decoding`, `StrictDecoding`, or the reason of a cause in a Status object.
    pub kind: &'static str,
    /// The field; may be empty.
    pub field: String,
    /// The sentence.
    pub detail: String,
    /// What kind of finding it is for an editor; it has the way out.
    pub code: Code,
    /// Where it is.
    pub span: Span,
}

/// The documents of a text; none if there is nothing in it. A text that is no YAML is one document.
#[must_use]
pub fn documents(text: &str) -> Vec<Document> {
    let stream = match yaml::read(text) {
        Ok(stream) => stream,
        Err(error) => return vec![Document { line: 1, content: judged(unreadable(vec![error])) }],
    };
    let comments = Comments::of(text);
    let mut duplicates = stream.duplicates.into_iter().peekable();
    let starts: Vec<u32> = stream.documents.iter().skip(1).map(|node| node.span.line).collect();
    let ends = starts.into_iter().map(Some).chain(std::iter::once(None));
    let mut documents = Vec::new();
    for (node, end) in stream.documents.into_iter().zip(ends) {
        let mut own = Vec::new();
        while let Some(duplicate) = duplicates.next_if(|duplicate| end.is_none_or(|end| duplicate.line < end)) {
            own.push(duplicate);
        }
        if node.value != Kind::Null {
            documents.push(document(node, own, &comments));
        }
    }
    documents
}

fn document(node: Node, mut duplicates: Vec<Diagnostic>, comments: &Comments) -> Document {
    let line = node.span.line;
    if let Some(error) = manifest::other_kind(&node) {
        let content = match other(&node) {
            Some(kind) => Content::Other(kind),
            None => judged(unreadable(vec![error])),
        };
        return Document { line, content };
    }
    for duplicate in &mut duplicates {
        duplicate.field = node.path_of_key(duplicate.span());
    }
    let content = match manifest::from_node(node, Mode::Strict) {
        Ok(manifest) if duplicates.is_empty() => judged(judge(&manifest, comments)),
        Ok(_) => judged(unreadable(duplicates)),
        Err(mut errors) => {
            errors.extend(duplicates);
            crate::diagnostic::sort(&mut errors);
            judged(unreadable(errors))
        }
    };
    Document { line, content }
}

fn judged(verdict: Verdict) -> Content {
    Content::Judged(Box::new(verdict))
}

/// The kind of what is no Job and does not claim to be one: neither by its kind nor by its API group.
fn other(node: &Node) -> Option<String> {
    let text = |name: &str| node.member(name).map(Node::text).unwrap_or_default();
    let (kind, version) = (text("kind"), text("apiVersion"));
    let claims = kind == names::JOB || version.starts_with("batch/");
    (!claims).then(|| kind.to_owned())
}

/// The verdict about a text or a node that is no Job.
fn unreadable(errors: Vec<Diagnostic>) -> Verdict {
    let is_strict = |error: &Diagnostic| matches!(error.code, Code::UnknownField | Code::DuplicateKey);
    let stage = if errors.iter().all(is_strict) { Stage::Strict } else { Stage::Decode };
    let refusal = |error: Diagnostic| Refusal {
        kind: if is_strict(&error) { "StrictDecoding" } else { "Decoding" },
        span: error.span(),
        code: error.code,
        field: error.field.unwrap_or_default(),
        detail: error.message,
    };
    Verdict { stage: Some(stage), errors: errors.into_iter().map(refusal).collect(), ..Verdict::default() }
}

/// The verdict about a Job that can be read; the comments are those of its text.
#[must_use]
pub fn judge(manifest: &Manifest, comments: &Comments) -> Verdict {
    let mut job = manifest.prepared(UID);
    let node = &manifest.node;
    let names = Shown::of(&job);
    let refusal = |error: crate::FieldError| Refusal {
        kind: error.kind.reason(),
        detail: names.text(&error.cause()),
        code: Code::Invalid,
        span: node.locate(&error.field),
        field: error.field,
    };
    let errors: Vec<Refusal> = manifest.errors(UID).into_iter().map(refusal).collect();
    if !errors.is_empty() {
        return Verdict { stage: Some(Stage::Validation), errors, ..Verdict::default() };
    }
    let warnings = validate::warnings(&job).into_iter().map(|warning| {
        let field = manifest.field(&warning.field);
        let span = node.locate(&field);
        (Warning { text: names.text(&warning.text), field, is_whole: warning.is_whole }, span)
    });
    let warnings = warnings.collect();
    let mut lints = lint::check(&job, manifest, comments);
    let mut said = said_by_reading(manifest);
    lint::silence(&mut said, node, comments);
    said.retain(|finding| finding.lint.id != "unknown-lint");
    lints.extend(said);
    stored(&mut job);
    names.value(&mut job);
    Verdict { stage: None, errors, warnings, defaulted: Some(job), lints }
}

/// What reading the manifest said, as lints.
fn said_by_reading(manifest: &Manifest) -> Vec<Finding> {
    let node = &manifest.node;
    let mut found = Vec::new();
    if node.member("kind").is_none() || node.member("apiVersion").is_none() {
        found.extend(Finding::new("no-kind", "", manifest::start(node), &[]));
    }
    for notice in &manifest.notices {
        let values = [("text", say(notice.text_id, &[]))];
        let values = values.each_ref().map(|(name, text)| (*name, text.as_str()));
        found.extend(Finding::new("not-acted-on", notice.field, node.locate(notice.field), &values));
    }
    found
}

/// Turns a Job into what a client reads: defaulted once more (DEF-4), without its template. A list of rules that
/// is not there is written as `null`, because the API's type always prints it.
fn stored(job: &mut Value) {
    defaults::apply(job);
    let Some(object) = job.as_object_mut() else { return };
    object.insert("status".to_owned(), Value::Object(Map::new()));
    for place in ["/metadata", "/spec/selector"] {
        if let Some(members) = job.pointer_mut(place).and_then(Value::as_object_mut) {
            members.retain(|_, value| !is_empty(value));
        }
    }
    let Some(object) = job.as_object_mut() else { return };
    let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) else { return };
    for policy in ["podFailurePolicy", "successPolicy"] {
        if let Some(policy) = spec.get_mut(policy).and_then(Value::as_object_mut) {
            policy.entry("rules").or_insert(Value::Null);
            for rule in policy.get_mut("rules").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(rule) = rule.as_object_mut() {
                    rule.retain(|name, value| name != "onPodConditions" || !is_empty(value));
                }
            }
        }
    }
    let template = spec.remove("template").unwrap_or_default();
    if let Some(labels) = template.pointer("/metadata/labels") {
        object.insert("templateLabels".to_owned(), labels.clone());
    }
}

/// What the API's types leave out.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// How made-up names are shown.
struct Shown {
    /// The whole generated name, if there is one.
    generated: Option<String>,
}

impl Shown {
    fn of(job: &Value) -> Self {
        let text = |path: &str| job.pointer(path).and_then(Value::as_str).unwrap_or_default();
        let (name, prefix) = (text("/metadata/name"), text("/metadata/generateName"));
        let end = name.strip_suffix(SUFFIX).filter(|start| !prefix.is_empty() && prefix.starts_with(start));
        Self { generated: end.map(|_| name.to_owned()) }
    }

    /// In a text.
    fn text(&self, text: &str) -> String {
        let text = text.replace(UID, "$uid");
        match &self.generated {
            Some(name) => text.replace(name.as_str(), &name.replace(SUFFIX, "*****")),
            None => text,
        }
    }

    /// In all texts of a value; keys have none.
    fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(members) => members.iter_mut().for_each(|(_, value)| self.value(value)),
            _ => {}
        }
    }
}

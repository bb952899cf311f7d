//! A Job as a person wrote it: read, checked against the fields of the API, with places.
//!
//! Invariant: a [`Manifest`] has no wrong type and no unknown field; whether the API server would take
//! it is another question ([`validate`]).

mod cron_job;
mod notice;

use serde_json::Value;

pub use notice::Notice;

use crate::catalogue::english;
use crate::decode::decode;
use crate::diagnostic::{Code, Diagnostic, sort};
use crate::yaml::{self, Kind, Mode, Node, Span};
use crate::{names, prepare};

/// A Job read from a text.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The Job as the API's decoder leaves it: without `null` and unknown fields, nothing defaulted.
    pub value: Value,
    /// The same as it stands in the text, with places; a whole `CronJob` if that is where the Job stands.
    pub node: Node,
    /// The `CronJob` that would make the Job, as the API's decoder leaves it.
    pub cron_job: Option<Value>,
    /// What is good to know and stands in no way.
    pub warnings: Vec<Diagnostic>,
    /// What it asks for and this version does not act on.
    pub notices: Vec<Notice>,
}

/// Reads all Jobs of a text; other objects between them give a warning.
///
/// # Errors
/// All that is wrong: syntax, duplicate keys, wrong types, unknown fields, no Job at all.
pub fn read_jobs(text: &str) -> Result<Vec<Manifest>, Vec<Diagnostic>> {
    let file = File::read(text)?;
    let mut errors = file.duplicates;
    for error in &mut errors {
        error.field = file.jobs.iter().find_map(|job| job.path_of_key(error.span()));
    }
    let mut manifests = Vec::new();
    for node in file.jobs {
        match from_node(node, Mode::Strict) {
            Ok(manifest) => manifests.push(manifest),
            Err(wrong) => errors.extend(wrong),
        }
    }
    if !errors.is_empty() {
        sort(&mut errors);
        return Err(errors);
    }
    if let Some(first) = manifests.first_mut() {
        first.warnings.extend(file.others.into_iter().map(Diagnostic::as_warning));
    }
    Ok(manifests)
}

/// Reads the one Job of a text.
///
/// # Errors
/// As for [`read_jobs`]; also if there are several Jobs, with their lines.
pub fn read_job(text: &str) -> Result<Manifest, Vec<Diagnostic>> {
    let mut jobs = read_jobs(text)?;
    if let [_, second, ..] = &jobs[..] {
        let lines: Vec<String> = jobs.iter().map(|job| job.node.span.line.to_string()).collect();
        let (count, lines) = (jobs.len().to_string(), lines.join(", "));
        let message = english("error.several-jobs", &[("count", &count), ("lines", &lines)]);
        return Err(vec![Diagnostic::error(Code::SeveralJobs, second.node.span, message)]);
    }
    jobs.pop().ok_or_else(|| vec![Diagnostic::error(Code::Empty, Span::START, english("error.empty", &[]))])
}

/// Takes a node as a Job. In [`Mode::Lenient`] an unknown field is only a warning, as it is when the
/// API server is not asked to be strict.
///
/// # Errors
/// Wrong types; in [`Mode::Strict`] unknown fields too.
pub fn from_node(node: Node, mode: Mode) -> Result<Manifest, Vec<Diagnostic>> {
    let is_cron_job = node.member("kind").is_some_and(|kind| kind.text() == names::CRON_JOB);
    let decoded = decode(&node, if is_cron_job { "CronJob" } else { "Job" });
    let stays = |error: &Diagnostic| mode == Mode::Strict || error.code != Code::UnknownField;
    let (errors, unknown): (Vec<_>, Vec<_>) = decoded.errors.into_iter().partition(stays);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut warnings: Vec<_> = unknown.into_iter().map(Diagnostic::as_warning).collect();
    if node.member("kind").is_none() || node.member("apiVersion").is_none() {
        let message = english("warning.no-kind", &[]);
        warnings.push(Diagnostic::error(Code::Warning, start(&node), message).as_warning());
    }
    let (value, cron_job) =
        if is_cron_job { (cron_job::job(&decoded.value), Some(decoded.value)) } else { (decoded.value, None) };
    let notices = notice::notices(&value, &node, is_cron_job);
    Ok(Manifest { value, node, cron_job, warnings, notices })
}

/// All that an editor shows about a text: what [`read_job`] finds or, when it can be read, what the API
/// server would refuse and what this version does not act on.
#[must_use]
pub fn validate(text: &str) -> Vec<Diagnostic> {
    let manifest = match read_job(text) {
        Ok(manifest) => manifest,
        Err(errors) => return errors,
    };
    let mut findings = manifest.refusals();
    findings.extend(manifest.warnings.iter().cloned());
    findings.extend(manifest.notices.iter().map(|notice| {
        let message = english(notice.text_id, &[]);
        let span = manifest.node.locate(notice.field);
        Diagnostic::error(Code::NotActedOn, span, message).at_field(notice.field).as_warning()
    }));
    sort(&mut findings);
    findings
}

impl Manifest {
    /// What the API server would refuse, with places.
    #[must_use]
    pub fn refusals(&self) -> Vec<Diagnostic> {
        if let Some(cron_job) = &self.cron_job {
            let errors = crate::validate::cron_job(cron_job);
            if !errors.is_empty() {
                return self.placed(errors);
            }
        }
        let mut job = self.value.clone();
        if let Some(metadata) = job.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.entry("namespace").or_insert_with(|| "default".into());
        }
        // The true uid is not known before the Job is created.
        prepare::create(&mut job, "uid");
        let mut errors = crate::validate::create(&job);
        if self.cron_job.is_some() {
            errors.iter_mut().for_each(|error| error.field = cron_job::field(&error.field));
        }
        self.placed(errors)
    }

    fn placed(&self, errors: Vec<crate::FieldError>) -> Vec<Diagnostic> {
        let place = |error: crate::FieldError| {
            Diagnostic::error(Code::Invalid, self.node.locate(&error.field), error.cause()).at_field(error.field)
        };
        errors.into_iter().map(place).collect()
    }
}

/// The documents of a text, sorted.
struct File {
    jobs: Vec<Node>,
    /// One error for each document that is no Job.
    others: Vec<Diagnostic>,
    duplicates: Vec<Diagnostic>,
}

impl File {
    /// Reads a text that has at least one Job.
    fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let stream = yaml::read(text).map_err(|error| vec![error])?;
        let mut file = Self { jobs: Vec::new(), others: Vec::new(), duplicates: stream.duplicates };
        for node in stream.documents {
            if node.value == Kind::Null {
                continue;
            }
            match other_kind(&node) {
                None => file.jobs.push(node),
                Some(error) => file.others.push(error),
            }
        }
        match (file.jobs.is_empty(), file.others.is_empty()) {
            (true, true) => Err(vec![Diagnostic::error(Code::Empty, Span::START, english("error.empty", &[]))]),
            (true, false) => Err(file.others),
            _ => Ok(file),
        }
    }
}

/// Why a document is no Job and no `CronJob`; `None` if it is one. What has neither `kind` nor `apiVersion` is one if it
/// has a `spec`.
fn other_kind(node: &Node) -> Option<Diagnostic> {
    let text = |name: &str| node.member(name).map(Node::text);
    let (kind, version) = (text("kind"), text("apiVersion"));
    let fits = |value: Option<&str>, wanted: &str| value.is_none_or(|value| value == wanted);
    let named = kind.or(version).is_some() || node.member("spec").is_some_and(|spec| spec.value != Kind::Null);
    if matches!(node.value, Kind::Mapping(_))
        && named
        && (fits(kind, names::JOB) || kind == Some(names::CRON_JOB))
        && fits(version, names::BATCH_V1)
    {
        return None;
    }
    let kind = kind.unwrap_or_default();
    let id = if kind.is_empty() { "error.no-object" } else { "error.other-kind" };
    let message = english(id, &[("kind", kind), ("version", version.unwrap_or_default())]);
    let span = node.member("kind").or(node.member("apiVersion")).map_or_else(|| start(node), |member| member.span);
    Some(Diagnostic::error(Code::NotAJob, span, message))
}

/// Where a node begins, without its extent.
fn start(node: &Node) -> Span {
    Span { end_line: node.span.line, end_column: node.span.column, ..node.span }
}

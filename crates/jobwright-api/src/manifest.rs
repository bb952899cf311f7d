//! A Job as a person wrote it: read, checked against the fields of the API, with places.
//!
//! Invariant: a [`Manifest`] has no wrong type and no unknown field; whether the API server would take
//! it is another question ([`crate::validate`]).

mod cron_job;
mod notice;

use serde_json::Value;

pub use notice::Notice;

use crate::catalogue::say;
use crate::decode::decode;
use crate::diagnostic::{Code, Diagnostic, Severity, sort};
use crate::lint::Comments;
use crate::yaml::{self, Kind, Mode, Node, Span};
use crate::{lint, names, prepare};

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
        let message = say("error.several-jobs", &[("count", &count), ("lines", &lines)]);
        return Err(vec![Diagnostic::error(Code::SeveralJobs, second.node.span, message)]);
    }
    jobs.pop().ok_or_else(|| vec![Diagnostic::error(Code::Empty, Span::START, say("error.empty", &[]))])
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
        let message = say("warning.no-kind", &[]);
        warnings.push(Diagnostic::error(Code::Warning, start(&node), message).as_warning());
    }
    let (value, cron_job) =
        if is_cron_job { (cron_job::job(&decoded.value), Some(decoded.value)) } else { (decoded.value, None) };
    let notices = notice::notices(&value, &node, is_cron_job);
    Ok(Manifest { value, node, cron_job, warnings, notices })
}

impl Manifest {
    /// The Job as the API server makes it ready to be judged: namespace, name, defaults, generated labels. The uid
    /// is made up, as the true one is not known before the Job is created.
    #[must_use]
    pub fn prepared(&self, uid: &str) -> Value {
        let mut job = self.value.clone();
        if let Some(object) = job.as_object_mut() {
            let metadata = object.entry("metadata").or_insert_with(|| Value::Object(serde_json::Map::new()));
            if let Some(metadata) = metadata.as_object_mut() {
                name(metadata);
            }
        }
        prepare::create(&mut job, uid);
        job
    }

    /// What the API server would refuse, with places.
    #[must_use]
    pub fn refusals(&self) -> Vec<Diagnostic> {
        let place = |error: crate::FieldError| {
            Diagnostic::error(Code::Invalid, self.node.locate(&error.field), error.cause()).at_field(error.field)
        };
        self.errors(UID).into_iter().map(place).collect()
    }

    /// What the API server would refuse in the Job, or in the `CronJob` around it, in its order.
    pub(crate) fn errors(&self, uid: &str) -> Vec<crate::FieldError> {
        let mut errors = self.cron_job.as_ref().map(crate::validate::cron_job).unwrap_or_default();
        if errors.is_empty() {
            errors = crate::validate::create(&self.prepared(uid));
            errors.iter_mut().for_each(|error| error.field = self.field(&error.field));
        }
        errors
    }

    /// Where a field of the Job stands in the text.
    pub(crate) fn field(&self, of_job: &str) -> String {
        if self.cron_job.is_some() { cron_job::field(of_job) } else { of_job.to_owned() }
    }

    /// What stands in no way of a valid Job: the API server's warnings, what this version does not act on, and
    /// the lints that no comment of the text silences.
    #[must_use]
    pub fn advice(&self, text: &str) -> Vec<Diagnostic> {
        let job = self.prepared(UID);
        let mut findings = Vec::new();
        for warning in crate::validate::warnings(&job) {
            let field = self.field(&warning.field);
            let span = self.node.locate(&field);
            findings.push(Diagnostic::error(Code::Warning, span, warning.text).at_field(field).as_warning());
        }
        for notice in &self.notices {
            let span = self.node.locate(notice.field);
            let mut finding = Diagnostic::error(Code::NotActedOn, span, say(notice.text_id, &[]));
            finding.severity = Severity::Info;
            findings.push(finding.at_field(notice.field));
        }
        let lints = lint::check(&job, self, &Comments::of(text));
        findings.extend(lints.into_iter().map(lint::Finding::into_diagnostic));
        sort(&mut findings);
        findings
    }
}

/// Stands for the uid in what an editor shows.
const UID: &str = "uid";
/// Stands for the random end of a generated name.
pub(crate) const SUFFIX: &str = "xxxxx";
/// What the API server sets itself, whatever a request says.
const SYSTEM_FIELDS: [&str; 7] = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];
/// A prefix of a generated name is cut to this many bytes.
const PREFIX_MAX: usize = 58;

/// Gives a Job the default namespace and, if it has none, a name made from `generateName`.
fn name(metadata: &mut serde_json::Map<String, Value>) {
    let text = |metadata: &serde_json::Map<String, Value>, field: &str| {
        metadata.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    for field in SYSTEM_FIELDS {
        metadata.remove(field);
    }
    if let Some(owners) = metadata.get_mut("ownerReferences").and_then(Value::as_array_mut) {
        let mut kept: Vec<Value> = Vec::with_capacity(owners.len());
        owners.drain(..).for_each(|owner| {
            let is_same = |other: &Value| crate::validate::owner(other) == crate::validate::owner(&owner);
            if !kept.iter().any(is_same) {
                kept.push(owner);
            }
        });
        *owners = kept;
    }
    if text(metadata, "namespace").is_empty() {
        metadata.insert("namespace".to_owned(), "default".into());
    }
    let mut prefix = text(metadata, "generateName");
    if !prefix.is_empty() && text(metadata, "name").is_empty() {
        prefix.truncate(prefix.floor_char_boundary(PREFIX_MAX));
        metadata.insert("name".to_owned(), (prefix + SUFFIX).into());
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
            (true, true) => Err(vec![Diagnostic::error(Code::Empty, Span::START, say("error.empty", &[]))]),
            (true, false) => Err(file.others),
            _ => Ok(file),
        }
    }
}

/// Why a document is no Job and no `CronJob`; `None` if it is one. What has neither `kind` nor `apiVersion` is one if it
/// has a `spec`.
pub(crate) fn other_kind(node: &Node) -> Option<Diagnostic> {
    let text = |name: &str| node.member(name).map(Node::text).filter(|text| !text.is_empty());
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
    let message = say(id, &[("kind", kind), ("version", version.unwrap_or_default())]);
    let span = node.member("kind").or(node.member("apiVersion")).map_or_else(|| start(node), |member| member.span);
    Some(Diagnostic::error(Code::NotAJob, span, message))
}

/// Where a node begins, without its extent.
pub(crate) fn start(node: &Node) -> Span {
    Span { end_line: node.span.line, end_column: node.span.column, ..node.span }
}

//! A Job and its pods at one moment.
//!
//! Invariant: what is wrong with one is told with its field, from `job`, `pods` or `now` on.

use jobwright_api::diagnostic::Code;
use jobwright_api::read::ReadError;
use jobwright_api::yaml::{self, Span};
use jobwright_api::{Diagnostic, names, time};
use jobwright_core::Timestamp;
use serde_json::Value;

use crate::object;
use crate::text::say;

/// A Job and pods as the API server stores them.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Snapshot {
    /// The Job; what the API server would have defaulted may be missing.
    pub job: Value,
    /// Pods; those of other owners are left alone, as the controller does.
    pub pods: Vec<Value>,
    /// The present time, RFC 3339.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub now: Timestamp,
    /// Whether the back-off after failures is remembered from the pods that are counted, as a controller that has
    /// run all the time does; if not, the controller has just started (BKO-1).
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub recall: bool,
}

/// Which object of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The Job.
    Job,
    /// A pod, by its position from 0.
    Pod(usize),
}

/// Why a snapshot cannot be used: what is wrong, and in which field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", self.field(), self.message())]
pub enum SnapshotError {
    /// `job` is no object of kind Job of batch/v1.
    NotAJob,
    /// `pods` is no list.
    NotPods,
    /// `now` is no RFC 3339 time.
    NotATime,
    /// A value of the wrong type.
    WrongType(Place, ReadError),
}

impl SnapshotError {
    /// The field, for example `pods[2].status.phase`.
    #[must_use]
    pub fn field(&self) -> String {
        let (member, path) = match self {
            Self::NotAJob => ("job".to_owned(), ""),
            Self::NotPods => ("pods".to_owned(), ""),
            Self::NotATime => ("now".to_owned(), ""),
            Self::WrongType(Place::Job, error) => ("job".to_owned(), &*error.field),
            Self::WrongType(Place::Pod(at), error) => (["pods[", &at.to_string(), "]"].concat(), &*error.field),
        };
        [&*member, if path.is_empty() { "" } else { "." }, path].concat()
    }

    /// One sentence.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::NotAJob => say("sim.snapshot.job", &[]),
            Self::NotPods => say("sim.snapshot.pods", &[]),
            Self::NotATime => say("sim.snapshot.now", &[]),
            Self::WrongType(_, error) => say("sim.snapshot.expected", &[("expected", error.expected)]),
        }
    }

    /// The same as a finding. It stands at the beginning of a text that nobody has.
    #[must_use]
    pub fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::error(Code::WrongType, Span::START, self.message()).at_field(self.field())
    }
}

impl Snapshot {
    /// Reads `{job, pods, now, recall}` as JSON; `pods` and `recall` may be missing. At most 3 MiB are read
    /// ([`yaml::MAX_BYTES`]).
    ///
    /// # Errors
    /// The text is no JSON, or a member is missing or of another kind.
    pub fn from_json(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let stream = yaml::read(text).map_err(|error| vec![error])?;
        let value = stream.documents.first().map(yaml::Node::to_value).unwrap_or_default();
        Self::from_value(&value).map_err(|error| vec![error.to_diagnostic()])
    }

    /// Takes `{job, pods, now, recall}` as an object; `pods` and `recall` may be missing.
    ///
    /// # Errors
    /// A member is missing or of another kind.
    pub fn from_value(value: &Value) -> Result<Self, SnapshotError> {
        let member = |name: &str| value.get(name).filter(|member| !member.is_null()).cloned();
        let pods = match member("pods") {
            None => Vec::new(),
            Some(Value::Array(pods)) => pods,
            Some(_) => return Err(SnapshotError::NotPods),
        };
        let now = time::parse(object::text(value, &["now"])).ok_or(SnapshotError::NotATime)?;
        let recall = member("recall") == Some(Value::Bool(true));
        Ok(Self { job: member("job").ok_or(SnapshotError::NotAJob)?, pods, now, recall })
    }

    /// Whether the Job is one; an object without kind and version is taken for one if it has a spec.
    pub(super) fn has_job(&self) -> bool {
        let is = |field: &str, wanted: &str| ["", wanted].contains(&object::text(&self.job, &[field]));
        is("kind", names::JOB) && is("apiVersion", names::BATCH_V1) && object::at(&self.job, &["spec"]).is_some()
    }
}

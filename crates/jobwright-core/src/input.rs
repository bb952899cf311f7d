//! What goes into the controller: observations, answers, the passing of time.
//!
//! Invariant: inputs are facts. A host hands over what it saw, in the order of each watch, and never
//! leaves one out because it "cannot matter".

use alloc::boxed::Box;

use crate::ids::{JobKey, PodKey, ResourceVersion, Text, Uid, WriteId};
use crate::job::JobView;
use crate::pod::PodView;

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Input {
    /// A Job was added or changed, or a list showed it.
    Job(Box<JobView>),
    /// A Job is gone; the resource version of its deletion, or "none".
    JobGone(JobKey, Uid, ResourceVersion),
    /// A Pod was added or changed, or a list showed it.
    Pod(Box<PodView>),
    /// A Pod is gone; the resource version of its deletion, or "none".
    PodGone(PodKey, Uid, ResourceVersion),
    /// A list of all objects of a resource begins or ends. What was known and is not in the list is gone.
    Relist(Resource, RelistStep),
    /// The answer to a write.
    Answer(WriteId, Answer),
    /// Nothing but time has passed.
    Wake,
}

/// The resources that are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// `batch/v1` Jobs.
    Jobs,
    /// `v1` Pods.
    Pods,
}

/// Begin or end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelistStep {
    /// The objects follow as [`Input::Job`] or [`Input::Pod`].
    Begin,
    /// All were shown; the highest resource version that the list or a bookmark gave.
    Done(ResourceVersion),
}

/// What became of a write.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It was carried out.
    Done(Written),
    /// The API server, or something before it, refused it. It may still have been carried out
    /// (a timeout), and a later observation will tell.
    Failed(ApiFailure),
    /// No answer will ever come; the text says what is known. Treated as a failure.
    Lost(Text),
}

impl Answer {
    /// What was returned, or why not; a lost answer is a failure of no known kind.
    pub(crate) fn into_result(self) -> Result<Written, ApiFailure> {
        match self {
            Self::Done(written) => Ok(written),
            Self::Failed(failure) => Err(failure),
            Self::Lost(message) => Err(ApiFailure { kind: FailureKind::Other, message }),
        }
    }
}

/// What the API server returned for a write that was carried out.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// `metadata.resourceVersion` of the returned object; "none" for a deletion.
    pub resource_version: ResourceVersion,
    /// What else the answer holds.
    pub reply: Reply,
}

/// The object in an answer, as far as a decision reads it.
#[derive(Clone, Debug, Default)]
pub enum Reply {
    /// Nothing is read.
    #[default]
    Nothing,
    /// The name that the API server gave to a created pod, and its uid.
    Pod(PodKey, Uid),
    /// The Job of a live GET.
    Job(Box<JobView>),
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiFailure {
    /// What decisions tell apart.
    pub kind: FailureKind,
    /// The API's text; event messages print it (EVT-31).
    pub message: Text,
}

/// The kinds of refusals that decisions tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// 409: the object has changed.
    Conflict,
    /// 404: the object is not there.
    NotFound,
    /// 409: there is one of that name.
    AlreadyExists,
    /// 422: the object breaks a rule.
    Invalid,
    /// 403 with the cause `NamespaceTerminating` (CRE-13).
    NamespaceTerminating,
    /// 403.
    Forbidden,
    /// 429.
    TooManyRequests,
    /// 504 or a client's time-out: it may have been carried out.
    Timeout,
    /// 500.
    Internal,
    /// Anything else.
    Other,
}

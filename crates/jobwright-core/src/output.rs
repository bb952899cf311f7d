//! What comes out of the controller: writes, events, metrics, and until when it sleeps.
//!
//! Invariant: each write carries the [`Rule`] that made it, and is answered exactly once.

use alloc::boxed::Box;

use crate::ids::{CompletionIndex, JobKey, PodKey, ResourceVersion, Text, Uid, WriteId};
use crate::metric::Metric;
use crate::rule::Rule;
use crate::status::JobStatus;
use crate::time::Timestamp;

/// One thing for the host to do.
#[derive(Clone, Debug)]
pub enum Output {
    /// Carry this out and answer it.
    Write(Write),
    /// Record a Kubernetes Event; its fate is not asked for.
    Event(JobEvent),
    /// Count something.
    Metric(Metric),
    /// Everything is said. Wake the controller at that time, if any.
    Sleep(Option<WakeUp>),
}

/// An API call.
#[derive(Clone, Debug)]
pub struct Write {
    /// To be given back with the answer.
    pub id: WriteId,
    /// The Job on whose behalf; `None` for a pod whose Job is gone (ORP-4).
    pub job: Option<JobKey>,
    /// The call.
    pub effect: Effect,
    /// Why.
    pub why: Rule,
}

/// The API calls that the controller makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// POST a pod made from the Job's template (CRE-9).
    CreatePod(NewPod),
    /// DELETE a pod with its own grace period.
    DeletePod(PodRef),
    /// PATCH a pod: take only the tracking finalizer off (TRK-12, DEL-7, ORP-4).
    RemoveFinalizer(PodRef),
    /// PATCH a pod: owner reference to this Job and the tracking finalizer, guarded by the pod's UID (ADO-6).
    AdoptPod(PodRef, JobKey, Uid),
    /// PATCH a pod: remove the owner reference to this Job and the tracking finalizer, guarded by the pod's UID (ADO-3).
    ReleasePod(PodRef, JobKey, Uid),
    /// PUT the status of a Job (ENV-4).
    UpdateStatus {
        /// Which Job.
        job: JobKey,
        /// Its UID.
        uid: Uid,
        /// The version that the status was made from.
        resource_version: ResourceVersion,
        /// The whole status.
        status: Box<JobStatus>,
    },
    /// GET a Job live (ADO-5, TTL-5).
    GetJob(JobKey),
    /// DELETE a Job in the foreground with its UID as precondition (TTL-5).
    DeleteJob(JobKey, Uid),
}

/// A pod to be made from the template of its Job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPod {
    /// The owner.
    pub job: JobKey,
    /// Its UID.
    pub job_uid: Uid,
    /// The completion index in an Indexed Job.
    pub index: Option<CompletionIndex>,
    /// Annotation `job-index-failure-count`, per-index Jobs only (IDX-19).
    pub index_failures: Option<u32>,
    /// Annotation `job-index-ignored-failure-count`, if above 0 (IDX-19).
    pub index_ignored_failures: Option<u32>,
}

/// An existing pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodRef {
    /// Namespace and name.
    pub key: PodKey,
    /// Its UID.
    pub uid: Uid,
}

/// A Kubernetes Event about a Job (section 22).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobEvent {
    /// The Job.
    pub job: JobKey,
    /// Its UID.
    pub uid: Uid,
    /// `Normal` or `Warning`.
    pub kind: EventType,
    /// `reason`
    pub reason: Text,
    /// `message`
    pub message: Text,
}

/// The two types of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventType {
    /// Something expected.
    Normal,
    /// Something that a person may have to look at.
    Warning,
}

impl EventType {
    /// The API's text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}

/// When the controller wants to run again, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WakeUp {
    /// When.
    pub at: Timestamp,
    /// Why.
    pub why: WakeReason,
    /// For which Job; `None` for work on pods without one.
    pub job: Option<JobKey>,
}

/// Why a key waits in the queue (section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WakeReason {
    /// Something changed; changes within a second are looked at together (EVQ-2).
    Batch,
    /// `activeDeadlineSeconds` runs out then (SYNC-25, EVQ-43).
    ActiveDeadline,
    /// A failed pod may be replaced then (CRE-6).
    PodBackoff,
    /// An API call failed; the work is tried again then (EVQ-8).
    Retry,
    /// `ttlSecondsAfterFinished` runs out then (TTL-4).
    TimeToLive,
}

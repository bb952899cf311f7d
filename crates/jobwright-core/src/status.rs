//! A Job's `status` (OBJ-5) and the rules for its conditions (GLO-20 to GLO-23).
//!
//! Invariant: conditions keep their order; an upsert never makes a second condition of a type.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::ids::{Text, Uid};
use crate::time::Timestamp;

/// `batch/v1` `JobStatus`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobStatus {
    /// In the order in which they were added.
    pub conditions: Vec<Condition>,
    /// When the Job was started or resumed.
    pub start_time: Option<Timestamp>,
    /// When the Job was completed; never set on a failed one.
    pub completion_time: Option<Timestamp>,
    /// Pods that are pending or running and not being deleted.
    pub active: i32,
    /// Pods (NonIndexed) or indexes (Indexed) that succeeded.
    pub succeeded: i32,
    /// Pods that failed.
    pub failed: i32,
    /// Pods that are being deleted and have not ended.
    pub terminating: Option<i32>,
    /// Active pods with condition `Ready`.
    pub ready: Option<i32>,
    /// Indexes that succeeded, as interval text (IDX-1).
    pub completed_indexes: String,
    /// Indexes that failed for good, as interval text.
    pub failed_indexes: Option<String>,
    /// Pods that ended and are not in the counters yet (section 8).
    pub uncounted: Option<UncountedTerminatedPods>,
}

/// `status.uncountedTerminatedPods`: UIDs that are stored before their finalizers go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UncountedTerminatedPods {
    /// Pods that succeeded.
    pub succeeded: Vec<Uid>,
    /// Pods that failed.
    pub failed: Vec<Uid>,
}

impl UncountedTerminatedPods {
    /// Whether nothing waits to be counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.succeeded.is_empty() && self.failed.is_empty()
    }

    /// How many pods wait to be counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.succeeded.len() + self.failed.len()
    }
}

/// One condition of a Job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What it is about.
    pub kind: ConditionType,
    /// Whether it holds.
    pub status: ConditionStatus,
    /// Same as the transition time when the controller writes it (GLO-23).
    pub last_probe_time: Option<Timestamp>,
    /// When `status` changed.
    pub last_transition_time: Option<Timestamp>,
    /// One word for machines.
    pub reason: Text,
    /// One sentence for people.
    pub message: Text,
}

/// The types of OBJ-6, and any other text that somebody wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionType {
    /// The Job does not run pods.
    Suspended,
    /// The Job ended with success.
    Complete,
    /// The Job ended with failure.
    Failed,
    /// The Job is going to fail once its pods have ended.
    FailureTarget,
    /// The Job is going to be complete once its pods have ended.
    SuccessCriteriaMet,
    /// Not one of ours; kept as it is.
    Other(Arc<str>),
}

impl ConditionType {
    /// The API's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Suspended => "Suspended",
            Self::Complete => "Complete",
            Self::Failed => "Failed",
            Self::FailureTarget => "FailureTarget",
            Self::SuccessCriteriaMet => "SuccessCriteriaMet",
            Self::Other(text) => text,
        }
    }

    /// Reads the API's text; every text is one.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text {
            "Suspended" => Self::Suspended,
            "Complete" => Self::Complete,
            "Failed" => Self::Failed,
            "FailureTarget" => Self::FailureTarget,
            "SuccessCriteriaMet" => Self::SuccessCriteriaMet,
            other => Self::Other(other.into()),
        }
    }
}

/// `True`, `False` or `Unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionStatus {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// Nobody knows.
    Unknown,
}

impl ConditionStatus {
    /// The API's text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }

    /// Reads the API's text; anything but `True` and `False` is unknown.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text {
            "True" => Self::True,
            "False" => Self::False,
            _ => Self::Unknown,
        }
    }
}

impl Condition {
    /// A condition that begins `now` (GLO-23).
    #[must_use]
    pub fn new(kind: ConditionType, status: ConditionStatus, reason: Text, message: Text, now: Timestamp) -> Self {
        Self { kind, status, last_probe_time: Some(now), last_transition_time: Some(now), reason, message }
    }

    /// Whether it holds.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.status == ConditionStatus::True
    }
}

impl JobStatus {
    /// The first condition of a type (GLO-20).
    #[must_use]
    pub fn condition(&self, kind: &ConditionType) -> Option<&Condition> {
        self.conditions.iter().find(|c| c.kind == *kind)
    }

    /// Whether the first condition of a type holds.
    #[must_use]
    pub fn is_true(&self, kind: &ConditionType) -> bool {
        self.condition(kind).is_some_and(Condition::is_true)
    }

    /// Whether the Job has ended (GLO-11).
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let terminal = |c: &&Condition| matches!(c.kind, ConditionType::Complete | ConditionType::Failed);
        self.conditions.iter().filter(terminal).any(Condition::is_true)
    }

    /// Sets a condition; whether the list changed (GLO-21).
    pub fn upsert(&mut self, new: Condition) -> bool {
        match self.conditions.iter_mut().find(|c| c.kind == new.kind) {
            Some(old) if old.status == new.status && old.reason == new.reason && old.message == new.message => false,
            Some(old) => {
                *old = new;
                true
            }
            None if new.status == ConditionStatus::False => false,
            None => {
                self.conditions.push(new);
                true
            }
        }
    }
}

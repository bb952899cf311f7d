//! A Pod as the watch shows it, reduced to what decisions read (OBJ-10).
//!
//! Invariant: nothing here depends on a Job; what a pod means for its Job is worked out in the ledger.
//!
//! Texts that the API fixes are [`Text`]: a host that knows them allocates nothing, and nothing has to be freed.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::ids::{CompletionIndex, PodKey, ResourceVersion, Text, Uid};
use crate::selector::Labels;
use crate::status::ConditionStatus;
use crate::time::Timestamp;

/// What decisions read of a Pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodView {
    /// Namespace and name.
    pub key: PodKey,
    /// `metadata.uid`
    pub uid: Uid,
    /// `metadata.resourceVersion`
    pub resource_version: ResourceVersion,
    /// `metadata.creationTimestamp`
    pub created: Timestamp,
    /// Set while the pod is being deleted.
    pub deletion: Option<Deletion>,
    /// `metadata.labels`
    pub labels: Labels,
    /// The completion index of the pod's annotation; `None` if absent or no index (GLO-9).
    pub index: Option<CompletionIndex>,
    /// Annotation `batch.kubernetes.io/job-index-failure-count`, 0 if absent or unreadable (IDX-18).
    pub index_failures: u32,
    /// Annotation `batch.kubernetes.io/job-index-ignored-failure-count`, likewise.
    pub index_ignored_failures: u32,
    /// Whether the finalizer `batch.kubernetes.io/job-tracking` is on (GLO-1).
    pub tracking_finalizer: bool,
    /// The owner reference with `controller: true`.
    pub controller: Option<ControllerRef>,
    /// Whether `spec.nodeName` is set.
    pub scheduled: bool,
    /// `status.phase`
    pub phase: PodPhase,
    /// `status.conditions`, in order.
    pub conditions: Vec<PodCondition>,
    /// `status.containerStatuses`, in order.
    pub containers: Vec<ContainerStatus>,
    /// `status.initContainerStatuses`, in order.
    pub init_containers: Vec<ContainerStatus>,
}

impl PodView {
    /// The condition `Ready`.
    #[must_use]
    pub fn ready_condition(&self) -> Option<&PodCondition> {
        self.conditions.iter().find(|c| c.kind == "Ready")
    }
}

/// A deletion that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// `metadata.deletionTimestamp`: request time plus grace period.
    pub at: Timestamp,
    /// `metadata.deletionGracePeriodSeconds`, 0 if unset.
    pub grace_seconds: i64,
}

/// An owner reference with `controller: true` (OBJ-14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControllerRef {
    /// `apiVersion`, `batch/v1` for a Job.
    pub api_version: Text,
    /// `kind`, `Job` for a Job.
    pub kind: Text,
    /// Name of the owner.
    pub name: Arc<str>,
    /// UID of the owner.
    pub uid: Uid,
}

/// `status.phase`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PodPhase {
    /// Not all containers have started; also an empty or unknown text (DEL-5).
    #[default]
    Pending,
    /// The node does not answer.
    Unknown,
    /// A container runs.
    Running,
    /// All containers ended with exit code 0.
    Succeeded,
    /// All containers ended, one of them with failure.
    Failed,
}

impl PodPhase {
    /// Whether the pod has ended (GLO-4).
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }
}

/// One pod condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodCondition {
    /// `type`
    pub kind: Text,
    /// `status`
    pub status: ConditionStatus,
    /// `lastTransitionTime`
    pub last_transition: Option<Timestamp>,
}

/// State of one container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerStatus {
    /// Its name.
    pub name: String,
    /// How often it was started again.
    pub restart_count: i32,
    /// An init container with `restartPolicy: Always` (a sidecar).
    pub restartable: bool,
    /// How it ended, if it has ended now.
    pub terminated: Option<Terminated>,
}

/// `state.terminated` of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminated {
    /// The exit code.
    pub exit_code: i32,
    /// `finishedAt`, `None` if zero.
    pub finished_at: Option<Timestamp>,
}

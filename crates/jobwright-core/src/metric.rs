//! Metrics as data; names and labels are upstream's (section 21).
//!
//! Invariant: one value for each time that upstream would change a counter; hosts only add up.

use alloc::sync::Arc;

use crate::input::Resource;
use crate::spec::{CompletionMode, FailureAction};
use crate::time::Millis;

/// One increment of a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Metric {
    /// `job_syncs_total`, and one observation of `job_sync_duration_seconds` (MET-1, MET-2).
    SyncDone {
        /// Label `completion_mode`.
        mode: CompletionMode,
        /// Label `result`.
        ok: bool,
        /// Label `action`.
        action: SyncAction,
        /// From its beginning to its end.
        took: Millis,
    },
    /// `jobs_finished_total` (MET-3).
    JobFinished {
        /// Label `completion_mode`.
        mode: CompletionMode,
        /// Label `result`.
        succeeded: bool,
        /// Label `reason`.
        reason: crate::ids::Text,
    },
    /// `job_pods_finished_total` (MET-4).
    PodsFinished {
        /// Label `completion_mode`.
        mode: CompletionMode,
        /// Label `result`.
        succeeded: bool,
        /// How many.
        count: i64,
    },
    /// `job_finished_indexes_total` (MET-7).
    IndexesFinished {
        /// Label `status`.
        succeeded: bool,
        /// Label `backoffLimit`: `perIndex` or `global`.
        per_index: bool,
        /// How many.
        count: i64,
    },
    /// `job_pods_creation_total` (MET-12).
    PodsCreated {
        /// Label `reason`.
        reason: CreationReason,
        /// Label `status`.
        succeeded: bool,
        /// How many.
        count: i64,
    },
    /// `pod_failures_handled_by_failure_policy_total` (MET-6).
    FailureHandled {
        /// Label `action`.
        action: FailureAction,
    },
    /// `jobs_by_external_controller_total` (MET-8).
    ExternalJob {
        /// Label `controller_name`.
        controller: Arc<str>,
    },
    /// `stale_sync_skips_total` (MET-9).
    StaleSyncSkipped {
        /// Labels `group` and `resource`.
        resource: Resource,
    },
    /// One observation of `ttl_after_finished_controller_job_deletion_duration_seconds` (MET-20).
    DeletedAfterTimeToLive {
        /// From the expiry to the deletion.
        late: Millis,
    },
    /// `terminated_pods_tracking_finalizer_total` (MET-30).
    TerminatedPodWithFinalizer {
        /// Label `event`: `add` or `delete`.
        added: bool,
    },
}

/// What a sync did (MET-40).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncAction {
    /// Pods were not managed.
    #[default]
    Reconciling,
    /// Pods were managed, and there was nothing to do.
    Tracking,
    /// Pods were created, or wait for their back-off.
    PodsCreated,
    /// Pods were deleted, or the Job is suspended.
    PodsDeleted,
}

/// Why pods were created (MET-12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreationReason {
    /// `new`
    New,
    /// `recreate_terminating_or_failed`
    RecreateTerminatingOrFailed,
    /// `recreate_failed`
    RecreateFailed,
}

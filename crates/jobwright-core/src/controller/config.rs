//! How a controller works: the few things that a host chooses.
//!
//! Invariant: the defaults are those of Kubernetes 1.37's own controller, but for
//! [`Config::count_once_after_not_found`], whose default is the safe one.

use alloc::sync::Arc;

use crate::job::JobView;
use crate::time::Millis;

/// The name by which `spec.managedBy` asks for the built-in controller (MGB-1).
const BUILT_IN: &str = "kubernetes.io/job-controller";

/// How a controller works.
#[derive(Clone, Debug)]
pub struct Config {
    /// Keys of each queue that are worked on at the same time; upstream's default is 5 (EVQ-10).
    pub concurrent_syncs: usize,
    /// The value of `spec.managedBy` whose Jobs are carried out; `None` for those of the built-in
    /// controller (KEP-4368).
    pub manager: Option<Arc<str>>,
    /// Whether finished Jobs are deleted after `ttlSecondsAfterFinished`, whoever carries them out (MGB-4).
    pub time_to_live: bool,
    /// Whether a pod that was counted stays counted although the removal of its finalizer was answered with
    /// "not found", until the watch shows its end. Upstream forgets such a pod at once (TRK-12) and counts it a second
    /// time if its watch is late. `false` is upstream's way, for comparing with it; `true`, the default, keeps INV-1.
    pub count_once_after_not_found: bool,
    /// Feature gates.
    pub gates: Gates,
    /// Times and limits.
    pub tuning: Tuning,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            concurrent_syncs: 5,
            manager: None,
            time_to_live: true,
            count_once_after_not_found: true,
            gates: Gates::default(),
            tuning: Tuning::default(),
        }
    }
}

impl Config {
    /// Whether another controller carries the Job out (GLO-16).
    pub(crate) fn is_external(&self, job: &JobView) -> bool {
        match (&self.manager, &job.spec.managed_by) {
            (None, _) if !self.gates.managed_by => false,
            (None, managed_by) => managed_by.as_ref().is_some_and(|name| &**name != BUILT_IN),
            (Some(own), managed_by) => managed_by.as_ref() != Some(own),
        }
    }
}

/// The feature gates about Jobs that can be set, with the defaults of Kubernetes 1.37 (section 23).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gates {
    /// `MutableSchedulingDirectivesForSuspendedJobs`: suspending unsets `startTime` (GATE-3, SUS-5).
    pub mutable_scheduling_directives: bool,
    /// `StaleControllerConsistencyJob`: nothing is decided on a cache that is older than the controller's
    /// own writes (GATE-4, CON-3).
    pub stale_controller_consistency: bool,
    /// `MutablePodResourcesForSuspendedJobs`: what the API server lets people change in a suspended Job; the
    /// controller decides nothing by it (GATE-2, UPD-43).
    pub mutable_pod_resources: bool,
    /// `JobManagedBy`: whether `spec.managedBy` keeps Jobs from the built-in controller. Locked to true in 1.37, so it is
    /// off only where an older version is emulated (GATE-1).
    pub managed_by: bool,
}

impl Default for Gates {
    fn default() -> Self {
        Self {
            mutable_scheduling_directives: true,
            stale_controller_consistency: true,
            mutable_pod_resources: true,
            managed_by: true,
        }
    }
}

/// Times and limits that are constants in Kubernetes' own controller; the defaults are its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// How long changes of pods and statuses are gathered before a sync looks at them (CST-1).
    pub batch_period: Millis,
    /// `Some`: the first change after a quiet time is looked at after this delay already, and syncs of one Job for
    /// changes still begin at least [`Self::batch_period`] apart. `None`: each waits for the whole period (EVQ-2).
    pub first_change: Option<Millis>,
    /// Delays before failed pods are replaced.
    pub pod_backoff: PodBackoff,
    /// UIDs and new indexes that may wait to be counted at a time (CST-4).
    pub uncounted_pods_max: usize,
    /// Pods that one sync creates or deletes at most (CST-5).
    pub pod_writes_max: usize,
}

/// The delay after n failures is `first` doubled n - 1 times, and at most `longest` (CST-3, BKO-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodBackoff {
    /// Delay after the first failure.
    pub first: Millis,
    /// Longest delay.
    pub longest: Millis,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            batch_period: Millis::from_seconds(1),
            first_change: None,
            pod_backoff: PodBackoff::default(),
            uncounted_pods_max: 500,
            pod_writes_max: 500,
        }
    }
}

impl Default for PodBackoff {
    fn default() -> Self {
        Self { first: Millis::from_seconds(10), longest: Millis::from_seconds(600) }
    }
}

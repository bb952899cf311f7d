//! The catalogue of rules that can fire, in the order in which a sync looks at them.
//!
//! Invariant: one variant for each rule that can fire; its slug is public and never changes; the
//! spec ids point into `docs/spec`.

/// Where in a sync a rule is looked at; stages come in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleStage {
    /// Is there anything to sync?
    Gate,
    /// Which pods are the Job's?
    Claim,
    /// Does the Job end?
    End,
    /// What about its pods?
    Pods,
    /// Which conditions follow?
    Conditions,
    /// What is counted, and which finalizers go?
    Tracking,
    /// Is the Job finished?
    Finish,
    /// Pods without a living Job.
    Orphans,
    /// Is a finished Job deleted?
    TimeToLive,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $slug:literal, $stage:ident, [$($id:literal),+];)+) => {
        /// A rule that can fire.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule { $($(#[$doc])* $name,)+ }

        impl Rule {
            /// Every rule, in the order of evaluation.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The public name: what cards, JSON and messages use.
            #[must_use]
            pub const fn slug(self) -> &'static str {
                match self { $(Self::$name => $slug,)+ }
            }

            /// The rules of `docs/spec` that it carries out.
            #[must_use]
            pub const fn spec_ids(self) -> &'static [&'static str] {
                match self { $(Self::$name => &[$($id),+],)+ }
            }

            /// Where it is looked at.
            #[must_use]
            pub const fn stage(self) -> RuleStage {
                match self { $(Self::$name => RuleStage::$stage,)+ }
            }
        }
    };
}

rules! {
    /// The cache is older than the controller's own writes: nothing is decided on it (KEP-5647).
    StaleCache = "stale-cache", Gate, ["SYNC-2", "CON-3"];
    /// The Job is not in the cache: its memories are dropped. Models `syncJob`.
    JobGone = "job-gone", Gate, ["SYNC-3"];
    /// Another controller carries the Job out (KEP-4368).
    ManagedByOther = "managed-by-other", Gate, ["SYNC-4", "MGB-1"];
    /// The Job has ended: nothing is done any more.
    AlreadyFinished = "already-finished", Gate, ["SYNC-6", "GLO-11"];
    /// The terminal status was written, and the cache does not show it yet.
    FinishNotSeen = "finish-not-seen", Gate, ["SYNC-7"];
    /// The completion mode is unknown: the Job is left alone.
    UnknownCompletionMode = "unknown-completion-mode", Gate, ["SYNC-8", "EVT-1"];

    /// A pod of the Job that its selector does not match is let go.
    ReleaseStray = "release-stray", Claim, ["ADO-3"];
    /// Before a pod is adopted, the Job is read live.
    CheckBeforeAdoption = "check-before-adoption", Claim, ["ADO-5"];
    /// A pod without a controller that the selector matches becomes the Job's.
    AdoptPod = "adopt-pod", Claim, ["ADO-4", "ADO-6"];

    /// A stored `SuccessCriteriaMet` is carried to its end (KEP-3998).
    SuccessCriteriaMet = "success-criteria-met", End, ["SYNC-20", "OUT-1"];
    /// A stored `FailureTarget` is carried to its end (KEP-3329).
    FailureTarget = "failure-target", End, ["SYNC-21", "OUT-2"];
    /// A pod failed in a way that fails the Job (KEP-3329).
    PodFailurePolicy = "pod-failure-policy", End, ["SYNC-22", "PFP-9", "OUT-3"];
    /// More pods failed than `backoffLimit` allows.
    BackoffLimitExceeded = "backoff-limit", End, ["SYNC-23", "BKO-9", "OUT-4"];
    /// Containers were started again as often as `backoffLimit` says (`restartPolicy: OnFailure`).
    RestartLimitReached = "backoff-limit-restarts", End, ["BKO-20", "BKO-21", "OUT-4"];
    /// The Job was active for `activeDeadlineSeconds`.
    DeadlineExceeded = "active-deadline", End, ["SYNC-24", "DDL-1", "OUT-5"];
    /// More indexes failed than `maxFailedIndexes` allows (KEP-3850).
    MaxFailedIndexesExceeded = "max-failed-indexes", End, ["SYNC-27", "OUT-6"];
    /// All indexes are decided, and some have failed (KEP-3850).
    FailedIndexes = "failed-indexes", End, ["SYNC-27", "OUT-7"];
    /// The successes so far are enough for a rule of the success policy (KEP-3998).
    SuccessPolicy = "success-policy", End, ["SYNC-29", "SUC-6", "OUT-8"];

    /// The Job ends: its active pods are deleted.
    EndActivePods = "end-active-pods", Pods, ["SYNC-30", "DEL-8"];
    /// The end waits: a deletion failed, or writes are asked for and not yet seen.
    EndHeldBack = "end-held-back", Pods, ["SYNC-30", "OUT-10"];
    /// Writes are asked for and not yet seen in the watch: pods are left alone (expectations).
    ExpectationsOpen = "expectations-open", Pods, ["SYNC-31", "EXP-2"];
    /// The Job is being deleted: pods are neither made nor deleted.
    JobDeleting = "job-deleting", Pods, ["SYNC-31", "GCD-5"];
    /// The Job is suspended: its active pods are deleted (KEP-2232).
    SuspendPods = "suspend-pods", Pods, ["SUS-3", "DEL-1"];
    /// More pods are active than wanted, or some have no valid index of their own: they are deleted.
    SurplusPods = "scale-down", Pods, ["DEL-1", "DEL-3", "DEL-5"];
    /// As many pods are active as wanted.
    EnoughPods = "enough-pods", Pods, ["CRE-4"];
    /// Pods are missing, and the last failure is too fresh.
    BackoffWait = "backoff-wait", Pods, ["CRE-6", "BKO-6"];
    /// The indexes that are next in line failed too recently.
    IndexBackoffWait = "index-backoff-wait", Pods, ["BKO-36", "BKO-37"];
    /// Pods are missing: they are made.
    CreatePods = "create-pods", Pods, ["CRE-8", "CRE-12"];
    /// A creation failed, and the rest of the batches is left for a later sync (slow start).
    CreationStopped = "creation-stopped", Pods, ["CRE-12", "CRE-13"];

    /// Enough pods succeeded, and none is active.
    CompletionsReached = "completions-reached", Conditions, ["SYNC-32", "OUT-9"];
    /// The condition `Suspended` becomes True.
    MarkSuspended = "mark-suspended", Conditions, ["SUS-5"];
    /// The condition `Suspended` becomes False, and the clock starts anew.
    MarkResumed = "mark-resumed", Conditions, ["SUS-6"];

    /// Pods that an earlier sync stored as uncounted, and that have lost their finalizer, enter the counters.
    CountLeftOver = "count-left-over", Tracking, ["TRK-2", "TRK-32"];
    /// Succeeded pods are stored by UID or index before their finalizers go.
    AccountSucceeded = "account-succeeded", Tracking, ["TRK-3c", "IDX-12"];
    /// Failed pods are stored by UID before their finalizers go.
    AccountFailed = "account-failed", Tracking, ["TRK-3d"];
    /// A failed pod is kept until its index has a newer pod, so that its count can be handed on.
    HoldFailedPods = "hold-failed-pods", Tracking, ["BKO-32", "BKO-33"];
    /// Indexes that failed for good are stored.
    AccountFailedIndexes = "account-failed-indexes", Tracking, ["IDX-14", "TRK-5"];
    /// 500 pods wait to be counted: the rest follows in a later sync.
    UncountedLimit = "uncounted-limit", Tracking, ["TRK-9"];
    /// The condition that announces the end is stored with the UIDs.
    AnnounceEnd = "announce-end", Tracking, ["TRK-6", "TRK-7", "TRK-34"];
    /// The status is stored before any finalizer goes.
    StoreStatus = "store-status", Tracking, ["TRK-10", "SYNC-34"];
    /// The tracking finalizer of stored pods is removed.
    ReleasePods = "release-pods", Tracking, ["TRK-12", "TRK-14"];
    /// Pods whose finalizer this sync removed enter the counters (KEP-2307).
    CountReleased = "count-released", Tracking, ["TRK-15"];
    /// A finalizer could not be removed: what worked is stored, and the sync is tried again.
    ReleaseFailed = "release-failed", Tracking, ["TRK-16"];

    /// The terminal condition waits until pods have terminated and all are counted.
    FinishWaits = "finish-waits", Finish, ["TRK-17", "OUT-12"];
    /// The Job is finished.
    Finish = "finish", Finish, ["TRK-17", "TRK-18"];
    /// The counters are stored after the finalizers went.
    StoreCounters = "store-counters", Finish, ["TRK-18"];

    /// A pod keeps its finalizer: its Job still tracks it.
    OrphanKept = "orphan-kept", Orphans, ["ORP-4"];
    /// A pod that no unfinished Job tracks loses its finalizer.
    OrphanReleased = "orphan-released", Orphans, ["ORP-4", "ORP-5"];

    /// A finished Job is kept until `ttlSecondsAfterFinished` is over.
    TimeToLiveRuns = "ttl-runs", TimeToLive, ["TTL-4"];
    /// The time is over by the cache: the Job is read live before it is deleted.
    TimeToLiveCheck = "ttl-check", TimeToLive, ["TTL-5"];
    /// The live Job was given more time than the cache shows.
    TimeToLiveExtended = "ttl-extended", TimeToLive, ["TTL-5", "TTL-7"];
    /// A finished Job is deleted with its pods.
    TimeToLiveOver = "ttl-over", TimeToLive, ["TTL-5", "TTL-6"];
}

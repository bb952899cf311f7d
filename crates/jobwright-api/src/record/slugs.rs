//! The public names of the core's enumerations, in JSON and in ids of the catalogue.
//!
//! Invariant: every match is exhaustive, so a new variant cannot go without a name.

use jobwright_core::output::{Effect, WakeReason};
use jobwright_core::record::{FactName, Trigger};
use jobwright_core::rule::RuleStage;
use jobwright_core::{FailureKind, PodPhase, Rule};

/// The name of a number.
#[must_use]
pub const fn fact(name: FactName) -> &'static str {
    match name {
        FactName::Succeeded => "succeeded",
        FactName::SucceededUncounted => "succeededUncounted",
        FactName::SucceededNew => "succeededNew",
        FactName::Failed => "failed",
        FactName::FailedUncounted => "failedUncounted",
        FactName::FailedNew => "failedNew",
        FactName::Active => "active",
        FactName::Ready => "ready",
        FactName::Terminating => "terminating",
        FactName::Parallelism => "parallelism",
        FactName::Completions => "completions",
        FactName::Wanted => "wanted",
        FactName::Missing => "missing",
        FactName::Surplus => "surplus",
        FactName::BackoffLimit => "backoffLimit",
        FactName::Restarts => "restarts",
        FactName::StartTime => "startTime",
        FactName::Deadline => "deadline",
        FactName::Elapsed => "elapsed",
        FactName::Remaining => "remaining",
        FactName::Delay => "delay",
        FactName::Failures => "failures",
        FactName::LastFailure => "lastFailure",
        FactName::CreationsOpen => "creationsOpen",
        FactName::DeletionsOpen => "deletionsOpen",
        FactName::Count => "count",
        FactName::Limit => "limit",
        FactName::Indexes => "indexes",
        FactName::Reason => "reason",
        FactName::Condition => "condition",
        FactName::Error => "error",
        FactName::FailedIndexes => "failedIndexes",
        FactName::RuleIndex => "ruleIndex",
        FactName::Expiry => "expiry",
        FactName::Manager => "manager",
    }
}

/// The names of all numbers, for texts that may leave one out.
pub const FACTS: &[FactName] = &[
    FactName::Succeeded,
    FactName::SucceededUncounted,
    FactName::SucceededNew,
    FactName::Failed,
    FactName::FailedUncounted,
    FactName::FailedNew,
    FactName::Active,
    FactName::Ready,
    FactName::Terminating,
    FactName::Parallelism,
    FactName::Completions,
    FactName::Wanted,
    FactName::Missing,
    FactName::Surplus,
    FactName::BackoffLimit,
    FactName::Restarts,
    FactName::StartTime,
    FactName::Deadline,
    FactName::Elapsed,
    FactName::Remaining,
    FactName::Delay,
    FactName::Failures,
    FactName::LastFailure,
    FactName::CreationsOpen,
    FactName::DeletionsOpen,
    FactName::Count,
    FactName::Limit,
    FactName::Indexes,
    FactName::Reason,
    FactName::Condition,
    FactName::Error,
    FactName::FailedIndexes,
    FactName::RuleIndex,
    FactName::Expiry,
    FactName::Manager,
];

/// The name of a stage of a sync.
#[must_use]
pub const fn stage(stage: RuleStage) -> &'static str {
    match stage {
        RuleStage::Gate => "gate",
        RuleStage::Claim => "claim",
        RuleStage::End => "end",
        RuleStage::Pods => "pods",
        RuleStage::Conditions => "conditions",
        RuleStage::Tracking => "tracking",
        RuleStage::Finish => "finish",
        RuleStage::Orphans => "orphans",
        RuleStage::TimeToLive => "time-to-live",
    }
}

/// All stages.
pub const STAGES: &[RuleStage] = &[
    RuleStage::Gate,
    RuleStage::Claim,
    RuleStage::End,
    RuleStage::Pods,
    RuleStage::Conditions,
    RuleStage::Tracking,
    RuleStage::Finish,
    RuleStage::Orphans,
    RuleStage::TimeToLive,
];

/// The name of a reason to run again.
#[must_use]
pub const fn wake(reason: WakeReason) -> &'static str {
    match reason {
        WakeReason::Batch => "batch",
        WakeReason::ActiveDeadline => "active-deadline",
        WakeReason::PodBackoff => "pod-backoff",
        WakeReason::Retry => "retry",
        WakeReason::TimeToLive => "time-to-live",
    }
}

/// All reasons to run again.
pub const WAKES: &[WakeReason] =
    &[WakeReason::Batch, WakeReason::ActiveDeadline, WakeReason::PodBackoff, WakeReason::Retry, WakeReason::TimeToLive];

/// The name of a kind of refusal.
#[must_use]
pub const fn failure(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Conflict => "conflict",
        FailureKind::NotFound => "not-found",
        FailureKind::AlreadyExists => "already-exists",
        FailureKind::Invalid => "invalid",
        FailureKind::NamespaceTerminating => "namespace-terminating",
        FailureKind::Forbidden => "forbidden",
        FailureKind::TooManyRequests => "too-many-requests",
        FailureKind::Timeout => "timeout",
        FailureKind::Internal => "internal",
        FailureKind::Other => "other",
    }
}

/// All kinds of refusals.
pub const FAILURES: &[FailureKind] = &[
    FailureKind::Conflict,
    FailureKind::NotFound,
    FailureKind::AlreadyExists,
    FailureKind::Invalid,
    FailureKind::NamespaceTerminating,
    FailureKind::Forbidden,
    FailureKind::TooManyRequests,
    FailureKind::Timeout,
    FailureKind::Internal,
    FailureKind::Other,
];

/// The name of a trigger.
#[must_use]
pub const fn trigger(trigger: &Trigger) -> &'static str {
    match trigger {
        Trigger::JobAdded => "job-added",
        Trigger::JobSpecChanged => "job-spec-changed",
        Trigger::JobChanged => "job-changed",
        Trigger::JobGone => "job-gone",
        Trigger::PodAdded(_) => "pod-added",
        Trigger::PodChanged(..) => "pod-changed",
        Trigger::PodGone(_) => "pod-gone",
        Trigger::Timer(_) => "timer",
    }
}

/// The API's text for a phase.
#[must_use]
pub const fn phase(phase: PodPhase) -> &'static str {
    match phase {
        PodPhase::Pending => "Pending",
        PodPhase::Unknown => "Unknown",
        PodPhase::Running => "Running",
        PodPhase::Succeeded => "Succeeded",
        PodPhase::Failed => "Failed",
    }
}

/// The name of a call, and its HTTP verb.
#[must_use]
pub const fn effect(effect: &Effect) -> (&'static str, &'static str) {
    match effect {
        Effect::CreatePod(_) => ("create-pod", "POST"),
        Effect::DeletePod(_) => ("delete-pod", "DELETE"),
        Effect::RemoveFinalizer(_) => ("remove-finalizer", "PATCH"),
        Effect::AdoptPod(..) => ("adopt-pod", "PATCH"),
        Effect::ReleasePod(..) => ("release-pod", "PATCH"),
        Effect::UpdateStatus { .. } => ("update-status", "PUT"),
        Effect::GetJob(_) => ("get-job", "GET"),
        Effect::DeleteJob(..) => ("delete-job", "DELETE"),
    }
}

/// The names of all calls.
pub const EFFECTS: &[&str] = &[
    "create-pod",
    "delete-pod",
    "remove-finalizer",
    "adopt-pod",
    "release-pod",
    "update-status",
    "get-job",
    "delete-job",
];

/// The names of all triggers but `timer`, which has the names of [`WAKES`].
pub const TRIGGERS: &[&str] =
    &["job-added", "job-spec-changed", "job-changed", "job-gone", "pod-added", "pod-changed", "pod-gone"];

/// The fields of a manifest that a rule looks at, besides the state of the pods.
#[must_use]
pub const fn fields(rule: Rule) -> &'static [&'static str] {
    match rule {
        Rule::ManagedByOther => &["spec.managedBy"],
        Rule::UnknownCompletionMode => &["spec.completionMode"],
        Rule::PodFailurePolicy => &["spec.podFailurePolicy"],
        Rule::BackoffLimitExceeded => &["spec.backoffLimit"],
        Rule::RestartLimitReached => &["spec.backoffLimit", "spec.template.spec.restartPolicy"],
        Rule::DeadlineExceeded => &["spec.activeDeadlineSeconds"],
        Rule::MaxFailedIndexesExceeded => &["spec.maxFailedIndexes", "spec.backoffLimitPerIndex"],
        Rule::FailedIndexes | Rule::IndexBackoffWait | Rule::HoldFailedPods | Rule::AccountFailedIndexes => {
            &["spec.backoffLimitPerIndex"]
        }
        Rule::SuccessPolicy => &["spec.successPolicy"],
        Rule::SuspendPods | Rule::MarkSuspended | Rule::MarkResumed => &["spec.suspend"],
        Rule::SurplusPods | Rule::CreatePods => &["spec.parallelism", "spec.completions", "spec.completionMode"],
        Rule::EnoughPods => &["spec.parallelism", "spec.completions", "spec.podReplacementPolicy"],
        Rule::CompletionsReached => &["spec.completions"],
        Rule::TimeToLiveRuns | Rule::TimeToLiveCheck | Rule::TimeToLiveExtended | Rule::TimeToLiveOver => {
            &["spec.ttlSecondsAfterFinished"]
        }
        _ => &[],
    }
}

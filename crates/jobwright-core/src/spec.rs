//! The part of a Job's `spec` that decisions read (OBJ-2 to OBJ-4), after defaulting.
//!
//! Invariant: "unset" is `None` and distinct from zero. The pod template stays with the host; only
//! the facts of it that decisions use are here.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::selector::Selector;

/// `batch/v1` `JobSpec`, defaulted (DEF-1 to DEF-9).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobSpec {
    /// Pods that may run at the same time.
    pub parallelism: Option<i32>,
    /// Successes that are needed; `None` makes the Job a work queue.
    pub completions: Option<i32>,
    /// Seconds that the whole Job may be active, counted from `status.startTime`.
    pub active_deadline_seconds: Option<i64>,
    /// Failures that are allowed; one more ends the Job.
    pub backoff_limit: Option<i32>,
    /// Failures that are allowed per index.
    pub backoff_limit_per_index: Option<i32>,
    /// Failed indexes that are allowed; one more ends the Job.
    pub max_failed_indexes: Option<i32>,
    /// Which pods are the Job's.
    pub selector: Selector,
    /// Whether a person chose the selector.
    pub manual_selector: bool,
    /// How successes are told apart.
    pub completion_mode: CompletionMode,
    /// Whether pods may run at all.
    pub suspend: bool,
    /// When a pod that is being deleted may be replaced.
    pub pod_replacement_policy: Option<PodReplacementPolicy>,
    /// What the way in which a pod failed means for the Job.
    pub pod_failure_policy: Option<PodFailurePolicy>,
    /// When some successes are enough.
    pub success_policy: Option<SuccessPolicy>,
    /// Who carries the Job out.
    pub managed_by: Option<Arc<str>>,
    /// Seconds after the finish until the Job is deleted.
    pub ttl_seconds_after_finished: Option<i32>,
    /// Facts of the pod template.
    pub template: TemplateFacts,
}

impl JobSpec {
    /// Whether the Job is Indexed (GLO-13).
    #[must_use]
    pub fn is_indexed(&self) -> bool {
        self.completion_mode == CompletionMode::Indexed
    }

    /// Whether only failed pods are replaced (GLO-15).
    #[must_use]
    pub fn replaces_only_failed(&self) -> bool {
        self.pod_replacement_policy == Some(PodReplacementPolicy::Failed)
    }
}

/// `spec.completionMode` (GLO-13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompletionMode {
    /// Any success counts.
    #[default]
    NonIndexed,
    /// Each index from 0 to `completions` − 1 must succeed once.
    Indexed,
    /// A value that this version does not know (SYNC-8).
    Unknown,
}

/// `spec.podReplacementPolicy` (section 20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodReplacementPolicy {
    /// A pod that is being deleted is replaced at once (PRP-1).
    TerminatingOrFailed,
    /// Only a pod in a terminal phase is replaced (PRP-2).
    Failed,
}

/// `spec.podFailurePolicy` (OBJ-3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodFailurePolicy {
    /// Looked at in order; the first that matches decides.
    pub rules: Vec<PodFailureRule>,
}

/// A rule of a pod failure policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodFailureRule {
    /// `None` is an action that this version does not know (PFP-7).
    pub action: Option<FailureAction>,
    /// Judges exit codes; if set, conditions are not looked at (PFP-3).
    pub on_exit_codes: Option<ExitCodes>,
    /// Patterns `(type, status)`; one is enough.
    pub on_pod_conditions: Vec<(String, String)>,
}

/// What a matched rule does (PFP-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureAction {
    /// The Job fails.
    FailJob,
    /// The index fails.
    FailIndex,
    /// The failure does not count.
    Ignore,
    /// The failure counts.
    Count,
}

/// `onExitCodes` of a rule (PFP-4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitCodes {
    /// Only this container, or all.
    pub container_name: Option<String>,
    /// `Some(true)` is `In`, `Some(false)` is `NotIn`, `None` is unknown.
    pub is_in: Option<bool>,
    /// The codes.
    pub values: Vec<i32>,
}

/// `spec.successPolicy` (OBJ-4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuccessPolicy {
    /// Looked at in order: `(succeededIndexes, succeededCount)`.
    pub rules: Vec<(Option<String>, Option<i32>)>,
}

/// What decisions read of `spec.template`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TemplateFacts {
    /// `spec.template.spec.restartPolicy`
    pub restart_policy: RestartPolicy,
    /// Whether created pods have any label; without one none can be created (CRE-10).
    pub has_labels: bool,
}

/// `restartPolicy` of the template; `Always` is refused by validation (VAL-80).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RestartPolicy {
    /// A failed container fails its pod.
    #[default]
    Never,
    /// A failed container is started again in its pod (BKO-20).
    OnFailure,
}

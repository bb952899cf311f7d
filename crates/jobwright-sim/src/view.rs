//! What a person sees of a session at one moment: plain data, no rules.
//!
//! Invariant: times are milliseconds of virtual time since the creation of the Job (`…Ms`); every text
//! comes from the message catalogue; a shell only draws this.

use jobwright_api::card::Card;
use serde::Serialize;

/// One moment of a session.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Frame {
    /// Decisions shown so far; 0 is the moment before the first.
    pub step: u32,
    /// The virtual clock.
    pub at_ms: i64,
    /// The Job, unless it is gone.
    pub job: Option<JobFrame>,
    /// Every pod that ever was, in order of creation; those that are gone too.
    pub pods: Vec<PodFrame>,
    /// The sums above the pods.
    pub ledger: LedgerFrame,
    /// The decision that led here; none at step 0.
    pub decision: Option<Card>,
    /// The decision under way, if it has written something: the moment lies within it.
    pub open: Option<Card>,
    /// One line for each decision so far, oldest first.
    pub past: Vec<PastDecision>,
    /// When something happens next if nobody acts.
    pub ahead: Option<Ahead>,
    /// Moments to come that are known now: a deadline, the end of a back-off.
    pub marks: Vec<MarkFrame>,
    /// Set when nothing more happens by itself, and why.
    pub ended: Option<End>,
    /// Kubernetes Events so far, oldest first.
    pub events: Vec<EventFrame>,
    /// What the manifest asks for and this version does not act on.
    pub notices: Vec<NoticeFrame>,
}

/// The stored Job.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct JobFrame {
    /// `metadata.name`
    pub name: String,
    /// `metadata.namespace`
    pub namespace: String,
    /// One word, as `kubectl get jobs` prints it in the column STATUS (PRN-1).
    pub phase: String,
    /// The column COMPLETIONS (PRN-2).
    pub completions_column: String,
    /// Whether it is Indexed.
    pub indexed: bool,
    /// `spec.completions`
    pub completions: Option<i32>,
    /// `spec.parallelism`
    pub parallelism: i32,
    /// `spec.suspend`
    pub suspend: bool,
    /// The conditions, in their order.
    pub conditions: Vec<ConditionFrame>,
    /// `status` as the API gives it (times as RFC 3339).
    pub status: serde_json::Value,
    /// The whole object as the API gives it (times as RFC 3339), without managed fields.
    pub object: serde_json::Value,
}

/// A condition of the Job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct ConditionFrame {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// One word.
    pub reason: String,
    /// One sentence.
    pub message: String,
    /// When it changed.
    pub at_ms: i64,
}

/// A pod and its history.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct PodFrame {
    /// `metadata.name`
    pub name: String,
    /// The row it is drawn in: the index of an Indexed Job, else the order of creation.
    pub row: u32,
    /// The completion index.
    pub index: Option<u32>,
    /// The how-manieth pod of its index, or of the Job, from 1.
    pub attempt: u32,
    /// What it does now.
    pub state: PodState,
    /// Exit code of the container that decided, once it ended.
    pub exit_code: Option<i32>,
    /// `status.reason`, for example `Evicted`.
    pub reason: Option<String>,
    /// Times of its life.
    pub created_ms: i64,
    /// When it began to run.
    pub started_ms: Option<i64>,
    /// When it became ready.
    pub ready_ms: Option<i64>,
    /// When somebody asked for its deletion.
    pub deleted_ms: Option<i64>,
    /// When it reached a terminal phase.
    pub ended_ms: Option<i64>,
    /// When the object went.
    pub gone_ms: Option<i64>,
    /// Whether the tracking finalizer is on.
    pub tracking_finalizer: bool,
    /// Whether its UID stands in `status.uncountedTerminatedPods`.
    pub uncounted: bool,
    /// How often its containers were started again.
    pub restarts: i64,
}

/// The states that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub enum PodState {
    /// Not running yet.
    Pending,
    /// Running, not ready.
    Running,
    /// Running and ready.
    Ready,
    /// Being deleted, and not ended.
    Terminating,
    /// Ended with success.
    Succeeded,
    /// Ended with failure.
    Failed,
}

/// One entry of a pod's menu.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct PodActionFrame {
    /// One word, such as `succeed`, `fail` or `evict`.
    pub action: String,
    /// The label.
    pub label: String,
    /// Why it is refused; absent if it may be done.
    pub refused: Option<String>,
}

/// Sums of the ledger, as the API server has them.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct LedgerFrame {
    /// `status.succeeded`
    pub succeeded: i64,
    /// `status.uncountedTerminatedPods.succeeded`
    pub succeeded_uncounted: i64,
    /// `status.failed`
    pub failed: i64,
    /// `status.uncountedTerminatedPods.failed`
    pub failed_uncounted: i64,
    /// `status.active`
    pub active: i64,
    /// `status.ready`
    pub ready: i64,
    /// `status.terminating`
    pub terminating: i64,
    /// `spec.backoffLimit`, if it can be reached.
    pub backoff_limit: Option<i64>,
}

/// A decision in one line.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct PastDecision {
    /// Its number, from 1.
    pub step: u32,
    /// When.
    pub at_ms: i64,
    /// The slug of the rule that says most.
    pub rule: String,
    /// The sentence.
    pub title: String,
    /// Whether it wrote anything.
    pub wrote: bool,
    /// Until when it lets new pods wait.
    pub backoff_until_ms: Option<i64>,
    /// What took part: fields of the manifest, such as `spec.backoffLimit`, and statements of `docs/spec`.
    pub fields: Vec<String>,
}

/// A moment to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct MarkFrame {
    /// `deadline`, `backoff`, `ttl` or `retry`.
    pub kind: String,
    /// When.
    pub at_ms: i64,
    /// What, in a few words.
    pub text: String,
}

/// What comes next.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Ahead {
    /// When.
    pub at_ms: i64,
    /// What, as a sentence.
    pub text: String,
}

/// Why nothing more happens.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct End {
    /// `complete`, `failed`, `deleted` or `waiting`.
    pub kind: String,
    /// As a sentence.
    pub text: String,
}

/// A Kubernetes Event.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct EventFrame {
    /// When.
    pub at_ms: i64,
    /// `Normal` or `Warning`.
    #[serde(rename = "type")]
    pub kind: String,
    /// One word.
    pub reason: String,
    /// One sentence.
    pub message: String,
}

/// Something that this version does not act on.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct NoticeFrame {
    /// The field, for example `spec.backoffLimitPerIndex`.
    pub field: String,
    /// Its line in the manifest, from 1.
    pub line: u32,
    /// What it means, as a sentence.
    pub text: String,
}

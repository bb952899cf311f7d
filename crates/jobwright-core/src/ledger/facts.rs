//! One pod, reduced to the facts that decisions use again and again.
//!
//! Invariant: facts depend on the pod alone. Whether a pod that is being deleted has failed depends on
//! the Job too, and is asked with its replacement policy (GLO-6).

use alloc::sync::Arc;

use crate::failure_policy::Evidence;
use crate::ids::{CompletionIndex, PodKey, ResourceVersion, Uid};
use crate::output::PodRef;
use crate::pod::{ContainerStatus, PodPhase, PodView};
use crate::selector::Labels;
use crate::status::ConditionStatus;
use crate::time::{Millis, Timestamp};

/// Who controls a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Nobody.
    Nobody,
    /// An owner of kind `Job`, with its name and UID, and whether its API version is `batch/v1`.
    Job(Arc<str>, Uid, bool),
    /// An owner of another kind.
    Other,
}

/// What is kept of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PodFacts {
    pub(crate) key: PodKey,
    pub(crate) uid: Uid,
    pub(crate) resource_version: ResourceVersion,
    pub(crate) created: Timestamp,
    pub(crate) owner: Owner,
    pub(crate) labels: Labels,
    pub(crate) index: Option<CompletionIndex>,
    pub(crate) has_finalizer: bool,
    pub(crate) deleting: bool,
    pub(crate) scheduled: bool,
    pub(crate) phase: PodPhase,
    pub(crate) ready: bool,
    pub(crate) ready_since: Option<Timestamp>,
    /// Sum of the restart counts of all containers (BKO-20).
    pub(crate) restarts: i64,
    /// Highest restart count of the regular containers, then of the sidecars (DEL-5).
    pub(crate) max_restarts: (i32, i32),
    pub(crate) finished_at: Timestamp,
    /// Annotations of per-index Jobs: counted and ignored failures of the index before this pod (IDX-18).
    pub(crate) index_failures: u32,
    pub(crate) index_ignored_failures: u32,
    /// What a failure policy looks at; dropped when the pod's Job has none.
    pub(crate) evidence: Option<Arc<Evidence>>,
}

impl PodFacts {
    /// Reads a pod.
    pub(crate) fn of(pod: &PodView) -> Self {
        let ready = pod.ready_condition();
        let is_ready = ready.is_some_and(|c| c.status == ConditionStatus::True);
        let all = pod.containers.iter().chain(&pod.init_containers);
        Self {
            key: pod.key.clone(),
            uid: pod.uid.clone(),
            resource_version: pod.resource_version,
            created: pod.created,
            owner: owner(pod),
            labels: pod.labels.clone(),
            index: pod.index,
            has_finalizer: pod.tracking_finalizer,
            deleting: pod.deletion.is_some(),
            scheduled: pod.scheduled,
            phase: pod.phase,
            ready: is_ready,
            ready_since: ready.filter(|_| is_ready).and_then(|c| c.last_transition),
            restarts: all.map(|c| i64::from(c.restart_count)).sum(),
            max_restarts: (
                pod.containers.iter().map(|c| c.restart_count).max().unwrap_or(0),
                sidecars(pod).map(|c| c.restart_count).max().unwrap_or(0),
            ),
            finished_at: finished_at(pod),
            index_failures: pod.index_failures,
            index_ignored_failures: pod.index_ignored_failures,
            evidence: Some(Arc::new(Evidence::of(pod))),
        }
    }

    /// Neither ended nor being deleted (GLO-2).
    pub(crate) const fn is_active(&self) -> bool {
        !self.phase.is_terminal() && !self.deleting
    }

    /// Being deleted, and not ended (GLO-3).
    pub(crate) const fn is_terminating(&self) -> bool {
        !self.phase.is_terminal() && self.deleting
    }

    /// Ended with success (GLO-7).
    pub(crate) fn has_succeeded(&self) -> bool {
        self.phase == PodPhase::Succeeded
    }

    /// Failed, for a Job that replaces only failed pods or also terminating ones (GLO-6).
    pub(crate) fn has_failed(&self, replaces_only_failed: bool) -> bool {
        match self.phase {
            PodPhase::Failed => true,
            PodPhase::Succeeded => false,
            _ => self.deleting && !replaces_only_failed,
        }
    }

    /// Restarts that count against the limit: those of pods that have not ended (BKO-20).
    pub(crate) const fn counted_restarts(&self) -> i64 {
        match self.phase {
            PodPhase::Pending | PodPhase::Running => self.restarts,
            _ => 0,
        }
    }

    /// The index, if it is one of a Job with `completions` indexes (GLO-10).
    pub(crate) fn valid_index(&self, completions: u32) -> Option<CompletionIndex> {
        self.index.filter(|index| index.0 < completions)
    }

    /// Failures of its index before this pod, ignored ones too (BKO-31).
    pub(crate) const fn absolute_failures(&self) -> u32 {
        self.index_failures.saturating_add(self.index_ignored_failures)
    }

    /// How writes name it.
    pub(crate) fn pod_ref(&self) -> PodRef {
        PodRef { key: self.key.clone(), uid: self.uid.clone() }
    }
}

fn owner(pod: &PodView) -> Owner {
    match &pod.controller {
        None => Owner::Nobody,
        Some(c) if &*c.kind == "Job" => Owner::Job(c.name.clone(), c.uid.clone(), &*c.api_version == "batch/v1"),
        Some(_) => Owner::Other,
    }
}

fn sidecars(pod: &PodView) -> impl Iterator<Item = &ContainerStatus> {
    pod.init_containers.iter().filter(|c| c.restartable)
}

/// When a pod finished, as well as can be told (BKO-4).
fn finished_at(pod: &PodView) -> Timestamp {
    let mut latest = latest_end(pod.containers.iter(), None);
    if sidecars(pod).next().is_some() {
        latest = latest_end(sidecars(pod), latest);
    }
    let not_ready = || {
        let ready = pod.ready_condition().filter(|c| c.status == ConditionStatus::False);
        ready.and_then(|c| c.last_transition)
    };
    let deleted = || pod.deletion.map(|d| d.at - Millis::from_seconds(d.grace_seconds));
    latest.or_else(not_ready).or_else(deleted).unwrap_or(pod.created)
}

/// The latest end of all containers and `start`; nothing if one of them has not ended.
fn latest_end<'a>(
    containers: impl Iterator<Item = &'a ContainerStatus>,
    start: Option<Timestamp>,
) -> Option<Timestamp> {
    let mut latest = start;
    for container in containers {
        let end = container.terminated.and_then(|t| t.finished_at)?;
        latest = latest.max(Some(end));
    }
    latest
}

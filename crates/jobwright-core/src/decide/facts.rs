//! The numbers of a sync: what is new, and what adds up (SYNC-14 to SYNC-18, IDX-12).
//!
//! Invariant: only pods that have ended and still carry the finalizer are looked at one by one.

use alloc::vec::Vec;

use super::{Scene, Tally, per_index};
use crate::ids::Uid;
use crate::index_set::IndexSet;
use crate::ledger::Seen;
use crate::ledger::facts::PodFacts;
use crate::status::UncountedTerminatedPods;

/// Pods that ended and are not in the status yet (SYNC-15).
pub(crate) struct NewlyEnded<'a> {
    pub(crate) succeeded: Vec<Seen<'a>>,
    pub(crate) failed: Vec<Seen<'a>>,
}

/// The pods that ended and are not in the status yet.
pub(crate) fn newly_ended<'a>(scene: &Scene<'a>, uncounted: &UncountedTerminatedPods) -> NewlyEnded<'a> {
    let only_failed = scene.job.spec.replaces_only_failed();
    let valid = |pod: &Seen<'_>, stored: &[Uid]| {
        is_tracked(scene, pod.pod)
            && !stored.contains(&pod.uid())
            && !scene.intents.is_counted(&pod.uid())
            && (!scene.job.spec.is_indexed() || pod.valid_index(scene.completions()).is_some())
    };
    let ended = scene.ledger.ended();
    NewlyEnded {
        succeeded: ended
            .iter()
            .copied()
            .filter(|pod| pod.has_succeeded() && valid(pod, &uncounted.succeeded))
            .collect(),
        failed: ended.into_iter().filter(|pod| pod.has_failed(only_failed) && valid(pod, &uncounted.failed)).collect(),
    }
}

/// The sums that decisions use; for Indexed Jobs `succeeded` is replaced by the number of indexes.
pub(crate) fn tally(scene: &Scene<'_>, uncounted: &UncountedTerminatedPods, ended: &NewlyEnded<'_>) -> Tally {
    let counts = scene.ledger.counts();
    let status = &scene.job.status;
    Tally {
        active: counts.active,
        ready: counts.ready,
        terminating: counts.terminating,
        succeeded: i64::from(status.succeeded) + count(&ended.succeeded) + count(&uncounted.succeeded),
        failed: i64::from(status.failed) + counted(ended) + count(&uncounted.failed),
    }
}

/// New failures that count (SYNC-16, PFP-12).
pub(crate) fn counted(ended: &NewlyEnded<'_>) -> i64 {
    number(ended.failed.iter().filter(|pod| pod.counts()).count())
}

/// The decided indexes of an Indexed Job.
#[derive(Clone, Debug)]
pub(crate) struct Indexes {
    /// How many there are in all.
    pub(crate) completions: u32,
    /// Those of the stored status.
    pub(crate) stored: IndexSet,
    /// Those, and the indexes of pods that succeeded and carry the finalizer (IDX-12).
    pub(crate) succeeded: IndexSet,
    /// With a limit per index: those that failed for good (IDX-14).
    pub(crate) failed: Option<IndexSet>,
}

/// The decided indexes; none for a NonIndexed Job.
pub(crate) fn indexes(scene: &Scene<'_>) -> Option<Indexes> {
    if !scene.job.spec.is_indexed() {
        return None;
    }
    let completions = scene.completions();
    let stored = IndexSet::parse_lenient(&scene.job.status.completed_indexes, completions);
    let mut succeeded = stored.clone();
    for pod in scene.ledger.ended().into_iter().filter(|pod| pod.has_succeeded()) {
        if let Some(index) = pod.valid_index(completions) {
            succeeded.insert(index);
        }
    }
    let failed = scene.job.spec.backoff_limit_per_index.map(|limit| per_index::failed_indexes(scene, limit));
    Some(Indexes { completions, stored, succeeded, failed })
}

/// Carries the finalizer, and its removal is not under way (GLO-8).
pub(crate) fn is_tracked(scene: &Scene<'_>, pod: &PodFacts) -> bool {
    pod.has_finalizer() && !scene.intents.is_removal_expected(&pod.uid())
}

/// How many there are, as a number of the API.
pub(crate) fn count<T>(items: &[T]) -> i64 {
    number(items.len())
}

/// A count as a number of the API.
pub(crate) fn number(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

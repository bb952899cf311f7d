//! The pods that a sync may count and release, as they were when it decided (TRK-1, TRK-3).
//!
//! Invariant: the list is taken before the sync's own writes, because upstream judges the pods of its
//! list and not what its deletions make of them.

use alloc::vec::Vec;

use super::Scene;
use super::facts::is_tracked;
use super::pods::PodPlan;
use crate::ids::{CompletionIndex, Uid};
use crate::ledger::Seen;
use crate::ordered::sort_by;
use crate::ordered::{OrderedMap, OrderedSet};
use crate::output::PodRef;
use crate::spec::FailureAction;
use crate::status::UncountedTerminatedPods;

/// A tracked pod.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) pod: PodRef,
    pub(crate) succeeded: bool,
    pub(crate) failed: bool,
    /// What the failure policy says about it.
    pub(crate) action: Option<FailureAction>,
    /// It was counted before, and only its finalizer is left.
    pub(crate) counted: bool,
    /// It is kept for the count of its index (BKO-32).
    pub(crate) delayed: bool,
    /// Its index, if it is below `completions`.
    pub(crate) index: Option<CompletionIndex>,
}

/// The tracked pods in the order in which they are counted.
pub(crate) fn candidates(
    scene: &Scene<'_>,
    ending: bool,
    plan: &PodPlan,
    delayed: &OrderedMap<CompletionIndex, Seen<'_>>,
) -> Vec<Candidate> {
    let only_failed = scene.job.spec.replaces_only_failed();
    let pods = if ending || scene.job.deletion_timestamp.is_some() || may_complete(scene, plan) {
        scene.ledger.scan_sorted()
    } else {
        scene.ledger.ended()
    };
    let mut tracked: Vec<Seen<'_>> = pods.into_iter().filter(|pod| is_tracked(scene, pod.pod)).collect();
    if scene.job.spec.is_indexed() {
        sort_by(&mut tracked, |a, b| a.index().cmp(&b.index()));
    }
    tracked
        .into_iter()
        .map(|pod| Candidate {
            pod: pod.pod_ref(),
            succeeded: pod.has_succeeded(),
            failed: pod.has_failed(only_failed),
            action: pod.verdict.map(|verdict| verdict.action),
            counted: scene.intents.is_counted(&pod.uid()),
            delayed: pod.index().and_then(|index| delayed.get(&index)).is_some_and(|kept| kept.uid() == pod.uid()),
            index: pod.valid_index(scene.completions()),
        })
        .collect()
}

/// Whether the Job may turn out to be complete with tracked pods that have not ended: its last active
/// pods are deleted now, or terminating pods are not taken for failed ones.
fn may_complete(scene: &Scene<'_>, plan: &PodPlan) -> bool {
    let counts = scene.ledger.counts();
    let deleted = match plan {
        PodPlan::Suspend(pods) | PodPlan::Delete(pods) => pods.len(),
        _ => 0,
    };
    let none_left = usize::try_from(counts.active).is_ok_and(|active| active <= deleted);
    none_left && (deleted > 0 || (counts.terminating > 0 && scene.job.spec.replaces_only_failed()))
}

/// The UIDs of the uncounted lists whose pods still carry the finalizer.
pub(crate) fn still_held(scene: &Scene<'_>, uncounted: &UncountedTerminatedPods) -> OrderedSet<Uid> {
    let held = |uid: &&Uid| {
        let pod = scene.cache.pod(uid).filter(|pod| is_tracked(scene, pod));
        pod.is_some_and(|pod| pod.owner().job_uid() == Some(&scene.job.uid))
    };
    uncounted.succeeded.iter().chain(&uncounted.failed).filter(held).cloned().collect()
}

//! Limits per index: which indexes have failed, and which failed pods are kept for their count
//! (sections 9 and 10.3, KEP-3850).
//!
//! Invariant: the count of an index lives in the annotations of its pods alone; a failed pod whose index
//! has no newer pod yet keeps its finalizer, so that the count can be handed on (BKO-32).

use super::Scene;
use super::facts::is_tracked;
use crate::backoff::BackoffRecord;
use crate::ids::CompletionIndex;
use crate::index_set::IndexSet;
use crate::ledger::Seen;
use crate::ledger::facts::PodFacts;
use crate::mutant::{Mutant, is_planted};
use crate::ordered::OrderedMap;
use crate::output::NewPod;
use crate::spec::FailureAction;
use crate::time::Millis;

/// The failed indexes: stored ones, and those whose pod failed once too often or for good (IDX-14).
pub(crate) fn failed_indexes(scene: &Scene<'_>, limit: i32) -> IndexSet {
    let completions = scene.completions();
    let stored = scene.job.status.failed_indexes.as_deref().unwrap_or("");
    let mut failed = IndexSet::parse_lenient(stored, completions);
    let only_failed = scene.job.spec.replaces_only_failed();
    for pod in scene.ledger.ended().into_iter().filter(|pod| pod.has_failed(only_failed)) {
        if let Some(index) = pod.valid_index(completions).filter(|_| fails_its_index(&pod, limit)) {
            failed.insert(index);
        }
    }
    failed
}

fn fails_its_index(pod: &Seen<'_>, limit: i32) -> bool {
    pod.verdict.is_some_and(|verdict| verdict.action == FailureAction::FailIndex)
        || (pod.counts() && i64::from(pod.index_failures()) >= i64::from(limit))
}

/// Failed pods that are kept until their index has a newer pod, by index (BKO-32).
pub(crate) fn delayed<'a>(
    scene: &Scene<'a>,
    succeeded: &IndexSet,
    failed: &IndexSet,
) -> OrderedMap<CompletionIndex, Seen<'a>> {
    let only_failed = scene.job.spec.replaces_only_failed();
    let mut kept: OrderedMap<CompletionIndex, Seen<'a>> = OrderedMap::new();
    for pod in scene.ledger.ended() {
        let Some(index) = pod.valid_index(scene.completions()) else { continue };
        let decided = succeeded.contains(index) || failed.contains(index);
        let replaced = scene.ledger.active_indexes().contains(index);
        if decided || replaced || !pod.has_failed(only_failed) || !is_tracked(scene, pod.pod) {
            continue;
        }
        let newer = kept.get(&index).is_none_or(|old| is_newer(pod.pod, old.pod));
        if newer {
            kept.insert(index, pod);
        }
    }
    kept
}

/// Has seen as many failures, and finished no earlier.
fn is_newer(pod: &PodFacts, than: &PodFacts) -> bool {
    than.absolute_failures() <= pod.absolute_failures() && than.finished_at() <= pod.finished_at()
}

/// What is left of the delay of an index after its last pod failed (BKO-31).
pub(crate) fn remaining(delayed: &PodFacts, scene: &Scene<'_>) -> Millis {
    let failures = delayed.absolute_failures().saturating_add(1);
    BackoffRecord { failures, last_failure: Some(delayed.finished_at()) }.remaining(scene.tuning.pod_backoff, scene.now)
}

/// Hands the count of an index on to its new pod (IDX-19).
pub(crate) fn hand_on(pod: &mut NewPod, delayed: Option<&Seen<'_>>) {
    let Some(old) = delayed else {
        pod.index_failures = Some(0);
        return;
    };
    let (counted, ignored) = if is_planted(Mutant::FailuresForgotten) {
        (0, 0)
    } else if old.counts() {
        (1, 0)
    } else {
        (0, 1)
    };
    pod.index_failures = Some(old.index_failures().saturating_add(counted));
    pod.index_ignored_failures = Some(old.index_ignored_failures().saturating_add(ignored)).filter(|n| *n > 0);
}

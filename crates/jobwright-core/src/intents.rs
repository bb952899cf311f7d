//! Writes that were asked for and not yet seen in the watch: upstream's expectations (EXP-1 to EXP-9).
//!
//! Invariant: while an intent is open, the cache may lack pods that exist (or show pods that do not),
//! so pods are neither made nor deleted. Expected removals never expire: a pod that was counted must
//! not be counted again, however late the watch is.

use crate::decide::facts::number;
use crate::ids::Uid;
use crate::mutant::{Mutant, is_planted};
use crate::ordered::OrderedSet;
use crate::time::{Millis, Timestamp};

/// After this long an intent no longer counts (CST-6).
const TIMEOUT: Millis = Millis::from_seconds(300);

#[derive(Clone, Copy, Debug)]
struct Expected {
    creations: i64,
    deletions: i64,
    since: Timestamp,
}

/// The intents of one key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intents {
    expected: Option<Expected>,
    removals: OrderedSet<Uid>,
    /// Pods that were counted and whose finalizer could not be removed because they were not found. A late
    /// watch may still show them; they must not be counted again (docs/parity.md).
    counted: OrderedSet<Uid>,
}

impl Intents {
    /// Asks for `count` creations; replaces what was expected before (EXP-1).
    pub(crate) fn expect_creations(&mut self, count: usize, now: Timestamp) {
        let creations = number(count);
        self.expected = Some(Expected { creations, deletions: 0, since: now });
    }

    /// Asks for `count` deletions; replaces what was expected before (EXP-1).
    pub(crate) fn expect_deletions(&mut self, count: usize, now: Timestamp) {
        let deletions = number(count);
        self.expected = Some(Expected { creations: 0, deletions, since: now });
    }

    /// A pod was created, or will not be (EXP-3).
    pub(crate) fn creation_observed(&mut self) {
        if let Some(expected) = &mut self.expected {
            expected.creations -= 1;
        }
    }

    /// A pod is being deleted, or will not be (EXP-3).
    pub(crate) fn deletion_observed(&mut self) {
        if let Some(expected) = &mut self.expected {
            expected.deletions -= 1;
        }
    }

    /// Whether everything that was asked for was seen, or is too old to wait for (EXP-2).
    pub(crate) fn satisfied(&self, now: Timestamp) -> bool {
        is_planted(Mutant::ImpatientCreation)
            || self.expected.is_none_or(|e| (e.creations <= 0 && e.deletions <= 0) || now - e.since > TIMEOUT)
    }

    /// Creations and deletions that are still expected.
    pub(crate) fn open(&self) -> (i64, i64) {
        self.expected.map_or((0, 0), |e| (e.creations.max(0), e.deletions.max(0)))
    }

    /// When the present expectations began.
    pub(crate) fn since(&self) -> Option<Timestamp> {
        self.expected.map(|expected| expected.since)
    }

    /// Pods of which something is remembered.
    pub(crate) fn uids(&self) -> impl Iterator<Item = &Uid> {
        self.removals.iter().chain(self.counted.iter())
    }

    /// The finalizer of this pod is about to be removed (EXP-8).
    pub(crate) fn expect_removal(&mut self, pod: Uid) {
        self.removals.insert(pod);
    }

    /// The finalizer of this pod is gone (EXP-9).
    pub(crate) fn removal_observed(&mut self, pod: &Uid) {
        self.removals.remove(pod);
        self.counted.remove(pod);
    }

    /// The finalizer of this pod was not removed (TRK-12).
    pub(crate) fn removal_failed(&mut self, pod: &Uid) {
        self.removals.remove(pod);
    }

    /// The pod was counted, and not found when its finalizer was to be removed.
    pub(crate) fn counted_and_not_found(&mut self, pod: &Uid) {
        self.removals.remove(pod);
        self.counted.insert(pod.clone());
    }

    /// Whether the pod was counted already, whatever the cache shows.
    pub(crate) fn is_counted(&self, pod: &Uid) -> bool {
        self.counted.contains(pod)
    }

    /// Whether the finalizer of this pod counts as removed (GLO-8).
    pub(crate) fn is_removal_expected(&self, pod: &Uid) -> bool {
        self.removals.contains(pod)
    }

    /// Forgets creations and deletions, not removals (EVQ-44).
    pub(crate) fn forget_expected(&mut self) {
        self.expected = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_intent_is_met_by_observations_or_by_age_exp_2() {
        let mut intents = Intents::default();
        let at = |seconds| Timestamp::from_seconds(seconds);
        assert!(intents.satisfied(at(0)));
        intents.expect_creations(2, at(0));
        intents.creation_observed();
        assert!(!intents.satisfied(at(300)));
        assert!(intents.satisfied(Timestamp(300_001)));
        intents.creation_observed();
        intents.creation_observed();
        assert!(intents.satisfied(at(0)));
        intents.expect_deletions(1, at(0));
        intents.creation_observed();
        assert_eq!((intents.satisfied(at(0)), intents.open()), (false, (0, 1)));
    }
}

//! What the controller knows about the pods of one owner, kept in step with the watch.
//!
//! Law: a ledger that applied a history equals one built from the pods that history left behind.
//! Cost: a change of one pod is O(log pods); nothing here is scanned unless a method says so.

pub(crate) mod facts;
#[cfg(test)]
mod facts_tests;
pub(crate) mod family;
pub(crate) mod lens;
mod name;
pub(crate) mod ranking;
mod rare;
mod reading;
mod slots;
#[cfg(test)]
pub(crate) mod tests;

use alloc::vec::Vec;

use crate::failure_policy::{self, Match};
use crate::ids::CompletionIndex;
use crate::index_set::IndexSet;
use crate::ordered::{OrderedMap, OrderedSet, sort_by};
use crate::spec::FailureAction;
use facts::PodFacts;
use lens::Lens;
pub(crate) use slots::PodSlot;
use slots::Slots;

/// Sums over all pods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// GLO-2
    pub(crate) active: i32,
    /// Active pods that are ready (SYNC-14).
    pub(crate) ready: i32,
    /// GLO-3
    pub(crate) terminating: i32,
    /// BKO-20
    pub(crate) restarts: i64,
}

/// The pods of one owner.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    slots: Slots,
    /// The last pod that came in: the next one has most in common with it.
    newest: Option<PodFacts>,
    lens: Lens,
    /// Pods that the selector does not match: they are not the Job's, and in none of the sums.
    strays: OrderedSet<PodSlot>,
    counts: Counts,
    /// Pods that have succeeded or failed (GLO-6) and carry the tracking finalizer.
    ended: OrderedSet<PodSlot>,
    /// Pods that are being deleted and have not ended.
    terminating: OrderedSet<PodSlot>,
    /// What the failure policy says about pods that one of its rules matches.
    verdicts: OrderedMap<PodSlot, Match>,
    /// Failed pods that a rule with the action `FailJob` matches.
    fail_job: OrderedSet<PodSlot>,
    /// Indexes of active pods.
    active_indexes: IndexSet,
    /// Indexes with several active pods, and how many.
    crowded: OrderedMap<CompletionIndex, u32>,
    /// Active pods without an index.
    active_without_index: u32,
}

impl Ledger {
    /// Adds a pod that was not known.
    pub(crate) fn insert(&mut self, pod: PodFacts) -> PodSlot {
        let slot = self.slots.take_free();
        self.newest = Some(pod.clone());
        self.enter(slot, pod);
        slot
    }

    /// Puts the new facts of a known pod in the place of the old ones.
    pub(crate) fn replace(&mut self, slot: PodSlot, pod: PodFacts) {
        self.leave(slot);
        self.newest = Some(pod.clone());
        self.enter(slot, pod);
    }

    /// Takes a pod out.
    pub(crate) fn remove(&mut self, slot: PodSlot) -> Option<PodFacts> {
        let pod = self.leave(slot);
        if pod.is_some() {
            self.slots.give_back(slot);
        }
        pod
    }

    /// The facts of a pod.
    pub(crate) fn get(&self, slot: PodSlot) -> Option<&PodFacts> {
        self.slots.get(slot)
    }

    /// Sees the pods with another lens; looks at all of them if it is another one.
    pub(crate) fn look_through(&mut self, lens: Lens) {
        if self.lens == lens {
            return;
        }
        let slots: Vec<PodSlot> = self.scan().map(|(slot, _)| slot).collect();
        let pods: Vec<_> = slots.into_iter().filter_map(|slot| Some((slot, self.leave(slot)?))).collect();
        self.lens = lens;
        for (slot, pod) in pods {
            self.enter(slot, pod);
        }
    }

    /// The last pod that came in.
    pub(crate) const fn newest(&self) -> Option<&PodFacts> {
        self.newest.as_ref()
    }

    /// How the pods are seen.
    pub(crate) const fn lens(&self) -> &Lens {
        &self.lens
    }

    /// The sums.
    pub(crate) const fn counts(&self) -> Counts {
        self.counts
    }

    /// Whether there is no pod.
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Pods that have succeeded or failed and carry the tracking finalizer, in list order.
    pub(crate) fn ended(&self) -> Vec<Seen<'_>> {
        self.sorted(self.ended.iter().copied())
    }

    /// The first failed pod in list order that makes the Job fail (SYNC-22).
    pub(crate) fn fail_job(&self) -> Option<Seen<'_>> {
        self.sorted(self.fail_job.iter().copied()).into_iter().next()
    }

    /// Indexes of pods that are being deleted and have not ended.
    pub(crate) fn terminating_indexes(&self) -> IndexSet {
        self.terminating.iter().filter_map(|slot| self.get(*slot)?.index()).collect()
    }

    /// Pods that the selector does not match, in list order (ADO-3).
    pub(crate) fn strays(&self) -> Vec<Seen<'_>> {
        self.sorted(self.strays.iter().copied())
    }

    /// Indexes of active pods.
    pub(crate) const fn active_indexes(&self) -> &IndexSet {
        &self.active_indexes
    }

    /// Whether some active pod has no index of its own below `completions` (DEL-3).
    pub(crate) fn has_misplaced(&self, completions: u32) -> bool {
        let above = self.active_indexes.last().is_some_and(|index| index.0 >= completions);
        above || self.active_without_index > 0 || !self.crowded.is_empty()
    }

    /// The Job's pods, in list order; looks at every one.
    pub(crate) fn scan_sorted(&self) -> Vec<Seen<'_>> {
        self.sorted(self.scan().map(|(slot, _)| slot).filter(|slot| !self.strays.contains(slot)))
    }

    fn sorted(&self, slots: impl Iterator<Item = PodSlot>) -> Vec<Seen<'_>> {
        let seen = |slot| Some(Seen { pod: self.get(slot)?, verdict: self.verdicts.get(&slot) });
        let mut pods: Vec<Seen<'_>> = slots.filter_map(seen).collect();
        sort_by(&mut pods, |a, b| list_order(a, b));
        pods
    }

    /// All pods, in no particular order; looks at every one.
    pub(crate) fn scan(&self) -> impl Iterator<Item = (PodSlot, &PodFacts)> {
        self.slots.scan()
    }

    fn enter(&mut self, slot: PodSlot, pod: PodFacts) {
        if self.lens.takes(&pod.labels()) {
            self.classify(slot, &pod)
        } else {
            _ = self.strays.insert(slot)
        };
        if let Some(place) = self.slots.get_mut(slot) {
            *place = Some(pod);
        }
    }

    fn classify(&mut self, slot: PodSlot, pod: &PodFacts) {
        self.count(pod, 1);
        let failed = pod.has_failed(self.lens.only_failed);
        if pod.has_finalizer() && (pod.has_succeeded() || failed) {
            self.ended.insert(slot);
        }
        if pod.is_terminating() {
            self.terminating.insert(slot);
        }
        if pod.is_active() {
            self.occupy(pod.index());
        }
        let evidence = self.lens.policy.as_ref().zip(pod.evidence());
        if let Some(verdict) = evidence.and_then(|(policy, evidence)| failure_policy::judge(policy, evidence)) {
            if failed && verdict.action == FailureAction::FailJob {
                self.fail_job.insert(slot);
            }
            self.verdicts.insert(slot, verdict);
        }
    }

    fn leave(&mut self, slot: PodSlot) -> Option<PodFacts> {
        let pod = self.slots.get_mut(slot)?.take()?;
        if self.strays.remove(&slot) {
            return Some(pod);
        }
        self.count(&pod, -1);
        self.ended.remove(&slot);
        self.terminating.remove(&slot);
        self.verdicts.remove(&slot);
        self.fail_job.remove(&slot);
        if pod.is_active() {
            self.vacate(pod.index());
        }
        Some(pod)
    }

    fn count(&mut self, pod: &PodFacts, by: i32) {
        if pod.is_active() {
            self.counts.active += by;
            self.counts.ready += if pod.is_ready() { by } else { 0 };
        }
        if pod.is_terminating() {
            self.counts.terminating += by;
        }
        self.counts.restarts += pod.counted_restarts() * i64::from(by);
    }

    fn occupy(&mut self, index: Option<CompletionIndex>) {
        match index {
            None => self.active_without_index += 1,
            Some(index) => {
                if !self.active_indexes.insert(index) {
                    *self.crowded.get_or_insert(index, 1) += 1;
                }
            }
        }
    }

    fn vacate(&mut self, index: Option<CompletionIndex>) {
        let Some(index) = index else {
            self.active_without_index -= 1;
            return;
        };
        match self.crowded.get_mut(&index) {
            None => {
                self.active_indexes.remove(index);
            }
            Some(2) => {
                self.crowded.remove(&index);
            }
            Some(count) => *count -= 1,
        }
    }
}

/// A pod as its Job sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen<'a> {
    pub(crate) pod: &'a PodFacts,
    /// What the failure policy says, if one of its rules matches.
    pub(crate) verdict: Option<&'a Match>,
}

impl Seen<'_> {
    /// Whether its failure counts (PFP-12).
    pub(crate) fn counts(&self) -> bool {
        self.verdict.is_none_or(Match::counts)
    }
}

impl core::ops::Deref for Seen<'_> {
    type Target = PodFacts;
    fn deref(&self) -> &PodFacts {
        self.pod
    }
}

/// The order in which pods are listed: upstream's is chance, ours is by creation, then name (RACE-1).
pub(crate) fn list_order(a: &PodFacts, b: &PodFacts) -> core::cmp::Ordering {
    a.created().cmp(&b.created()).then_with(|| a.name().order(&b.name()))
}

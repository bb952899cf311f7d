//! Which pods are made, and what they wait for (CRE-6 to CRE-8, BKO-36, IDX-25).
//!
//! Invariant: indexes are handed out in increasing order, and only the first of them are looked at: an
//! index that waits keeps its slot (BKO-37).

use alloc::vec;
use alloc::vec::Vec;

use super::Trail;
use super::facts::{Indexes, count};
use super::per_index;
use super::pods::{Planner, PodPlan, wanted_facts};
use crate::ids::{CompletionIndex, text};
use crate::index_set::IndexSet;
use crate::mutant::{Mutant, is_planted};
use crate::output::NewPod;
use crate::record::FactName as F;
use crate::record::FactValue::{Count, Length, Text as Words, Time};
use crate::record::{Fact, Trace};
use crate::rule::Rule;
use crate::time::Millis;

impl Planner<'_> {
    /// The plan for missing pods.
    pub(super) fn create<T: Trace>(&self, wanted: i64, missing: i64, trail: &mut Trail<'_, T>) -> PodPlan {
        let per_index = self.scene.job.spec.backoff_limit_per_index.is_some();
        let wait = if per_index {
            Millis::ZERO
        } else {
            self.backoff.remaining(self.scene.tuning.pod_backoff, self.scene.now)
        };
        if !per_index && trail.tried(Rule::BackoffWait, wait > Millis::ZERO, || self.wait_facts(wait)) {
            return PodPlan::Wait(wait);
        }
        let most = usize::try_from(missing).unwrap_or(0).min(self.scene.tuning.pod_writes_max);
        let pods: Vec<NewPod> = match self.indexes {
            None => (0..most).map(|_| self.pod(None)).collect(),
            Some(indexes) => {
                let next = self.pending(indexes, if is_planted(Mutant::SlotGivenAway) { usize::MAX } else { most });
                match self.ready_indexes(next, per_index, trail) {
                    Ok(ready) => ready.into_iter().take(most).map(|index| self.pod(Some(index))).collect(),
                    Err(wait) => return PodPlan::Wait(wait),
                }
            }
        };
        trail.tried(Rule::CreatePods, !pods.is_empty(), || {
            let mut facts = wanted_facts(self.scene, self.tally, wanted);
            facts.push((F::Missing, Count(missing)));
            facts.push((F::Count, Count(count(&pods))));
            if self.indexes.is_some() && !pods.is_empty() {
                facts.push(index_fact(pods.iter().filter_map(|pod| pod.index).collect()));
            }
            facts
        });
        PodPlan::Create(pods)
    }

    fn wait_facts(&self, wait: Millis) -> Vec<Fact> {
        let record = self.backoff;
        let mut facts = vec![
            (F::Failures, Count(record.failures.into())),
            (F::Delay, Length(record.delay(self.scene.tuning.pod_backoff))),
        ];
        facts.extend(record.last_failure.map(|at| (F::LastFailure, Time(at))));
        facts.push((F::Remaining, Length(wait)));
        facts
    }

    /// The lowest indexes that are neither decided nor taken (IDX-25).
    fn pending(&self, indexes: &Indexes, most: usize) -> Vec<CompletionIndex> {
        let mut taken = indexes.succeeded.clone();
        taken.merge(self.scene.ledger.active_indexes());
        if let Some(failed) = &indexes.failed {
            taken.merge(failed);
        }
        if self.scene.job.spec.replaces_only_failed() {
            taken.merge(&self.scene.ledger.terminating_indexes());
        }
        taken.gaps(self.scene.completions()).take(most).collect()
    }

    /// Those that need not wait; if all must, the shortest wait (BKO-36).
    fn ready_indexes<T: Trace>(
        &self,
        next: Vec<CompletionIndex>,
        per_index: bool,
        trail: &mut Trail<'_, T>,
    ) -> Result<Vec<CompletionIndex>, Millis> {
        if !per_index {
            return Ok(next);
        }
        let wait_of = |index: &CompletionIndex| {
            self.delayed.get(index).map_or(Millis::ZERO, |pod| per_index::remaining(pod.pod, self.scene))
        };
        let (waiting, ready): (Vec<_>, Vec<_>) = next.into_iter().partition(|index| wait_of(index) > Millis::ZERO);
        let shortest = waiting.iter().map(wait_of).min();
        if waiting.is_empty() {
            return Ok(ready);
        }
        let all_wait = shortest.filter(|_| ready.is_empty());
        trail.tried(Rule::IndexBackoffWait, all_wait.is_some(), || {
            let remaining = shortest.map(|wait| (F::Remaining, Length(wait)));
            remaining.into_iter().chain([index_fact(waiting.iter().copied().collect())]).collect()
        });
        all_wait.map_or(Ok(ready), Err)
    }

    /// A pod to be made from the template (CRE-9).
    fn pod(&self, index: Option<CompletionIndex>) -> NewPod {
        let mut pod = NewPod {
            job: self.scene.job.key.clone(),
            job_uid: self.scene.job.uid.clone(),
            index,
            index_failures: None,
            index_ignored_failures: None,
        };
        if let Some(index) = index.filter(|_| self.scene.job.spec.backoff_limit_per_index.is_some()) {
            per_index::hand_on(&mut pod, self.delayed.get(&index));
        }
        pod
    }
}

fn index_fact(indexes: IndexSet) -> Fact {
    (F::Indexes, Words(text(format_args!("{indexes}"))))
}

//! The tracking pass: account for ended pods, store, release, count (TRK-1 to TRK-16, KEP-2307).
//!
//! Invariants: a UID enters an uncounted list at most once; it leaves the list, and enters the
//! counters, only after its pod no longer carries the finalizer; no more UIDs and new indexes wait at a
//! time than the controller's tuning allows, 500 by default (CST-4).

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::desk::Desk;
use super::{Next, Outcome, Stage, Sync, pods};
use crate::decide::candidates::Candidate;
use crate::decide::facts::{Indexes, count, number};
use crate::ids::{Uid, text};
use crate::index_set::IndexSet;
use crate::input::{ApiFailure, FailureKind, Written};
use crate::metric::Metric;
use crate::mutant::{Mutant, is_planted};
use crate::ordered::OrderedSet;
use crate::output::Effect;
use crate::record::FactName as F;
use crate::record::FactValue::Count;
use crate::record::Trace;
use crate::rule::Rule;
use crate::spec::FailureAction;
use crate::status::{Condition, ConditionStatus, ConditionType, JobStatus, UncountedTerminatedPods};

/// The counters that metrics know of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counters {
    succeeded: i64,
    failed: i64,
    failed_indexes: i64,
}

impl Counters {
    /// The stored counters; for Indexed Jobs successes are the indexes within the present range (MET-4).
    pub(super) fn of(status: &JobStatus, indexes: Option<&Indexes>) -> Self {
        let in_range = indexes.map(|indexes| number(indexes.stored.len()));
        let completions = indexes.map_or(0, |indexes| indexes.completions);
        let failed_indexes = IndexSet::parse_lenient(status.failed_indexes.as_deref().unwrap_or(""), completions);
        Self {
            succeeded: in_range.unwrap_or(status.succeeded.into()),
            failed: status.failed.into(),
            failed_indexes: number(failed_indexes.len()),
        }
    }
}

/// What accounting found.
#[derive(Default)]
struct Accounted {
    succeeded: i64,
    failed: i64,
    indexes: IndexSet,
}

impl Sync {
    /// Accounts for the pods and stores the status if that is needed (TRK-1 to TRK-10).
    pub(super) fn track<T: Trace>(&mut self, desk: &mut Desk<'_, T>) -> Next {
        let mut needed = self.status.active != self.tally.active
            || self.status.ready != Some(self.tally.ready)
            || self.status.terminating != Some(self.tally.terminating)
            || self.suspension_changed;
        self.status.active = self.tally.active;
        self.status.ready = Some(self.tally.ready);
        self.status.terminating = Some(self.tally.terminating);
        needed |= self.count_released(Rule::CountLeftOver, desk);
        let found = self.account(desk);
        needed |= found.succeeded > 0 || found.failed > 0;
        needed |= self.store_indexes(&found.indexes);
        needed |= self.store_failed_indexes(desk);
        needed |= self.announce_end(desk);
        if desk.tried(Rule::StoreStatus, needed && !is_planted(Mutant::ReleaseFirst), Vec::new) {
            return self.send_status(Stage::StoreStatus, Rule::StoreStatus, desk);
        }
        self.send_releases(desk)
    }

    /// UIDs whose pods have lost the finalizer enter the counters (TRK-2, TRK-15); whether there was one.
    fn count_released<T: Trace>(&mut self, rule: Rule, desk: &mut Desk<'_, T>) -> bool {
        let nothing = OrderedSet::new();
        let held = if is_planted(Mutant::CountedEarly) { &nothing } else { &self.held };
        let (succeeded, failed) = settle(&mut self.status, held);
        desk.tried(rule, succeeded + failed > 0, || vec![(F::Succeeded, Count(succeeded)), (F::Failed, Count(failed))])
    }

    /// TRK-3, TRK-9.
    fn account<T: Trace>(&mut self, desk: &mut Desk<'_, T>) -> Accounted {
        let candidates = core::mem::take(&mut self.candidates);
        let stored = self.job.status.uncounted.clone().unwrap_or_default();
        let mut found = Accounted::default();
        for candidate in &candidates {
            if !self.is_removable(candidate) {
                continue;
            }
            self.release.push(candidate.pod.clone());
            self.account_one(candidate, &stored, &mut found);
            if self.waiting() + usize::try_from(found.indexes.len()).unwrap_or(usize::MAX) >= self.uncounted_max {
                self.limit_reached = true;
                break;
            }
        }
        desk.tried(Rule::AccountSucceeded, found.succeeded > 0, || vec![(F::Count, Count(found.succeeded))]);
        desk.tried(Rule::AccountFailed, found.failed > 0, || vec![(F::Count, Count(found.failed))]);
        let removable = candidates.iter().filter(|pod| self.is_removable(pod)).count();
        if self.job.spec.backoff_limit_per_index.is_some() {
            let kept = number(candidates.len() - removable);
            desk.tried(Rule::HoldFailedPods, kept > 0, || vec![(F::Count, Count(kept))]);
        }
        if self.limit_reached {
            let left = number(removable - self.release.len());
            desk.tried(Rule::UncountedLimit, true, || {
                vec![(F::Limit, Count(number(self.uncounted_max))), (F::Count, Count(left))]
            });
        }
        found
    }

    /// TRK-3a.
    fn is_removable(&self, pod: &Candidate) -> bool {
        self.job.deletion_timestamp.is_some() || self.ending.is_some() || pod.succeeded || (pod.failed && !pod.delayed)
    }

    /// TRK-3c, TRK-3d.
    fn account_one(&mut self, pod: &Candidate, stored: &UncountedTerminatedPods, found: &mut Accounted) {
        if pod.counted {
            return;
        }
        let uid = &pod.pod.uid;
        let uncounted = self.status.uncounted.get_or_insert_default();
        let indexed = self.indexes.is_some();
        let fails = self.ending.as_ref().is_some_and(|e| e.kind != ConditionType::SuccessCriteriaMet);
        if pod.succeeded && !stored.failed.contains(uid) {
            if let Some(indexes) = &self.indexes {
                if let Some(index) = pod.index.filter(|index| !indexes.stored.contains(*index)) {
                    found.succeeded += i64::from(found.indexes.insert(index));
                }
            } else if !stored.succeeded.contains(uid) || is_planted(Mutant::CountedTwice) {
                uncounted.succeeded.push(uid.clone());
                self.held.insert(uid.clone());
                found.succeeded += 1;
            }
        } else if (pod.failed || fails) && !stored.failed.contains(uid) && (!indexed || pod.index.is_some()) {
            self.handled.extend(pod.action);
            if pod.action != Some(FailureAction::Ignore) {
                uncounted.failed.push(uid.clone());
                self.held.insert(uid.clone());
                found.failed += 1;
            }
        }
    }

    /// How many UIDs wait to be counted.
    pub(super) fn waiting(&self) -> usize {
        self.status.uncounted.as_ref().map_or(0, UncountedTerminatedPods::len)
    }

    /// TRK-5; whether the text changed.
    fn store_indexes(&mut self, new: &IndexSet) -> bool {
        let Some(Indexes { succeeded: indexes, .. }) = &mut self.indexes else { return false };
        indexes.merge(new);
        let text = indexes.to_string();
        self.status.succeeded = i32::try_from(indexes.len()).unwrap_or(i32::MAX);
        let changed = text != self.status.completed_indexes;
        self.status.completed_indexes = text;
        changed
    }

    /// TRK-5 for the failed indexes; whether the text changed. Unset without a limit per index (IDX-16).
    fn store_failed_indexes<T: Trace>(&mut self, desk: &mut Desk<'_, T>) -> bool {
        let failed = self.indexes.as_ref().and_then(|indexes| indexes.failed.as_ref());
        let text = failed.map(ToString::to_string);
        let changed = text != self.status.failed_indexes;
        if let Some(text) = &text {
            let words = || vec![(F::FailedIndexes, crate::record::FactValue::Text(text.clone().into()))];
            desk.tried(Rule::AccountFailedIndexes, changed && !text.is_empty(), words);
        }
        self.status.failed_indexes = text;
        changed
    }

    /// The condition that announces the end is stored with the UIDs (TRK-6, TRK-7).
    fn announce_end<T: Trace>(&mut self, desk: &mut Desk<'_, T>) -> bool {
        let Some(ending) = &mut self.ending else { return false };
        let announced = match ending.kind {
            _ if is_planted(Mutant::NoInterim) => false,
            ConditionType::FailureTarget => true,
            ConditionType::SuccessCriteriaMet => !self.status.is_true(&ConditionType::SuccessCriteriaMet),
            _ => false,
        };
        if announced {
            let (reason, message) = (ending.reason.clone(), ending.message.clone());
            let condition = Condition::new(ending.kind.clone(), ConditionStatus::True, reason, message, ending.at);
            self.status.conditions.push(condition);
        }
        let failed = matches!(ending.kind, ConditionType::FailureTarget | ConditionType::Failed);
        ending.kind = if failed { ConditionType::Failed } else { ConditionType::Complete };
        ending.at = desk.now;
        desk.tried(Rule::AnnounceEnd, announced, Vec::new)
    }

    /// TRK-14, TRK-12: only reached when the status accounts for every pod of the list.
    pub(super) fn send_releases<T: Trace>(&mut self, desk: &mut Desk<'_, T>) -> Next {
        for action in core::mem::take(&mut self.handled) {
            desk.metric(Metric::FailureHandled { action });
        }
        self.stage = Stage::Release;
        let pods = core::mem::take(&mut self.release);
        desk.tried(Rule::ReleasePods, !pods.is_empty(), || vec![(F::Count, Count(count(&pods)))]);
        for pod in &pods {
            desk.memory.intents.expect_removal(pod.uid.clone());
        }
        for pod in pods {
            let uid = pod.uid.clone();
            let id = desk.write(self.sender(), Effect::RemoveFinalizer(pod), Rule::ReleasePods);
            self.pending.insert(id, pods::Role::Release(uid));
        }
        self.proceed(desk)
    }

    /// A pod that is gone is as good as released.
    pub(super) fn released<T: Trace>(
        &mut self,
        pod: &Uid,
        result: Result<Written, ApiFailure>,
        desk: &mut Desk<'_, T>,
    ) {
        match result {
            Ok(_) => {
                self.held.remove(pod);
            }
            Err(failure) if failure.kind == FailureKind::NotFound => {
                if desk.counts_once {
                    desk.memory.intents.counted_and_not_found(pod);
                } else {
                    desk.memory.intents.removal_failed(pod);
                }
                self.held.remove(pod);
            }
            Err(failure) => {
                desk.memory.intents.removal_failed(pod);
                self.release_error.get_or_insert(failure.message);
            }
        }
    }

    /// TRK-15 to TRK-18.
    pub(super) fn released_all<T: Trace>(&mut self, desk: &mut Desk<'_, T>) -> Next {
        let counted = self.count_released(Rule::CountReleased, desk);
        if let Some(error) = self.release_error.take() {
            desk.tried(Rule::ReleaseFailed, true, || vec![(F::Error, crate::record::FactValue::Text(error.clone()))]);
            let error = text(format_args!("tracking status: {error}"));
            if counted {
                return self.send_status(Stage::StorePartial(error), Rule::ReleaseFailed, desk);
            }
            return Next::failed(error);
        }
        let finished = self.finish(desk);
        if desk.tried(Rule::StoreCounters, counted || finished, Vec::new) {
            return self.send_status(Stage::StoreCounters(finished), Rule::StoreCounters, desk);
        }
        Next::Over(Outcome { error: self.manage_error.take() })
    }

    /// MET-4, MET-7: what a stored status adds to the counters.
    pub(super) fn report<T: Trace>(&mut self, desk: &mut Desk<'_, T>) {
        let failed_indexes =
            self.indexes.as_ref().and_then(|indexes| indexes.failed.as_ref()).map_or(0, |failed| number(failed.len()));
        let now =
            Counters { succeeded: self.status.succeeded.into(), failed: self.status.failed.into(), failed_indexes };
        let before = core::mem::replace(&mut self.reported, now);
        let mode = self.job.spec.completion_mode;
        for (succeeded, count) in [(true, now.succeeded - before.succeeded), (false, now.failed - before.failed)] {
            if count != 0 {
                desk.metric(Metric::PodsFinished { mode, succeeded, count });
            }
        }
        let per_index = self.job.spec.backoff_limit_per_index.is_some();
        let indexes = [(true, now.succeeded - before.succeeded), (false, now.failed_indexes - before.failed_indexes)];
        for (succeeded, count) in indexes.into_iter().filter(|_| self.indexes.is_some()) {
            if count > 0 || (succeeded && count != 0) {
                desk.metric(Metric::IndexesFinished { succeeded, per_index, count });
            }
        }
    }
}

/// Moves UIDs that are no longer held from the uncounted lists to the counters; how many of each.
fn settle(status: &mut JobStatus, held: &OrderedSet<Uid>) -> (i64, i64) {
    let uncounted = status.uncounted.get_or_insert_default();
    let before = (uncounted.succeeded.len(), uncounted.failed.len());
    uncounted.succeeded.retain(|uid| held.contains(uid));
    uncounted.failed.retain(|uid| held.contains(uid));
    let succeeded = before.0 - uncounted.succeeded.len();
    let failed = before.1 - uncounted.failed.len();
    let grow = |counter: &mut i32, by: usize| *counter = counter.saturating_add(i32::try_from(by).unwrap_or(i32::MAX));
    grow(&mut status.succeeded, succeeded);
    grow(&mut status.failed, failed);
    (number(succeeded), number(failed))
}

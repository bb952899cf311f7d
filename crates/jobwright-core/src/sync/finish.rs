//! The terminal condition, and what is said when it is stored (TRK-17, TRK-18).
//!
//! Invariant: a Job becomes finished only when nothing is terminating and everything is counted (INV-6).

use alloc::vec;

use super::Sync;
use super::desk::Desk;
use crate::decide::facts::number;
use crate::metric::Metric;
use crate::mutant::{Mutant, is_planted};
use crate::record::FactName as F;
use crate::record::FactValue::Count;
use crate::record::Trace;
use crate::rule::Rule;
use crate::status::{Condition, ConditionStatus, ConditionType};

impl Sync {
    /// Sets the terminal condition if it is time (TRK-17); whether it was.
    pub(super) fn finish<T: Trace>(&mut self, desk: &mut Desk<'_, T>) -> bool {
        let Some(ending) = &self.ending else { return false };
        let waiting = self.waiting();
        let waits =
            self.limit_reached || waiting > 0 || (self.tally.terminating > 0 && !is_planted(Mutant::HastyFinish));
        let facts = || vec![(F::Terminating, Count(self.tally.terminating.into())), (F::Count, Count(number(waiting)))];
        if desk.tried(Rule::FinishWaits, waits, facts) {
            return false;
        }
        let (kind, at) = (ending.kind.clone(), ending.at);
        let (reason, message) = (ending.reason.clone(), ending.message.clone());
        if kind == ConditionType::Complete {
            self.status.completion_time = Some(at);
        }
        self.status.upsert(Condition::new(kind, ConditionStatus::True, reason, message, desk.now));
        desk.tried(Rule::Finish, true, alloc::vec::Vec::new)
    }

    /// Events and metrics of a finish that is stored (EVT-4 to EVT-6, MET-3).
    pub(super) fn announce_finish<T: Trace>(&mut self, desk: &mut Desk<'_, T>) {
        let Some(ending) = self.ending.take() else { return };
        let succeeded = ending.kind == ConditionType::Complete;
        if succeeded {
            if self.job.spec.completions.is_some_and(|n| self.status.succeeded > n) {
                let message = "Too many succeeded pods running after completion count reached";
                self.warning("TooManySucceededPods".into(), message.into(), desk);
            }
            self.normal("Completed", "Job completed".into(), desk);
        } else {
            self.warning(ending.reason.clone(), ending.message.clone(), desk);
        }
        desk.memory.believed_finished = Some(self.job.uid.clone());
        let mode = self.job.spec.completion_mode;
        desk.metric(Metric::JobFinished { mode, succeeded, reason: ending.reason });
    }
}

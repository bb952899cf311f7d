//! Ways to move besides decision by decision: into a decision, to the next timer, and what is under way.
//!
//! Invariant: they only choose where to stop; what happens on the way is what [`Session::step`] does.

use jobwright_api::card::{self, Card};
use jobwright_core::WakeReason;
use jobwright_core::record::{Record, Trigger};

use super::Session;
use jobwright_api::Catalogue;

/// As many decisions are passed at most on the way to a timer.
const DECISIONS_LIMIT: u32 = 10_000;

impl Session {
    /// Goes to the end of the next decision that a timer of the Job led to: a back-off, a deadline, a retry or the time
    /// to live. False if there is none; then everything that happens by itself has happened.
    pub fn step_timer(&mut self) -> bool {
        for _ in 0..DECISIONS_LIMIT {
            if !self.step() {
                return false;
            }
            let timer = |trigger: &Trigger| matches!(trigger, Trigger::Timer(why) if *why != WakeReason::Batch);
            if self.record(self.decisions()).is_some_and(|record| record.triggers.iter().any(timer)) {
                return true;
            }
        }
        false
    }

    /// Goes to a decision and so many calls of the controller further; false if the decision after it has not so many.
    pub fn seek_write(&mut self, decision: u32, writes: u32) -> bool {
        if !self.seek(decision) {
            return false;
        }
        (0..writes).all(|_| self.step_write() && self.decisions() == decision)
    }

    /// How many calls of the decision that is under way lie behind.
    #[must_use]
    pub fn writes_behind(&self) -> u32 {
        let answered = |record: &Record| record.writes.iter().filter(|write| write.answer.is_some()).count();
        self.open_record().map_or(0, |record| u32::try_from(answered(record)).unwrap_or(u32::MAX))
    }

    /// The decision that is under way.
    pub(super) fn open_card(&self) -> Option<Card> {
        let step = self.decisions().saturating_add(1);
        let record = self.open_record()?;
        Some(card::build(record, step, self.stage.start, Catalogue::current()))
    }

    fn open_record(&self) -> Option<&Record> {
        let record = self.waiting.front().or_else(|| self.stage.world.open_record())?;
        record.writes.iter().any(|write| write.answer.is_some()).then_some(record)
    }
}

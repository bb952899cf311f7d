//! A world on its way through a scenario: the part of a session that is copied for a checkpoint.
//!
//! Invariant: the number of moves since the start says where it is; the same moves with the same inputs
//! lead to the same place.

use std::sync::Arc;

use jobwright_api::Diagnostic;
use jobwright_api::diagnostic::Code;
use jobwright_api::yaml::Span;
use jobwright_core::{Millis, Timestamp};

use crate::api_server::ApiError;
use crate::scenario::Scenario;
use crate::world::{Tick, World};

/// A session stops when more pods than this were made: what a person cannot look at must not fill the memory.
const PODS_LIMIT: usize = 100_000;

/// What a move did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// Some work, or the clock.
    Worked,
    /// A call of the controller was carried out.
    Wrote,
    /// Nothing is left to do by itself.
    Ended,
}

/// A world and its place in the scenario.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) world: World,
    scenario: Arc<Scenario>,
    /// Steps of the scenario that were carried out.
    next_step: usize,
    /// When the session begins.
    pub(crate) start: Timestamp,
    /// Moves so far.
    pub(crate) moves: u64,
    /// How many of the person's deeds at this place are done.
    pub(crate) deeds_done: usize,
    /// How many pods may be made.
    pub(crate) pods_limit: usize,
    /// Whether the last move was a call of the controller that ended no decision.
    pub(crate) behind_call: bool,
}

impl Stage {
    /// The moment before the first decision: the Job is stored, and nobody has looked at it.
    ///
    /// # Errors
    /// The API server refuses the Job.
    pub(crate) fn new(scenario: &Arc<Scenario>, seed: u64) -> Result<Self, ApiError> {
        let (world, created) = World::begin(scenario, seed);
        created?;
        let start = world.now();
        Ok(Self {
            world,
            scenario: Arc::clone(scenario),
            next_step: scenario.first_steps().len(),
            start,
            moves: 0,
            deeds_done: 0,
            pods_limit: PODS_LIMIT,
            behind_call: false,
        })
    }

    /// The next thing that happens by itself. The clock moves only when nothing is left to do now, and
    /// not to a time after `limit`.
    pub(crate) fn advance(&mut self, limit: Option<Timestamp>) -> Moved {
        if self.is_full() {
            return Moved::Ended;
        }
        if self.step_is_due() {
            self.take_step();
            return self.moved(Moved::Worked);
        }
        let due = match self.world.tick() {
            Tick::Worked => return self.moved(Moved::Worked),
            Tick::Wrote => return self.moved(Moved::Wrote),
            Tick::Idle(due) => due,
        };
        let step = self.scenario.steps.get(self.next_step);
        let step_at = step.map(|step| self.start + step.at);
        let next = [due, step_at].into_iter().flatten().min();
        match (next, limit) {
            (None, _) => Moved::Ended,
            (Some(next), Some(limit)) if next > limit => Moved::Ended,
            (Some(next), _) => {
                self.world.set_time(next);
                // What is due at the time of a step comes before its action.
                if due.is_none_or(|due| due > next) && step_at == Some(next) {
                    self.take_step();
                }
                self.moved(Moved::Worked)
            }
        }
    }

    /// Whether the next step has its place within this instant, and here.
    fn step_is_due(&self) -> bool {
        let step = self.scenario.steps.get(self.next_step);
        step.is_some_and(|step| self.start + step.at == self.world.now() && self.world.has_reached(step.after))
    }

    fn take_step(&mut self) {
        let action = self.scenario.steps.get(self.next_step).and_then(|step| step.action.clone());
        self.next_step += 1;
        if let Some(action) = action {
            self.world.perform(&action);
        }
    }

    /// Steps of the scenario that were carried out.
    pub(crate) const fn steps_done(&self) -> usize {
        self.next_step
    }

    /// Whether more pods were made than a session holds.
    pub(crate) fn is_full(&self) -> bool {
        self.world.history().lives().len() > self.pods_limit
    }

    /// Counts a move.
    const fn moved(&mut self, moved: Moved) -> Moved {
        self.behind_call = matches!(moved, Moved::Wrote);
        self.moves += 1;
        self.deeds_done = 0;
        moved
    }

    /// When the next step of the scenario is carried out.
    pub(crate) fn next_step_at(&self) -> Option<Timestamp> {
        self.scenario.steps.get(self.next_step).map(|step| self.start + step.at)
    }

    /// Virtual time since the start.
    pub(crate) fn elapsed(&self) -> Millis {
        self.world.now() - self.start
    }
}

/// A refusal of the API server as a finding about the text.
pub(crate) fn refusal(error: &ApiError) -> Vec<Diagnostic> {
    let finding = |field: &str, message: &str| Diagnostic::error(Code::Invalid, Span::START, message).at_field(field);
    if error.causes.is_empty() {
        return vec![Diagnostic::error(Code::Invalid, Span::START, error.message.as_str())];
    }
    error.causes.iter().map(|cause| finding(&cause.field, &cause.detail)).collect()
}

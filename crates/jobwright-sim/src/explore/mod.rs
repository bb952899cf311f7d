//! Walks every reachable end of a small Job.
//!
//! A walk goes from moment to moment, breadth first. At each one it tries every way in which pods can
//! start and end, and everything that may go wrong meanwhile: a crash of the controller after a call, a
//! conflict, a watch that stands still and whose events come late or never. Moments that were reached
//! before are known again ([`World::sight`](crate::world::World)), so the walk ends where the Job does.
//!
//! What a pod does is open until it does it: it ends as early as its outcome allows, or at any later
//! moment at which something else happens. So all orders of ends are walked, with their effects on timers.
//!
//! Invariants: no clock and no chance; the same question has the same answer. Every witness is a scenario
//! that was run to write it down.

mod graph;
mod judge;
mod moves;
mod node;
mod question;
mod report;
mod space;
mod view;
mod witness;

use jobwright_core::{Gates, Millis};
use serde_json::Value;

pub use judge::{Broken, Judge, Watchdog};
pub use question::{Question, witness};
pub use report::{End, EndReport, Extreme, Report, Stay};
pub use space::{Progress, walk};
pub use view::{Explored, ExploredEnd, Wish, explore};
pub use witness::Witness;

use crate::kubelet::outcome::parse_outcome;
use crate::kubelet::{Ending, Outcome, OutcomeError};
use crate::scenario::Scenario;
use crate::world::Tamper;

/// The seed of `jobwright run`, so that a witness meets the same names there.
pub const SEED: u64 = 1;

/// Which Job is walked.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The manifest that a user creates.
    pub job: Value,
    /// Feature gates.
    pub gates: Gates,
    /// A bug planted between the controller and the API server. For tests of tests.
    pub tamper: Option<Tamper>,
}

impl Subject {
    /// The Job of a scenario; its steps and outcomes do not matter.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        Self { job: scenario.job.clone(), gates: scenario.gates(), tamper: None }
    }
}

/// What may happen.
#[derive(Clone, Debug)]
pub struct Scope {
    /// How a pod may end, and how long it runs at least.
    pub any_of: Vec<Outcome>,
    /// Crashes of the controller, each after one of its calls.
    pub crashes: u8,
    /// Calls that are answered with 409.
    pub conflicts: u8,
    /// Times that a watch (of Jobs or of pods) stands still.
    pub stale: u8,
    /// The same, and what came meanwhile is lost and listed anew.
    pub lost: u8,
    /// Merge patches that a person makes of the Job, in this order and each at any moment, or never.
    pub patches: Vec<Value>,
    /// Moments that a watch stands still at most.
    pub held_max: u8,
    /// States after which the walk stops.
    pub states_max: usize,
}

impl Default for Scope {
    fn default() -> Self {
        Self {
            any_of: Vec::new(),
            crashes: 0,
            conflicts: 0,
            stale: 0,
            lost: 0,
            patches: Vec::new(),
            held_max: 2,
            states_max: 200_000,
        }
    }
}

impl Scope {
    /// Pods that may end in these ways, such as `0,1,42@30s,evict`, and nothing that goes wrong.
    ///
    /// # Errors
    /// The first entry that is none.
    pub fn any_of(text: &str) -> Result<Self, OutcomeError> {
        let (mut any_of, mut at) = (Vec::new(), 0);
        for entry in text.split(',') {
            any_of.push(parse_outcome(entry).map_err(|error| OutcomeError { at: error.at + at, ..error })?);
            at += entry.chars().count() + 1;
        }
        Ok(Self { any_of, ..Self::default() })
    }

    /// The ways in which a pod that runs ends.
    fn ends(&self) -> impl Iterator<Item = &Outcome> {
        self.any_of.iter().filter(|outcome| !matches!(outcome.ending, Ending::Hang | Ending::Pending))
    }

    /// The age from which a pod may end in all ways.
    fn longest(&self) -> Millis {
        self.ends().map(|outcome| outcome.after).max().unwrap_or(Millis::ZERO)
    }
}

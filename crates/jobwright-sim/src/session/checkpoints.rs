//! Copies of a session's stage, to come back to.
//!
//! Invariant: there is always one at decision 0, and never more than [`KEPT`] others; of worlds with many pods
//! there are fewer, so that the memory of a session is bounded.

use std::collections::VecDeque;

use jobwright_core::OrderedMap;

use jobwright_core::record::Record;

use super::stage::Stage;

/// As many are kept; beyond that every second one goes, and the distance doubles.
const KEPT: usize = 64;

/// As many pods, summed over the checkpoints, are kept.
const PODS_KEPT: usize = 1_000_000;

/// A moment to come back to.
#[derive(Clone, Debug)]
struct Checkpoint {
    stage: Stage,
    waiting: VecDeque<Record>,
}

/// Checkpoints by number of decisions.
#[derive(Clone, Debug)]
pub(super) struct Checkpoints {
    first: Box<Checkpoint>,
    later: OrderedMap<u32, Checkpoint>,
    distance: u32,
}

impl Checkpoints {
    /// The one at the start.
    pub(super) fn new(stage: &Stage) -> Self {
        let first = Box::new(Checkpoint { stage: stage.clone(), waiting: VecDeque::new() });
        Self { first, later: OrderedMap::new(), distance: 16 }
    }

    /// Keeps a moment if the last one is far enough away.
    pub(super) fn offer(&mut self, decision: u32, stage: &Stage, waiting: &VecDeque<Record>) {
        if !decision.is_multiple_of(self.distance) {
            return;
        }
        self.later.insert(decision, Checkpoint { stage: stage.clone(), waiting: waiting.clone() });
        let room = (PODS_KEPT / stage.world.history().lives().len().max(1)).clamp(2, KEPT);
        while self.later.len() >= room && self.distance < u32::MAX / 2 {
            self.distance = self.distance.saturating_mul(2);
            let distance = self.distance;
            self.later.retain(|at, _| at.is_multiple_of(distance));
        }
    }

    /// The last moment that is not after a decision: its number, the stage, and the decisions that wait there.
    pub(super) fn nearest(&self, decision: u32) -> (u32, Stage, VecDeque<Record>) {
        let later = self.later.at_or_before(&decision);
        let (at, found) = later.map_or((0, &*self.first), |(at, found)| (*at, found));
        (at, found.stage.clone(), found.waiting.clone())
    }

    /// Whether a moment is kept after one decision and not after another.
    pub(super) fn is_between(&self, after: u32, until: u32) -> bool {
        self.later.at_or_before(&until).is_some_and(|(at, _)| *at > after)
    }

    /// Forgets what lies behind a decision.
    pub(super) fn forget_after(&mut self, decision: u32) {
        self.later.retain(|at, _| *at <= decision);
    }
}

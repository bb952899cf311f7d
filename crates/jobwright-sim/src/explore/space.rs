//! The walk itself: breadth first over all states, each kept once.
//!
//! Invariant: a state's number is its place in the order of discovery, so the way of first discoveries to
//! it has the fewest moves; worlds are kept only for states that are still to be left.

use std::collections::VecDeque;
use std::sync::Arc;

use jobwright_core::OrderedMap;

use super::graph::{Edge, Graph};
use super::moves::fan;
use super::node::{Left, Node};
use super::report::{End, Report, end_of};
use super::witness::{Witness, retrace};
use super::{Judge, SEED, Scope, Subject};
use crate::api_server::ApiError;
use crate::kubelet::{Ending, Kubelet, Outcomes};
use crate::world::{LivePod, ORIGIN, World};

/// After so many states left the caller hears how far the walk is.
const PROGRESS_EVERY: usize = 1_024;

/// How far a walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// States found.
    pub states: usize,
    /// States that were not left yet.
    pub waiting: usize,
    /// Moves made.
    pub moves: usize,
    /// Moves from the start to the state that is left now.
    pub depth: u32,
}

/// What is kept of a state.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) digest: u64,
    /// The move that discovered it, as a place in the edges; the start has none.
    pub(super) found_by: Option<usize>,
    depth: u32,
    pub(super) end: Option<End>,
    pub(super) failed: i64,
}

/// All states, and the moves between them.
pub(super) struct Space<'a, J: Judge> {
    pub(super) scope: &'a Scope,
    pub(super) first: Node<J>,
    pub(super) states: Vec<State>,
    pub(super) edges: Vec<Edge>,
    seen: OrderedMap<u64, u32>,
    waiting: VecDeque<(u32, Node<J>, Vec<LivePod>)>,
    moves: usize,
    complete: bool,
    broken: Option<(u32, J::Broken)>,
}

/// Walks through all that can happen to a Job, until everything was seen, a law is broken, or the bound of
/// the scope is reached. `progress` hears now and then how far the walk is.
///
/// # Errors
/// The API server refuses the Job.
pub fn walk<J: Judge>(
    subject: &Subject,
    scope: &Scope,
    judge: J,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Report<J::Broken>, ApiError> {
    let mut space = Space::new(subject, scope, judge)?;
    space.explore(progress);
    Ok(space.report())
}

/// A cluster in which pods do only what is chosen for them.
fn first<J: Judge>(subject: &Subject, scope: &Scope, judge: J) -> Result<Node<J>, ApiError> {
    // The kubelet makes pods run; how they end is chosen later.
    let outcomes = Outcomes::always(Ending::Hang);
    let mut world = World::new(SEED, Some(Kubelet::new(outcomes))).with_choices(subject.gates, false).forgetful();
    if let Some(tamper) = subject.tamper {
        world.set_tamper(tamper);
    }
    world.run_to(ORIGIN);
    // Whether it is taken shows now, so that no move can be refused later.
    world.clone().create_job(&subject.job)?;
    let Scope { crashes, conflicts, stale, lost, .. } = *scope;
    let patches = u8::try_from(scope.patches.len()).unwrap_or(u8::MAX);
    let left = Left { crashes, conflicts, stale, lost, patches };
    let job = Some(Arc::new(subject.job.clone()));
    let patches = Arc::new(scope.patches.clone());
    Ok(Node { world, judge, left, held: None, acted: false, job, patches })
}

impl<'a, J: Judge> Space<'a, J> {
    pub(super) fn new(subject: &Subject, scope: &'a Scope, judge: J) -> Result<Self, ApiError> {
        let first = first(subject, scope, judge)?;
        let mut space = Self {
            scope,
            first: first.clone(),
            states: Vec::new(),
            edges: Vec::new(),
            seen: OrderedMap::new(),
            waiting: VecDeque::new(),
            moves: 0,
            complete: true,
            broken: None,
        };
        space.find(first, None, 0);
        Ok(space)
    }

    pub(super) fn explore(&mut self, progress: &mut dyn FnMut(&Progress)) {
        let mut left = 0;
        while let Some((number, node, pods)) = self.waiting.pop_front() {
            if self.states.len() >= self.scope.states_max {
                self.complete = false;
                return;
            }
            self.leave(number, &node, &pods);
            if self.broken.is_some() {
                self.complete = false;
                return;
            }
            left += 1;
            if left % PROGRESS_EVERY == 0 {
                let (states, waiting) = (self.states.len(), self.waiting.len());
                progress(&Progress { states, waiting, moves: self.moves, depth: self.depth(number) });
            }
        }
    }

    fn depth(&self, state: u32) -> u32 {
        self.states.get(state as usize).map_or(0, |state| state.depth)
    }

    /// Makes all moves from a state.
    fn leave(&mut self, number: u32, node: &Node<J>, pods: &[LivePod]) {
        let fan = fan(node, pods, self.scope);
        if let Some(end) = end_of(node, pods, fan.rests) {
            let is_over = fan.steps.is_empty() || end.is_finished();
            self.end(number, node, end);
            if is_over {
                return;
            }
        }
        let depth = self.depth(number) + 1;
        for (ordinal, (go, next, done)) in fan.steps.into_iter().enumerate() {
            self.moves += 1;
            let time = (next.world.now() - node.world.now()).0.unsigned_abs();
            let ordinal = u32::try_from(ordinal).unwrap_or(u32::MAX);
            let disturbed = go.disturbance.is_some();
            let edge = Edge { from: number, to: 0, ordinal, pods: done.pods, disturbed, time };
            let to = self.find(next, Some(self.edges.len()), depth);
            self.edges.push(Edge { to, ..edge });
        }
        if let Some((_, broken)) = fan.broken {
            self.broken.get_or_insert((number, broken));
        }
    }

    fn end(&mut self, number: u32, node: &Node<J>, end: End) {
        if let Err(broken) = node.judge.ended(&node.world)
            && end.is_finished()
        {
            self.broken.get_or_insert((number, broken));
        }
        if let Some(state) = self.states.get_mut(number as usize) {
            state.end = Some(end);
        }
    }

    /// The number of a state; a new one has to be left later.
    fn find(&mut self, node: Node<J>, found_by: Option<usize>, depth: u32) -> u32 {
        let sight = node.sight(self.scope);
        if let Some(number) = self.seen.get(&sight.digest) {
            return *number;
        }
        let number = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        self.seen.insert(sight.digest, number);
        let failed = node.world.job().map_or(0, |job| crate::object::integer(&job, &["status", "failed"]).unwrap_or(0));
        self.states.push(State { digest: sight.digest, found_by, depth, end: None, failed });
        self.waiting.push_back((number, node, sight.pods));
        number
    }

    /// The way of first discoveries to a state, as places in the edges.
    pub(super) fn shortest(&self, state: u32) -> Vec<usize> {
        let mut way = Vec::new();
        let mut here = state;
        while let Some(place) = self.states.get(here as usize).and_then(|state| state.found_by) {
            way.push(place);
            here = self.edges.get(place).map_or(0, |edge| edge.from);
        }
        way.reverse();
        way
    }

    /// A way through these edges as a scenario; nothing if it cannot be gone again.
    pub(super) fn witness(&self, edges: &[Edge], way: &[usize], broken: bool) -> Option<Witness> {
        let place = |place: &usize| {
            let edge = edges.get(*place)?;
            Some((edge.ordinal, self.states.get(edge.to as usize)?.digest))
        };
        let way: Vec<(u32, u64)> = way.iter().filter_map(place).collect();
        retrace(&self.first, &way, self.scope, broken)
    }

    pub(super) fn report(mut self) -> Report<J::Broken> {
        let depth = self.states.iter().map(|state| state.depth).max().unwrap_or(0);
        let progress = Progress { states: self.states.len(), waiting: self.waiting.len(), moves: self.moves, depth };
        self.waiting.clear();
        let broken = self.broken.take().map(|(state, broken)| {
            let way = self.shortest(state);
            (broken, self.witness(&self.edges, &way, true))
        });
        let graph = Graph::new(self.states.len(), std::mem::take(&mut self.edges));
        Report::of(&self, &graph, progress, self.complete, broken)
    }
}

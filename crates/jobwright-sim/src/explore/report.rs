//! What a walk found.
//!
//! Invariant: numbers are exact if the walk is complete, and lower bounds (upper ones for the least) if not.

use jobwright_core::Millis;
use serde_json::Value;

use super::Judge;
use super::graph::{ENDLESS, Edge, Graph, Ways};
use super::node::Node;
use super::space::{Progress, Space};
use super::witness::Witness;
use crate::object;
use crate::world::LivePod;

/// Why a Job stays as it is for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stay {
    /// It is suspended.
    Suspended,
    /// Pods never start.
    PodsPending,
    /// Pods run for ever.
    PodsRunning,
    /// Nothing is due and nobody wakes the controller.
    NothingDue,
}

impl Stay {
    /// As JSON names it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Suspended => "Suspended",
            Self::PodsPending => "PodsPending",
            Self::PodsRunning => "PodsRunning",
            Self::NothingDue => "NothingDue",
        }
    }
}

/// How a Job ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// With this terminal condition and reason.
    Finished {
        /// `Complete` or `Failed`.
        condition: String,
        /// The condition's reason.
        reason: String,
    },
    /// The Job is gone.
    Gone,
    /// It does not end.
    Stays(Stay),
}

impl End {
    /// The terminal condition, `Gone` or `Active`, and the reason.
    #[must_use]
    pub fn words(&self) -> (&str, &str) {
        match self {
            Self::Finished { condition, reason } => (condition, reason),
            Self::Gone => ("Gone", ""),
            Self::Stays(stay) => ("Active", stay.as_str()),
        }
    }

    /// Whether the Job is finished, or gone.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        !matches!(self, Self::Stays(_))
    }
}

/// One end, and all ways to it.
#[derive(Clone, Debug)]
pub struct EndReport {
    /// Which.
    pub end: End,
    /// Different states of this end.
    pub states: usize,
    /// Ways to it; `None` if there is no limit.
    pub ways: Option<u64>,
    /// The least and the most pods that are made; `None`: no limit.
    pub pods: (u64, Option<u64>),
    /// The shortest and the longest time; `None`: no limit.
    pub time: (Millis, Option<Millis>),
    /// The easiest way: least goes wrong, then fewest moves.
    pub witness: Option<Witness>,
}

/// The most that can happen.
#[derive(Clone, Debug)]
pub struct Extreme {
    /// Pods, failed pods, or milliseconds; `None`: no limit.
    pub value: Option<u64>,
    /// A way to it; without a limit, one into the loop.
    pub witness: Option<Witness>,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Report<B> {
    /// States, moves and depth of the whole walk.
    pub walked: Progress,
    /// Whether everything was seen.
    pub complete: bool,
    /// A law that is broken, and the way to it. The walk stops there.
    pub broken: Option<(B, Option<Witness>)>,
    /// All ends, by condition and reason.
    pub ends: Vec<EndReport>,
    /// The most pods that are made on the way to an end.
    pub most_pods: Option<Extreme>,
    /// The most pods that fail.
    pub most_failed: Option<Extreme>,
    /// The longest time to an end.
    pub longest: Option<Extreme>,
}

/// How the Job of a node ended, if nothing happens to it any more.
pub(super) fn end_of<J: Judge>(node: &Node<J>, pods: &[LivePod], rests: bool) -> Option<End> {
    if node.job.is_some() {
        return None;
    }
    let Some(job) = node.world.job() else { return pods.is_empty().then_some(End::Gone) };
    let terminal = |c: &&Value| {
        ["Complete", "Failed"].contains(&object::text(c, &["type"])) && object::text(c, &["status"]) == "True"
    };
    if let Some(condition) = object::list(&job, &["status", "conditions"]).iter().find(terminal) {
        let text = |field| object::text(condition, &[field]).to_owned();
        let over = rests || (pods.is_empty() && node.held.is_none());
        return over.then(|| End::Finished { condition: text("type"), reason: text("reason") });
    }
    if !rests {
        return None;
    }
    let any = |phase: &str| pods.iter().any(|pod| object::text(&pod.object, &["status", "phase"]) == phase);
    let suspended = object::at(&job, &["spec", "suspend"]) == Some(&Value::Bool(true));
    Some(End::Stays(match () {
        () if suspended => Stay::Suspended,
        () if any("Running") => Stay::PodsRunning,
        () if any("Pending") => Stay::PodsPending,
        () => Stay::NothingDue,
    }))
}

impl<B> Report<B> {
    pub(super) fn of<J: Judge>(
        space: &Space<'_, J>,
        graph: &Graph,
        walked: Progress,
        complete: bool,
        broken: Option<(B, Option<Witness>)>,
    ) -> Self {
        let easiest = graph.cheapest(effort);
        let mut ended: Vec<u32> =
            (0..).zip(&space.states).filter(|(_, state)| state.end.is_some()).map(|(n, _)| n).collect();
        jobwright_core::ordered::sort_by(&mut ended, |a, b| easiest.cost[*a as usize].cmp(&easiest.cost[*b as usize]));
        let found = Found { space, graph, ended: &ended, easiest: &easiest };
        let most_failed = found.ended.iter().copied().rev().max_by_key(|n| space.states[*n as usize].failed);
        let most_failed = most_failed.map(|state| Extreme {
            value: u64::try_from(space.states[state as usize].failed).ok(),
            witness: found.witness(state),
        });
        let mut report = Self {
            walked,
            complete,
            broken,
            ends: Vec::new(),
            most_pods: found.extreme(|edge| edge.pods.into()),
            most_failed,
            longest: found.extreme(|edge| edge.time),
        };
        report.ends = found.ends();
        report
    }
}

/// What it takes to write a way down: what goes wrong costs more than any number of other moves.
const fn effort(edge: &Edge) -> u64 {
    if edge.disturbed { 1_000_001 } else { 1 }
}

/// A walk that is over, with the ends from the easiest to the hardest.
struct Found<'a, J: Judge> {
    space: &'a Space<'a, J>,
    graph: &'a Graph,
    ended: &'a [u32],
    easiest: &'a Ways,
}

impl<J: Judge> Found<'_, J> {
    /// The easiest way to a state.
    fn witness(&self, state: u32) -> Option<Witness> {
        self.along(self.easiest, state)
    }

    fn along(&self, ways: &Ways, state: u32) -> Option<Witness> {
        self.space.witness(&self.graph.edges, &self.graph.way(ways, state), false)
    }

    /// The end that costs most, and the easiest way that costs as much if there is one.
    fn extreme(&self, cost: fn(&Edge) -> u64) -> Option<Extreme> {
        let longest = self.graph.longest(cost);
        let most = self.ended.iter().map(|state| longest.cost[*state as usize]).max()?;
        let of = |state: &u32| {
            let way = self.graph.way(self.easiest, *state);
            way.iter().map(|place| cost(&self.graph.edges[*place])).sum::<u64>()
        };
        let farthest = |state: &&u32| longest.cost[**state as usize] == most;
        let state = self.ended.iter().find(farthest)?;
        let witness = match self.ended.iter().filter(farthest).find(|state| of(state) == most) {
            Some(easy) => self.witness(*easy),
            None if most == ENDLESS => self.witness(*state),
            None => self.along(&longest, *state).or_else(|| self.witness(*state)),
        };
        Some(Extreme { value: limit(most), witness })
    }

    fn ends(&self) -> Vec<EndReport> {
        let (most_pods, most_time) =
            (self.graph.longest(|edge| edge.pods.into()), self.graph.longest(|edge| edge.time));
        let least_pods = self.graph.cheapest(|edge| edge.pods.into());
        let least_time = self.graph.cheapest(|edge| edge.time);
        let ways = self.graph.ways();
        let mut ends: jobwright_core::OrderedMap<End, Vec<u32>> = jobwright_core::OrderedMap::new();
        for state in self.ended {
            if let Some(end) = self.space.states.get(*state as usize).and_then(|state| state.end.clone()) {
                ends.get_or_default(end).push(*state);
            }
        }
        let report = |(end, states): (&End, &Vec<u32>)| {
            let most = |of: &Ways| limit(states.iter().map(|state| of.cost[*state as usize]).max().unwrap_or(0));
            let least = |of: &Ways| states.iter().map(|state| of.cost[*state as usize]).min().unwrap_or(0);
            let millis = |time: u64| Millis(i64::try_from(time).unwrap_or(i64::MAX));
            let all = states.iter().fold(0_u64, |all, state| all.saturating_add(ways[*state as usize]));
            EndReport {
                end: end.clone(),
                states: states.len(),
                ways: limit(all),
                pods: (least(&least_pods), most(&most_pods)),
                time: (millis(least(&least_time)), most(&most_time).map(millis)),
                witness: states.first().and_then(|state| self.witness(*state)),
            }
        };
        ends.iter().map(report).collect()
    }
}

const fn limit(cost: u64) -> Option<u64> {
    if cost == ENDLESS { None } else { Some(cost) }
}

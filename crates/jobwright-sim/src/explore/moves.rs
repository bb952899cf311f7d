//! All moves from a node: who ends and how, and what goes wrong meanwhile.
//!
//! Invariants: the list depends only on the digest of the node, so a move can be named by its place in
//! it; of pods that are interchangeable only one order is tried.

use jobwright_core::{Millis, Resource, Timestamp};

use super::node::{Disturbance, Done, Held, Left, Move, Node, PodDoes, runs_since};
use super::{Judge, Scope};
use crate::fault::CallKind;
use crate::kubelet::{Ending, KubeletAct};
use crate::scenario::WatchAct;
use crate::world::LivePod;

/// What can come after a node.
pub(super) struct Fan<J: Judge> {
    /// Each move that the laws allow, and where it leads.
    pub(super) steps: Vec<(Move, Node<J>, Done)>,
    /// The first move that breaks a law.
    pub(super) broken: Option<(Move, J::Broken)>,
    /// Whether nothing may happen any more: pods may run for ever, or nothing is due.
    pub(super) rests: bool,
    held_max: u8,
}

/// Makes all moves.
pub(super) fn fan<J: Judge>(node: &Node<J>, pods: &[LivePod], scope: &Scope) -> Fan<J> {
    let mut fan = Fan { held_max: scope.held_max, steps: Vec::new(), broken: None, rests: false };
    let Some((at, forced)) = node.next_time(pods, scope) else {
        fan.rests = true;
        let at = node.world.now() + Millis::from_seconds(1);
        fan.patched(node, pods, &Move { at, ..Move::default() });
        return fan;
    };
    fan.rests = forced && scope.any_of.iter().any(|outcome| outcome.ending == Ending::Hang);
    let options: Vec<Vec<Option<PodDoes>>> = pods.iter().map(|pod| options(pod, at, scope)).collect();
    let mut chosen = vec![0; pods.len()];
    loop {
        let moved: Vec<(usize, PodDoes)> =
            chosen.iter().enumerate().filter_map(|(pod, option)| Some((pod, options[pod][*option]?))).collect();
        if !(forced && moved.is_empty()) {
            fan.disturbed(node, pods, &Move { pods: moved, at, ..Move::default() });
        }
        if !advance(&mut chosen, &options, pods) {
            return fan;
        }
    }
}

/// What a pod may do at a time.
fn options(pod: &LivePod, at: Timestamp, scope: &Scope) -> Vec<Option<PodDoes>> {
    let mut options = vec![None];
    if let Some(since) = runs_since(pod) {
        let ends = scope.ends().filter(|outcome| since + outcome.after <= at);
        options.extend(ends.map(|outcome| Some(PodDoes::End(outcome.ending))));
    }
    let starts = pod.planned.is_some_and(|planned| planned.next == Some((at, KubeletAct::Start)));
    if starts && scope.any_of.iter().any(|outcome| outcome.ending == Ending::Pending) {
        options.push(Some(PodDoes::NeverStarts));
    }
    options
}

/// The next choice; false after the last. Of equal pods a later one never has a lower option.
fn advance(chosen: &mut [usize], options: &[Vec<Option<PodDoes>>], pods: &[LivePod]) -> bool {
    for place in (0..chosen.len()).rev() {
        if chosen[place] + 1 < options[place].len() {
            chosen[place] += 1;
            for later in place + 1..chosen.len() {
                chosen[later] = if pods[later].colour == pods[later - 1].colour { chosen[later - 1] } else { 0 };
            }
            return true;
        }
    }
    false
}

impl<J: Judge> Fan<J> {
    /// The move by itself, and with each thing that may go wrong.
    fn disturbed(&mut self, node: &Node<J>, pods: &[LivePod], plain: &Move) {
        // A scenario has one step at a time, so what begins now goes on later.
        let later = plain.at > node.world.now();
        if node.held.is_some() {
            self.make(node, pods, Move { goes_on: true, ..plain.clone() });
        }
        let calls = match node.held {
            Some(held) if held.left == 0 => Vec::new(),
            _ => self.make(node, pods, plain.clone()),
        };
        if node.acted {
            return;
        }
        let Left { crashes, conflicts, stale, lost, .. } = node.left;
        self.patched(node, pods, plain);
        if crashes > 0 {
            for write in 1..=u32::try_from(calls.len()).unwrap_or(0) {
                self.make(node, pods, Move { disturbance: Some(Disturbance::Crash(write)), ..plain.clone() });
            }
        }
        if conflicts > 0 {
            for (place, call) in calls.iter().enumerate() {
                if matches!(call, CallKind::UpdateJobStatus | CallKind::PatchPods | CallKind::DeletePods) {
                    let before = calls[..place].iter().filter(|other| *other == call).count();
                    let conflict = Disturbance::Conflict(*call, u32::try_from(before).unwrap_or(0));
                    self.make(node, pods, Move { disturbance: Some(conflict), ..plain.clone() });
                }
            }
        }
        let ends = [(stale, WatchAct::Release), (lost, WatchAct::Drop)];
        for (_, end) in ends.into_iter().filter(|(left, _)| *left > 0 && node.held.is_none()) {
            for resource in [Resource::Jobs, Resource::Pods] {
                let hold = Some(Disturbance::Hold(Held { resource, end, left: self.held_max.saturating_sub(1) }));
                for goes_on in [later, false].into_iter().skip(usize::from(!later)) {
                    self.hold(node, pods, Move { disturbance: hold, goes_on, ..plain.clone() }, resource);
                }
            }
        }
    }

    /// The move with a patch of the Job before it.
    fn patched(&mut self, node: &Node<J>, pods: &[LivePod], plain: &Move) {
        // A step at time 0 would come before the Job.
        let is_later = node.job.is_none() && node.world.elapsed() > Millis::ZERO;
        let may_go = is_later && !node.acted && node.held.is_none_or(|held| held.left > 0);
        if node.left.patches > 0 && may_go {
            self.make(node, pods, Move { disturbance: Some(Disturbance::Patch), ..plain.clone() });
        }
    }

    /// Makes a move and keeps where it leads; the calls of the controller on the way.
    fn make(&mut self, node: &Node<J>, pods: &[LivePod], go: Move) -> Vec<CallKind> {
        if self.broken.is_some() {
            return Vec::new();
        }
        match node.go(pods, &go) {
            Ok((next, done)) => {
                let calls = done.calls.clone();
                self.steps.push((go, next, done));
                calls
            }
            Err(broken) => {
                self.broken = Some((go, broken));
                Vec::new()
            }
        }
    }

    /// A hold that holds nothing back is left out.
    fn hold(&mut self, node: &Node<J>, pods: &[LivePod], go: Move, resource: Resource) {
        if go.goes_on {
            let still = node.go(pods, &Move { goes_on: false, ..go.clone() });
            if still.is_ok_and(|(next, _)| !next.world.withholds(resource)) {
                return;
            }
            self.make(node, pods, go);
            return;
        }
        let before = self.steps.len();
        self.make(node, pods, go);
        if self.steps.last().is_some_and(|(_, next, _)| !next.world.withholds(resource)) {
            self.steps.truncate(before);
        }
    }
}

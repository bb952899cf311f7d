//! A moment at which something may be chosen, and what it takes to get to the next one.
//!
//! Invariant: at a node nothing is left to do now. All that a move does can be written as a scenario: a
//! disturbance is a step at the time of the node, the ends of pods are outcomes.

use jobwright_core::{Answer, Effect, Millis, Resource, Timestamp};
use serde_json::Value;

use super::{Judge, Scope};
use crate::fault::{CallKind, Fault, FaultError};
use crate::kubelet::Ending;
use crate::scenario::{Action, JobAct, WatchAct};
use crate::world::{LivePod, Sight, Tick, World, call_kind};

/// More ticks than the work of one moment needs.
const TICKS_MAX: usize = 20_000;

/// What may still go wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) crashes: u8,
    pub(super) conflicts: u8,
    pub(super) stale: u8,
    pub(super) lost: u8,
    /// Patches that a person may still make.
    pub(super) patches: u8,
}

impl Left {
    const fn bits(self) -> u64 {
        (self.patches as u64) << 32
            | (self.crashes as u64) << 24
            | (self.conflicts as u64) << 16
            | (self.stale as u64) << 8
            | self.lost as u64
    }
}

/// A watch that stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) resource: Resource,
    /// What ends it: its events arrive late, or never.
    pub(super) end: WatchAct,
    /// For how many moments more.
    pub(super) left: u8,
}

/// What goes wrong in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disturbance {
    /// The controller crashes after this write, from 1.
    Crash(u32),
    /// The call of this kind that comes after so many others is answered with a conflict.
    Conflict(CallKind, u32),
    /// A watch stands still from now on.
    Hold(Held),
    /// A person makes the next patch of the Job.
    Patch,
}

impl Disturbance {
    /// The step of a scenario; `patch` is the next one.
    fn action(self, patch: &Value) -> Action {
        match self {
            Self::Patch => Action::Job(JobAct::Patch(patch.clone())),
            Self::Crash(after_writes) => Action::Crash { after_writes },
            Self::Conflict(call, skip) => {
                Action::Fault(Fault { call, skip, count: 1, error: FaultError::Conflict, applied: false })
            }
            Self::Hold(held) => Action::Watch(WatchAct::Hold, held.resource),
        }
    }
}

/// What a pod does at the end of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PodDoes {
    /// It ends.
    End(Ending),
    /// It never starts.
    NeverStarts,
}

/// From one node to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Move {
    /// Happens at the node.
    pub(super) disturbance: Option<Disturbance>,
    /// Pods, by their place in the node's sight, and what they do when the move arrives.
    pub(super) pods: Vec<(usize, PodDoes)>,
    /// When the move arrives.
    pub(super) at: Timestamp,
    /// Whether the watch that is held goes on then, after everything else.
    pub(super) goes_on: bool,
}

/// What a move did.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    /// The calls of the controller, in order.
    pub(super) calls: Vec<CallKind>,
    /// Pods that it made.
    pub(super) pods: u32,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Node<J> {
    pub(super) world: World,
    pub(super) judge: J,
    pub(super) left: Left,
    pub(super) held: Option<Held>,
    /// Whether a watch went on at this time already: a scenario has one step at a time.
    pub(super) acted: bool,
    /// The Job that is not created yet.
    pub(super) job: Option<std::sync::Arc<Value>>,
    /// All patches of the scope.
    pub(super) patches: std::sync::Arc<Vec<Value>>,
}

impl<J: Judge> Node<J> {
    /// Its digest and its pods.
    pub(super) fn sight(&self, scope: &Scope) -> Sight {
        let mut sight = self.world.sight(scope.longest(), &|uid| self.judge.known(uid));
        let held = self.held.map_or(0, |held| 2 + u64::from(held.left) * 2 + u64::from(held.end == WatchAct::Drop));
        let mut mix = jobwright_core::digest::Mix::default();
        mix.add(sight.digest);
        mix.add(self.left.bits() << 16 | held << 2 | u64::from(self.acted) << 1 | u64::from(self.job.is_some()));
        sight.digest = mix.value();
        sight
    }

    /// Makes a move; the node that it leads to.
    ///
    /// # Errors
    /// The judge says that a law is broken.
    pub(super) fn go(&self, pods: &[LivePod], go: &Move) -> Result<(Self, Done), J::Broken> {
        let mut next = self.clone();
        let mut done = Done::default();
        if let Some(disturbance) = go.disturbance {
            next.disturb(disturbance)?;
            if disturbance == Disturbance::Patch {
                // The controller looks at a change of the spec at once, before time goes on.
                next.settle(&mut done)?;
            }
        }
        next.acted = false;
        for (place, does) in &go.pods {
            if let (Some(pod), Some(kubelet)) = (pods.get(*place), next.world.kubelet_mut()) {
                match does {
                    PodDoes::End(ending) => kubelet.end_at(&pod.object, *ending, go.at),
                    PodDoes::NeverStarts => kubelet.never_start(crate::object::uid(&pod.object)),
                }
            }
        }
        next.world.set_time(go.at);
        if let Some(job) = next.job.take() {
            // It was taken once before: a refusal is impossible.
            let _ = next.world.create_job(&job);
            next.judge.began(&next.world);
        }
        next.settle(&mut done)?;
        if let Some(held) = next.held.as_mut().filter(|_| !go.goes_on) {
            held.left = held.left.saturating_sub(1);
        }
        if let Some(held) = next.held.filter(|_| go.goes_on) {
            next.held = None;
            next.act(&Action::Watch(held.end, held.resource))?;
            next.settle(&mut done)?;
            next.acted = next.left != Left::default();
        }
        Ok((next, done))
    }

    fn disturb(&mut self, disturbance: Disturbance) -> Result<(), J::Broken> {
        let action = disturbance.action(self.next_patch());
        let left = match disturbance {
            Disturbance::Crash(_) => &mut self.left.crashes,
            Disturbance::Conflict(..) => &mut self.left.conflicts,
            Disturbance::Hold(held) if held.end == WatchAct::Drop => &mut self.left.lost,
            Disturbance::Hold(_) => &mut self.left.stale,
            Disturbance::Patch => &mut self.left.patches,
        };
        *left = left.saturating_sub(1);
        if let Disturbance::Hold(held) = disturbance {
            self.held = Some(held);
        }
        self.act(&action)
    }

    /// The patch that a person makes next.
    pub(super) fn next_patch(&self) -> &Value {
        let made = self.patches.len().saturating_sub(self.left.patches.into());
        self.patches.get(made).unwrap_or(&Value::Null)
    }

    fn act(&mut self, action: &Action) -> Result<(), J::Broken> {
        self.world.perform(action);
        self.judge.acted(&self.world, action)
    }

    /// Does all that is due now.
    fn settle(&mut self, done: &mut Done) -> Result<(), J::Broken> {
        for _ in 0..TICKS_MAX {
            let tick = self.world.tick();
            if let (Tick::Wrote, Some(call)) = (tick, self.world.last_call()) {
                done.calls.push(call_kind(&call.write.effect));
                let made = matches!((&call.write.effect, &call.answer), (Effect::CreatePod(_), Answer::Done(_)));
                done.pods += u32::from(made);
            }
            self.judge.ticked(&self.world, tick)?;
            if let Tick::Idle(_) = tick {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The next time at which something can happen, and whether some pod has to end then because nothing
    /// else would ever happen; nothing if nothing can.
    pub(super) fn next_time(&self, pods: &[LivePod], scope: &Scope) -> Option<(Timestamp, bool)> {
        let now = self.world.now();
        if self.job.is_some() {
            return Some((now, false));
        }
        let mut next = self.world.next_due();
        let mut ripe = false;
        for since in pods.iter().filter_map(runs_since) {
            for outcome in scope.ends() {
                let due = since + outcome.after;
                if due > now {
                    next = Some(next.map_or(due, |next| next.min(due)));
                } else {
                    ripe = true;
                }
            }
        }
        match next {
            Some(next) => Some((next, false)),
            None if ripe || self.held.is_some() => Some((now + Millis::from_seconds(1), ripe && self.held.is_none())),
            None => None,
        }
    }
}

/// Since when a pod runs whose end nobody has planned.
pub(super) fn runs_since(pod: &LivePod) -> Option<Timestamp> {
    let planned = pod.planned?;
    let running = crate::object::phase(&pod.object) == jobwright_core::PodPhase::Running;
    planned.started.filter(|_| planned.open && running && !crate::object::is_terminating(&pod.object))
}

//! An observer in the simulated API server: keeps its own books of what is stored, and judges the
//! controller by them alone.
//!
//! It compares the stored objects before and after each tick. A change that comes with a call of the
//! controller is the controller's; every other one is a person's, the kubelet's or the garbage
//! collector's. It never reads the core's ledger, its decisions or its records.
//!
//! Invariant: the observer only looks; a world runs the same with and without it.

mod book;
mod counting;
mod creation;
mod policy;
mod release;
mod settled;
mod snapshot;
mod status;
mod view;

use std::fmt;
use std::sync::Arc;

use jobwright_core::{Effect, FailureKind, Millis, Resource};
use jobwright_sim::object;
use jobwright_sim::scenario::{Action, ControllerAct};
use jobwright_sim::world::{Call, Tick, World};
use serde_json::Value;

use book::{Book, Fate, is_tracked};
use creation::{Batch, Unseen};
use snapshot::{Change, Snapshot};
pub use status::{Condition, Status};
use view::View;

/// What was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// No pod counted twice, none lost (INV-1, INV-2).
    Counting,
    /// Never released before persisted (INV-2).
    Persisted,
    /// An invariant of `docs/spec`, by its id.
    Invariant(&'static str),
    /// A restart changes nothing beyond INV-32.
    Restart,
    /// Same seed, same trace.
    SameTrace,
}

/// A law that was broken, when, and how.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{law} broken at {at}: {what}", at = Seconds(*at))]
pub struct Breach {
    /// Which.
    pub law: Law,
    /// When, from the creation of the Job.
    pub at: Millis,
    /// How.
    pub what: String,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counting => f.write_str("the law of counting (INV-1, INV-2)"),
            Self::Persisted => f.write_str("the law of storing first (INV-2)"),
            Self::Invariant(id) => f.write_str(id),
            Self::Restart => f.write_str("the law of restarts (INV-32)"),
            Self::SameTrace => f.write_str("the law of equal traces"),
        }
    }
}

struct Seconds(Millis);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03} s", self.0.0 / 1_000, self.0.0 % 1_000)
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Observer {
    stored: Snapshot,
    view: View,
    book: Book,
    batch: Batch,
    unseen: Vec<Unseen>,
    running: bool,
    at: Millis,
}

impl Observer {
    /// Looks at the world after a tick.
    ///
    /// # Errors
    /// The controller broke a law.
    pub fn ticked(&mut self, world: &World, tick: Tick) -> Result<(), Breach> {
        self.at = world.elapsed();
        self.running = world.has_controller();
        let call = world.last_call().filter(|_| tick == Tick::Wrote);
        if let Some(call) = call {
            self.called(call, world)?;
        }
        self.take_in(world, call.is_some())?;
        if call.is_some_and(|call| call.crashed) {
            self.started();
        }
        Ok(())
    }

    /// Looks at the world after an action.
    ///
    /// # Errors
    /// Never in a sound world: an action is not the controller's.
    pub fn acted(&mut self, world: &World, action: &Action) -> Result<(), Breach> {
        self.at = world.elapsed();
        self.take_in(world, false)?;
        match action {
            Action::Watch(act, resource) => self.view.act(*act, *resource, &self.stored),
            Action::Controller(ControllerAct::Start) if self.running => {}
            Action::Controller(ControllerAct::Start | ControllerAct::Restart) => self.started(),
            _ => {}
        }
        self.running = world.has_controller();
        Ok(())
    }

    /// Looks at the world in which the Job was just created, after the actions that came before it.
    pub fn began<'a>(&mut self, world: &World, actions: impl Iterator<Item = &'a Action>) {
        for action in actions {
            if let Action::Watch(act, resource) = action {
                self.view.act(*act, *resource, &self.stored);
            }
        }
        let changes = self.stored.changes(world.api());
        self.stored.advance(&changes, world.api().version());
    }

    /// A controller starts: it knows nothing, and lists everything.
    fn started(&mut self) {
        self.unseen.clear();
        self.other_call();
        self.view.list(&self.stored);
    }

    /// The status of each stored Job, by UID.
    pub fn statuses(&self) -> impl Iterator<Item = (&str, Status)> {
        self.stored.jobs.iter().map(|(uid, job)| (uid.as_str(), Status::of(job)))
    }

    /// How many stored pods carry the tracking finalizer.
    #[must_use]
    pub fn tracked_pods(&self) -> usize {
        self.stored.pods.values().filter(|pod| is_tracked(pod)).count()
    }

    /// What the books know of a pod beyond its object, as a number; 0 if there is nothing odd.
    #[must_use]
    pub fn oddity(&self, uid: &str) -> u64 {
        self.book.oddity(uid)
    }

    fn broken(&self, law: Law, what: String) -> Breach {
        Breach { law, at: self.at, what }
    }

    /// What the call itself tells.
    fn called(&mut self, call: &Call, world: &World) -> Result<(), Breach> {
        match &call.write.effect {
            Effect::CreatePod(new) => {
                let judged = self.creation(new, world.now());
                judged.map_err(|(id, what)| self.broken(Law::Invariant(id), what))?;
                self.created(call, new, world.now());
                return Ok(());
            }
            Effect::RemoveFinalizer(pod) => {
                let lied = matches!(&call.answer, jobwright_core::Answer::Failed(f) if f.kind == FailureKind::NotFound);
                if lied && call.injected.is_some_and(|(_, applied)| !applied) {
                    *self.book.lies.entry(pod.uid.to_string()).or_default() += 1;
                }
            }
            _ => {}
        }
        self.other_call();
        Ok(())
    }

    fn take_in(&mut self, world: &World, by_controller: bool) -> Result<(), Breach> {
        let changes = self.stored.changes(world.api());
        for change in &changes {
            match change.resource {
                Resource::Jobs => self.job_changed(change, by_controller)?,
                Resource::Pods => self.pod_changed(change, by_controller)?,
            }
        }
        self.stored.advance(&changes, world.api().version());
        self.look();
        Ok(())
    }

    fn job_changed(&mut self, change: &Change, by_controller: bool) -> Result<(), Breach> {
        let (Some(old), Some(new), true) = (&change.old, &change.new, by_controller) else { return Ok(()) };
        let (before, after) = (Status::of(old), Status::of(new));
        self.count(new, &before, &after).map_err(|what| self.broken(Law::Counting, what))?;
        if after.is_finished() && self.active(object::uid(new)) > 0 {
            return Err(self.broken(Law::Invariant("INV-6"), "finished while pods are active".to_owned()));
        }
        status::judge(new, &before, &after).map_err(|(id, what)| self.broken(Law::Invariant(id), what))
    }

    fn pod_changed(&mut self, change: &Change, by_controller: bool) -> Result<(), Breach> {
        let Some(pod) = change.object() else { return Ok(()) };
        self.book.note(pod, change.new.is_none());
        let was_tracked = change.old.as_ref().filter(|old| is_tracked(old));
        let is_free = change.new.as_ref().is_none_or(|new| !is_tracked(new));
        if let (Some(old), true) = (was_tracked, is_free) {
            let fate = if by_controller { self.released(old)? } else { Fate::Taken };
            if let Some(book) = self.book.pods.get_mut(object::uid(old)) {
                book.fate = fate;
            }
        }
        Ok(())
    }

    fn released(&self, pod: &Arc<Value>) -> Result<Fate, Breach> {
        self.release(pod).map_err(|what| self.broken(Law::Persisted, what))
    }
}

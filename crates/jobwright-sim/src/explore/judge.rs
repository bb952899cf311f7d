//! Who judges the controller on the way.
//!
//! Invariant: a judge only looks; a walk is the same with and without one, unless a law is broken.

use std::fmt;

use jobwright_core::{Answer, Effect, FailureKind, Resource};
use serde_json::Value;

use crate::object;
use crate::scenario::Action;
use crate::world::{Tick, World};

/// Looks at a world after everything that happens.
pub trait Judge: Clone {
    /// A law that is broken.
    type Broken: fmt::Display;

    /// Looks after a tick.
    ///
    /// # Errors
    /// A law is broken.
    fn ticked(&mut self, world: &World, tick: Tick) -> Result<(), Self::Broken>;

    /// Looks after something went wrong, or right again.
    ///
    /// # Errors
    /// A law is broken.
    fn acted(&mut self, world: &World, action: &Action) -> Result<(), Self::Broken>;

    /// Looks at the world in which the Job was just created.
    fn began(&mut self, world: &World) {
        let _ = world;
    }

    /// Looks at an end.
    ///
    /// # Errors
    /// A law is broken.
    fn ended(&self, world: &World) -> Result<(), Self::Broken>;

    /// One number for what is known of a pod beyond what its object and the controller show; 0 if nothing
    /// is. Worlds that differ in it are different states.
    fn known(&self, uid: &str) -> u64 {
        let _ = uid;
        0
    }
}

/// A law of `docs/spec` that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its id.
    pub law: &'static str,
    /// How.
    pub what: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.law, self.what)
    }
}

/// The judge of the command line: laws that need no memory beyond the last status.
#[derive(Clone, Debug, Default)]
pub struct Watchdog {
    succeeded: i64,
    failed: i64,
    decided: bool,
}

impl Watchdog {
    fn judge(&mut self, status: &Value) -> Result<(), Broken> {
        let count = |field| object::integer(status, &[field]).unwrap_or(0);
        let (succeeded, failed) = (count("succeeded"), count("failed"));
        if succeeded < self.succeeded || failed < self.failed {
            return Err(broken("INV-3", "a counter went down"));
        }
        if count("ready") > count("active") {
            return Err(broken("INV-4", "more pods are ready than active"));
        }
        let is = |kind: &str| object::has_condition(status, kind);
        let ended = is("Complete") || is("Failed");
        if ended && count("active") + count("terminating") > 0 {
            return Err(broken("INV-6", "finished with pods that are active or terminating"));
        }
        if is("Complete") && is("Failed") {
            return Err(broken("INV-7", "Complete and Failed at once"));
        }
        (self.succeeded, self.failed) = (succeeded, failed);
        self.decided = ended || is("FailureTarget") || is("SuccessCriteriaMet");
        Ok(())
    }
}

fn broken(law: &'static str, what: impl Into<String>) -> Broken {
    Broken { law, what: what.into() }
}

impl Judge for Watchdog {
    type Broken = Broken;

    fn ticked(&mut self, world: &World, tick: Tick) -> Result<(), Broken> {
        let Some(call) = world.last_call().filter(|_| tick == Tick::Wrote) else { return Ok(()) };
        match (&call.write.effect, &call.answer) {
            (Effect::CreatePod(_), _) if self.decided => {
                Err(broken("INV-10", "a pod is made after the end was decided"))
            }
            (Effect::UpdateStatus { .. }, Answer::Failed(failure)) if failure.kind == FailureKind::Invalid => {
                Err(broken("INV-22", failure.message.to_string()))
            }
            (Effect::UpdateStatus { .. }, Answer::Done(_)) => {
                match world.job().as_ref().and_then(|j| j.get("status")) {
                    Some(status) => self.judge(status),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn acted(&mut self, _: &World, _: &Action) -> Result<(), Broken> {
        Ok(())
    }

    fn ended(&self, world: &World) -> Result<(), Broken> {
        let tracked = |pod: &&std::sync::Arc<Value>| {
            object::phase(pod).is_terminal()
                && object::finalizers(pod).contains(&jobwright_api::names::TRACKING_FINALIZER)
        };
        match world.api().list(Resource::Pods).find(tracked) {
            Some(_) => Err(broken("INV-30", "a pod has ended and keeps its finalizer")),
            None => Ok(()),
        }
    }
}

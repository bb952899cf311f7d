//! The judge of the model checker: the observer, and laws that need no memory.
//!
//! What the observer knows of a pod beyond its object is part of a state ([`Judge::known`]). The rest of
//! its books follows from the world.
//!
//! Invariant: every law is judged by stored objects alone, never by the controller's records.

use jobwright_core::{Answer, Effect, FailureKind, Millis, NewPod, Resource, Timestamp};
use jobwright_sim::explore::Judge;
use jobwright_sim::object;
use jobwright_sim::scenario::Action;
use jobwright_sim::world::{Tick, World};
use serde_json::Value;

use crate::observer::{Breach, Law, Observer, Status};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    observer: Observer,
    disturbed: bool,
}

impl Judge for Checker {
    type Broken = Breach;

    fn ticked(&mut self, world: &World, tick: Tick) -> Result<(), Breach> {
        if let Some(call) = world.last_call().filter(|_| tick == Tick::Wrote) {
            match (&call.write.effect, &call.answer) {
                (Effect::CreatePod(new), _) => {
                    if !self.disturbed {
                        waits_for_backoff(world)?;
                    }
                    index_may_go_on(world, new)?;
                }
                (Effect::UpdateStatus { .. }, Answer::Failed(failure)) if failure.kind == FailureKind::Invalid => {
                    return breach(world, "INV-22", failure.message.to_string());
                }
                _ => {}
            }
        }
        self.observer.ticked(world, tick)
    }

    fn acted(&mut self, world: &World, action: &Action) -> Result<(), Breach> {
        self.disturbed = true;
        self.observer.acted(world, action)
    }

    fn began(&mut self, world: &World) {
        self.observer.began(world, std::iter::empty());
    }

    fn ended(&self, world: &World) -> Result<(), Breach> {
        self.observer.settled()?;
        match world.job() {
            Some(job) => reason_holds(world, &job),
            None => Ok(()),
        }
    }

    fn known(&self, uid: &str) -> u64 {
        self.observer.oddity(uid)
    }
}

fn breach(world: &World, id: &'static str, what: String) -> Result<(), Breach> {
    Err(Breach { law: Law::Invariant(id), at: world.elapsed(), what })
}

/// INV-16 as far as it needs no memory: the shortest delay after a failure that no success followed.
/// Restarts of the controller forget delays (INV-32), so this holds only where nothing went wrong.
fn waits_for_backoff(world: &World) -> Result<(), Breach> {
    let per_index = world.job().is_some_and(|job| object::at(&job, &["spec", "backoffLimitPerIndex"]).is_some());
    let ends = |phase: &str| {
        let pods = world.api().list(Resource::Pods).filter(move |pod| object::text(pod, &["status", "phase"]) == phase);
        pods.filter_map(|pod| finished(pod)).max()
    };
    let Some(failed) = ends("Failed").filter(|failed| ends("Succeeded").is_none_or(|success| *failed > success)) else {
        return Ok(());
    };
    if !per_index && world.now() - failed < Millis::from_seconds(10) {
        return breach(world, "INV-16", "a pod is made within 10 s after a failure".to_owned());
    }
    Ok(())
}

/// When the first container of a pod ended that nobody deleted.
fn finished(pod: &Value) -> Option<Timestamp> {
    let first = object::list(pod, &["status", "containerStatuses"]).first().filter(|_| !object::is_terminating(pod))?;
    jobwright_api::time::parse(object::text(first, &["state", "terminated", "finishedAt"]))
}

/// The counters say what the reason of the end says (OUT-4, OUT-7, OUT-9).
fn reason_holds(world: &World, job: &Value) -> Result<(), Breach> {
    let status = Status::of(job);
    let spec = |field: &str| object::integer(job, &["spec", field]);
    let size = |set: &std::collections::BTreeSet<i64>| i64::try_from(set.len()).unwrap_or(i64::MAX);
    let Some(end) = status.conditions.iter().find(|c| c.holds && ["Complete", "Failed"].contains(&c.kind.as_str()))
    else {
        return Ok(());
    };
    let restarts = object::text(job, &["spec", "template", "spec", "restartPolicy"]) == "OnFailure";
    let holds = match end.reason.as_str() {
        "BackoffLimitExceeded" => restarts || status.failed > spec("backoffLimit").unwrap_or(6),
        "CompletionsReached" => spec("completions").is_none_or(|completions| status.succeeded >= completions),
        "FailedIndexes" => {
            let decided = size(&status.failed_indexes) + status.succeeded;
            size(&status.failed_indexes) > 0 && spec("completions").is_some_and(|completions| decided >= completions)
        }
        _ => true,
    };
    if !holds {
        return breach(world, "OUT", format!("{} does not follow from the counters", end.reason));
    }
    Ok(())
}

/// INV-17: an index gets no further pod once it has failed more often than it may.
fn index_may_go_on(world: &World, new: &NewPod) -> Result<(), Breach> {
    let limit = world.job().and_then(|job| object::integer(&job, &["spec", "backoffLimitPerIndex"]));
    let (Some(limit), Some(index)) = (limit, new.index) else { return Ok(()) };
    let pods = world.api().list(Resource::Pods).filter(|pod| object::completion_index(pod) == Some(index.0));
    let failed = pods.filter(|pod| object::text(pod, &["status", "phase"]) == "Failed").count();
    if i64::try_from(failed).is_ok_and(|failed| failed > limit) {
        return breach(world, "INV-17", format!("index {} gets a pod after {failed} failures", index.0));
    }
    Ok(())
}

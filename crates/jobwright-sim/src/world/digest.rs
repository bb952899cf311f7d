//! A world as one number, so that states that were reached before are known again.
//!
//! Two worlds with the same digest behave the same from here on, up to the names and UIDs of pods. Pods
//! have a colour each: all that is known of one, without its name. They go in as a bag, so pods that
//! differ in nothing are interchangeable.
//!
//! Left out: what has no influence any more (pods that ended, were counted and released; past events and
//! calls), times of day, messages, and the age of a pod beyond the last age that the caller asks for.

use std::sync::Arc;

use jobwright_api::names::{INDEX_FAILURE_COUNT, INDEX_IGNORED_FAILURE_COUNT, TRACKING_FINALIZER};
use jobwright_core::digest::Mix;
use jobwright_core::ordered::sort_by;
use jobwright_core::{Millis, Resource, ResourceVersion, Timestamp, Uid};
use serde_json::Value;

use super::World;
use crate::kubelet::PlannedPod;
use crate::object;

/// The colour of a pod that ended, was counted and released.
const SPENT: u64 = 1;

/// A pod that can still do something, or that the controller still has to do something about.
#[derive(Clone, Debug)]
pub(crate) struct LivePod {
    /// Equal for pods that are interchangeable.
    pub(crate) colour: u64,
    pub(crate) object: Arc<Value>,
    pub(crate) planned: Option<PlannedPod>,
}

/// A world in short.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    pub(crate) digest: u64,
    /// By colour.
    pub(crate) pods: Vec<LivePod>,
}

/// What a UID stands for.
struct Name {
    uid: Uid,
    colour: u64,
    version: ResourceVersion,
}

impl World {
    /// The digest, and the pods that matter. Ages of pods that run count up to `age_max`. `known` gives
    /// a number for all that the caller knows of a pod besides.
    pub(crate) fn sight(&self, age_max: Millis, known: &dyn Fn(&str) -> u64) -> Sight {
        let job = self.job();
        let (mut pods, mut names) = (Vec::new(), Vec::new());
        for pod in self.api.list(Resource::Pods) {
            let uid = object::uid(pod);
            let planned = self.kubelet.as_ref().and_then(|kubelet| kubelet.planned(uid));
            let mut colour = self.colour(pod, job.as_deref(), planned, age_max);
            match known(uid) {
                0 => {}
                more => colour = colour.rotate_left(7) ^ more,
            }
            names.push(Name { uid: Uid::new(uid), colour, version: ResourceVersion(object::version(pod)) });
            if colour != SPENT {
                pods.push(LivePod { colour, object: Arc::clone(pod), planned });
            }
        }
        if let Some(job) = &job {
            let (uid, version) = (Uid::new(object::uid(job)), ResourceVersion(object::version(job)));
            names.push(Name { uid, colour: 0, version });
        }
        sort_by(&mut pods, |a, b| a.colour.cmp(&b.colour));
        let naming = |uid: &Uid| {
            let found = names.iter().find(|name| name.uid == *uid);
            found.map_or((0, ResourceVersion(0)), |name| (name.colour, name.version))
        };
        let mut mix = Mix::default();
        mix.add(pods.iter().fold(0, |sum: u64, pod| sum.wrapping_add(pod.colour.wrapping_mul(pod.colour | 1))));
        mix.add(job.as_deref().map_or(0, |job| of_job(job, self.now)));
        mix.add(self.controller.as_ref().map_or(0, |controller| controller.digest(self.now, &naming)));
        self.surroundings(&naming, &mut mix);
        Sight { digest: mix.value(), pods }
    }

    fn surroundings(&self, naming: &dyn Fn(&Uid) -> (u64, ResourceVersion), mix: &mut Mix) {
        mix.add(self.now.0.rem_euclid(1_000).cast_unsigned());
        for due in [self.wake.as_ref().map(|wake| wake.at), self.collector.due(), self.pod_collector.due()] {
            mix.since(due.map(|at| at - self.now));
        }
        mix.add(self.crash_after.map_or(0, u64::from));
        mix.add(self.faults.digest());
        self.watches.digest(&mut |change| naming(&Uid::new(object::uid(&change.object))).0, mix);
    }

    fn colour(&self, pod: &Value, job: Option<&Value>, planned: Option<PlannedPod>, age_max: Millis) -> u64 {
        let tracked = object::finalizers(pod).contains(&TRACKING_FINALIZER);
        let (phase, deleting) = (object::phase(pod), object::is_terminating(pod));
        if phase.is_terminal() && !tracked && !deleting {
            return SPENT;
        }
        let mut mix = Mix::default();
        mix.add(u64::from(tracked) | u64::from(deleting) << 1);
        mix.add(object::completion_index(pod).map_or(0, |index| u64::from(index) + 1));
        for annotation in [INDEX_FAILURE_COUNT, INDEX_IGNORED_FAILURE_COUNT] {
            mix.text(object::text(pod, &["metadata", "annotations", annotation]));
        }
        mix.text(object::text(pod, &["spec", "nodeName"]));
        if let Some(status) = pod.get("status") {
            of_value(status, &mut mix);
        }
        let uid = object::uid(pod);
        for list in ["succeeded", "failed"] {
            let waits = |job| object::list(job, &["status", "uncountedTerminatedPods", list]);
            mix.add(u64::from(job.is_some_and(|job| waits(job).iter().any(|waiting| waiting.as_str() == Some(uid)))));
        }
        if let Some(planned) = planned {
            of_plan(planned, self.now, age_max, &mut mix);
        }
        if phase.is_terminal() {
            mix.since(ended(pod).map(|at| self.now - at));
        }
        mix.value()
    }
}

fn of_plan(planned: PlannedPod, now: Timestamp, age_max: Millis, mix: &mut Mix) {
    mix.add(u64::from(planned.open));
    mix.since(planned.started.map(|since| (now - since).min(age_max)));
    mix.add(u64::from(planned.restarts));
    for task in [planned.next, planned.last] {
        mix.since(task.map(|(at, _)| at - now));
        mix.add(task.map_or(0, |(_, act)| act.number()));
    }
}

/// When the first container ended.
fn ended(pod: &Value) -> Option<Timestamp> {
    let first = object::list(pod, &["status", "containerStatuses"]).first()?;
    jobwright_api::time::parse(object::text(first, &["state", "terminated", "finishedAt"]))
}

/// The stored status; the age of the Job only where a deadline runs.
fn of_job(job: &Value, now: Timestamp) -> u64 {
    let mut mix = Mix::default();
    mix.add(u64::from(object::is_terminating(job)));
    mix.add(object::finalizers(job).len() as u64);
    if let Some(status) = job.get("status") {
        of_value(status, &mut mix);
    }
    if object::at(job, &["spec", "activeDeadlineSeconds"]).is_some() {
        let start = jobwright_api::time::parse(object::text(job, &["status", "startTime"]));
        mix.since(start.map(|start| now - start));
    }
    mix.value()
}

/// Everything but times of day, UIDs and messages; those only as "there is one".
fn of_value(value: &Value, mix: &mut Mix) {
    match value {
        Value::Null => mix.add(1),
        Value::Bool(flag) => mix.add(2 + u64::from(*flag)),
        Value::Number(number) => mix.add(number.as_i64().unwrap_or(0).cast_unsigned()),
        Value::String(text) => mix.text(text),
        Value::Array(items) => {
            items.iter().for_each(|item| of_value(item, mix));
            mix.add(items.len() as u64);
        }
        Value::Object(members) => {
            for (name, member) in members {
                mix.text(name);
                let unlike = ["Time", "At", "message", "TerminatedPods"];
                if !unlike.iter().any(|end| name.ends_with(end)) {
                    of_value(member, mix);
                }
            }
        }
    }
}

//! What holds when the controller makes a pod (INV-10, INV-13 to INV-15, INV-18, INV-23).
//!
//! Judged when the call arrives, whatever becomes of it, by the pods that the controller can have seen.

use jobwright_core::{Answer, Millis, NewPod, PodPhase, Reply, Resource, Timestamp};
use jobwright_sim::object;
use jobwright_sim::world::Call;
use serde_json::Value;

use super::Observer;
use super::book::{is_active, is_tracked};
use super::status::Status;

/// Most pods that one sync makes (CST-5).
const PODS_PER_SYNC_MAX: i64 = 500;

/// After this long nobody waits for a creation any more (CST-6).
const EXPECTED_FOR: Millis = Millis::from_seconds(300);

/// A creation that was answered, and that the watch has not shown.
#[derive(Clone, Debug)]
pub(super) struct Unseen {
    job: String,
    pod: String,
    at: Timestamp,
}

/// The creations of one sync.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    at: Option<Timestamp>,
    /// Active pods before it.
    active: i64,
    wanted: i64,
    calls: i64,
    indexes: Vec<i64>,
}

impl Observer {
    /// Judges the creation of a pod, before its effect is noted.
    pub(super) fn creation(&mut self, new: &NewPod, now: Timestamp) -> Result<(), (&'static str, String)> {
        let uid = new.job_uid.to_string();
        let Some(stored) = self.stored.jobs.get(&uid) else { return Ok(()) };
        let status = Status::of(stored);
        let Some(job) = self.view.of(Resource::Jobs, &self.stored).get(&uid).cloned() else {
            return Err(("INV-13", "a pod of a Job that was never seen".to_owned()));
        };
        if self.batch.at != Some(now) {
            let open = |unseen: &Unseen| unseen.job == uid && now - unseen.at <= EXPECTED_FOR;
            if self.unseen.iter().any(open) {
                return Err(("INV-13", "a pod is made while an earlier one was not seen".to_owned()));
            }
            let (active, wanted) = (self.active(&uid), self.wanted(&job, &status));
            self.batch = Batch { at: Some(now), active, wanted, ..Batch::default() };
        }
        self.batch.calls += 1;
        let check = |id, holds: bool, what: &str| if holds { Ok(()) } else { Err((id, what.to_owned())) };
        check("INV-10", !status.is_decided(), "a pod is made after the end was decided")?;
        let suspended = object::at(&job, &["spec", "suspend"]).and_then(Value::as_bool) == Some(true);
        check("INV-13", !suspended, "a pod is made while the Job is suspended")?;
        check("INV-13", !object::is_terminating(&job), "a pod is made while the Job is being deleted")?;
        let missing = self.batch.wanted - self.batch.active;
        let within = self.batch.calls <= missing.min(PODS_PER_SYNC_MAX);
        check("INV-13", within, "more pods are made than are missing")?;
        let parallelism = object::integer(&job, &["spec", "parallelism"]).unwrap_or(1);
        let fits = self.batch.active + self.batch.calls <= parallelism;
        check("INV-14", fits, "more pods than `parallelism` are active after a creation")?;
        let queue = object::integer(&job, &["spec", "completions"]).is_none();
        let dry = self.succeeded(&uid, &status) == 0;
        check("INV-15", !queue || dry, "a pod of a work queue is made after a success")?;
        if let Some(index) = new.index {
            self.index(&uid, i64::from(index.0), &status)?;
        }
        Ok(())
    }

    /// INV-18, INV-23: the index is the lowest one that nothing runs for.
    fn index(&mut self, job: &str, index: i64, status: &Status) -> Result<(), (&'static str, String)> {
        let mut taken: Vec<i64> = self.batch.indexes.clone();
        for pod in self.seen_pods(job) {
            let busy = is_active(pod) || (object::phase(pod) == PodPhase::Succeeded && is_tracked(pod));
            taken.extend(object::completion_index(pod).filter(|_| busy).map(i64::from));
        }
        taken.extend(&status.indexes);
        if taken.contains(&index) {
            return Err(("INV-23", format!("index {index} gets a second pod")));
        }
        // With a limit per index, one that waits keeps its slot, and one that failed for good has none.
        let limit = self.stored.jobs.get(job).and_then(|job| object::integer(job, &["spec", "backoffLimitPerIndex"]));
        if let Some(limit) = limit {
            let given_up = |pod: &Value| object::phase(pod) == PodPhase::Failed && failures_before(pod) >= limit;
            taken.extend(&status.failed_indexes);
            let failed =
                self.seen_pods(job).filter(|pod| given_up(pod)).filter_map(|pod| object::completion_index(pod));
            taken.extend(failed.map(i64::from));
            let pending = (0..index).filter(|lower| !taken.contains(lower));
            let lower = i64::try_from(pending.count()).unwrap_or(i64::MAX);
            let given = i64::try_from(self.batch.indexes.len()).unwrap_or(i64::MAX);
            if lower + given >= self.batch.wanted - self.batch.active {
                return Err(("INV-18", format!("index {index} takes the slot of a lower one")));
            }
        } else if let Some(lower) = (0..index).find(|lower| !taken.contains(lower)) {
            return Err(("INV-18", format!("index {index} is given out before {lower}")));
        }
        self.batch.indexes.push(index);
        Ok(())
    }

    /// A creation was answered: its pod is awaited until the watch shows it.
    pub(super) fn created(&mut self, call: &Call, new: &NewPod, now: Timestamp) {
        if let Answer::Done(written) = &call.answer
            && let Reply::Pod(_, pod) = &written.reply
        {
            self.unseen.push(Unseen { job: new.job_uid.to_string(), pod: pod.to_string(), at: now });
        }
    }

    /// Forgets the creations that the watch has shown.
    pub(super) fn look(&mut self) {
        if self.view.is_held(Resource::Pods) {
            let seen = self.view.of(Resource::Pods, &self.stored);
            self.unseen.retain(|unseen| !seen.contains_key(&unseen.pod));
        } else {
            // Everything was shown, the pods too that came and went in between.
            self.unseen.clear();
        }
    }

    /// Another call of the controller ends the creations of a sync.
    pub(super) fn other_call(&mut self) {
        self.batch = Batch::default();
    }
}

/// Counted failures of a pod's index before it (IDX-18).
fn failures_before(pod: &Value) -> i64 {
    let text = object::text(pod, &["metadata", "annotations", jobwright_api::names::INDEX_FAILURE_COUNT]);
    text.parse().unwrap_or(0)
}

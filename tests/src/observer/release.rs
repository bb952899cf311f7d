//! Never released before persisted (INV-2): when the controller takes the tracking finalizer off, the
//! stored status already holds the pod's UID or its index.
//!
//! The exceptions are those of INV-2 that this version can show, judged by what the controller can have
//! seen: no valid index; a failure that is ignored; the Job is being deleted, or its success is decided, and the pod has not ended;
//! surplus pods and pods of a suspended Job (DEL-7); pods without a living, unfinished Job (ORP-4).

use std::sync::Arc;

use jobwright_core::{PodPhase, Resource};
use jobwright_sim::object;
use serde_json::Value;

use super::Observer;
use super::book::{Fate, is_active, is_tracked};
use super::policy::is_ignored;
use super::status::Status;

impl Observer {
    /// How the finalizer went that the controller just took off `pod`, or why it must not have.
    pub(super) fn release(&self, pod: &Arc<Value>) -> Result<Fate, String> {
        let uid = object::uid(pod);
        let owner = object::controller_uid(pod);
        let seen = self.view.of(Resource::Pods, &self.stored).get(uid).unwrap_or(pod);
        if let Some(job) = self.stored.jobs.get(owner) {
            if self.is_stored(job, pod) {
                return Ok(Fate::Stored);
            }
            if self.lacks_valid_index(job, pod) {
                return Ok(Fate::Excused);
            }
        }
        let living = self.view.of(Resource::Jobs, &self.stored).get(owner).filter(|job| !Status::of(job).is_finished());
        let Some(job) = living else { return Ok(Fate::Excused) };
        let phase = object::phase(seen);
        if phase == PodPhase::Failed && is_ignored(job, seen) {
            return Ok(Fate::Excused);
        }
        if phase.is_terminal() {
            return Err(format!("pod {uid} ended ({phase:?}) and was released before the status held it"));
        }
        let stored = self.stored.jobs.get(owner).map(|job| Status::of(job)).unwrap_or_default();
        if object::is_terminating(job) || stored.is("SuccessCriteriaMet") {
            return Ok(Fate::Excused);
        }
        if is_active(seen) && self.is_unwanted(job, &stored) {
            return Ok(Fate::Excused);
        }
        Err(format!("pod {uid} ({phase:?}) was released, and nothing asked for it"))
    }

    /// Whether the stored status accounts for the pod.
    fn is_stored(&self, job: &Value, pod: &Value) -> bool {
        let status = Status::of(job);
        let index = object::completion_index(pod).map(i64::from);
        let complete = index.is_some_and(|index| status.indexes.contains(&index));
        let uid = object::uid(pod);
        status.waits(uid)
            || (complete && object::phase(pod) == PodPhase::Succeeded)
            || (self.book.counted.contains(uid) && self.book.was_lied_about(uid))
    }

    fn lacks_valid_index(&self, job: &Value, pod: &Value) -> bool {
        let completions = object::integer(job, &["spec", "completions"]).unwrap_or(0);
        object::text(job, &["spec", "completionMode"]) == "Indexed"
            && object::completion_index(pod).is_none_or(|index| i64::from(index) >= completions)
    }

    /// Whether an active pod of this Job may be deleted for the count (DEL-1).
    fn is_unwanted(&self, job: &Value, stored: &Status) -> bool {
        let suspended = object::at(job, &["spec", "suspend"]).and_then(Value::as_bool) == Some(true);
        suspended || self.active(object::uid(job)) > self.wanted(job, stored) || self.has_twins(object::uid(job))
    }

    /// Active pods of a Job, as the controller has seen them.
    pub(super) fn active(&self, job: &str) -> i64 {
        let pods = self.seen_pods(job).filter(|pod| is_active(pod)).count();
        i64::try_from(pods).unwrap_or(i64::MAX)
    }

    /// Pods of a Job, as the controller has seen them.
    pub(super) fn seen_pods<'a>(&'a self, job: &'a str) -> impl Iterator<Item = &'a Arc<Value>> {
        let pods = self.view.of(Resource::Pods, &self.stored).values();
        pods.filter(move |pod| object::controller_uid(pod) == job)
    }

    /// How many pods may be active (CRE-2): by the spec that was seen, and all successes that are stored or seen.
    pub(super) fn wanted(&self, job: &Value, stored: &Status) -> i64 {
        let parallelism = object::integer(job, &["spec", "parallelism"]).unwrap_or(1);
        let succeeded = self.succeeded(object::uid(job), stored);
        match object::integer(job, &["spec", "completions"]) {
            None if succeeded > 0 => self.active(object::uid(job)),
            None => parallelism,
            Some(completions) => parallelism.min(completions - succeeded).max(0),
        }
    }

    /// Successes that are stored, or seen and not stored yet.
    pub(super) fn succeeded(&self, job: &str, stored: &Status) -> i64 {
        let ended = self.seen_pods(job).filter(|pod| object::phase(pod) == PodPhase::Succeeded && is_tracked(pod));
        let total = if self.is_indexed(job) {
            let mut indexes = stored.indexes.clone();
            indexes.extend(ended.filter_map(|pod| object::completion_index(pod)).map(i64::from));
            indexes.len()
        } else {
            let new =
                |uid: &&str| !stored.waits(uid) && (!self.book.counted.contains(*uid) || self.book.was_lied_about(uid));
            let counted = usize::try_from(stored.succeeded).unwrap_or(0);
            counted + stored.waiting_succeeded.len() + ended.map(|pod| object::uid(pod)).filter(new).count()
        };
        i64::try_from(total).unwrap_or(i64::MAX)
    }

    /// Whether a stored Job is Indexed.
    pub(super) fn is_indexed(&self, job: &str) -> bool {
        let job = self.stored.jobs.get(job);
        job.is_some_and(|job| object::text(job, &["spec", "completionMode"]) == "Indexed")
    }

    /// Whether two active pods have one index (IDX-27).
    fn has_twins(&self, job: &str) -> bool {
        let mut indexes: Vec<u32> =
            self.seen_pods(job).filter(|pod| is_active(pod)).filter_map(|pod| object::completion_index(pod)).collect();
        let all = indexes.len();
        indexes.sort_unstable();
        indexes.dedup();
        indexes.len() < all
    }
}

//! Watch events of Jobs (EVQ-40 to EVQ-45).
//!
//! Invariant: a change of the spec is looked at at once, anything else within the batch period; a
//! finished Job only has the finalizers of its pods looked after.

use alloc::sync::Arc;

use super::{Controller, Tuning};
use crate::decide::Decision;
use crate::decide::pods::PodPlan;
use crate::ids::{JobKey, Uid};
use crate::job::JobView;
use crate::metric::Metric;
use crate::output::{Output, WakeReason};
use crate::record::{Subject, Trace, Trigger};
use crate::time::{Millis, Timestamp};

impl<T: Trace> Controller<T> {
    pub(super) fn job_seen(&mut self, job: JobView, now: Timestamp) {
        self.relists.saw_job(&job.key, &job.uid);
        let job = Arc::new(job);
        let known = self.cache.job(&job.key).cloned();
        // Another UID under the same name: the old Job went without an event of its own.
        let old = match known {
            Some(old) if old.uid != job.uid => {
                self.job_gone(&old.key, &old.uid);
                None
            }
            other => other,
        };
        self.cache.put_job(job.clone());
        self.look_at_time_to_live(&job);
        match old {
            None => {
                self.enqueue(&job.key, || Trigger::JobAdded);
                self.count_external(&job);
            }
            Some(_) if job.status.is_finished() => self.orphans.add_selector(&job),
            Some(old) => self.job_changed(&old, &job, now),
        }
    }

    /// MET-8.
    fn count_external(&mut self, job: &JobView) {
        if let Some(controller) = job.spec.managed_by.clone().filter(|_| self.config.is_external(job)) {
            self.outbox.push_back(Output::Metric(Metric::ExternalJob { controller }));
        }
    }

    /// EVQ-42, EVQ-43.
    fn job_changed(&mut self, old: &JobView, job: &JobView, now: Timestamp) {
        if old.generation == job.generation {
            self.gather(&job.key, now, || Trigger::JobChanged);
        } else {
            self.enqueue(&job.key, || Trigger::JobSpecChanged);
        }
        let deadline = job
            .spec
            .active_deadline_seconds
            .filter(|_| old.spec.active_deadline_seconds != job.spec.active_deadline_seconds);
        if let (Some(seconds), Some(start)) = (deadline, job.status.start_time) {
            let remaining = Millis::from_seconds(seconds) - (now - start);
            self.queue.add_after(&job.key, remaining, WakeReason::ActiveDeadline, now);
        }
    }

    /// EVQ-44.
    pub(super) fn job_gone(&mut self, key: &JobKey, uid: &Uid) {
        let Some(job) = self.cache.remove_job(key, uid) else { return };
        self.trace.queued(&Subject::Job(key.clone()), || Trigger::JobGone);
        self.queue.add(key);
        self.orphans.add_selector(&job);
        if let Some(entry) = self.entries.get_mut(key) {
            entry.memory.intents.forget_expected();
            entry.memory.backoff = crate::backoff::BackoffRecord::default();
            entry.memory.writes.forget();
            if entry.memory.believed_finished.as_ref() == Some(uid) {
                entry.memory.believed_finished = None;
            }
        }
    }

    /// Adds a Job's key at once.
    fn enqueue(&mut self, key: &JobKey, trigger: impl FnOnce() -> Trigger) {
        self.trace.queued(&Subject::Job(key.clone()), trigger);
        self.queue.add(key);
    }

    /// Adds a Job's key when changes have been gathered (EVQ-2).
    pub(super) fn gather(&mut self, key: &JobKey, now: Timestamp, trigger: impl FnOnce() -> Trigger) {
        self.trace.queued(&Subject::Job(key.clone()), trigger);
        let Tuning { batch_period, first_change, .. } = self.config.tuning;
        let delay = first_change.map_or(batch_period, |first| {
            let last = self.entries.get(key).and_then(|entry| entry.memory.last_sync);
            last.map_or(first, |last| first.max(batch_period - (now - last)))
        });
        self.queue.add_after(key, delay, WakeReason::Batch, now);
    }

    /// The waits that a decision itself asks for (SYNC-25, CRE-6).
    pub(super) fn wake_later(&mut self, job: &JobView, decision: &Decision, now: Timestamp) {
        if let Some(delay) = decision.deadline_in {
            self.queue.add_after(&job.key, delay, WakeReason::ActiveDeadline, now);
        }
        if let PodPlan::Wait(delay) = decision.plan {
            // Never shorter than the batch period (EVQ-2, EVQ-5).
            self.queue.add_after(&job.key, delay.max(self.config.tuning.batch_period), WakeReason::PodBackoff, now);
        }
    }
}

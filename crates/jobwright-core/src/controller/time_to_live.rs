//! Deletion of finished Jobs whose time is over (section 17).
//!
//! Invariant: a Job is deleted only after a live read has shown it finished, expired and of the same UID
//! as the one that is deleted (TTL-5, INV-21).

use alloc::vec;
use alloc::vec::Vec;

use super::Controller;
use crate::decide::Trail;
use crate::ids::{JobKey, Text, WriteId};
use crate::input::{Answer, FailureKind, Reply};
use crate::job::JobView;
use crate::metric::Metric;
use crate::ordered::OrderedMap;
use crate::output::{Effect, Output, WakeReason};
use crate::queue::WorkQueue;
use crate::record::FactName as F;
use crate::record::FactValue::{Length, Time};
use crate::record::{Subject, Trace};
use crate::rule::Rule;
use crate::status::ConditionType;
use crate::sync::desk::{Memory, Sender};
use crate::time::{Millis, Timestamp};

/// First and longest delay after a failed try (TTL-8).
const RETRY: (Millis, Millis) = (Millis(5), Millis::from_seconds(1_000));

/// The queue, and what is under way.
#[derive(Clone, Debug)]
pub(super) struct TimeToLive {
    pub(super) queue: WorkQueue<JobKey>,
    /// When the Jobs expired whose deletion is sent and not answered.
    expired: OrderedMap<JobKey, Timestamp>,
}

impl Default for TimeToLive {
    fn default() -> Self {
        Self { queue: WorkQueue::with_retry(RETRY.0, RETRY.1).with_overall_limit(), expired: OrderedMap::new() }
    }
}

/// When a finished Job expires; `None` if it is not concerned (TTL-1, TTL-3).
fn expiry(job: &JobView) -> Option<Timestamp> {
    let seconds = job.spec.ttl_seconds_after_finished.filter(|_| job.deletion_timestamp.is_none())?;
    let terminal = |c: &&crate::status::Condition| matches!(c.kind, ConditionType::Complete | ConditionType::Failed);
    let end = job.status.conditions.iter().filter(terminal).find(|c| c.is_true())?;
    Some(end.last_transition_time? + Millis::from_seconds(seconds.into()))
}

impl<T: Trace> Controller<T> {
    /// A Job was seen (TTL-2).
    pub(super) fn look_at_time_to_live(&mut self, job: &JobView) {
        if self.config.time_to_live && expiry(job).is_some() {
            self.time_to_live.queue.add(&job.key);
        }
    }

    /// Starts the next piece of work; false if there is none.
    pub(super) fn start_time_to_live(&mut self, now: Timestamp) -> bool {
        let Some(key) = self.time_to_live.queue.take() else { return false };
        let Some(job) = self.cache.job(&key).cloned() else {
            self.end_time_to_live(&key, None, now);
            return true;
        };
        self.judge(&job, Rule::TimeToLiveCheck, Effect::GetJob(key), now);
        true
    }

    /// TTL-3, TTL-4: waits, or sends the call if the Job has expired.
    fn judge(&mut self, job: &JobView, rule: Rule, effect: Effect, now: Timestamp) {
        let subject = Subject::TimeToLive(job.key.clone());
        let Some(expiry) = expiry(job) else { return self.end_time_to_live(&job.key, None, now) };
        if rule == Rule::TimeToLiveCheck {
            self.trace.begins(&subject, Some(&job.uid), now);
        }
        let remaining = expiry - now;
        let facts = || vec![(F::Expiry, Time(expiry)), (F::Remaining, Length(remaining))];
        let mut trail = Trail { trace: &mut self.trace, subject: &subject };
        let runs = if rule == Rule::TimeToLiveCheck { Rule::TimeToLiveRuns } else { Rule::TimeToLiveExtended };
        if trail.tried(runs, remaining > Millis::ZERO, facts) {
            self.time_to_live.queue.add_after(&job.key, remaining, WakeReason::TimeToLive, now);
            return self.end_time_to_live(&job.key, None, now);
        }
        trail.tried(rule, true, Vec::new);
        if rule == Rule::TimeToLiveOver {
            self.time_to_live.expired.insert(job.key.clone(), expiry);
        }
        let mut memory = Memory::default();
        self.desk(&mut memory, &subject, now).write(Sender::TimeToLive(job.key.clone()), effect, rule);
    }

    /// The live Job, or the deletion.
    pub(super) fn time_to_live_answered(&mut self, key: &JobKey, id: WriteId, answer: Answer, now: Timestamp) {
        self.trace.answered(&Subject::TimeToLive(key.clone()), id, &answer);
        match answer.into_result() {
            Ok(written) => match written.reply {
                Reply::Job(live) => {
                    let delete = Effect::DeleteJob(key.clone(), live.uid.clone());
                    self.judge(&live, Rule::TimeToLiveOver, delete, now);
                }
                _ => {
                    if let Some(expiry) = self.time_to_live.expired.get(key) {
                        let late = now - *expiry;
                        self.outbox.push_back(Output::Metric(Metric::DeletedAfterTimeToLive { late }));
                    }
                    self.end_time_to_live(key, None, now);
                }
            },
            // TTL-5: only the live read may find nothing; a deletion that does not is tried again.
            Err(failure) if failure.kind == FailureKind::NotFound && !self.time_to_live.expired.contains_key(key) => {
                self.end_time_to_live(key, None, now);
            }
            Err(failure) => self.end_time_to_live(key, Some(failure.message), now),
        }
    }

    fn end_time_to_live(&mut self, key: &JobKey, error: Option<Text>, now: Timestamp) {
        self.time_to_live.expired.remove(key);
        match &error {
            None => self.time_to_live.queue.forget_failures(key),
            Some(_) => self.time_to_live.queue.add_after_failure(key, now),
        }
        self.time_to_live.queue.done(key);
        let queue = &self.time_to_live.queue;
        let next = || super::wake_of(queue, key, now);
        self.trace.ends(&Subject::TimeToLive(key.clone()), next, error.as_ref());
    }
}

//! The life of a sync in the controller: from its key's turn to its outcome (SYNC-2 to SYNC-36).
//!
//! Invariant: a key's memories are with its sync while it works and back in its entry before anything
//! else happens.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::{Controller, Entry, Work, gate, scene, wake_of};
use crate::decide::{Trail, decide};
use crate::ids::{JobKey, Text, WriteId, text};
use crate::input::Answer;
use crate::job::JobView;
use crate::ledger::family::Owner;
use crate::metric::Metric;
use crate::record::FactName as F;
use crate::record::FactValue::Text as Words;
use crate::record::{Subject, Trace};
use crate::rule::Rule;
use crate::sync::claim::{Claimed, Claiming, Claims};
use crate::sync::desk::{Desk, Memory, Sender};
use crate::sync::{Outcome, Sync};
use crate::time::Timestamp;

impl<T: Trace> Controller<T> {
    pub(super) fn start_sync(&mut self, key: JobKey, now: Timestamp) {
        let job = self.cache.job(&key).cloned();
        let subject = Subject::Job(key.clone());
        self.trace.begins(&subject, job.as_ref().map(|job| &job.uid), now);
        let mut memory = self.entries.remove(&key).unwrap_or_default().memory;
        memory.last_sync = Some(now);
        let state = match self.stale(&mut memory, &subject) {
            Some(error) => Err(Outcome { error: Some(error) }),
            None => match &job {
                Some(job) => self.begin(job, &mut memory, &subject, now),
                None => {
                    Trail { trace: &mut self.trace, subject: &subject }.tried(Rule::JobGone, true, Vec::new);
                    memory = Memory::default();
                    Err(Outcome { error: None })
                }
            },
        };
        self.keep(key, memory, state, now);
    }

    /// CON-3: the error of a sync whose cache is behind.
    fn stale(&mut self, memory: &mut Memory, subject: &Subject) -> Option<Text> {
        if !self.config.gates.stale_controller_consistency {
            return None;
        }
        let stale = memory.writes.stale(self.synced)?;
        self.outbox.push_back(crate::output::Output::Metric(Metric::StaleSyncSkipped { resource: stale.resource }));
        let error = stale.error();
        let facts = || vec![(F::Error, Words(error.clone()))];
        Trail { trace: &mut self.trace, subject }.tried(Rule::StaleCache, true, facts);
        Some(error)
    }

    /// SYNC-4 to SYNC-12.
    fn begin(
        &mut self,
        job: &Arc<JobView>,
        memory: &mut Memory,
        subject: &Subject,
        now: Timestamp,
    ) -> Result<Work, Outcome> {
        let mut trail = Trail { trace: &mut self.trace, subject };
        let external = self.config.is_external(job);
        if !gate::passes(job, external, memory.believed_finished.as_ref(), &mut trail) {
            if !external {
                gate::clean_up(job, memory, &mut self.outbox);
            }
            return Err(Outcome { error: None });
        }
        // Before the pods are listed: SYNC-11.
        let met = memory.intents.satisfied(now);
        let Some(claims) = Claims::of(job, &self.cache) else {
            return self.decide(job, memory, met, subject, now);
        };
        let claiming = Claiming::start(job.clone(), claims, met, &mut self.desk(memory, subject, now));
        Ok(Work::Claiming(Box::new(claiming)))
    }

    /// SYNC-14 to the first writes.
    fn decide(
        &mut self,
        job: &Arc<JobView>,
        memory: &mut Memory,
        expectations_met: bool,
        subject: &Subject,
        now: Timestamp,
    ) -> Result<Work, Outcome> {
        let scene = scene(job, &self.cache, memory, expectations_met, self.config.tuning, now);
        let decision = decide(&scene, &mut Trail { trace: &mut self.trace, subject });
        self.wake_later(job, &decision, now);
        let config = self.config.clone();
        Sync::start(job.clone(), decision, &config, &mut self.desk(memory, subject, now)).map(Work::Sync)
    }

    /// What work on a key needs to send and record.
    pub(super) fn desk<'a>(&'a mut self, memory: &'a mut Memory, subject: &'a Subject, now: Timestamp) -> Desk<'a, T> {
        Desk {
            outbox: &mut self.outbox,
            last_id: &mut self.last_id,
            senders: &mut self.senders,
            memory,
            trace: &mut self.trace,
            subject,
            counts_once: self.config.count_once_after_not_found,
            now,
        }
    }

    pub(super) fn answered(&mut self, id: WriteId, answer: Answer, now: Timestamp) {
        match self.senders.remove(&id) {
            Some(Sender::Sync(key)) => self.sync_answered(key, id, answer, now),
            Some(Sender::Orphan(work)) => self.orphan_answered(work, id, answer, now),
            Some(Sender::TimeToLive(key)) => self.time_to_live_answered(&key, id, answer, now),
            // An answer to nobody: the host repeated one. It changes nothing.
            None => {}
        }
    }

    fn sync_answered(&mut self, key: JobKey, id: WriteId, answer: Answer, now: Timestamp) {
        let Some(Entry { mut memory, work: Some(work) }) = self.entries.remove(&key) else { return };
        let subject = Subject::Job(key.clone());
        self.trace.answered(&subject, id, &answer);
        let state = match work {
            Work::Sync(mut sync) => match sync.answer(id, answer, &mut self.desk(&mut memory, &subject, now)) {
                None => Ok(Work::Sync(sync)),
                Some(outcome) => Err(outcome),
            },
            Work::Claiming(mut claiming) => {
                let claimed = claiming.answer(id, answer, &mut self.desk(&mut memory, &subject, now));
                self.claimed(&claiming.job, claimed);
                self.after_claims(claiming, &mut memory, &subject, now)
            }
        };
        self.keep(key, memory, state, now);
    }

    /// What a claim changed is known before the watch shows it (ADO-8).
    fn claimed(&mut self, job: &JobView, claimed: Claimed) {
        match claimed {
            Claimed::Nothing => {}
            Claimed::Adopted(pod, written) => {
                let owner = Owner::Job(job.key.name.clone(), job.uid.clone(), true);
                self.cache.claim_pod(&pod, owner, written.resource_version);
            }
            Claimed::Released(pod, written) => {
                self.cache.claim_pod(&pod, Owner::Nobody, written.resource_version);
            }
        }
    }

    fn after_claims(
        &mut self,
        claiming: Box<Claiming>,
        memory: &mut Memory,
        subject: &Subject,
        now: Timestamp,
    ) -> Result<Work, Outcome> {
        match claiming.is_over() {
            None => Ok(Work::Claiming(claiming)),
            Some(Some(error)) => Err(Outcome { error: Some(text(format_args!("{error}"))) }),
            Some(None) => self.decide(&claiming.job, memory, claiming.expectations_met, subject, now),
        }
    }

    /// Puts a key's state back, and ends its work if the sync is over.
    fn keep(&mut self, key: JobKey, memory: Memory, state: Result<Work, Outcome>, now: Timestamp) {
        match state {
            Ok(work) => {
                self.entries.insert(key, Entry { memory, work: Some(work) });
            }
            Err(outcome) => {
                self.entries.insert(key.clone(), Entry { memory, work: None });
                self.end_sync(&key, outcome.error, now);
            }
        }
    }

    fn end_sync(&mut self, key: &JobKey, error: Option<Text>, now: Timestamp) {
        match &error {
            None => self.queue.forget_failures(key),
            Some(_) => self.queue.add_after_failure(key, now),
        }
        self.queue.done(key);
        if self.cache.job(key).is_none() {
            self.entries.remove(key);
        }
        let queue = &self.queue;
        self.trace.ends(&Subject::Job(key.clone()), || wake_of(queue, key, now), error.as_ref());
    }
}

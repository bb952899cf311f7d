//! Many Jobs at once: what comes in is routed to caches, memories and queues; what is due is synced.
//!
//! Invariants: nothing is decided here about a Job; each write is answered to the work that sent it; no
//! work begins before both watches have listed everything (EVQ-10).

pub(crate) mod cache;
mod gate;
mod jobs;
pub(crate) mod orphans;
mod pods;
mod relist;

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::decide::{Decision, Scene, Trail, decide};
use crate::ids::{JobKey, Text, WriteId};
use crate::input::{Answer, Input};
use crate::job::JobView;
use crate::ordered::OrderedMap;
use crate::output::{Output, WakeUp};
use crate::queue::WorkQueue;
use crate::record::{Record, Recorder, Subject, Trace, Trigger};
use crate::rule::Rule;
use crate::sync::desk::{Desk, Memory, Sender};
use crate::sync::{Outcome, Sync};
use crate::time::Timestamp;
use cache::Cache;
use orphans::Orphans;
use relist::Relists;

/// How a controller works.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Keys of each queue that are worked on at the same time; upstream's default is 5 (EVQ-10).
    pub concurrent_syncs: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self { concurrent_syncs: 5 }
    }
}

/// What is kept of a key besides its Job and pods.
#[derive(Clone, Debug, Default)]
struct Entry {
    memory: Memory,
    sync: Option<Box<Sync>>,
}

/// The Job controller for any number of Jobs. See the crate's documentation for how to drive it.
#[derive(Clone, Debug)]
pub struct Controller<T> {
    config: Config,
    trace: T,
    cache: Cache,
    relists: Relists,
    queue: WorkQueue<JobKey>,
    orphans: Orphans,
    entries: OrderedMap<JobKey, Entry>,
    senders: OrderedMap<WriteId, Sender>,
    last_id: u64,
    outbox: VecDeque<Output>,
}

impl<T: Trace> Controller<T> {
    /// A controller that has seen nothing yet.
    pub fn new(config: Config, trace: T) -> Self {
        Self {
            config,
            trace,
            cache: Cache::default(),
            relists: Relists::default(),
            queue: WorkQueue::default(),
            orphans: Orphans::default(),
            entries: OrderedMap::new(),
            senders: OrderedMap::new(),
            last_id: 0,
            outbox: VecDeque::new(),
        }
    }

    /// Takes in one thing that happened. Call [`Self::poll`] afterwards until it sleeps.
    pub fn handle(&mut self, input: Input, now: Timestamp) {
        match input {
            Input::Job(job) => self.job_seen(*job, now),
            Input::JobGone(key, uid) => self.job_gone(&key, &uid),
            Input::Pod(pod) => self.pod_seen(&pod, now),
            Input::PodGone(_, uid) => self.pod_gone(&uid, now),
            Input::Relist(resource, step) => self.relist(resource, step, now),
            Input::Answer(id, answer) => self.answered(id, answer, now),
            Input::Wake => {}
        }
    }

    /// The next thing to do; call it until it answers [`Output::Sleep`].
    pub fn poll(&mut self, now: Timestamp) -> Output {
        self.advance_queues(now);
        loop {
            if let Some(output) = self.outbox.pop_front() {
                return output;
            }
            if !self.relists.all_listed() || !self.start_work(now) {
                return Output::Sleep(self.next_wake());
            }
        }
    }

    /// The decisions, for taking them out.
    pub const fn trace_mut(&mut self) -> &mut T {
        &mut self.trace
    }

    /// What a sync of this Job would decide now, and why; nothing is done. `None`: the Job is not known.
    pub fn explain(&self, key: &JobKey, now: Timestamp) -> Option<Record> {
        let job = self.cache.job(key)?;
        let memory = self.entries.get(key).map(|entry| entry.memory.clone()).unwrap_or_default();
        let subject = Subject::Job(key.clone());
        let mut recorder = Recorder::default();
        recorder.begins(&subject, Some(&job.uid), now);
        let mut trail = Trail { trace: &mut recorder, subject: &subject };
        if gate::passes(job, memory.believed_finished.as_ref(), &mut trail) {
            self.decide(job, &memory, now, &mut trail);
        }
        recorder.ends(&subject, || wake_of(&self.queue, key, now), None);
        recorder.take()
    }

    fn decide<U: Trace>(&self, job: &JobView, memory: &Memory, now: Timestamp, trail: &mut Trail<'_, U>) -> Decision {
        let scene = Scene {
            job,
            cache: &self.cache,
            ledger: self.cache.ledger(&job.uid),
            intents: &memory.intents,
            backoff: memory.backoff,
            now,
        };
        decide(&scene, trail)
    }

    fn advance_queues(&mut self, now: Timestamp) {
        let trace = &mut self.trace;
        self.queue.advance(now, |key, why| {
            trace.queued(&Subject::Job(key.clone()), || Trigger::Timer(why));
        });
        self.orphans.queue.advance(now, |_, _| {});
    }

    /// Starts the next piece of work; false if there is none, or enough is under way.
    fn start_work(&mut self, now: Timestamp) -> bool {
        if self.queue.busy() < self.config.concurrent_syncs
            && let Some(key) = self.queue.take()
        {
            self.start_sync(key, now);
            return true;
        }
        self.orphans.queue.busy() < self.config.concurrent_syncs && self.start_orphan(now)
    }

    fn next_wake(&self) -> Option<WakeUp> {
        let job = self.queue.next_delay().map(|(at, why, key)| WakeUp { at, why, job: Some(key.clone()) });
        let orphan = self.orphans.queue.next_delay().map(|(at, why, _)| WakeUp { at, why, job: None });
        job.into_iter().chain(orphan).min_by_key(|wake| wake.at)
    }

    fn start_sync(&mut self, key: JobKey, now: Timestamp) {
        let job = self.cache.job(&key).cloned();
        let subject = Subject::Job(key.clone());
        self.trace.begins(&subject, job.as_ref().map(|job| &job.uid), now);
        let mut memory = self.entries.remove(&key).unwrap_or_default().memory;
        let started = match &job {
            Some(job) => self.sync(job, &mut memory, &subject, now),
            None => {
                Trail { trace: &mut self.trace, subject: &subject }.tried(Rule::JobGone, true, Vec::new);
                memory = Memory::default();
                Err(Outcome { error: None })
            }
        };
        self.keep(key, memory, started, now);
    }

    /// SYNC-4 to SYNC-36 up to the first writes.
    fn sync(
        &mut self,
        job: &Arc<JobView>,
        memory: &mut Memory,
        subject: &Subject,
        now: Timestamp,
    ) -> Result<Box<Sync>, Outcome> {
        let mut trail = Trail { trace: &mut self.trace, subject };
        if !gate::passes(job, memory.believed_finished.as_ref(), &mut trail) {
            gate::clean_up(job, memory, &mut self.outbox);
            return Err(Outcome { error: None });
        }
        let scene = Scene {
            job,
            cache: &self.cache,
            ledger: self.cache.ledger(&job.uid),
            intents: &memory.intents,
            backoff: memory.backoff,
            now,
        };
        let decision = decide(&scene, &mut trail);
        self.wake_later(job, &decision, now);
        let mut desk = Desk {
            outbox: &mut self.outbox,
            last_id: &mut self.last_id,
            senders: &mut self.senders,
            memory,
            trace: &mut self.trace,
            subject,
            now,
        };
        Sync::start(job.clone(), decision, &mut desk)
    }

    fn answered(&mut self, id: WriteId, answer: Answer, now: Timestamp) {
        match self.senders.remove(&id) {
            Some(Sender::Sync(key)) => self.sync_answered(key, id, answer, now),
            Some(Sender::Orphan(work)) => self.orphan_answered(work, id, &answer, now),
            // An answer to nobody: the host repeated one. It changes nothing.
            None => {}
        }
    }

    fn sync_answered(&mut self, key: JobKey, id: WriteId, answer: Answer, now: Timestamp) {
        let Some(mut entry) = self.entries.remove(&key) else { return };
        let Some(mut sync) = entry.sync.take() else { return };
        let subject = Subject::Job(key.clone());
        self.trace.answered(&subject, id, &answer);
        let mut desk = Desk {
            outbox: &mut self.outbox,
            last_id: &mut self.last_id,
            senders: &mut self.senders,
            memory: &mut entry.memory,
            trace: &mut self.trace,
            subject: &subject,
            now,
        };
        let state = match sync.answer(id, answer, &mut desk) {
            None => Ok(sync),
            Some(outcome) => Err(outcome),
        };
        self.keep(key, entry.memory, state, now);
    }

    /// Puts a key's state back, and ends its work if the sync is over.
    fn keep(&mut self, key: JobKey, memory: Memory, state: Result<Box<Sync>, Outcome>, now: Timestamp) {
        match state {
            Ok(sync) => {
                self.entries.insert(key, Entry { memory, sync: Some(sync) });
            }
            Err(outcome) => {
                self.entries.insert(key.clone(), Entry { memory, sync: None });
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

/// When this key runs next.
fn wake_of(queue: &WorkQueue<JobKey>, key: &JobKey, now: Timestamp) -> Option<WakeUp> {
    queue.next_of(key, now).map(|(at, why)| WakeUp { at, why, job: Some(key.clone()) })
}

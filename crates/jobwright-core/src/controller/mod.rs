//! Many Jobs at once: what comes in is routed to caches, memories and queues; what is due is synced.
//!
//! Invariants: nothing is decided here about a Job; each write is answered to the work that sent it; no
//! work begins before both watches have listed everything (EVQ-10).

pub(crate) mod cache;
#[cfg(test)]
mod cache_tests;
mod config;
mod gate;
mod jobs;
mod load;
pub(crate) mod orphans;
mod pods;
mod recall;
mod relist;
mod syncs;
mod time_to_live;

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use crate::decide::{Scene, Trail, decide};
use crate::digest;
use crate::freshness::Synced;
use crate::ids::{JobKey, WriteId};
use crate::input::{Input, Resource};
use crate::job::JobView;
use crate::ordered::OrderedMap;
use crate::output::{Output, WakeUp};
use crate::queue::WorkQueue;
use crate::record::{Record, Recorder, Subject, Trace, Trigger};
use crate::sync::Sync;
use crate::sync::claim::Claiming;
use crate::sync::desk::{Memory, Sender};
use crate::time::Timestamp;
use cache::Cache;
pub use config::{Config, Gates, PodBackoff, Tuning};
pub use load::{Load, Queued};
use orphans::Orphans;
use relist::Relists;
use time_to_live::TimeToLive;

/// What is kept of a key besides its Job and pods.
#[derive(Clone, Debug, Default)]
struct Entry {
    memory: Memory,
    work: Option<Work>,
}

/// How far the work on a key is.
#[derive(Clone, Debug)]
enum Work {
    /// Pods are let go or taken.
    Claiming(Box<Claiming>),
    /// A decision is carried out.
    Sync(Box<Sync>),
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
    time_to_live: TimeToLive,
    synced: Synced,
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
            time_to_live: TimeToLive::default(),
            synced: Synced::default(),
            entries: OrderedMap::new(),
            senders: OrderedMap::new(),
            last_id: 0,
            outbox: VecDeque::new(),
        }
    }

    /// Takes in one thing that happened. Call [`Self::poll`] afterwards until it sleeps.
    pub fn handle(&mut self, input: Input, now: Timestamp) {
        match input {
            Input::Job(job) => {
                self.synced.saw(Resource::Jobs, job.resource_version);
                self.job_seen(*job, now);
            }
            Input::JobGone(key, uid, version) => {
                self.synced.saw(Resource::Jobs, version);
                self.job_gone(&key, &uid);
            }
            Input::Pod(pod) => {
                self.synced.saw(Resource::Pods, pod.resource_version);
                self.pod_seen(&pod, now);
            }
            Input::PodGone(_, uid, version) => {
                self.synced.saw(Resource::Pods, version);
                self.pod_gone(&uid, now);
            }
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

    /// What was said already, without beginning any work: for a host that takes in and may not write yet.
    pub fn said(&mut self) -> Option<Output> {
        self.outbox.pop_front()
    }

    /// The decisions, for taking them out.
    pub const fn trace_mut(&mut self) -> &mut T {
        &mut self.trace
    }

    /// The trace, to look at.
    pub const fn trace(&self) -> &T {
        &self.trace
    }

    /// What a sync of this Job would decide now, and why; nothing is done. `None`: the Job is not known.
    pub fn explain(&self, key: &JobKey, now: Timestamp) -> Option<Record> {
        let job = self.cache.job(key)?;
        let memory = self.entries.get(key).map(|entry| entry.memory.clone()).unwrap_or_default();
        let subject = Subject::Job(key.clone());
        let mut recorder = Recorder::default();
        recorder.begins(&subject, Some(&job.uid), now);
        let mut trail = Trail { trace: &mut recorder, subject: &subject };
        let external = self.config.is_external(job);
        if gate::passes(job, external, memory.believed_finished.as_ref(), &mut trail) {
            let met = memory.intents.satisfied(now);
            decide(&scene(job, &self.cache, &memory, met, self.config.tuning, now), &mut trail);
        }
        recorder.ends(&subject, || wake_of(&self.queue, key, now), None);
        recorder.take()
    }

    /// All that is remembered, as one number; UIDs go in as `naming` says. See [`crate::digest`].
    pub fn digest(&self, now: Timestamp, naming: digest::Naming<'_>) -> u64 {
        let mut mix = digest::Mix::default();
        mix.add(digest::of_queue(&self.queue, now));
        mix.add(digest::of_queue(&self.orphans.queue, now));
        mix.add(digest::of_queue(&self.time_to_live.queue, now));
        for entry in self.entries.values() {
            mix.add(digest::of_memory(&entry.memory, self.synced, self.config.tuning.pod_backoff, now));
        }
        let memories = || self.entries.values().map(|entry| &entry.memory);
        mix.add(digest::of_pods(&self.cache, memories, now, naming));
        for job in self.cache.jobs() {
            mix.add(digest::of_job(job, now, naming));
        }
        mix.value()
    }

    fn advance_queues(&mut self, now: Timestamp) {
        let trace = &mut self.trace;
        self.queue.advance(now, |key, why| {
            trace.queued(&Subject::Job(key.clone()), || Trigger::Timer(why));
        });
        self.orphans.queue.advance(now, |_, _| {});
        self.time_to_live.queue.advance(now, |key, why| {
            trace.queued(&Subject::TimeToLive(key.clone()), || Trigger::Timer(why));
        });
    }

    /// Starts the next piece of work; false if there is none, or enough is under way. Orphans come first: upstream's
    /// worker for them patches at once, while a sync that would adopt the same pod reads the Job before (ADO-5).
    fn start_work(&mut self, now: Timestamp) -> bool {
        if self.orphans.queue.busy() < self.config.concurrent_syncs && self.start_orphan(now) {
            return true;
        }
        if self.queue.busy() < self.config.concurrent_syncs
            && let Some(key) = self.queue.take()
        {
            self.start_sync(key, now);
            return true;
        }
        self.time_to_live.queue.busy() < self.config.concurrent_syncs && self.start_time_to_live(now)
    }

    fn next_wake(&self) -> Option<WakeUp> {
        let job = self.queue.next_delay().map(|(at, why, key)| WakeUp { at, why, job: Some(key.clone()) });
        let orphan = self.orphans.queue.next_delay().map(|(at, why, _)| WakeUp { at, why, job: None });
        let expiry = self.time_to_live.queue.next_delay();
        let expiry = expiry.map(|(at, why, key)| WakeUp { at, why, job: Some(key.clone()) });
        job.into_iter().chain(orphan).chain(expiry).min_by_key(|wake| wake.at)
    }
}

/// What a decision about a Job is made from.
fn scene<'a>(
    job: &'a JobView,
    cache: &'a Cache,
    memory: &'a Memory,
    expectations_met: bool,
    tuning: Tuning,
    now: Timestamp,
) -> Scene<'a> {
    let ledger = cache.ledger(&job.uid);
    Scene { job, cache, ledger, intents: &memory.intents, expectations_met, backoff: memory.backoff, tuning, now }
}

/// When this key runs next.
fn wake_of(queue: &WorkQueue<JobKey>, key: &JobKey, now: Timestamp) -> Option<WakeUp> {
    queue.next_of(key, now).map(|(at, why)| WakeUp { at, why, job: Some(key.clone()) })
}

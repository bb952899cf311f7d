//! One number for all that a controller remembers, for tools that tell states apart.
//!
//! Two controllers with the same digest do the same from here on, except for the names and UIDs of pods.
//! So times count from now, resource versions only as "is it the stored one", and pods are a bag: each
//! stands for all that is known of it, in no order.
//!
//! Invariants: nothing here changes a controller; no type of it leaves; nothing under way is covered, so
//! a digest means something only while the controller sleeps.

use crate::controller::PodBackoff;
use crate::controller::cache::Cache;
use crate::freshness::Synced;
use crate::ids::{ResourceVersion, Uid};
use crate::job::JobView;
use crate::ledger::facts::PodFacts;
use crate::queue::WorkQueue;
use crate::status::JobStatus;
use crate::sync::desk::Memory;
use crate::time::{Millis, Timestamp};

/// Failures beyond which delays no longer grow (CST-2, CST-3).
const FAILURES_MAX: u32 = 8;
/// Ages beyond this are one: no rule but a deadline looks further back (CST-3, CST-6).
const AGE_MAX: i64 = 700_000;

/// Mixes numbers and texts into one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mix(u64);

impl Mix {
    /// Takes in one more number.
    pub const fn add(&mut self, number: u64) {
        let mut bits = self.0.rotate_left(25) ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = (bits ^ (bits >> 31)).wrapping_add(0x2545_f491_4f6c_dd1d);
    }

    /// Takes in a text.
    pub fn text(&mut self, text: &str) {
        for chunk in text.as_bytes().chunks(8) {
            let word = chunk.iter().fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
            self.add(word);
        }
        self.add(text.len() as u64);
    }

    /// Takes in a time or a length of time, if there is one.
    pub const fn since(&mut self, age: Option<Millis>) {
        match age {
            Some(age) => self.add(age.0.cast_unsigned().wrapping_add(2)),
            None => self.add(1),
        }
    }

    /// The number.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

/// What stands for a UID: what is known of its object elsewhere, and its stored version.
pub type Naming<'a> = &'a dyn Fn(&Uid) -> (u64, ResourceVersion);

/// What waits in a queue, whatever the keys.
pub(crate) fn of_queue<K: Ord + Clone>(queue: &WorkQueue<K>, now: Timestamp) -> u64 {
    let mut sum = 0_u64;
    for (wanted, delayed, failures) in queue.waiting() {
        let mut mix = Mix::default();
        mix.add(u64::from(wanted));
        mix.since(delayed.map(|at| at - now));
        mix.add(u64::from(failures.min(FAILURES_MAX)));
        sum = sum.wrapping_add(mix.value());
    }
    sum
}

/// What is remembered of a key, but for single pods.
pub(crate) fn of_memory(memory: &Memory, synced: Synced, allowed: PodBackoff, now: Timestamp) -> u64 {
    let mut mix = Mix::default();
    if !memory.intents.satisfied(now) {
        let (creations, deletions) = memory.intents.open();
        mix.add(creations.cast_unsigned());
        mix.add(deletions.cast_unsigned());
        mix.since(memory.intents.since().map(|since| now - since));
    }
    mix.add(u64::from(memory.backoff.failures.min(FAILURES_MAX)));
    mix.since(Some(memory.backoff.remaining(allowed, now)));
    mix.add(u64::from(memory.believed_finished.is_some()) << 2 | memory.writes.behind(synced));
    mix.value()
}

/// The bag of pods, each with what memories say of it.
pub(crate) fn of_pods<'a, M: Iterator<Item = &'a Memory>>(
    cache: &Cache,
    memories: impl Fn() -> M,
    now: Timestamp,
    naming: Naming<'_>,
) -> u64 {
    let mut sum = 0_u64;
    for uid in cache.pod_uids() {
        let uid = &uid;
        let Some(pod) = cache.pod(uid) else { continue };
        let marks = memories().fold(0, |marks, memory| {
            let removed = u64::from(memory.intents.is_removal_expected(uid));
            marks | removed | u64::from(memory.intents.is_counted(uid)) << 1
        });
        let (colour, stored) = naming(uid);
        let spent = pod.phase().is_terminal() && !pod.has_finalizer() && !pod.is_deleting();
        if spent && marks == 0 && stored == pod.resource_version() {
            continue;
        }
        let waits = cache.jobs().fold(0, |waits, job| waits | waiting(&job.status, uid));
        let mut mix = Mix::default();
        mix.add(colour);
        mix.add(marks | waits << 2 | u64::from(stored == pod.resource_version()) << 4);
        of_facts(pod, now, &mut mix);
        sum = sum.wrapping_add(mix.value());
    }
    // What is remembered of pods that the watch has not shown.
    for uid in memories().flat_map(|memory| memory.intents.uids()).filter(|uid| cache.pod(uid).is_none()) {
        let mut mix = Mix::default();
        mix.add(naming(uid).0);
        sum = sum.wrapping_add(mix.value());
    }
    sum
}

fn of_facts(pod: &PodFacts, now: Timestamp, mix: &mut Mix) {
    let flags = [pod.has_finalizer(), pod.is_deleting(), pod.is_ready(), pod.is_scheduled()];
    let bits = flags.into_iter().fold(pod.phase() as u64, |bits, flag| bits << 1 | u64::from(flag));
    mix.add(bits);
    mix.add(pod.index().map_or(0, |index| u64::from(index.0) + 1));
    mix.add(u64::from(pod.index_failures()) << 32 | u64::from(pod.index_ignored_failures()));
    mix.add(pod.counted_restarts().cast_unsigned());
    if pod.has_finalizer() && (pod.is_deleting() || pod.phase().is_terminal()) {
        mix.since(Some(age(now, pod.finished_at())));
    }
}

/// Where a UID waits in a status.
fn waiting(status: &JobStatus, uid: &Uid) -> u64 {
    status
        .uncounted
        .as_ref()
        .map_or(0, |waiting| u64::from(waiting.succeeded.contains(uid)) | u64::from(waiting.failed.contains(uid)) << 1)
}

/// What the cache has of a Job.
pub(crate) fn of_job(job: &JobView, now: Timestamp, naming: Naming<'_>) -> u64 {
    let mut mix = Mix::default();
    let status = &job.status;
    mix.add(u64::from(naming(&job.uid).1 == job.resource_version));
    mix.add(u64::from(job.deletion_timestamp.is_some()) | u64::from(job.spec.suspend) << 1);
    for count in [status.active, status.succeeded, status.failed] {
        mix.add(u64::from(count.cast_unsigned()));
    }
    for count in [status.ready, status.terminating] {
        mix.add(count.map_or(0, |count| u64::from(count.cast_unsigned()) + 1));
    }
    mix.add(status.uncounted.as_ref().map_or(0, |waiting| waiting.len() as u64 + 1));
    mix.text(&status.completed_indexes);
    mix.text(status.failed_indexes.as_deref().unwrap_or("-"));
    for condition in &status.conditions {
        mix.text(condition.kind.as_str());
        mix.text(&condition.reason);
        mix.add(condition.status as u64);
    }
    match job.spec.active_deadline_seconds {
        Some(_) => mix.since(status.start_time.map(|start| now - start)),
        None => mix.add(u64::from(status.start_time.is_some())),
    }
    mix.value()
}

fn age(now: Timestamp, then: Timestamp) -> Millis {
    Millis((now - then).0.min(AGE_MAX))
}

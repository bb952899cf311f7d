//! What a sync needs of its controller: a place for outputs, the memories of its key, the record.
//!
//! Invariant: everything that leaves a sync leaves through here, and is recorded here.

use alloc::collections::VecDeque;

use crate::backoff::BackoffRecord;
use crate::controller::orphans::OrphanWork;
use crate::decide::Trail;
use crate::freshness::OwnWrites;
use crate::ids::{JobKey, Uid, WriteId};
use crate::intents::Intents;
use crate::metric::Metric;
use crate::ordered::OrderedMap;
use crate::output::{Effect, JobEvent, Output, Write};
use crate::record::{Fact, Subject, Trace};
use crate::rule::Rule;
use crate::time::Timestamp;

/// What is remembered of a key between syncs; lost at a restart (OBJ-20).
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) intents: Intents,
    pub(crate) backoff: BackoffRecord,
    /// The Job whose terminal status was written and not yet seen (SYNC-7).
    pub(crate) believed_finished: Option<Uid>,
    pub(crate) writes: OwnWrites,
    /// When the last sync began.
    pub(crate) last_sync: Option<Timestamp>,
}

/// Whose write an answer belongs to.
#[derive(Clone, Debug)]
pub(crate) enum Sender {
    /// The sync of this key.
    Sync(JobKey),
    /// A pod without a living Job.
    Orphan(OrphanWork),
    /// The time to live of this key.
    TimeToLive(JobKey),
}

/// See the module.
pub(crate) struct Desk<'a, T> {
    pub(crate) outbox: &'a mut VecDeque<Output>,
    pub(crate) last_id: &'a mut u64,
    /// Who is answered.
    pub(crate) senders: &'a mut OrderedMap<WriteId, Sender>,
    pub(crate) memory: &'a mut Memory,
    pub(crate) trace: &'a mut T,
    pub(crate) subject: &'a Subject,
    /// [`crate::Config::count_once_after_not_found`]
    pub(crate) counts_once: bool,
    pub(crate) now: Timestamp,
}

impl<T: Trace> Desk<'_, T> {
    /// Sends a write, to be answered to `sender`.
    pub(crate) fn write(&mut self, sender: Sender, effect: Effect, why: Rule) -> WriteId {
        *self.last_id += 1;
        let id = WriteId(*self.last_id);
        let job = match &sender {
            Sender::Sync(key) | Sender::TimeToLive(key) => Some(key.clone()),
            Sender::Orphan(_) => None,
        };
        self.senders.insert(id, sender);
        let write = Write { id, job, effect, why };
        self.trace.wrote(self.subject, &write);
        self.outbox.push_back(Output::Write(write));
        id
    }

    /// Sends an event.
    pub(crate) fn event(&mut self, event: JobEvent) {
        self.trace.emitted(self.subject, &event);
        self.outbox.push_back(Output::Event(event));
    }

    /// Counts something.
    pub(crate) fn metric(&mut self, metric: Metric) {
        self.outbox.push_back(Output::Metric(metric));
    }

    /// Records that a rule was looked at.
    pub(crate) fn tried(&mut self, rule: Rule, fired: bool, facts: impl FnOnce() -> alloc::vec::Vec<Fact>) -> bool {
        Trail { trace: self.trace, subject: self.subject }.tried(rule, fired, facts)
    }
}

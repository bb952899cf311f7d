//! Pods that no unfinished Job tracks: their finalizer is removed (ORP-1 to ORP-6).
//!
//! Invariant: a finalizer that an unfinished Job may still need for counting is never touched here.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::cache::Cache;
use super::{Config, Controller};
use crate::decide::Trail;
use crate::ids::{PodKey, Uid, WriteId};
use crate::input::{Answer, FailureKind};
use crate::job::JobView;
use crate::ledger::facts::PodFacts;
use crate::ledger::family::Owner;
use crate::ordered::OrderedMap;
use crate::output::{Effect, PodRef};
use crate::queue::WorkQueue;
use crate::record::{Subject, Trace};
use crate::rule::Rule;
use crate::selector::Selector;
use crate::sync::desk::{Memory, Sender};
use crate::time::Timestamp;

/// One key of the queue (ORP-1).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OrphanKey {
    /// One pod.
    Pod(PodKey, Uid),
    /// All pods that the selector of this Job matches.
    Selector(Uid),
}

/// The queue, and the selectors that wait in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Orphans {
    pub(super) queue: WorkQueue<OrphanKey>,
    selectors: OrderedMap<Uid, (Arc<str>, Selector)>,
    /// Writes of a key that are not answered yet.
    unanswered: OrderedMap<OrphanKey, usize>,
}

/// One finalizer removal that is under way.
#[derive(Clone, Debug)]
pub(crate) struct OrphanWork {
    key: OrphanKey,
    pod: PodRef,
}

impl Orphans {
    /// The pods of this Job are to be looked at (EVQ-41, EVQ-44).
    pub(super) fn add_selector(&mut self, job: &JobView) {
        self.selectors.insert(job.uid.clone(), (job.key.namespace.clone(), job.spec.selector.clone()));
        self.queue.add(&OrphanKey::Selector(job.uid.clone()));
    }

    /// This pod is to be looked at.
    pub(super) fn add_pod(&mut self, pod: &PodFacts) {
        self.queue.add(&OrphanKey::Pod(pod.key(), pod.uid()));
    }
}

impl<T: Trace> Controller<T> {
    /// Starts the next piece of work; false if there is none.
    pub(super) fn start_orphan(&mut self, now: Timestamp) -> bool {
        let Some(key) = self.orphans.queue.take() else { return false };
        let pods: Vec<PodFacts> = match &key {
            OrphanKey::Pod(_, uid) => {
                self.cache.pod(uid).filter(|pod| pod.has_finalizer()).cloned().into_iter().collect()
            }
            OrphanKey::Selector(job) => match self.orphans.selectors.remove(job) {
                None => Vec::new(),
                Some((namespace, selector)) => {
                    self.cache.held_in(&namespace).filter(|pod| selector.selects(&pod.labels())).cloned().collect()
                }
            },
        };
        let mut sent = 0;
        for pod in pods {
            sent += usize::from(self.release_orphan(&key, &pod, now));
        }
        if sent == 0 {
            self.orphans.queue.forget_failures(&key);
            self.orphans.queue.done(&key);
        } else {
            self.orphans.unanswered.insert(key, sent);
        }
        true
    }

    /// ORP-4; whether a patch was sent.
    fn release_orphan(&mut self, key: &OrphanKey, pod: &PodFacts, now: Timestamp) -> bool {
        let subject = Subject::Pod(pod.key());
        self.trace.begins(&subject, None, now);
        let keeps = keeps_finalizer(&self.cache, &self.config, pod);
        let mut trail = Trail { trace: &mut self.trace, subject: &subject };
        if trail.tried(Rule::OrphanKept, keeps, Vec::new) {
            self.trace.ends(&subject, || None, None);
            return false;
        }
        trail.tried(Rule::OrphanReleased, true, Vec::new);
        let work = OrphanWork { key: key.clone(), pod: pod.pod_ref() };
        let mut memory = Memory::default();
        self.desk(&mut memory, &subject, now).write(
            Sender::Orphan(work),
            Effect::RemoveFinalizer(pod.pod_ref()),
            Rule::OrphanReleased,
        );
        true
    }

    pub(super) fn orphan_answered(&mut self, work: OrphanWork, id: WriteId, answer: Answer, now: Timestamp) {
        let subject = Subject::Pod(work.pod.key.clone());
        self.trace.answered(&subject, id, &answer);
        let failure = answer.into_result().err().filter(|failure| failure.kind != FailureKind::NotFound);
        let error = failure.map(|failure| failure.message);
        let by_name = OrphanKey::Pod(work.pod.key, work.pod.uid);
        if error.is_some() {
            self.orphans.queue.add_after_failure(&by_name, now);
        }
        let left = self.orphans.unanswered.get_mut(&work.key).map_or(0, |left| {
            *left -= 1;
            *left
        });
        if left == 0 {
            self.orphans.unanswered.remove(&work.key);
            if error.is_none() || work.key != by_name {
                self.orphans.queue.forget_failures(&work.key);
            }
            self.orphans.queue.done(&work.key);
        }
        self.trace.ends(&subject, || None, error.as_ref());
    }
}

/// Whether the pod's Job still tracks it, or another kind of owner does (ORP-4).
fn keeps_finalizer(cache: &Cache, config: &Config, pod: &PodFacts) -> bool {
    match pod.owner() {
        Owner::Nobody => false,
        Owner::Other | Owner::Job(_, _, false) => true,
        Owner::Job(_, _, true) => cache
            .resolve(pod.namespace(), pod.owner())
            .is_some_and(|job| config.is_external(job) || !job.status.is_finished()),
    }
}

//! What the observer knows of each pod, also after its object is gone.
//!
//! Invariant: an entry only ever gains knowledge; a pod that ended stays ended.

use std::collections::{BTreeMap, BTreeSet};

use jobwright_api::names::TRACKING_FINALIZER;
use jobwright_core::PodPhase;
use jobwright_sim::object;
use serde_json::Value;

/// How a pod's tracking finalizer went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It never had one.
    NeverTracked,
    /// It is still on.
    Tracked,
    /// The controller took it off after the status had stored the pod.
    Stored,
    /// The controller took it off, and the laws allow that without an account of the pod.
    Excused,
    /// A person took it off.
    Taken,
}

/// What is known of a pod.
#[derive(Clone, Debug)]
pub(super) struct PodBook {
    /// UID of the Job that made it.
    pub(super) job: String,
    pub(super) index: Option<u32>,
    pub(super) phase: PodPhase,
    /// Whether its deletion was ever asked for.
    pub(super) deleted: bool,
    pub(super) gone: bool,
    pub(super) fate: Fate,
}

/// All pods, and which were counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Book {
    pub(super) pods: BTreeMap<String, PodBook>,
    /// UIDs that entered a counter.
    pub(super) counted: BTreeSet<String>,
    /// Removals of a finalizer that were answered with an injected "not found" though the pod is there.
    /// The controller has to take such a pod for gone (TRK-12), so it may count it again.
    pub(super) lies: BTreeMap<String, u32>,
}

impl Book {
    /// Takes in a pod as it is now, or as it was last.
    pub(super) fn note(&mut self, pod: &Value, gone: bool) {
        let book = self.pods.entry(object::uid(pod).to_owned()).or_insert_with(|| PodBook {
            job: object::controller_uid(pod).to_owned(),
            index: object::completion_index(pod),
            phase: PodPhase::Pending,
            deleted: false,
            gone: false,
            fate: if is_tracked(pod) { Fate::Tracked } else { Fate::NeverTracked },
        });
        book.phase = object::phase(pod);
        book.deleted |= object::is_terminating(pod);
        book.gone |= gone;
    }

    /// Whether a further count of this pod is owed to a lie; takes it off the account.
    pub(super) fn forgive(&mut self, uid: &str) -> bool {
        match self.lies.get_mut(uid) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    /// Whether the controller was told that this pod is gone while it was there.
    pub(super) fn was_lied_about(&self, uid: &str) -> bool {
        self.lies.contains_key(uid)
    }

    /// What is known of a pod beyond its object, as a number; 0 for one whose life went as it should.
    pub(super) fn oddity(&self, uid: &str) -> u64 {
        let Some(pod) = self.pods.get(uid) else { return 0 };
        let counted = self.counted.contains(uid);
        let by_index = pod.index.is_some() && pod.phase == PodPhase::Succeeded;
        match pod.fate {
            Fate::Tracked => u64::from(counted),
            Fate::Stored => u64::from(!counted && !by_index) << 1,
            Fate::NeverTracked => 4,
            Fate::Excused => 8,
            Fate::Taken => 16,
        }
    }

    /// Pods that this Job made.
    pub(super) fn of<'a>(&'a self, job: &'a str) -> impl Iterator<Item = (&'a String, &'a PodBook)> {
        self.pods.iter().filter(move |(_, pod)| pod.job == job)
    }
}

/// Whether the tracking finalizer is on (GLO-1).
pub(super) fn is_tracked(pod: &Value) -> bool {
    object::finalizers(pod).contains(&TRACKING_FINALIZER)
}

/// Whether a pod is active (GLO-2).
pub(super) fn is_active(pod: &Value) -> bool {
    !object::phase(pod).is_terminal() && !object::is_terminating(pod)
}

//! Watch events of pods (EVQ-20 to EVQ-32).
//!
//! Invariant: the cache is up to date before a key is queued, and expectations are told before that.

use super::Controller;
use crate::ids::{JobKey, Uid};
use crate::ledger::facts::PodFacts;
use crate::ledger::family::Owner;
use crate::metric::Metric;
use crate::output::Output;
use crate::pod::PodView;
use crate::record::{Trace, Trigger};
use crate::time::Timestamp;

impl<T: Trace> Controller<T> {
    pub(super) fn pod_seen(&mut self, view: &PodView, now: Timestamp) {
        self.relists.saw_pod(&view.uid);
        let place = self.cache.place(&view.uid);
        let old = self.cache.pod_at(place).cloned();
        if old.as_ref().is_some_and(|old| old.resource_version() == view.resource_version) {
            return;
        }
        let pod = self.cache.read(view, old.as_ref());
        self.count_held(old.as_ref(), Some(&pod));
        self.cache.put_pod(pod.clone(), place);
        match old {
            _ if pod.is_deleting() => self.pod_deleting(&pod, old_phase(old.as_ref(), &pod), false, now),
            None => self.pod_added(&pod, now),
            Some(old) => self.pod_changed(&old, &pod, now),
        }
    }

    pub(super) fn pod_gone(&mut self, uid: &Uid, now: Timestamp) {
        let Some(pod) = self.cache.remove_pod(uid) else { return };
        self.count_held(Some(&pod), None);
        self.pod_deleting(&pod, pod.phase(), true, now);
    }

    /// EVQ-22, EVQ-23.
    fn pod_added(&mut self, pod: &PodFacts, now: Timestamp) {
        if *pod.owner() == Owner::Nobody {
            self.pod_without_controller(pod, true, now);
        } else if let Some(key) = self.owner_key(pod) {
            self.entry(&key).memory.intents.creation_observed();
            self.gather(&key, now, || Trigger::PodAdded(pod.key()));
        }
    }

    /// EVQ-27 to EVQ-29.
    fn pod_changed(&mut self, old: &PodFacts, pod: &PodFacts, now: Timestamp) {
        let trigger = || Trigger::PodChanged(pod.key(), old.phase(), pod.phase(), false);
        let moved = old.owner() != pod.owner();
        if moved && let Some(key) = self.owner_key(old) {
            if !pod.has_finalizer() {
                self.entry(&key).memory.intents.removal_observed(&pod.uid());
            }
            self.gather(&key, now, trigger);
        }
        if *pod.owner() == Owner::Nobody {
            self.pod_without_controller(pod, moved || !old.has_labels_of(pod), now);
        } else if let Some(key) = self.owner_key(pod) {
            if !pod.has_finalizer() {
                self.entry(&key).memory.intents.removal_observed(&pod.uid());
            }
            self.gather(&key, now, trigger);
        }
    }

    /// A pod that is being deleted, or is gone (EVQ-26).
    fn pod_deleting(&mut self, pod: &PodFacts, before: crate::pod::PodPhase, is_gone: bool, now: Timestamp) {
        let job = self.cache.resolve(pod.namespace(), pod.owner());
        let Some(key) = job.filter(|job| !job.status.is_finished()).map(|job| job.key.clone()) else {
            if pod.has_finalizer() {
                self.orphans.add_pod(pod);
            }
            return;
        };
        let intents = &mut self.entry(&key).memory.intents;
        intents.deletion_observed();
        if is_gone || !pod.has_finalizer() {
            intents.removal_observed(&pod.uid());
        }
        self.gather(&key, now, || {
            let key = pod.key();
            if is_gone { Trigger::PodGone(key) } else { Trigger::PodChanged(key, before, pod.phase(), true) }
        });
    }

    /// A pod that nobody controls: its finalizer is looked at, and Jobs that could adopt it are woken.
    fn pod_without_controller(&mut self, pod: &PodFacts, wakes: bool, now: Timestamp) {
        if pod.has_finalizer() {
            self.orphans.add_pod(pod);
        }
        if !wakes || pod.labels().is_empty() {
            return;
        }
        let matching = |job: &&alloc::sync::Arc<crate::job::JobView>| {
            job.key.namespace == *pod.namespace() && job.spec.selector.selects(&pod.labels())
        };
        let keys: alloc::vec::Vec<JobKey> = self.cache.jobs().filter(matching).map(|job| job.key.clone()).collect();
        for key in keys {
            self.gather(&key, now, || Trigger::PodAdded(pod.key()));
        }
    }

    fn owner_key(&self, pod: &PodFacts) -> Option<JobKey> {
        self.cache.resolve(pod.namespace(), pod.owner()).map(|job| job.key.clone())
    }

    fn entry(&mut self, key: &JobKey) -> &mut super::Entry {
        self.entries.entry(key)
    }

    /// MET-30.
    fn count_held(&mut self, old: Option<&PodFacts>, new: Option<&PodFacts>) {
        let held = |pod: Option<&PodFacts>| pod.is_some_and(|pod| pod.has_finalizer() && pod.phase().is_terminal());
        let (before, after) = (held(old), held(new));
        if before != after {
            self.outbox.push_back(Output::Metric(Metric::TerminatedPodWithFinalizer { added: after }));
        }
    }
}

fn old_phase(old: Option<&PodFacts>, new: &PodFacts) -> crate::pod::PodPhase {
    old.map_or(new.phase(), |old| old.phase())
}

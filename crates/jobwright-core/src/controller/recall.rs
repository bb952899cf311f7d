//! What a controller would remember that had run all the time, read off the pods that are there.
//!
//! Invariant: only memories that decisions of the past have left behind are filled in; what a sync is
//! going to count itself is left to it.

use super::Controller;
use crate::backoff::BackoffRecord;
use crate::ids::JobKey;
use crate::ledger::facts::PodFacts;
use crate::record::Trace;

impl<T: Trace> Controller<T> {
    /// Fills the back-off record of a Job from the pods that were counted already (BKO-2), as the controller that
    /// counted them has it. Without this, a controller waits after no failure from before its start (BKO-1).
    ///
    /// For hosts that show a snapshot of a cluster whose controller runs; to be called after the lists.
    pub fn recall(&mut self, key: &JobKey) {
        let Some(job) = self.cache.job(key).cloned() else { return };
        let stored = job.status.uncounted.as_ref();
        let is_stored = |pod: &PodFacts| {
            stored.is_some_and(|pods| pods.succeeded.contains(&pod.uid()) || pods.failed.contains(&pod.uid()))
        };
        let only_failed = job.spec.replaces_only_failed();
        let mut ended = (alloc::vec::Vec::new(), alloc::vec::Vec::new());
        for (_, pod) in self.cache.ledger(&job.uid).scan().filter(|(_, pod)| !pod.has_finalizer() || is_stored(pod)) {
            if pod.has_succeeded() {
                ended.0.push(pod.finished_at());
            } else if pod.has_failed(only_failed) {
                ended.1.push(pod.finished_at());
            }
        }
        let backoff = BackoffRecord::default().after(ended.0.into_iter(), ended.1.into_iter());
        self.entries.entry(key).memory.backoff = backoff;
    }
}

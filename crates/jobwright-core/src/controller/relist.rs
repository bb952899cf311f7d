//! Lists of everything: at the start, and when a watch was lost.
//!
//! Invariant: what was known and is not in a list is gone, as if the watch had said so.

use alloc::vec::Vec;

use super::Controller;
use crate::ids::{JobKey, Uid};
use crate::input::{RelistStep, Resource};
use crate::ordered::OrderedSet;
use crate::record::Trace;
use crate::time::Timestamp;

/// How far the lists are.
#[derive(Clone, Debug, Default)]
pub(super) struct Relists {
    jobs_listed: bool,
    pods_listed: bool,
    jobs: Option<OrderedSet<(JobKey, Uid)>>,
    /// Pods that were known when the list began and that it has not shown yet.
    unseen_pods: OrderedSet<Uid>,
}

impl Relists {
    /// Whether both resources have been listed at least once (EVQ-10).
    pub(super) const fn all_listed(&self) -> bool {
        self.jobs_listed && self.pods_listed
    }

    /// A Job was seen, perhaps as a part of a list.
    pub(super) fn saw_job(&mut self, key: &JobKey, uid: &Uid) {
        if let Some(seen) = &mut self.jobs {
            seen.insert((key.clone(), uid.clone()));
        }
    }

    /// A pod was seen, perhaps as a part of a list.
    pub(super) fn saw_pod(&mut self, uid: &Uid) {
        self.unseen_pods.remove(uid);
    }
}

impl<T: Trace> Controller<T> {
    pub(super) fn relist(&mut self, resource: Resource, step: RelistStep, now: Timestamp) {
        match (resource, step) {
            (Resource::Jobs, RelistStep::Begin) => self.relists.jobs = Some(OrderedSet::new()),
            (Resource::Pods, RelistStep::Begin) => self.relists.unseen_pods = self.cache.pod_uids().collect(),
            (Resource::Jobs, RelistStep::Done(version)) => {
                self.synced.saw(resource, version);
                self.jobs_listed();
            }
            (Resource::Pods, RelistStep::Done(version)) => {
                self.synced.saw(resource, version);
                self.pods_listed(now);
            }
        }
    }

    fn jobs_listed(&mut self) {
        self.relists.jobs_listed = true;
        let Some(seen) = self.relists.jobs.take() else { return };
        let known = self.cache.jobs().map(|job| (job.key.clone(), job.uid.clone()));
        let gone: Vec<_> = known.filter(|job| !seen.contains(job)).collect();
        for (key, uid) in gone {
            self.job_gone(&key, &uid);
        }
    }

    fn pods_listed(&mut self, now: Timestamp) {
        self.relists.pods_listed = true;
        for uid in core::mem::take(&mut self.relists.unseen_pods).iter() {
            self.pod_gone(uid, now);
        }
    }
}

//! How much there is, for the gauges of a host.
//!
//! Invariant: nothing is kept for it; asking costs a look at each chunk of a map.

use super::Controller;

/// Numbers of things at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Jobs that are known.
    pub jobs: usize,
    /// Pods that are known.
    pub pods: usize,
    /// The queue of Jobs (MET-42: `job`).
    pub job_queue: Queued,
    /// The queue of pods that no Job tracks (MET-42: `job_orphan_pod`).
    pub orphan_queue: Queued,
    /// The queue of finished Jobs with a time to live (MET-42: `ttl_jobs_to_delete`).
    pub time_to_live_queue: Queued,
    /// Writes without an answer.
    pub unanswered: usize,
}

/// Keys of one queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queued {
    /// Keys that wait for their turn.
    pub ready: usize,
    /// Keys that are worked on.
    pub busy: usize,
    /// Keys that wait for a time.
    pub delayed: usize,
}

impl<T> Controller<T> {
    /// How much there is.
    pub fn load(&self) -> Load {
        let (jobs, pods) = self.cache.sizes();
        Load {
            jobs,
            pods,
            job_queue: self.queue.sizes(),
            orphan_queue: self.orphans.queue.sizes(),
            time_to_live_queue: self.time_to_live.queue.sizes(),
            unanswered: self.senders.len(),
        }
    }
}

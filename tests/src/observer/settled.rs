//! What holds once everything has had the time to settle: pods ended, faults used up, watches flowing
//! (INV-2, INV-30, INV-31, INV-33).

use jobwright_sim::object;

use super::book::{Fate, is_tracked};
use super::status::Status;
use super::{Breach, Law, Observer};

impl Observer {
    /// Judges the end of a world.
    ///
    /// # Errors
    /// A pod was lost, keeps its finalizer, or a Job does not end.
    pub fn settled(&self) -> Result<(), Breach> {
        let breach = |law, what| Err(Breach { law, at: self.at, what });
        for (uid, pod) in &self.stored.pods {
            // A controller that was told that the pod is gone has no reason to come back to it.
            let owed = is_tracked(pod) && object::phase(pod).is_terminal() && !self.book.was_lied_about(uid);
            if owed {
                return breach(Law::Invariant("INV-30"), format!("pod {uid} has ended and keeps its finalizer"));
            }
        }
        for (uid, job) in &self.stored.jobs {
            let status = Status::of(job);
            if let Some(lost) = self.lost(uid, &status) {
                return breach(Law::Counting, format!("pod {lost} was stored and never counted"));
            }
            if !status.is_finished() {
                return breach(Law::Invariant("INV-31"), format!("Job {} does not end", object::name(job)));
            }
        }
        Ok(())
    }

    /// A pod that a status held and that is in no counter (INV-2).
    fn lost(&self, job: &str, status: &Status) -> Option<String> {
        let indexed = self.is_indexed(job);
        let completions = self.stored.jobs.get(job).and_then(|job| object::integer(job, &["spec", "completions"]));
        // An index that is out of the range now was complete once.
        let is_over = |index: i64| status.indexes.contains(&index) || completions.is_some_and(|above| index >= above);
        let by_index = |index: Option<u32>| indexed && index.is_some_and(|index| is_over(index.into()));
        let mut pods = self.book.of(job).filter(|(_, pod)| pod.fate == Fate::Stored);
        let lost = pods.find(|(uid, pod)| !self.book.counted.contains(*uid) && !by_index(pod.index));
        lost.map(|(uid, _)| uid.clone())
    }
}

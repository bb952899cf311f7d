//! No pod is counted twice, and none is lost on its way into the counters (INV-1, INV-2, INV-5).
//!
//! The counters may grow only by pods that leave the lists of `uncountedTerminatedPods`, one for one, and
//! a UID enters a list only once, for a pod that ended. Indexed successes have their index in the place
//! of a UID.
//!
//! Exception: after an injected "not found" for a pod that is there, that pod may be counted once more.

use std::collections::BTreeSet;

use jobwright_core::PodPhase;
use jobwright_sim::object;
use serde_json::Value;

use super::Observer;
use super::book::is_tracked;
use super::status::Status;

/// UIDs and new indexes that may wait at a time (CST-4).
const WAITING_MAX: usize = 500;

impl Observer {
    /// Judges a status that the controller stored.
    pub(super) fn count(&mut self, job: &Value, old: &Status, new: &Status) -> Result<(), String> {
        self.lists(old, new)?;
        let indexed = object::text(job, &["spec", "completionMode"]) == "Indexed";
        let uid = object::uid(job);
        let grown = new.failed - old.failed;
        self.settle("failed", &old.waiting_failed, &new.waiting_failed, grown)?;
        if indexed {
            if !new.waiting_succeeded.is_empty() {
                return Err("a UID waits as succeeded in an Indexed Job".to_owned());
            }
            self.indexes(job, old, new)?;
        } else {
            let grown = new.succeeded - old.succeeded;
            self.settle("succeeded", &old.waiting_succeeded, &new.waiting_succeeded, grown)?;
        }
        let failing = new.is("FailureTarget") || new.is("Failed");
        for entered in new.waiting_succeeded.iter().filter(|u| !old.waiting_succeeded.contains(u)) {
            self.enters(uid, entered, "succeeded", |phase, _| phase == PodPhase::Succeeded)?;
        }
        for entered in new.waiting_failed.iter().filter(|u| !old.waiting_failed.contains(u)) {
            self.enters(uid, entered, "failed", |phase, deleted| phase == PodPhase::Failed || deleted || failing)?;
        }
        Ok(())
    }

    /// INV-5.
    fn lists(&self, old: &Status, new: &Status) -> Result<(), String> {
        let all: Vec<&String> = new.waiting_succeeded.iter().chain(&new.waiting_failed).collect();
        let distinct: BTreeSet<&&String> = all.iter().collect();
        if distinct.len() != all.len() {
            return Err("a UID waits twice".to_owned());
        }
        let before = old.waiting_succeeded.len() + old.waiting_failed.len();
        if all.len() > WAITING_MAX.max(before + 1) {
            return Err(format!("{} UIDs wait at a time", all.len()));
        }
        Ok(())
    }

    /// The counter grows by exactly the pods that left the list, and each left it for the first time.
    fn settle(&mut self, which: &str, old: &[String], new: &[String], grown: i64) -> Result<(), String> {
        let left: Vec<&String> = old.iter().filter(|uid| !new.contains(uid)).collect();
        if i64::try_from(left.len()) != Ok(grown) {
            return Err(format!("`{which}` grew by {grown}, and {} pods left the list", left.len()));
        }
        for uid in left {
            if self.stored.pods.get(uid).is_some_and(|pod| is_tracked(pod)) && !self.book.was_lied_about(uid) {
                return Err(format!("pod {uid} was counted as {which} while its finalizer is on"));
            }
            if !self.book.counted.insert(uid.clone()) {
                return Err(format!("pod {uid} was counted twice"));
            }
        }
        Ok(())
    }

    /// A pod begins to wait.
    fn enters(
        &mut self,
        job: &str,
        uid: &str,
        which: &str,
        may: impl Fn(PodPhase, bool) -> bool,
    ) -> Result<(), String> {
        let Some(pod) = self.book.pods.get(uid).filter(|pod| pod.job == job) else {
            return Err(format!("{uid} waits as {which} and is no pod of the Job"));
        };
        if !may(pod.phase, pod.deleted) {
            return Err(format!("pod {uid} waits as {which} and is {:?}", pod.phase));
        }
        if self.book.counted.contains(uid) {
            if !self.book.forgive(uid) {
                return Err(format!("pod {uid} waits again after it was counted"));
            }
            self.book.counted.remove(uid);
        }
        Ok(())
    }

    /// Indexes are not lost but by fewer `completions`, and each new one has a pod that succeeded.
    fn indexes(&self, job: &Value, old: &Status, new: &Status) -> Result<(), String> {
        let completions = object::integer(job, &["spec", "completions"]).unwrap_or(0);
        if let Some(lost) = old.indexes.difference(&new.indexes).find(|index| **index < completions) {
            return Err(format!("index {lost} is no longer complete"));
        }
        for index in new.indexes.difference(&old.indexes) {
            let fits = |pod: &super::book::PodBook| {
                pod.index.map(i64::from) == Some(*index) && pod.phase == PodPhase::Succeeded
            };
            if !self.book.of(object::uid(job)).any(|(_, pod)| fits(pod)) {
                return Err(format!("index {index} is complete, and none of its pods succeeded"));
            }
        }
        Ok(())
    }
}

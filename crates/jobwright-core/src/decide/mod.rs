//! The pure middle: what one sync of a Job decides, from what is known now.
//!
//! Invariants: nothing is changed here; deciding twice gives the same; the order of the calls is the
//! order of the rules (section 7).

pub(crate) mod candidates;
mod creation;
pub(crate) mod ending;
pub(crate) mod facts;
pub(crate) mod per_index;
pub(crate) mod pods;

use alloc::vec::Vec;

use crate::backoff::BackoffRecord;
use crate::controller::Tuning;
use crate::controller::cache::Cache;
use crate::ids::Uid;
use crate::intents::Intents;
use crate::job::JobView;
use crate::ledger::Ledger;
use crate::ordered::{OrderedMap, OrderedSet};
use crate::record::{Subject, Trace};
use crate::rule::Rule;
use crate::status::JobStatus;
use crate::time::{Millis, Timestamp};
use candidates::Candidate;
use ending::Ending;
use facts::Indexes;
use pods::PodPlan;

/// What a decision is made from.
pub(crate) struct Scene<'a> {
    pub(crate) job: &'a JobView,
    pub(crate) cache: &'a Cache,
    pub(crate) ledger: &'a Ledger,
    pub(crate) intents: &'a Intents,
    /// Read before the pods were listed (SYNC-11).
    pub(crate) expectations_met: bool,
    pub(crate) backoff: BackoffRecord,
    pub(crate) tuning: Tuning,
    pub(crate) now: Timestamp,
}

impl Scene<'_> {
    /// `spec.completions`, as the number of indexes of an Indexed Job; 0 if unset (VAL-70).
    pub(crate) fn completions(&self) -> u32 {
        self.job.spec.completions.and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
    }
}

/// The numbers that decisions use (SYNC-14 to SYNC-16).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) active: i32,
    pub(crate) ready: i32,
    pub(crate) terminating: i32,
    pub(crate) succeeded: i64,
    pub(crate) failed: i64,
}

/// What one sync is going to do, as far as it can be known before its writes are answered.
pub(crate) struct Decision {
    /// The stored status with `startTime` and `uncountedTerminatedPods` filled in (SYNC-10, SYNC-17).
    pub(crate) status: JobStatus,
    pub(crate) tally: Tally,
    pub(crate) expectations_met: bool,
    /// The back-off record that follows (SYNC-18).
    pub(crate) backoff: BackoffRecord,
    /// Succeeded indexes of an Indexed Job.
    pub(crate) indexes: Option<Indexes>,
    pub(crate) ending: Option<Ending>,
    /// When `activeDeadlineSeconds` runs out (SYNC-25).
    pub(crate) deadline_in: Option<Millis>,
    pub(crate) plan: PodPlan,
    /// The pods that may be counted and released, as they are now (TRK-3).
    pub(crate) candidates: Vec<Candidate>,
    /// The stored uncounted UIDs whose pods still carry the finalizer (TRK-2).
    pub(crate) still_held: OrderedSet<Uid>,
}

/// Makes the decision and says why.
pub(crate) fn decide<T: Trace>(scene: &Scene<'_>, trail: &mut Trail<'_, T>) -> Decision {
    let mut status = scene.job.status.clone();
    let uncounted = status.uncounted.get_or_insert_default().clone();
    if status.start_time.is_none() && !scene.job.spec.suspend {
        status.start_time = Some(scene.now);
    }
    let ended = facts::newly_ended(scene, &uncounted);
    let mut tally = facts::tally(scene, &uncounted, &ended);
    let backoff = scene
        .backoff
        .after(ended.succeeded.iter().map(|pod| pod.finished_at()), ended.failed.iter().map(|pod| pod.finished_at()));
    let mut verdict = ending::ending(scene, &status, &tally, &ended, &uncounted, trail);
    let indexes = facts::indexes(scene);
    if let Some(indexes) = &indexes {
        tally.succeeded = facts::number(indexes.succeeded.len());
        verdict.ending = verdict.ending.or_else(|| ending::of_indexes(scene, indexes, trail));
    }
    let delayed = match indexes.as_ref().and_then(|i| Some((&i.succeeded, i.failed.as_ref()?))) {
        Some((succeeded, failed)) => per_index::delayed(scene, succeeded, failed),
        None => OrderedMap::new(),
    };
    let expectations_met = scene.expectations_met;
    let plan = match &verdict.ending {
        Some(_) => pods::end(scene, trail),
        None => pods::Planner { scene, tally: &tally, backoff, indexes: indexes.as_ref(), delayed: &delayed }
            .manage(expectations_met, trail),
    };
    let candidates = candidates::candidates(scene, verdict.ending.is_some(), &plan, &delayed);
    let still_held = candidates::still_held(scene, &uncounted);
    Decision {
        status,
        tally,
        expectations_met,
        backoff,
        indexes,
        ending: verdict.ending,
        deadline_in: verdict.deadline_in,
        plan,
        candidates,
        still_held,
    }
}

/// Where a decision is recorded.
pub(crate) struct Trail<'a, T> {
    pub(crate) trace: &'a mut T,
    pub(crate) subject: &'a Subject,
}

impl<T: Trace> Trail<'_, T> {
    /// Records that a rule was looked at; returns whether it fired.
    #[inline]
    pub(crate) fn tried(&mut self, rule: Rule, fired: bool, facts: impl FnOnce() -> Vec<crate::record::Fact>) -> bool {
        self.trace.tried(self.subject, rule, fired, facts);
        fired
    }
}

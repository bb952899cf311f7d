//! What about the Job's pods? Which are made, which are deleted (SYNC-30, SYNC-31, sections 13 to 15).
//!
//! Invariants: one sync never both makes and deletes pods; nothing is made or deleted for the count
//! while writes are asked for and not yet seen; at most 500 pods a sync, except when the Job is
//! suspended or ends.

use alloc::vec;
use alloc::vec::Vec;

use super::facts::Indexes;
use super::{Scene, Tally, Trail};
use crate::backoff::BackoffRecord;
use crate::ids::CompletionIndex;
use crate::ledger::facts::PodFacts;
use crate::ledger::{Seen, ranking};
use crate::ordered::OrderedMap;
use crate::output::{NewPod, PodRef};
use crate::record::FactName as F;
use crate::record::FactValue::Count;
use crate::record::{Fact, Trace};
use crate::rule::Rule;
use crate::time::Millis;

/// A pod that is going to be deleted.
#[derive(Clone, Debug)]
pub(crate) struct Doomed {
    pub(crate) pod: PodRef,
    pub(crate) ready: bool,
    pub(crate) has_finalizer: bool,
}

impl From<&PodFacts> for Doomed {
    fn from(pod: &PodFacts) -> Self {
        Self { pod: pod.pod_ref(), ready: pod.is_ready(), has_finalizer: pod.has_finalizer() }
    }
}

/// What is done about pods.
#[derive(Debug)]
pub(crate) enum PodPlan {
    /// The Job ends: delete every active pod.
    End(Vec<Doomed>),
    /// Leave pods alone: writes are open, or the Job is being deleted.
    Hold,
    /// The Job is suspended: delete every active pod.
    Suspend(Vec<Doomed>),
    /// Delete these.
    Delete(Vec<Doomed>),
    /// Make pods later.
    Wait(Millis),
    /// Make these now; the list may be empty.
    Create(Vec<NewPod>),
    /// There is nothing to do.
    Keep,
}

/// The plan of a Job that ends (SYNC-30).
pub(crate) fn end<T: Trace>(scene: &Scene<'_>, trail: &mut Trail<'_, T>) -> PodPlan {
    let active = scene.ledger.counts().active;
    trail.tried(Rule::EndActivePods, active > 0, || vec![(F::Active, Count(active.into()))]);
    PodPlan::End(if active > 0 { doom(&active_pods(scene)) } else { Vec::new() })
}

/// Plans for a Job that goes on (SYNC-31).
pub(crate) struct Planner<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) tally: &'a Tally,
    pub(crate) backoff: BackoffRecord,
    pub(crate) indexes: Option<&'a Indexes>,
    /// Failed pods that are kept for the count of their index (BKO-32).
    pub(crate) delayed: &'a OrderedMap<CompletionIndex, Seen<'a>>,
}

impl Planner<'_> {
    /// The plan, by the rules of SYNC-31 in their order.
    pub(crate) fn manage<T: Trace>(&self, expectations_met: bool, trail: &mut Trail<'_, T>) -> PodPlan {
        let (scene, tally) = (self.scene, self.tally);
        let open = || {
            let (creations, deletions) = scene.intents.open();
            vec![(F::CreationsOpen, Count(creations)), (F::DeletionsOpen, Count(deletions))]
        };
        if trail.tried(Rule::ExpectationsOpen, !expectations_met, open)
            || trail.tried(Rule::JobDeleting, scene.job.deletion_timestamp.is_some(), Vec::new)
        {
            return PodPlan::Hold;
        }
        let active = || vec![(F::Active, Count(tally.active.into()))];
        if trail.tried(Rule::SuspendPods, scene.job.spec.suspend, active) {
            return PodPlan::Suspend(doom(&ranked(scene, usize::MAX)));
        }
        let wanted = wanted(scene, tally);
        if let Some(surplus) = surplus(scene, tally, wanted, trail) {
            return PodPlan::Delete(surplus);
        }
        let held = if scene.job.spec.replaces_only_failed() { tally.terminating } else { 0 };
        let missing = wanted - i64::from(tally.active) - i64::from(held);
        if trail.tried(Rule::EnoughPods, missing <= 0, || wanted_facts(scene, tally, wanted)) {
            return PodPlan::Keep;
        }
        self.create(wanted, missing, trail)
    }
}

/// How many pods should be active (CRE-2).
fn wanted(scene: &Scene<'_>, tally: &Tally) -> i64 {
    let parallelism = i64::from(scene.job.spec.parallelism.unwrap_or(1));
    match scene.job.spec.completions {
        None if tally.succeeded > 0 => tally.active.into(),
        None => parallelism,
        Some(completions) => parallelism.min(i64::from(completions) - tally.succeeded).max(0),
    }
}

/// The pods to delete, if there are any (DEL-2 to DEL-6).
fn surplus<T: Trace>(scene: &Scene<'_>, tally: &Tally, wanted: i64, trail: &mut Trail<'_, T>) -> Option<Vec<Doomed>> {
    let surplus = usize::try_from(i64::from(tally.active) - wanted).unwrap_or(0);
    let misplaced = scene.job.spec.is_indexed() && scene.ledger.has_misplaced(scene.completions());
    let mut chosen = if surplus > 0 || misplaced { doom(&ranked(scene, surplus)) } else { Vec::new() };
    chosen.truncate(scene.tuning.pod_writes_max);
    let facts = || {
        let mut facts = wanted_facts(scene, tally, wanted);
        facts.push((F::Surplus, Count(super::facts::count(&chosen))));
        facts
    };
    trail.tried(Rule::SurplusPods, !chosen.is_empty(), facts).then_some(chosen)
}

pub(super) fn wanted_facts(scene: &Scene<'_>, tally: &Tally, wanted: i64) -> Vec<Fact> {
    let mut facts = vec![(F::Parallelism, Count(scene.job.spec.parallelism.unwrap_or(1).into()))];
    facts.extend(scene.job.spec.completions.map(|n| (F::Completions, Count(n.into()))));
    facts.push((F::Succeeded, Count(tally.succeeded)));
    facts.push((F::Active, Count(tally.active.into())));
    facts.push((F::Wanted, Count(wanted)));
    facts
}

fn active_pods<'a>(scene: &Scene<'a>) -> Vec<&'a PodFacts> {
    scene.ledger.scan_sorted().into_iter().map(|seen| seen.pod).filter(|pod| pod.is_active()).collect()
}

/// The first `at_least` active pods to delete, or more (DEL-3); all if there are fewer.
fn ranked<'a>(scene: &Scene<'a>, at_least: usize) -> Vec<&'a PodFacts> {
    let completions = scene.job.spec.is_indexed().then(|| scene.completions());
    ranking::choose(active_pods(scene), at_least, completions)
}

fn doom(pods: &[&PodFacts]) -> Vec<Doomed> {
    pods.iter().map(|pod| Doomed::from(*pod)).collect()
}

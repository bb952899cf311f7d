//! Before a sync decides: pods that are not the Job's are let go, pods that should be are taken (ADO-1 to ADO-9).
//!
//! Invariants: nothing is adopted before a live read has shown that the Job is still there and not being
//! deleted (ADO-5); an error on one pod does not keep the others from being handled (ADO-7).

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::desk::{Desk, Sender};
use crate::controller::cache::Cache;
use crate::decide::facts::count;
use crate::ids::{Text, Uid, WriteId, text};
use crate::input::{Answer, ApiFailure, FailureKind, Reply, Written};
use crate::job::JobView;
use crate::ledger::facts::PodFacts;
use crate::ledger::list_order;
use crate::ordered::OrderedMap;
use crate::ordered::sort_by;
use crate::output::{Effect, PodRef};
use crate::record::FactName as F;
use crate::record::FactValue::Count;
use crate::record::Trace;
use crate::rule::Rule;

/// What there is to claim.
pub(crate) struct Claims {
    release: Vec<PodRef>,
    adopt: Vec<PodRef>,
}

impl Claims {
    /// The pods that the Job has and should not, and the other way round; none while it is being deleted.
    pub(crate) fn of(job: &JobView, cache: &Cache) -> Option<Self> {
        if job.deletion_timestamp.is_some() {
            return None;
        }
        let release: Vec<PodRef> = cache.ledger(&job.uid).strays().into_iter().map(|pod| pod.pod_ref()).collect();
        let wanted = |pod: &&PodFacts| !pod.is_deleting() && job.spec.selector.selects(&pod.labels());
        let mut adopt: Vec<&PodFacts> = cache.loose_in(&job.key.namespace).filter(wanted).collect();
        sort_by(&mut adopt, |a, b| list_order(a, b));
        let adopt: Vec<PodRef> = adopt.into_iter().map(PodFacts::pod_ref).collect();
        (!release.is_empty() || !adopt.is_empty()).then_some(Self { release, adopt })
    }
}

#[derive(Clone, Debug)]
enum Role {
    Release(PodRef),
    Check,
    Adopt(PodRef),
}

/// What a claim's answer changes in the cache.
pub(crate) enum Claimed {
    /// Nothing, or not yet.
    Nothing,
    /// The pod is the Job's and carries the finalizer, as of that answer (ADO-8).
    Adopted(Uid, Written),
    /// The pod is nobody's.
    Released(Uid, Written),
}

/// Claims that are under way.
#[derive(Clone, Debug)]
pub(crate) struct Claiming {
    pub(crate) job: Arc<JobView>,
    /// Read before the pods are listed (SYNC-11).
    pub(crate) expectations_met: bool,
    adopt: Vec<PodRef>,
    pending: OrderedMap<WriteId, Role>,
    error: Option<Text>,
}

impl Claiming {
    /// Sends the first calls.
    pub(crate) fn start<T: Trace>(job: Arc<JobView>, claims: Claims, met: bool, desk: &mut Desk<'_, T>) -> Self {
        let mut this =
            Self { job, expectations_met: met, adopt: claims.adopt, pending: OrderedMap::new(), error: None };
        let strays = count(&claims.release);
        desk.tried(Rule::ReleaseStray, strays > 0, || vec![(F::Count, Count(strays))]);
        for pod in claims.release {
            let effect = Effect::ReleasePod(pod.clone(), this.job.key.clone(), this.job.uid.clone());
            this.send(effect, Rule::ReleaseStray, Role::Release(pod), desk);
        }
        let adoptions = count(&this.adopt);
        if desk.tried(Rule::CheckBeforeAdoption, adoptions > 0, || vec![(F::Count, Count(adoptions))]) {
            this.send(Effect::GetJob(this.job.key.clone()), Rule::CheckBeforeAdoption, Role::Check, desk);
        }
        this
    }

    fn send<T: Trace>(&mut self, effect: Effect, why: Rule, role: Role, desk: &mut Desk<'_, T>) {
        let id = desk.write(Sender::Sync(self.job.key.clone()), effect, why);
        self.pending.insert(id, role);
    }

    /// Takes in an answer; what it changes.
    pub(crate) fn answer<T: Trace>(&mut self, id: WriteId, answer: Answer, desk: &mut Desk<'_, T>) -> Claimed {
        let result = answer.into_result();
        match self.pending.remove(&id) {
            None => Claimed::Nothing,
            Some(Role::Check) => {
                self.checked(result, desk);
                Claimed::Nothing
            }
            Some(Role::Adopt(pod)) => match result {
                Ok(written) => Claimed::Adopted(pod.uid, written),
                Err(failure) if failure.kind == FailureKind::NotFound => Claimed::Nothing,
                Err(failure) => self.failed(failure.message),
            },
            Some(Role::Release(pod)) => match result {
                Ok(written) => Claimed::Released(pod.uid, written),
                Err(failure) if matches!(failure.kind, FailureKind::NotFound | FailureKind::Invalid) => {
                    Claimed::Nothing
                }
                Err(failure) => self.failed(failure.message),
            },
        }
    }

    /// Whether every call is answered; then the error, if there was one.
    pub(crate) fn is_over(&self) -> Option<Option<&Text>> {
        self.pending.is_empty().then_some(self.error.as_ref())
    }

    fn failed(&mut self, error: Text) -> Claimed {
        self.error.get_or_insert(error);
        Claimed::Nothing
    }

    /// ADO-5: adopts, if the live Job still is this one.
    fn checked<T: Trace>(&mut self, result: Result<Written, ApiFailure>, desk: &mut Desk<'_, T>) {
        let adopt = core::mem::take(&mut self.adopt);
        let refused = match result.map(|written| written.reply) {
            Ok(Reply::Job(live)) => self.refusal(&live),
            Ok(_) => None,
            Err(failure) => Some(failure.message),
        };
        let adopts = desk.tried(Rule::AdoptPod, refused.is_none(), || vec![(F::Count, Count(count(&adopt)))]);
        for pod in adopt {
            if adopts {
                let effect = Effect::AdoptPod(pod.clone(), self.job.key.clone(), self.job.uid.clone());
                self.send(effect, Rule::AdoptPod, Role::Adopt(pod), desk);
            } else if let Some(reason) = &refused {
                let (namespace, name, uid) = (&pod.key.namespace, &pod.key.name, &pod.uid);
                let reason = format_args!("can't recheck DeletionTimestamp: {reason}");
                self.failed(text(format_args!("can't adopt Pod {namespace}/{name} ({uid}): {reason}")));
            }
        }
    }

    fn refusal(&self, live: &JobView) -> Option<Text> {
        if live.uid != self.job.uid {
            let (key, is, was) = (&self.job.key, &live.uid, &self.job.uid);
            return Some(text(format_args!("original Job {key} is gone: got uid {is}, wanted {was}")));
        }
        let at = live.deletion_timestamp?;
        Some(text(format_args!("{} has just been deleted at {}", self.job.key, at.0.div_euclid(1_000))))
    }
}

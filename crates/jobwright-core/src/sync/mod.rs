//! One sync of a Job, from the decision to its last write.
//!
//! The stages run in this order, and each begins when every write of the one before is answered:
//! pods (delete or create) → store the status with the UIDs → remove finalizers → store the counters
//! and the terminal condition. That order is the write protocol of KEP-2307.
//!
//! Invariants: a finalizer is removed only after the status that accounts for its pod was stored
//! (only [`Stage::StoreStatus`] leads to [`Stage::Release`]); at most two status writes (INV-24).

pub(crate) mod claim;
pub(crate) mod desk;
mod events;
mod finish;
mod pods;
mod tracking;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::backoff::BackoffRecord;
use crate::controller::{Config, Gates};
use crate::decide::candidates::Candidate;
use crate::decide::ending::Ending;
use crate::decide::facts::Indexes;
use crate::decide::{Decision, Tally};
use crate::ids::{ResourceVersion, Text, Uid, WriteId};
use crate::input::{Answer, ApiFailure, FailureKind, Resource, Written};
use crate::job::JobView;
use crate::metric::{Metric, SyncAction};
use crate::mutant::{Mutant, is_planted};
use crate::ordered::{OrderedMap, OrderedSet};
use crate::output::{Effect, PodRef};
use crate::record::Trace;
use crate::rule::Rule;
use crate::spec::FailureAction;
use crate::status::JobStatus;
use crate::time::Millis;
use desk::{Desk, Sender};

/// How far a sync is.
#[derive(Clone, Debug)]
enum Stage {
    /// Pods are being deleted or made.
    Pods(pods::PodStage),
    /// The first status write is out.
    StoreStatus,
    /// Finalizers are being removed.
    Release,
    /// Some finalizers could not be removed; what worked is being stored.
    StorePartial(Text),
    /// The last status write is out; whether it makes the Job finished.
    StoreCounters(bool),
}

/// How a sync ended.
pub(crate) struct Outcome {
    /// The error for which it is tried again.
    pub(crate) error: Option<Text>,
}

/// What a stage leads to.
enum Next {
    /// Writes are out.
    Wait,
    /// The sync is over.
    Over(Outcome),
}

impl Next {
    fn failed(error: Text) -> Self {
        Self::Over(Outcome { error: Some(error) })
    }
}

/// A sync that is under way.
#[derive(Clone, Debug)]
pub(crate) struct Sync {
    job: Arc<JobView>,
    resource_version: ResourceVersion,
    status: JobStatus,
    tally: Tally,
    expectations_met: bool,
    gates: Gates,
    uncounted_max: usize,
    /// Whether pods were managed (SYNC-31).
    managed: bool,
    /// Whether the condition `Suspended` was changed (SYNC-34).
    suspension_changed: bool,
    action: SyncAction,
    backoff: BackoffRecord,
    indexes: Option<Indexes>,
    ending: Option<Ending>,
    candidates: Vec<Candidate>,
    /// UIDs of uncounted pods that still carry the finalizer (TRK-1).
    held: OrderedSet<Uid>,
    release: Vec<PodRef>,
    limit_reached: bool,
    /// What the failure policy did about failed pods (TRK-11).
    handled: Vec<FailureAction>,
    stage: Stage,
    pending: OrderedMap<WriteId, pods::Role>,
    /// The first error of pod management (SYNC-36).
    manage_error: Option<Text>,
    /// The first error of a finalizer removal (TRK-16).
    release_error: Option<Text>,
    /// What metrics have been told of the counters.
    reported: tracking::Counters,
}

impl Sync {
    /// Begins to carry out a decision; returns the sync, unless it is over at once.
    pub(crate) fn start<T: Trace>(
        job: Arc<JobView>,
        decision: Decision,
        config: &Config,
        desk: &mut Desk<'_, T>,
    ) -> Result<Box<Self>, Outcome> {
        let mut sync = Box::new(Self {
            resource_version: job.resource_version,
            reported: tracking::Counters::of(&job.status, decision.indexes.as_ref()),
            job,
            status: decision.status,
            tally: decision.tally,
            expectations_met: decision.expectations_met,
            gates: config.gates,
            uncounted_max: config.tuning.uncounted_pods_max,
            managed: false,
            suspension_changed: false,
            action: SyncAction::Reconciling,
            backoff: decision.backoff,
            indexes: decision.indexes,
            ending: decision.ending,
            candidates: decision.candidates,
            held: decision.still_held,
            release: Vec::new(),
            limit_reached: false,
            handled: Vec::new(),
            stage: Stage::Pods(pods::PodStage::default()),
            pending: OrderedMap::new(),
            manage_error: None,
            release_error: None,
        });
        sync.send_pods(decision.plan, desk);
        match sync.proceed(desk) {
            Next::Wait => Ok(sync),
            Next::Over(outcome) => Err(sync.over(outcome, desk)),
        }
    }

    /// Takes in the answer to one of its writes; returns the outcome if the sync is over.
    pub(crate) fn answer<T: Trace>(&mut self, id: WriteId, answer: Answer, desk: &mut Desk<'_, T>) -> Option<Outcome> {
        let role = self.pending.remove(&id)?;
        let result = answer.into_result();
        if let Ok(written) = &result {
            self.note_write(&role, written, desk);
        }
        let next = match role {
            pods::Role::Status => self.status_answered(result, desk),
            pods::Role::Release(pod) => {
                self.released(&pod, result, desk);
                self.proceed(desk)
            }
            role => {
                self.pod_answered(role, result, desk);
                self.proceed(desk)
            }
        };
        match next {
            Next::Wait => None,
            Next::Over(outcome) => Some(self.over(outcome, desk)),
        }
    }

    /// CON-1: what the cache has to catch up with. Deletions return no version to wait for.
    fn note_write<T: Trace>(&self, role: &pods::Role, written: &Written, desk: &mut Desk<'_, T>) {
        let resource = match role {
            pods::Role::Status => Resource::Jobs,
            pods::Role::Create | pods::Role::Loosen(..) | pods::Role::Release(_) => Resource::Pods,
            pods::Role::End(_) | pods::Role::Delete(_) => return,
        };
        desk.memory.writes.wrote(&self.job.uid, resource, written.resource_version);
    }

    /// Goes on once nothing is pending.
    fn proceed<T: Trace>(&mut self, desk: &mut Desk<'_, T>) -> Next {
        if !self.pending.is_empty() {
            return Next::Wait;
        }
        if self.next_batch(desk) {
            return Next::Wait;
        }
        match &self.stage {
            Stage::Pods(_) => {
                self.pods_done(desk);
                self.track(desk)
            }
            Stage::Release => self.released_all(desk),
            Stage::StoreStatus | Stage::StorePartial(_) | Stage::StoreCounters(_) => Next::Wait,
        }
    }

    fn sender(&self) -> Sender {
        Sender::Sync(self.job.key.clone())
    }

    /// Sends the whole status.
    fn send_status<T: Trace>(&mut self, stage: Stage, why: Rule, desk: &mut Desk<'_, T>) -> Next {
        self.stage = stage;
        let effect = Effect::UpdateStatus {
            job: self.job.key.clone(),
            uid: self.job.uid.clone(),
            resource_version: self.resource_version,
            status: Box::new(self.status.clone()),
        };
        let id = desk.write(self.sender(), effect, why);
        self.pending.insert(id, pods::Role::Status);
        Next::Wait
    }

    fn status_answered<T: Trace>(&mut self, result: Result<Written, ApiFailure>, desk: &mut Desk<'_, T>) -> Next {
        match result {
            Ok(written) => {
                self.resource_version = written.resource_version;
                self.report(desk);
                self.status_stored(desk)
            }
            Err(failure) if failure.kind == FailureKind::Conflict && is_planted(Mutant::ConflictIsStored) => {
                self.status_stored(desk)
            }
            Err(failure) => {
                let doing = match self.stage {
                    Stage::StoreStatus => "adding uncounted pods to status",
                    _ => "removing uncounted pods from status",
                };
                Next::failed(crate::ids::text(format_args!("tracking status: {doing}: {}", failure.message)))
            }
        }
    }

    fn status_stored<T: Trace>(&mut self, desk: &mut Desk<'_, T>) -> Next {
        match &self.stage {
            Stage::StoreStatus => {
                // Only now: a sync that stored nothing must see the same failures as new again (BKO-3).
                desk.memory.backoff = self.backoff;
                self.send_releases(desk)
            }
            Stage::StorePartial(error) => Next::failed(error.clone()),
            Stage::StoreCounters(finished) => {
                if *finished {
                    self.announce_finish(desk);
                }
                Next::Over(Outcome { error: self.manage_error.take() })
            }
            Stage::Pods(_) | Stage::Release => Next::Wait,
        }
    }

    fn over<T: Trace>(&self, outcome: Outcome, desk: &mut Desk<'_, T>) -> Outcome {
        desk.metric(Metric::SyncDone {
            mode: self.job.spec.completion_mode,
            ok: outcome.error.is_none(),
            action: self.action,
            took: desk.memory.last_sync.map_or(Millis::ZERO, |began| desk.now - began),
        });
        outcome
    }
}

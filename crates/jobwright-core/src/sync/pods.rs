//! The first stage: pods are deleted or made, and what came of it (SYNC-30 to SYNC-33).
//!
//! Invariant: every pod that was promised to the expectations is either observed by the watch or
//! taken back here, so an answer never leaves an expectation open for nothing (except CRE-13).

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use super::desk::Desk;
use super::{Stage, Sync};
use crate::decide::ending::Ending;
use crate::decide::pods::{Doomed, PodPlan};
use crate::ids::{Text, Uid, text};
use crate::input::{ApiFailure, FailureKind, Reply, Written};
use crate::metric::{CreationReason, Metric, SyncAction};
use crate::output::{Effect, NewPod, PodRef};
use crate::record::FactName as F;
use crate::record::FactValue::Count;
use crate::record::{Fact, Trace};
use crate::rule::Rule;
use crate::status::{Condition, ConditionStatus, ConditionType};

/// What a pending write is for.
#[derive(Clone, Debug)]
pub(super) enum Role {
    /// The Job ends; this active pod is deleted (DEL-8).
    End(PodRef),
    /// The finalizer of a surplus pod goes first (DEL-7).
    Loosen(Doomed, Rule),
    /// Then the surplus pod.
    Delete(PodRef),
    /// A pod is made.
    Create,
    /// A counted pod is released (TRK-12).
    Release(Uid),
    /// A status is stored.
    Status,
}

/// How far the pod writes are.
#[derive(Clone, Debug, Default)]
pub(super) struct PodStage {
    /// Pods that are still to be made, in later batches.
    rest: VecDeque<NewPod>,
    batch: usize,
    batch_failed: bool,
    created: i64,
    creations_failed: i64,
    creates: bool,
    /// Active pods that were to be deleted because the Job ends.
    ending: usize,
    /// Pods that were deleted, or were gone.
    removed: i32,
}

impl Sync {
    /// Sends the first writes of a plan.
    pub(super) fn send_pods<T: Trace>(&mut self, plan: PodPlan, desk: &mut Desk<'_, T>) {
        let mut stage = PodStage::default();
        self.managed = !matches!(plan, PodPlan::End(_) | PodPlan::Hold);
        self.action = match &plan {
            PodPlan::End(_) | PodPlan::Hold => SyncAction::Reconciling,
            PodPlan::Suspend(_) | PodPlan::Delete(_) => SyncAction::PodsDeleted,
            PodPlan::Wait(_) | PodPlan::Create(_) => SyncAction::PodsCreated,
            PodPlan::Keep => SyncAction::Tracking,
        };
        match plan {
            PodPlan::Hold | PodPlan::Wait(_) | PodPlan::Keep => {}
            PodPlan::End(pods) => {
                stage.ending = pods.len();
                for doomed in pods {
                    self.tally.ready -= i32::from(doomed.ready);
                    let id = self.send(Effect::DeletePod(doomed.pod.clone()), Rule::EndActivePods, desk);
                    self.pending.insert(id, Role::End(doomed.pod));
                }
            }
            PodPlan::Suspend(pods) => self.send_deletions(pods, Rule::SuspendPods, desk),
            PodPlan::Delete(pods) => self.send_deletions(pods, Rule::SurplusPods, desk),
            PodPlan::Create(pods) => {
                desk.memory.intents.expect_creations(pods.len(), desk.now);
                self.tally.active = self.tally.active.saturating_add(int(pods.len()));
                stage.creates = true;
                stage.rest = pods.into();
            }
        }
        self.stage = Stage::Pods(stage);
    }

    fn send<T: Trace>(&self, effect: Effect, why: Rule, desk: &mut Desk<'_, T>) -> crate::ids::WriteId {
        desk.write(self.sender(), effect, why)
    }

    /// Each pod loses its finalizer first, so that it is never counted (DEL-7).
    fn send_deletions<T: Trace>(&mut self, pods: Vec<Doomed>, why: Rule, desk: &mut Desk<'_, T>) {
        desk.memory.intents.expect_deletions(pods.len(), desk.now);
        for doomed in pods {
            if doomed.has_finalizer {
                let id = self.send(Effect::RemoveFinalizer(doomed.pod.clone()), why, desk);
                self.pending.insert(id, Role::Loosen(doomed, why));
            } else {
                self.send_deletion(&doomed, why, desk);
            }
        }
    }

    fn send_deletion<T: Trace>(&mut self, doomed: &Doomed, why: Rule, desk: &mut Desk<'_, T>) {
        self.tally.ready -= i32::from(doomed.ready);
        let id = self.send(Effect::DeletePod(doomed.pod.clone()), why, desk);
        self.pending.insert(id, Role::Delete(doomed.pod.clone()));
    }

    /// Sends the next batch of creations, each twice as large as the one before (CRE-12); false if there is none.
    pub(super) fn next_batch<T: Trace>(&mut self, desk: &mut Desk<'_, T>) -> bool {
        let Stage::Pods(stage) = &mut self.stage else { return false };
        if stage.rest.is_empty() {
            return false;
        }
        if !self.job.spec.template.has_labels && !stage.batch_failed {
            // Such a pod could never be found again: no call is made, and no event is given (CRE-10).
            stage.batch_failed = true;
            stage.creations_failed += 1;
            self.manage_error.get_or_insert("unable to create pods, no labels".into());
        }
        if stage.batch_failed {
            let skipped = stage.rest.len();
            stage.rest.clear();
            self.tally.active -= int(skipped);
            for _ in 0..skipped {
                desk.memory.intents.creation_observed();
            }
            desk.tried(Rule::CreationStopped, true, || vec![(F::Count, Count(i64::from(int(skipped))))]);
            return false;
        }
        stage.batch = (stage.batch * 2).max(1).min(stage.rest.len());
        let batch: Vec<NewPod> = stage.rest.drain(..stage.batch).collect();
        for pod in batch {
            let id = self.send(Effect::CreatePod(pod), Rule::CreatePods, desk);
            self.pending.insert(id, Role::Create);
        }
        true
    }

    /// Takes in the answer to a pod write of this stage.
    pub(super) fn pod_answered<T: Trace>(
        &mut self,
        role: Role,
        result: Result<Written, ApiFailure>,
        desk: &mut Desk<'_, T>,
    ) {
        match role {
            Role::Create => self.create_answered(result, desk),
            Role::Loosen(doomed, why) => match result {
                Ok(_) => self.send_deletion(&doomed, why, desk),
                Err(failure) => {
                    desk.memory.intents.deletion_observed();
                    self.not_deleted(&failure, "removing completion finalizer");
                }
            },
            Role::Delete(pod) => {
                if result.is_err() {
                    desk.memory.intents.deletion_observed();
                }
                self.delete_answered(&pod, result, desk);
            }
            Role::End(pod) => self.delete_answered(&pod, result, desk),
            Role::Release(_) | Role::Status => {}
        }
    }

    fn delete_answered<T: Trace>(&mut self, pod: &PodRef, result: Result<Written, ApiFailure>, desk: &mut Desk<'_, T>) {
        match result {
            Ok(_) => {
                self.normal("SuccessfulDelete", text(format_args!("Deleted pod: {}", pod.key.name)), desk);
                self.removed();
            }
            Err(failure) => {
                if failure.kind != FailureKind::NotFound {
                    let message = text(format_args!("Error deleting: {}", failure.message));
                    self.warning("FailedDelete".into(), message, desk);
                }
                self.not_deleted(&failure, "unable to delete pods");
            }
        }
    }

    /// A pod that is not there is as good as deleted.
    fn not_deleted(&mut self, failure: &ApiFailure, doing: &str) {
        if failure.kind == FailureKind::NotFound {
            self.removed();
        } else {
            self.keep_manage_error(text(format_args!("{doing}: {}", failure.message)));
        }
    }

    fn removed(&mut self) {
        if let Stage::Pods(stage) = &mut self.stage {
            stage.removed += 1;
        }
    }

    fn keep_manage_error(&mut self, error: Text) {
        self.manage_error.get_or_insert(error);
    }

    fn create_answered<T: Trace>(&mut self, result: Result<Written, ApiFailure>, desk: &mut Desk<'_, T>) {
        let Stage::Pods(stage) = &mut self.stage else { return };
        match result {
            Ok(written) => {
                stage.created += 1;
                if let Reply::Pod(key, _) = written.reply {
                    self.normal("SuccessfulCreate", text(format_args!("Created pod: {}", key.name)), desk);
                }
            }
            // The namespace is going away: no event, no error, and the expectation stays open (CRE-13).
            Err(failure) if failure.kind == FailureKind::NamespaceTerminating => {}
            Err(failure) => {
                stage.batch_failed = true;
                stage.creations_failed += 1;
                desk.memory.intents.creation_observed();
                self.tally.active -= 1;
                let message = text(format_args!("Error creating: {}", failure.message));
                self.warning("FailedCreate".into(), message, desk);
                self.keep_manage_error(failure.message);
            }
        }
    }

    /// What came of the pod writes: does the end hold, is the Job complete, is it suspended?
    pub(super) fn pods_done<T: Trace>(&mut self, desk: &mut Desk<'_, T>) {
        let Stage::Pods(stage) = core::mem::replace(&mut self.stage, Stage::Release) else { return };
        self.tally.active -= stage.removed;
        self.tally.terminating += stage.removed;
        if stage.creates {
            self.report_creations(&stage, desk);
        }
        if self.ending.is_some() {
            let all = usize::try_from(stage.removed).is_ok_and(|n| n == stage.ending);
            if desk.tried(Rule::EndHeldBack, !all || !self.expectations_met, Vec::new) {
                self.ending = None;
            }
        } else if self.is_complete(desk) {
            self.ending = Some(Ending::completions_reached(desk.now));
        } else if self.managed {
            self.mark_suspension(desk);
        }
    }

    /// SYNC-32.
    fn is_complete<T: Trace>(&self, desk: &mut Desk<'_, T>) -> bool {
        let (succeeded, active) = (self.tally.succeeded, self.tally.active);
        let completions = self.job.spec.completions;
        let enough = completions.map_or(succeeded > 0, |n| succeeded >= i64::from(n));
        desk.tried(Rule::CompletionsReached, enough && active == 0, || {
            let mut facts: Vec<Fact> = vec![(F::Succeeded, Count(succeeded))];
            facts.extend(completions.map(|n| (F::Completions, Count(n.into()))));
            facts.push((F::Active, Count(active.into())));
            facts
        })
    }

    /// SYNC-33: the condition `Suspended` follows the spec.
    fn mark_suspension<T: Trace>(&mut self, desk: &mut Desk<'_, T>) {
        let (status, reason, message, event, rule) = if self.job.spec.suspend {
            (ConditionStatus::True, "JobSuspended", "Job suspended", "Suspended", Rule::MarkSuspended)
        } else {
            (ConditionStatus::False, "JobResumed", "Job resumed", "Resumed", Rule::MarkResumed)
        };
        let condition = Condition::new(ConditionType::Suspended, status, reason.into(), message.into(), desk.now);
        self.suspension_changed = self.status.upsert(condition);
        if desk.tried(rule, self.suspension_changed, Vec::new) {
            if !self.job.spec.suspend {
                self.status.start_time = Some(desk.now);
            } else if self.gates.mutable_scheduling_directives {
                self.status.start_time = None;
            }
            self.normal(event, message.into(), desk);
        }
    }

    /// MET-12; a failed creation raises both, as upstream's does (RACE-9).
    fn report_creations<T: Trace>(&self, stage: &PodStage, desk: &mut Desk<'_, T>) {
        let reason = if self.tally.failed > 0 && self.job.spec.replaces_only_failed() {
            CreationReason::RecreateFailed
        } else if self.tally.failed > 0 || self.tally.terminating > 0 {
            CreationReason::RecreateTerminatingOrFailed
        } else {
            CreationReason::New
        };
        for (succeeded, count) in [(true, stage.created + stage.creations_failed), (false, stage.creations_failed)] {
            if count > 0 {
                desk.metric(Metric::PodsCreated { reason, succeeded, count });
            }
        }
    }
}

/// A number of pods as a number of the API.
fn int(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

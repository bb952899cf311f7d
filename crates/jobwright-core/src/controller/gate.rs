//! Is there anything to sync? (SYNC-3 to SYNC-8)
//!
//! Invariant: a Job that does not pass is left alone entirely.

use alloc::collections::VecDeque;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::decide::Trail;
use crate::ids::Uid;
use crate::job::JobView;
use crate::output::{EventType, JobEvent, Output};
use crate::record::{Fact, FactName, FactValue, Trace};
use crate::rule::Rule;
use crate::spec::CompletionMode;
use crate::status::{Condition, ConditionType};
use crate::sync::desk::Memory;

/// Whether the Job is to be synced.
pub(super) fn passes<T: Trace>(
    job: &JobView,
    is_external: bool,
    believed_finished: Option<&Uid>,
    trail: &mut Trail<'_, T>,
) -> bool {
    let manager =
        || vec![(FactName::Manager, FactValue::Text(job.spec.managed_by.as_deref().unwrap_or("").to_string().into()))];
    if (job.spec.managed_by.is_some() || is_external) && trail.tried(Rule::ManagedByOther, is_external, manager) {
        return false;
    }
    let unknown = job.spec.completion_mode == CompletionMode::Unknown;
    !(trail.tried(Rule::AlreadyFinished, job.status.is_finished(), || end_facts(job))
        || trail.tried(Rule::FinishNotSeen, believed_finished == Some(&job.uid), Vec::new)
        || trail.tried(Rule::UnknownCompletionMode, unknown, Vec::new))
}

/// Why a finished Job ended, in the words of its condition.
fn end_facts(job: &JobView) -> Vec<Fact> {
    let terminal = |c: &&Condition| matches!(c.kind, ConditionType::Complete | ConditionType::Failed) && c.is_true();
    let Some(end) = job.status.conditions.iter().find(terminal) else { return Vec::new() };
    let words = |name, text: &crate::ids::Text| (name, FactValue::Text(text.clone()));
    vec![words(FactName::Reason, &end.reason), words(FactName::Condition, &end.message)]
}

/// What is dropped or said about a Job that does not pass (SYNC-6, SYNC-8).
pub(super) fn clean_up(job: &JobView, memory: &mut Memory, outbox: &mut VecDeque<Output>) {
    if job.status.is_finished() {
        memory.backoff = crate::backoff::BackoffRecord::default();
        memory.believed_finished = None;
        memory.writes.forget();
    } else if job.spec.completion_mode == CompletionMode::Unknown {
        outbox.push_back(Output::Event(JobEvent {
            job: job.key.clone(),
            uid: job.uid.clone(),
            kind: EventType::Warning,
            reason: "UnknownCompletionMode".into(),
            message: "Skipped Job sync because completion mode is unknown".into(),
        }));
    }
}

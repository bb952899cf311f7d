//! `status` of a Job.
//!
//! Invariant: conditions keep their order, and types and texts that nobody knows are kept.

use jobwright_core::{Condition, ConditionStatus, ConditionType, JobStatus, Text, Uid, UncountedTerminatedPods};

use super::ReadError;
use crate::at::At;

/// Reads `status` (OBJ-5).
pub(super) fn job_status(status: &At<'_>) -> Result<JobStatus, ReadError> {
    let count = |name| status.get(name).read_i32().map(Option::unwrap_or_default);
    let mut conditions = Vec::new();
    for item in status.get("conditions").items() {
        conditions.push(condition(&item)?);
    }
    Ok(JobStatus {
        conditions,
        start_time: status.get("startTime").read_time()?,
        completion_time: status.get("completionTime").read_time()?,
        active: count("active")?,
        succeeded: count("succeeded")?,
        failed: count("failed")?,
        terminating: status.get("terminating").read_i32()?,
        ready: status.get("ready").read_i32()?,
        completed_indexes: status.get("completedIndexes").read_str()?.unwrap_or_default().to_owned(),
        failed_indexes: status.get("failedIndexes").read_str()?.map(str::to_owned),
        uncounted: uncounted(&status.get("uncountedTerminatedPods"))?,
    })
}

fn condition(condition: &At<'_>) -> Result<Condition, ReadError> {
    let text = |name| condition.get(name).read_str().map(Option::unwrap_or_default);
    Ok(Condition {
        kind: ConditionType::parse(text("type")?),
        status: ConditionStatus::parse(text("status")?),
        last_probe_time: condition.get("lastProbeTime").read_time()?,
        last_transition_time: condition.get("lastTransitionTime").read_time()?,
        reason: Text::Owned(text("reason")?.to_owned()),
        message: Text::Owned(text("message")?.to_owned()),
    })
}

fn uncounted(pods: &At<'_>) -> Result<Option<UncountedTerminatedPods>, ReadError> {
    if !pods.is_set() {
        return Ok(None);
    }
    let uids = |name| -> Result<Vec<Uid>, ReadError> {
        let list = pods.get(name);
        list.items().map(|item| Ok(Uid::new(item.read_str()?.unwrap_or_default()))).collect()
    };
    Ok(Some(UncountedTerminatedPods { succeeded: uids("succeeded")?, failed: uids("failed")? }))
}

//! Reads objects of the API into the core's views.
//!
//! Invariant: as lenient as the API's own decoder and not more. Unknown texts, absent fields and
//! further fields are fine; a value of the wrong type is an error, because no API server stores one.

mod pod;
mod spec;

mod status;

pub(crate) use spec::selector;

use jobwright_core::{JobKey, JobView, PodView, ResourceVersion, Uid};
use serde_json::Value;

use crate::at::At;

/// A value of the wrong type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: expected {expected}")]
pub struct ReadError {
    /// Where, for example `status.active`.
    pub field: String,
    /// What should be there.
    pub expected: &'static str,
}

/// Reads a `batch/v1` Job (OBJ-1, OBJ-2, OBJ-5); it should be defaulted (ENV-5).
///
/// # Errors
/// A field that is read has the wrong type.
pub fn job(job: &Value) -> Result<JobView, ReadError> {
    let job = At::root(job);
    let metadata = job.get("metadata");
    Ok(JobView {
        key: JobKey::new(
            metadata.get("namespace").read_str()?.unwrap_or_default(),
            metadata.get("name").read_str()?.unwrap_or_default(),
        ),
        uid: uid(&metadata)?,
        resource_version: resource_version(&metadata)?,
        generation: metadata.get("generation").read_i64()?.unwrap_or_default(),
        deletion_timestamp: metadata.get("deletionTimestamp").read_time()?,
        spec: spec::job_spec(&job.get("spec"))?,
        status: status::job_status(&job.get("status"))?,
    })
}

/// Reads a `v1` Pod (OBJ-10).
///
/// # Errors
/// A field that is read has the wrong type.
pub fn pod(pod: &Value) -> Result<PodView, ReadError> {
    pod::pod_view(&At::root(pod))
}

fn uid(metadata: &At<'_>) -> Result<Uid, ReadError> {
    Ok(Uid::new(metadata.get("uid").read_str()?.unwrap_or_default()))
}

fn resource_version(metadata: &At<'_>) -> Result<ResourceVersion, ReadError> {
    Ok(ResourceVersion::parse(metadata.get("resourceVersion").read_str()?.unwrap_or_default()))
}

#[cfg(test)]
mod tests;

//! A Job as the watch shows it.
//!
//! Invariant: it is the API's object, read and defaulted (ENV-5), never changed by the controller.

use crate::ids::{JobKey, ResourceVersion, Uid};
use crate::spec::JobSpec;
use crate::status::JobStatus;
use crate::time::Timestamp;

/// What decisions read of a Job (OBJ-1, OBJ-2, OBJ-5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobView {
    /// Namespace and name.
    pub key: JobKey,
    /// `metadata.uid`
    pub uid: Uid,
    /// `metadata.resourceVersion`
    pub resource_version: ResourceVersion,
    /// `metadata.generation`: grows with each change of `spec` and when deletion starts.
    pub generation: i64,
    /// `metadata.deletionTimestamp`
    pub deletion_timestamp: Option<Timestamp>,
    /// The specification.
    pub spec: JobSpec,
    /// The stored status.
    pub status: JobStatus,
}

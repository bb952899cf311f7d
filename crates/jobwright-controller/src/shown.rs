//! What a watch shows, as inputs of the core: one line per variant.
//!
//! Invariant: an object that cannot be read is told of and left out; it is never guessed at.

use jobwright_api::partial::{PartialJob, PartialPod};
use jobwright_api::read::{self, ReadError};
use jobwright_core::{Input, JobView, Resource};
use serde::de::DeserializeOwned;

use crate::jobs::Document;

/// One thing for [`crate::drive`] to take in.
#[derive(Debug)]
pub enum Shown {
    /// Anything but a Job that is there.
    Input(Input),
    /// A Job, with what writes need of it.
    Job(Box<JobView>, Document),
}

/// A resource that is watched.
pub trait Kind: Send + 'static {
    /// What is kept of an object while it is read.
    type Wire: DeserializeOwned + Clone + Send + 'static;
    /// Which resource it is for the core.
    const RESOURCE: Resource;
    /// Path of the API group and version, without a slash at the end.
    const GROUP: &'static str;
    /// The name in paths.
    const PLURAL: &'static str;

    /// An object is there.
    ///
    /// # Errors
    /// A field that is read has the wrong type.
    fn seen(object: Self::Wire) -> Result<Shown, ReadError>;

    /// An object is gone; its last state.
    ///
    /// # Errors
    /// A field that is read has the wrong type.
    fn gone(object: Self::Wire) -> Result<Shown, ReadError>;

    /// `metadata.resourceVersion`.
    fn version(object: &Self::Wire) -> &str;

    /// The path of all objects, or of those in one namespace.
    #[must_use]
    fn path(namespace: &str) -> String {
        match namespace {
            "" => [Self::GROUP, "/", Self::PLURAL].concat(),
            _ => [Self::GROUP, "/namespaces/", namespace, "/", Self::PLURAL].concat(),
        }
    }
}

/// `batch/v1` Jobs.
#[derive(Debug)]
pub struct JobKind;

/// `v1` Pods.
#[derive(Debug)]
pub struct PodKind;

impl Kind for JobKind {
    type Wire = PartialJob;
    const RESOURCE: Resource = Resource::Jobs;
    const GROUP: &'static str = "/apis/batch/v1";
    const PLURAL: &'static str = "jobs";

    fn seen(PartialJob(mut job): PartialJob) -> Result<Shown, ReadError> {
        let view = read::job(&job)?;
        Ok(Shown::Job(Box::new(view), Document::new(&mut job)))
    }

    fn gone(PartialJob(job): PartialJob) -> Result<Shown, ReadError> {
        read::job(&job).map(|job| Shown::Input(Input::JobGone(job.key, job.uid, job.resource_version)))
    }

    fn version(PartialJob(job): &PartialJob) -> &str {
        job["metadata"]["resourceVersion"].as_str().unwrap_or_default()
    }
}

impl Kind for PodKind {
    type Wire = PartialPod;
    const RESOURCE: Resource = Resource::Pods;
    const GROUP: &'static str = "/api/v1";
    const PLURAL: &'static str = "pods";

    fn seen(PartialPod(pod): PartialPod) -> Result<Shown, ReadError> {
        read::pod(&pod).map(|pod| Shown::Input(Input::Pod(Box::new(pod))))
    }

    fn gone(PartialPod(pod): PartialPod) -> Result<Shown, ReadError> {
        read::pod(&pod).map(|pod| Shown::Input(Input::PodGone(pod.key, pod.uid, pod.resource_version)))
    }

    fn version(PartialPod(pod): &PartialPod) -> &str {
        pod["metadata"]["resourceVersion"].as_str().unwrap_or_default()
    }
}

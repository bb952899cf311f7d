//! The host of one sync: shows the controller the snapshot and accepts every call.
//!
//! Invariant: pods are shown before their Job, so that the Job's own appearance is the one reason to look, and no
//! second look waits for changes to be gathered.

use jobwright_api::write::{self, Request};
use jobwright_api::{defaults, prepare, read};
use jobwright_core::input::RelistStep;
use jobwright_core::output::{Effect, Write};
use jobwright_core::record::Record;
use jobwright_core::{
    Answer, Config, Controller, Input, JobView, Output, PodKey, PodView, Recorder, Reply, Resource, Uid, WakeUp,
    Written,
};
use serde_json::Value;

use super::snapshot::{Place, Snapshot, SnapshotError};
use crate::object;

/// What one look gave.
#[derive(Debug)]
pub(crate) struct Run {
    /// The decisions, the sync of the Job first.
    pub(crate) records: Vec<Record>,
    pub(crate) writes: Vec<Request>,
    pub(crate) next: Option<WakeUp>,
}

/// Lets a fresh controller look once.
pub(crate) fn run(snapshot: &Snapshot) -> Result<Run, SnapshotError> {
    let (job, view, pods) = views(snapshot)?;
    let now = snapshot.now;
    // An answer is newer than all that was listed.
    let mut version = pods.iter().map(|pod| pod.resource_version).fold(view.resource_version, Ord::max);
    let config = Config { concurrent_syncs: 1, ..Config::default() };
    let mut controller = Controller::new(config, Recorder::default());
    let mut list = |resource, objects: &mut dyn Iterator<Item = Input>| {
        controller.handle(Input::Relist(resource, RelistStep::Begin), now);
        objects.for_each(|object| controller.handle(object, now));
        controller.handle(Input::Relist(resource, RelistStep::Done(version)), now);
    };
    list(Resource::Pods, &mut pods.into_iter().map(|pod| Input::Pod(Box::new(pod))));
    list(Resource::Jobs, &mut std::iter::once(Input::Job(Box::new(view.clone()))));
    if snapshot.recall {
        controller.recall(&view.key);
    }
    let mut run = Run { records: Vec::new(), writes: Vec::new(), next: None };
    loop {
        match controller.poll(now) {
            Output::Write(write) => {
                let request = write::request(&write, &job);
                version.0 = version.0.saturating_add(1);
                let reply = accepted(&write, &request, &view);
                let answer = Answer::Done(Written { resource_version: version, reply });
                run.writes.push(request);
                controller.handle(Input::Answer(write.id, answer), now);
            }
            Output::Event(_) | Output::Metric(_) => {}
            Output::Sleep(next) => {
                run.next = next;
                break;
            }
        }
    }
    let records = std::iter::from_fn(|| controller.trace_mut().take());
    run.records = records.filter(super::tells).collect();
    Ok(run)
}

/// The Job as it is stored, and what the controller sees of it and of the pods.
fn views(snapshot: &Snapshot) -> Result<(Value, JobView, Vec<PodView>), SnapshotError> {
    if !snapshot.has_job() {
        return Err(SnapshotError::NotAJob);
    }
    let mut job = snapshot.job.clone();
    in_namespace(&mut job);
    defaults::apply(&mut job);
    let uid = object::uid(&job).to_owned();
    prepare::generate_selector(&mut job, &uid);
    let view = read::job(&job).map_err(|error| SnapshotError::WrongType(Place::Job, error))?;
    let mut pods = Vec::with_capacity(snapshot.pods.len());
    for (at, pod) in snapshot.pods.iter().enumerate() {
        let mut pod = read::pod(pod).map_err(|error| SnapshotError::WrongType(Place::Pod(at), error))?;
        if pod.key.namespace.is_empty() {
            pod.key = PodKey::new("default", &pod.key.name);
        }
        pods.push(pod);
    }
    Ok((job, view, pods))
}

fn in_namespace(job: &mut Value) {
    if object::namespace(job).is_empty() {
        object::set(job, &["metadata", "namespace"], "default");
    }
}

/// The object in the answer of an API server that takes everything.
fn accepted(write: &Write, request: &Request, job: &JobView) -> Reply {
    match &write.effect {
        Effect::CreatePod(new) => {
            let body = request.body.as_ref();
            let prefix = body.map_or("", |pod| object::text(pod, &["metadata", "generateName"]));
            Reply::Pod(PodKey::new(&new.job.namespace, &[prefix, "*"].concat()), Uid::new(""))
        }
        Effect::GetJob(_) => Reply::Job(Box::new(job.clone())),
        _ => Reply::Nothing,
    }
}

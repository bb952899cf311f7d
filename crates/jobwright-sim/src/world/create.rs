//! How a world begins: with a new Job, with a stored one, and pods that nobody's controller made.
//!
//! Invariant: a refusal leaves the world as it was.

use std::sync::Arc;

use jobwright_api::{names, write};
use jobwright_core::{JobKey, Resource, Uid};
use serde_json::{Value, json};

use super::{ORIGIN, World};
use crate::api_server::ApiError;
use crate::kubelet::Kubelet;
use crate::kubelet::transition::{self, Failure};
use crate::object;
use crate::scenario::{ExtraPod, From, Scenario};

impl World {
    /// The world in which a scenario's Job was just created (or restored): nobody has looked at it yet.
    /// Steps at time 0 are done; they come before the Job.
    pub fn begin(scenario: &Scenario, seed: u64) -> (Self, Result<(), ApiError>) {
        let kubelet = scenario.outcomes.clone().map(Kubelet::new);
        let mut world = Self::new(seed, kubelet).with_choices(scenario.gates(), scenario.count_once);
        world.run_to(ORIGIN);
        for action in scenario.first_steps().iter().filter_map(|step| step.action.as_ref()) {
            world.perform(action);
        }
        let created = match &scenario.from {
            Some(from) => world.restore(from),
            None => {
                // A later step may create it again, even if it is refused now, or if another one was created since.
                world.manifest = Arc::new(scenario.job.clone());
                world.create_job(&scenario.job)
            }
        };
        (world, created)
    }

    /// A user creates the Job that the world is about.
    ///
    /// # Errors
    /// The API server refuses it.
    pub fn create_job(&mut self, manifest: &Value) -> Result<(), ApiError> {
        let job = self.api.create_job(manifest, self.now)?;
        self.job = (object::namespace(&job).to_owned(), object::name(&job).to_owned());
        self.has_made_name = object::name(manifest).is_empty();
        Ok(())
    }

    /// A stored Job and its pods are there. `$uid` in a pod stands for the UID of the Job.
    ///
    /// # Errors
    /// Something in them has a wrong type.
    pub fn restore(&mut self, from: &From) -> Result<(), ApiError> {
        self.stop_controller();
        if let Some(time) = from.time {
            self.set_time(time);
        }
        let job = self.complete(from.job.clone());
        let uid = object::uid(&job).to_owned();
        let job = self.api.restore_job(job)?;
        self.job = (object::namespace(&job).to_owned(), object::name(&job).to_owned());
        self.has_made_name = object::name(&from.job).is_empty();
        self.manifest = Arc::new(from.job.clone());
        for pod in &from.pods {
            let mut pod = pod.clone();
            put_uid(&mut pod, &uid);
            let mut pod = self.complete(pod);
            if object::text(&pod, &["status", "phase"]).is_empty() {
                object::set(&mut pod, &["status", "phase"], "Pending");
            }
            self.api.restore_pod(pod)?;
        }
        self.start_controller();
        if let Some(controller) = self.controller.as_mut().filter(|_| from.recall) {
            controller.recall(&JobKey::new(&self.job.0, &self.job.1));
        }
        Ok(())
    }

    /// Sets what every stored object has.
    fn complete(&mut self, mut object: Value) -> Value {
        let made = [
            ("namespace", "default".to_owned()),
            ("uid", self.api.new_uid()),
            ("creationTimestamp", jobwright_api::time::format(self.now)),
        ];
        for (field, value) in made {
            if object::text(&object, &["metadata", field]).is_empty() {
                object::set(&mut object, &["metadata", field], value);
            }
        }
        object
    }

    /// Makes a pod that the controller did not make (`createPod`).
    ///
    /// # Errors
    /// There is no Job to take the template from, or the name is taken.
    pub(super) fn create_extra_pod(&mut self, extra: &ExtraPod) -> Result<(), ApiError> {
        let job = self.api.get(Resource::Jobs, &self.job.0, &self.job.1)?;
        let pod = self.api.create_pod(extra_pod(&job, extra), self.now)?;
        let (namespace, name) = (object::namespace(&pod).to_owned(), object::name(&pod).to_owned());
        let now = self.now;
        self.api.change_pod_status(&namespace, &name, |pod| match extra.phase.as_deref() {
            Some("Running") => transition::run(pod, false, now),
            Some("Succeeded") => transition::succeed(pod, now),
            Some("Failed") => transition::fail(pod, &Failure::default(), now),
            _ => {}
        })?;
        Ok(())
    }
}

/// The pod, from the template of the Job.
fn extra_pod(job: &Arc<Value>, extra: &ExtraPod) -> Value {
    let template = |path: &[&str]| object::at(job, path).cloned();
    let mut pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": object::namespace(job)}});
    if let Some(spec) = template(&["spec", "template", "spec"]) {
        object::set(&mut pod, &["spec"], spec);
    }
    for field in ["labels", "annotations", "finalizers"] {
        let wanted = field != "labels" || extra.match_labels;
        if let Some(value) = template(&["spec", "template", "metadata", field]).filter(|_| wanted) {
            object::set(&mut pod, &["metadata", field], value);
        }
    }
    match &extra.name {
        Some(name) => object::set(&mut pod, &["metadata", "name"], name.as_str()),
        None => object::set(&mut pod, &["metadata", "generateName"], "manual-"),
    }
    for (field, texts) in [("labels", &extra.labels), ("annotations", &extra.annotations)] {
        for (key, text) in texts.iter() {
            object::set(&mut pod, &["metadata", field, key], text.as_str());
        }
        if let Some(index) = extra.index {
            object::set(&mut pod, &["metadata", field, names::COMPLETION_INDEX], index.to_string());
        }
    }
    if extra.finalizer {
        let mut finalizers: Vec<String> = object::finalizers(&pod).into_iter().map(str::to_owned).collect();
        finalizers.push(names::TRACKING_FINALIZER.to_owned());
        finalizers.dedup();
        object::set_finalizers(&mut pod, &finalizers);
    }
    if extra.owned {
        let owner = write::owner_reference(object::name(job), &Uid::new(object::uid(job)));
        object::set(&mut pod, &["metadata", "ownerReferences"], vec![owner]);
    }
    pod
}

fn put_uid(value: &mut Value, uid: &str) {
    match value {
        Value::String(text) if text == "$uid" => uid.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| put_uid(item, uid)),
        Value::Object(map) => map.values_mut().for_each(|item| put_uid(item, uid)),
        _ => {}
    }
}

//! Carries out the actions of a scenario's steps.
//!
//! Invariant: an action that the API server refuses changes nothing, and the refusal is reported.

use std::sync::Arc;

use jobwright_core::{Resource, Timestamp};
use serde_json::Value;

use super::World;
use super::select::select;
use crate::api_server::{ApiError, ApiServer, DeletePod};
use crate::kubelet::transition::{self, Failure};
use crate::object;
use crate::scenario::{Action, ControllerAct, JobAct, PodAct, Selection, WatchAct};

/// What became of an action.
#[derive(Clone, Debug, Default)]
pub struct Performed {
    /// How many pods were selected, for an action on pods.
    pub matched: Option<usize>,
    /// Why it was refused.
    pub refused: Option<ApiError>,
}

impl World {
    /// Carries out one action now.
    pub fn perform(&mut self, action: &Action) -> Performed {
        let mut performed = Performed::default();
        match action {
            Action::Pods(selection, act) => {
                let (matched, refused) = self.act_on_pods(selection, act);
                performed = Performed { matched: Some(matched), refused };
            }
            Action::CreatePod(extra) => performed.refused = self.create_extra_pod(extra).err(),
            Action::Job(act) => performed.refused = self.act_on_job(act).err(),
            Action::Controller(act) => self.act_on_controller(*act),
            Action::Fault(fault) => self.faults.add(*fault),
            Action::Watch(act, resource) => self.act_on_watch(*act, *resource),
            Action::Crash { after_writes } => {
                self.crash_after = self.controller.is_some().then_some(*after_writes);
            }
        }
        self.spread();
        performed
    }

    fn act_on_pods(&mut self, selection: &Selection, act: &PodAct) -> (usize, Option<ApiError>) {
        let namespace = self.job.0.as_str();
        let made = selection.made.map(|number| self.made(number));
        let is_made = |pod: &Value| made.as_ref().is_none_or(|uid| *uid == object::uid(pod));
        let in_namespace = self.api.list(Resource::Pods).filter(|pod| object::namespace(pod) == namespace);
        let pods = select(in_namespace.filter(|pod| is_made(pod)), selection, act);
        let mut refused = None;
        for pod in &pods {
            if let Err(error) = act_on_pod(&mut self.api, pod, act, self.now) {
                refused.get_or_insert(error);
            }
        }
        (pods.len(), refused)
    }

    /// UID of the how-manieth pod that was made; empty if there were not so many.
    fn made(&self, number: u32) -> String {
        let life = (number as usize).checked_sub(1).and_then(|place| self.history.lives().get(place));
        life.map(|life| object::uid(&life.object).to_owned()).unwrap_or_default()
    }

    fn act_on_job(&mut self, act: &JobAct) -> Result<(), ApiError> {
        let (namespace, name) = self.job.clone();
        match act {
            JobAct::Patch(change) => self.api.patch_job(&namespace, &name, change).map(drop),
            JobAct::StatusPatch(change) => {
                let now = self.now;
                self.api.patch_job_status(&namespace, &name, change, now).map(drop)
            }
            JobAct::Delete(propagation) => self.api.delete_job((&namespace, &name), *propagation, None, self.now),
            JobAct::Recreate => self.create_job(&Arc::clone(&self.manifest)),
            JobAct::Create(manifest) => self.create_job(manifest),
        }
    }

    fn act_on_controller(&mut self, act: ControllerAct) {
        match act {
            ControllerAct::Stop => self.stop_controller(),
            ControllerAct::Start => self.start_controller(),
            ControllerAct::Restart => self.restart_controller(),
        }
    }

    fn act_on_watch(&mut self, act: WatchAct, resource: Resource) {
        match act {
            WatchAct::Hold => self.watches.hold(resource, true),
            WatchAct::Release => self.watches.hold(resource, false),
            WatchAct::Drop => {
                self.spread();
                self.watches.lose(resource);
                self.watches.hold(resource, false);
                self.list_anew(resource);
            }
        }
    }
}

/// Does one thing to one pod.
pub(crate) fn act_on_pod(api: &mut ApiServer, pod: &Value, act: &PodAct, now: Timestamp) -> Result<(), ApiError> {
    let (namespace, name) = (object::namespace(pod), object::name(pod));
    let mut change = |change: &dyn Fn(&mut Value)| api.change_pod_status(namespace, name, change).map(drop);
    match act {
        PodAct::Run { ready } => change(&|pod| transition::run(pod, *ready, now)),
        PodAct::Ready(ready) => change(&|pod| transition::set_ready(pod, *ready, now)),
        PodAct::Succeed => change(&|pod| transition::succeed(pod, now)),
        PodAct::Fail(failure) => change(&|pod| transition::fail(pod, failure, now)),
        PodAct::Restart(restarts) => change(&|pod| transition::restart(pod, restarts, now)),
        PodAct::Condition(condition) => change(&|pod| transition::condition(pod, condition, now)),
        PodAct::Delete { grace } => api.delete_pod(namespace, name, DeletePod { grace: *grace, uid: None }, now),
        PodAct::Terminated { succeeded, exit_code } => {
            if !object::phase(pod).is_terminal() {
                let failure = Failure { exit_code: Some(exit_code.unwrap_or(137)), ..Failure::default() };
                change(&|pod| match succeeded {
                    true => transition::succeed(pod, now),
                    false => transition::fail(pod, &failure, now),
                })?;
            }
            gone_is_fine(api.delete_pod(namespace, name, DeletePod { grace: Some(0), uid: None }, now))
        }
        PodAct::Vanish => {
            gone_is_fine(api.patch_pod(namespace, name, |pod| object::set_finalizers(pod, &[])).map(drop))?;
            gone_is_fine(api.delete_pod(namespace, name, DeletePod { grace: Some(0), uid: None }, now))
        }
        PodAct::Patch(patch) => api.patch_pod(namespace, name, |pod| jobwright_api::patch::merge(pod, patch)).map(drop),
    }
}

/// Where the aim is that the pod goes, its absence is no error.
fn gone_is_fine(result: Result<(), ApiError>) -> Result<(), ApiError> {
    match result {
        Err(error) if error.reason == crate::api_server::Reason::NotFound => Ok(()),
        other => other,
    }
}

//! Carries out the controller's calls.
//!
//! Invariant: the watch events of a call arrive before its answer.

use jobwright_api::{names, read, write};
use jobwright_core::output::{Effect, PodRef, Write};
use jobwright_core::{
    Answer, ApiFailure, Input, JobKey, PodKey, Reply, Resource, ResourceVersion, Timestamp, Uid, Written,
};
use serde_json::Value;

use super::World;
use super::boundary::{Call, Tampered, pretend};
use crate::api_server::{ApiError, ApiServer, DeletePod, Propagation};
use crate::fault::CallKind;
use crate::object;

impl World {
    /// Carries out one call, lets its events arrive, and answers it.
    pub(super) fn carry_out(&mut self, write: &Write) {
        let result = match self.boundary.judge(write) {
            Tampered::Pass => self.call(call_kind(&write.effect), &write.effect),
            Tampered::Instead(effect) => self.call(call_kind(&effect), &effect),
            Tampered::Swallow => Ok(pretend(&write.effect)),
        };
        let answer = match result {
            Ok(written) => Answer::Done(written),
            Err(failure) => Answer::Failed(failure),
        };
        self.spread();
        let crashed = self.crash_is_due();
        let injected = self.boundary.injected;
        self.boundary.last_call = Some(Call { write: write.clone(), injected, answer: answer.clone(), crashed });
        if crashed {
            self.restart_controller();
            return;
        }
        self.deliver();
        self.feed(Input::Answer(write.id, answer));
    }

    fn call(&mut self, call: CallKind, effect: &Effect) -> Result<Written, ApiFailure> {
        self.tally.called(call);
        let now = self.now;
        let Some((error, applied)) = self.faults.hit(call) else {
            return apply(&mut self.api, effect, now).map_err(|error| {
                self.tally.rejected(call, error.reason);
                error.to_failure()
            });
        };
        self.tally.faulted(call, error);
        self.boundary.injected = Some((error, applied));
        if applied {
            // The caller never learns how this ended.
            let _ = apply(&mut self.api, effect, now);
        }
        Err(error.failure(call, object_name(effect)))
    }
}

/// How traces count a call.
pub(crate) const fn call_kind(effect: &Effect) -> CallKind {
    match effect {
        Effect::CreatePod(_) => CallKind::CreatePods,
        Effect::DeletePod(_) => CallKind::DeletePods,
        Effect::RemoveFinalizer(_) | Effect::AdoptPod(..) | Effect::ReleasePod(..) => CallKind::PatchPods,
        Effect::UpdateStatus { .. } => CallKind::UpdateJobStatus,
        Effect::GetJob(_) => CallKind::GetJobs,
        Effect::DeleteJob(..) => CallKind::DeleteJobs,
    }
}

fn object_name(effect: &Effect) -> &str {
    match effect {
        Effect::CreatePod(_) => "",
        Effect::DeletePod(pod) | Effect::RemoveFinalizer(pod) => &pod.key.name,
        Effect::AdoptPod(pod, ..) | Effect::ReleasePod(pod, ..) => &pod.key.name,
        Effect::UpdateStatus { job, .. } | Effect::GetJob(job) | Effect::DeleteJob(job, _) => &job.name,
    }
}

fn apply(api: &mut ApiServer, effect: &Effect, now: Timestamp) -> Result<Written, ApiError> {
    match effect {
        Effect::CreatePod(new) => {
            let job = api.get(Resource::Jobs, &new.job.namespace, &new.job.name)?;
            let pod = api.create_pod(write::pod(&job, new), now)?;
            let key = PodKey::new(object::namespace(&pod), object::name(&pod));
            Ok(written(&pod, Reply::Pod(key, Uid::new(object::uid(&pod)))))
        }
        Effect::DeletePod(pod) => {
            api.delete_pod(&pod.key.namespace, &pod.key.name, DeletePod::default(), now)?;
            Ok(Written::default())
        }
        Effect::RemoveFinalizer(pod) => {
            patch(api, pod, |object| object::remove_finalizer(object, names::TRACKING_FINALIZER))
        }
        Effect::AdoptPod(pod, job, uid) => patch(api, pod, |object| adopt(object, job, uid)),
        Effect::ReleasePod(pod, _, uid) => patch(api, pod, |object| {
            crate::garbage_collector::remove_owner(object, &uid.to_string());
            object::remove_finalizer(object, names::TRACKING_FINALIZER);
        }),
        Effect::UpdateStatus { job, uid, resource_version, status } => {
            let target = (&*job.namespace, &*job.name);
            let job = api.put_job_status(target, &uid.to_string(), resource_version.0, write::status(status))?;
            Ok(written(&job, Reply::Nothing))
        }
        Effect::GetJob(job) => {
            let object = api.get(Resource::Jobs, &job.namespace, &job.name)?;
            let view = read::job(&object).map_err(|error| ApiError::bad_request(&error.to_string()))?;
            Ok(written(&object, Reply::Job(Box::new(view))))
        }
        Effect::DeleteJob(job, uid) => {
            let uid = uid.to_string();
            api.delete_job((&job.namespace, &job.name), Some(Propagation::Foreground), Some(&uid), now)?;
            Ok(Written::default())
        }
    }
}

fn written(object: &Value, reply: Reply) -> Written {
    Written { resource_version: ResourceVersion(object::version(object)), reply }
}

/// PATCH of a pod, guarded by its UID.
fn patch(api: &mut ApiServer, pod: &PodRef, change: impl FnOnce(&mut Value)) -> Result<Written, ApiError> {
    let (namespace, name) = (&*pod.key.namespace, &*pod.key.name);
    let is = api.get(Resource::Pods, namespace, name)?;
    if Uid::new(object::uid(&is)) != pod.uid {
        return Err(ApiError::not_found(Resource::Pods, name));
    }
    let pod = api.patch_pod(namespace, name, change)?;
    Ok(written(&pod, Reply::Nothing))
}

/// ADO-6
fn adopt(pod: &mut Value, job: &JobKey, uid: &Uid) {
    let mut owners = object::list(pod, &["metadata", "ownerReferences"]).to_vec();
    owners.push(write::owner_reference(&job.name, uid));
    object::set(pod, &["metadata", "ownerReferences"], owners);
    let mut finalizers: Vec<String> = object::finalizers(pod).into_iter().map(str::to_owned).collect();
    if !finalizers.iter().any(|f| f == names::TRACKING_FINALIZER) {
        finalizers.push(names::TRACKING_FINALIZER.to_owned());
        object::set_finalizers(pod, &finalizers);
    }
}

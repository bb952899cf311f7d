//! The garbage collector: looks at everything a quarter of a second after a change.
//!
//! Invariants: changes within that time are covered by the same pass; its own writes lead to a further one.
//! A pass that could find nothing to do is left out; nobody can see the difference.

use jobwright_api::names;
use jobwright_core::{Millis, OrderedSet, Resource, Timestamp};
use serde_json::Value;

use crate::api_server::{ApiServer, Change, DeletePod};
use crate::object;

/// From a change to the pass that covers it.
const DELAY: Millis = Millis(250);

/// When the next pass is due, and what tells whether it is needed.
#[derive(Clone, Debug, Default)]
pub struct GarbageCollector {
    /// The end of the time that one pass covers.
    covered_until: Option<Timestamp>,
    due: Option<Timestamp>,
    /// UIDs of the Jobs that are there.
    alive: OrderedSet<String>,
    /// UIDs of those that are being deleted.
    deleting: OrderedSet<String>,
}

impl GarbageCollector {
    /// Notices that something changed.
    pub fn notice(&mut self, change: &Change, now: Timestamp) {
        if self.covered_until.is_none_or(|until| until < now) {
            self.covered_until = Some(now + DELAY);
        }
        let needed = match change.resource {
            Resource::Jobs => self.job_changed(change),
            Resource::Pods => !self.deleting.is_empty() || (!change.gone && self.is_orphan(&change.object)),
        };
        if needed && self.due.is_none() {
            self.due = self.covered_until;
        }
    }

    /// Whether a pass has something to look for.
    fn job_changed(&mut self, change: &Change) -> bool {
        let uid = object::uid(&change.object);
        if change.gone {
            self.alive.remove(uid);
            self.deleting.remove(uid);
            return true;
        }
        self.alive.insert(uid.to_owned());
        let deleting = object::is_terminating(&change.object);
        if deleting {
            self.deleting.insert(uid.to_owned());
        }
        deleting
    }

    /// Whether a pod has owners, and none of them is there. Only Jobs are known here: an owner of another
    /// kind counts as alive.
    fn is_orphan(&self, pod: &Value) -> bool {
        let owners = object::list(pod, &["metadata", "ownerReferences"]);
        let is_gone = |owner: &Value| {
            object::text(owner, &["kind"]) == names::JOB && !self.alive.contains(object::text(owner, &["uid"]))
        };
        !owners.is_empty() && owners.iter().all(is_gone) && !object::is_terminating(pod)
    }

    /// When the next pass is due.
    #[must_use]
    pub const fn due(&self) -> Option<Timestamp> {
        self.due
    }

    /// One pass over all Jobs and pods.
    pub fn pass(&mut self, api: &mut ApiServer, now: Timestamp) {
        (self.due, self.covered_until) = (None, None);
        let jobs: Vec<_> = api.list(Resource::Jobs).cloned().collect();
        let pods: Vec<_> = api.list(Resource::Pods).cloned().collect();
        for pod in pods.iter().filter(|pod| self.is_orphan(pod)) {
            delete(api, pod, now);
        }
        for job in jobs.iter().filter(|job| object::is_terminating(job)) {
            let dependents: Vec<&Value> =
                pods.iter().map(|pod| &**pod).filter(|pod| owner_of(pod, object::uid(job)).is_some()).collect();
            let finalizers = object::finalizers(job);
            if finalizers.contains(&crate::api_server::FOREGROUND) {
                foreground(api, job, &dependents, now);
            } else if finalizers.contains(&crate::api_server::ORPHAN) {
                orphan(api, job, &dependents);
            }
        }
    }
}

/// The reference of a pod to the owner with this UID.
fn owner_of<'a>(pod: &'a Value, uid: &str) -> Option<&'a Value> {
    object::list(pod, &["metadata", "ownerReferences"]).iter().find(|owner| object::text(owner, &["uid"]) == uid)
}

/// A refusal means that the pod is gone or another one by now; the next pass looks again.
fn delete(api: &mut ApiServer, pod: &Value, now: Timestamp) {
    let options = DeletePod { grace: None, uid: Some(object::uid(pod)) };
    let _ = api.delete_pod(object::namespace(pod), object::name(pod), options, now);
}

/// GCD-3: the pods go first, then the Job.
fn foreground(api: &mut ApiServer, job: &Value, dependents: &[&Value], now: Timestamp) {
    for pod in dependents.iter().filter(|pod| !object::is_terminating(pod)) {
        delete(api, pod, now);
    }
    let blocks = |pod: &&&Value| {
        owner_of(pod, object::uid(job)).and_then(|owner| owner.get("blockOwnerDeletion")) == Some(&Value::Bool(true))
    };
    if !dependents.iter().any(|pod| blocks(&pod)) {
        api.remove_job_finalizer(job, crate::api_server::FOREGROUND);
    }
}

/// GCD-4: the pods lose their owner, then the Job goes.
fn orphan(api: &mut ApiServer, job: &Value, dependents: &[&Value]) {
    for pod in dependents {
        let _ = api.patch_pod(object::namespace(pod), object::name(pod), |pod| {
            remove_owner(pod, object::uid(job));
        });
    }
    api.remove_job_finalizer(job, crate::api_server::ORPHAN);
}

/// Takes the reference to the owner with this UID off.
pub(crate) fn remove_owner(pod: &mut Value, uid: &str) {
    let owners = object::list(pod, &["metadata", "ownerReferences"]);
    let kept: Vec<Value> = owners.iter().filter(|owner| object::text(owner, &["uid"]) != uid).cloned().collect();
    if kept.is_empty() {
        object::unset(pod, &["metadata", "ownerReferences"]);
    } else {
        object::set(pod, &["metadata", "ownerReferences"], kept);
    }
}

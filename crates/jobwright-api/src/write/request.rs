//! A call of the controller as the API server gets it: verb, path and body.
//!
//! Invariant: patches change nothing but what their effect names, and are guarded by the pod's UID where
//! the controller's are (ADO-3, ADO-6).

use jobwright_core::output::{Effect, PodRef, Write};
use jobwright_core::{JobKey, Uid};
use serde::Serialize;
use serde_json::{Value, json};

use super::{owner_reference, pod, status};
use crate::names;
use crate::record::slugs;

/// What a patch of a pod is sent as.
const STRATEGIC_MERGE: &str = "application/strategic-merge-patch+json";

/// One request to the API server.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Request {
    /// `POST`, `PUT`, `PATCH`, `DELETE` or `GET`.
    pub verb: String,
    /// For example `/apis/batch/v1/namespaces/default/jobs/pi/status`.
    pub path: String,
    /// The media type of a patch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub content_type: Option<String>,
    /// The object, the patch or the options of a deletion; absent if nothing is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub body: Option<Value>,
    /// The slug of the rule that asks for it.
    pub rule: String,
}

/// A call as a request; `job` is the Job on whose behalf, as it is stored.
#[must_use]
pub fn request(write: &Write, job: &Value) -> Request {
    let patch = |pod: &PodRef, body| (pod_path(pod), Some(STRATEGIC_MERGE.to_owned()), Some(body));
    let (path, content_type, body) = match &write.effect {
        Effect::CreatePod(new) => (path("/api/v1", &new.job.namespace, "/pods", "", ""), None, Some(pod(job, new))),
        Effect::DeletePod(pod) => (pod_path(pod), None, None),
        Effect::RemoveFinalizer(pod) => patch(pod, json!({"metadata": {OFF: [names::TRACKING_FINALIZER]}})),
        Effect::AdoptPod(pod, job, uid) => patch(pod, adoption(pod, job, uid)),
        Effect::ReleasePod(pod, _, uid) => patch(pod, release(pod, uid)),
        Effect::UpdateStatus { job: key, status: new, .. } => {
            let mut whole = job.clone();
            if let Some(object) = whole.as_object_mut() {
                object.insert("status".to_owned(), status(new));
            }
            (job_path(key, "/status"), None, Some(whole))
        }
        Effect::GetJob(key) => (job_path(key, ""), None, None),
        Effect::DeleteJob(key, uid) => (job_path(key, ""), None, Some(deletion(uid))),
    };
    let verb = slugs::effect(&write.effect).1.to_owned();
    Request { verb, path, content_type, body, rule: write.why.slug().to_owned() }
}

/// Takes texts off the list of finalizers, in a strategic merge patch.
const OFF: &str = "$deleteFromPrimitiveList/finalizers";

/// ADO-6
fn adoption(pod: &PodRef, job: &JobKey, uid: &Uid) -> Value {
    let owner = owner_reference(&job.name, uid);
    let uid = pod.uid.to_string();
    json!({"metadata": {"uid": uid, "ownerReferences": [owner], "finalizers": [names::TRACKING_FINALIZER]}})
}

/// ADO-3
fn release(pod: &PodRef, job: &Uid) -> Value {
    let owner = json!({"$patch": "delete", "uid": job.to_string()});
    json!({"metadata": {"uid": pod.uid.to_string(), "ownerReferences": [owner], OFF: [names::TRACKING_FINALIZER]}})
}

/// TTL-5
fn deletion(job: &Uid) -> Value {
    json!({"preconditions": {"uid": job.to_string()}, "propagationPolicy": "Foreground"})
}

fn pod_path(pod: &PodRef) -> String {
    path("/api/v1", &pod.key.namespace, "/pods/", &pod.key.name, "")
}

fn job_path(job: &JobKey, part: &str) -> String {
    path("/apis/batch/v1", &job.namespace, "/jobs/", &job.name, part)
}

fn path(group: &str, namespace: &str, resource: &str, name: &str, part: &str) -> String {
    [group, "/namespaces/", namespace, resource, name, part].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jobwright_core::{NewPod, PodKey, ResourceVersion, Rule, WriteId};

    fn sent(effect: Effect) -> (String, Value) {
        let write = Write { id: WriteId(1), job: None, effect, why: Rule::CreatePods };
        let job = json!({"metadata": {"name": "job"}, "spec": {"template": {"spec": {}}}, "status": {"failed": 1}});
        let sent = request(&write, &job);
        (format!("{} {}", sent.verb, sent.path), sent.body.unwrap_or_default())
    }

    #[test]
    fn every_call_has_its_path_and_body() {
        let job = || JobKey::new("ns", "job");
        let pod = || PodRef { key: PodKey::new("ns", "p"), uid: Uid::new("u-p") };
        let uid = || Uid::new("u-j");
        let new = NewPod { job: job(), job_uid: uid(), index: None, index_failures: None, index_ignored_failures: None };
        let (line, body) = sent(Effect::CreatePod(new));
        assert_eq!((&*line, &body["metadata"]["generateName"]), ("POST /api/v1/namespaces/ns/pods", &json!("job-")));
        let status = Box::new(jobwright_core::JobStatus { active: 2, ..Default::default() });
        let update = Effect::UpdateStatus { job: job(), uid: uid(), resource_version: ResourceVersion(1), status };
        let (line, body) = sent(update);
        assert_eq!(line, "PUT /apis/batch/v1/namespaces/ns/jobs/job/status");
        assert_eq!((&body["metadata"]["name"], &body["status"]), (&json!("job"), &json!({"active": 2})));
        for (effect, line, body) in [
            (Effect::DeletePod(pod()), "DELETE /api/v1/namespaces/ns/pods/p", Value::Null),
            (
                Effect::RemoveFinalizer(pod()),
                "PATCH /api/v1/namespaces/ns/pods/p",
                json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["batch.kubernetes.io/job-tracking"]}}),
            ),
            (
                Effect::AdoptPod(pod(), job(), uid()),
                "PATCH /api/v1/namespaces/ns/pods/p",
                json!({"metadata": {
                    "uid": "u-p",
                    "finalizers": ["batch.kubernetes.io/job-tracking"],
                    "ownerReferences": [{
                        "apiVersion": "batch/v1", "kind": "Job", "name": "job", "uid": "u-j",
                        "controller": true, "blockOwnerDeletion": true,
                    }],
                }}),
            ),
            (
                Effect::ReleasePod(pod(), job(), uid()),
                "PATCH /api/v1/namespaces/ns/pods/p",
                json!({"metadata": {
                    "uid": "u-p",
                    "$deleteFromPrimitiveList/finalizers": ["batch.kubernetes.io/job-tracking"],
                    "ownerReferences": [{"$patch": "delete", "uid": "u-j"}],
                }}),
            ),
            (Effect::GetJob(job()), "GET /apis/batch/v1/namespaces/ns/jobs/job", Value::Null),
            (
                Effect::DeleteJob(job(), uid()),
                "DELETE /apis/batch/v1/namespaces/ns/jobs/job",
                json!({"preconditions": {"uid": "u-j"}, "propagationPolicy": "Foreground"}),
            ),
        ] {
            assert_eq!(sent(effect), (line.to_owned(), body));
        }
    }
}

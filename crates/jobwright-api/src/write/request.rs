//! A call of the controller as the API server gets it: verb, path and body.
//!
//! Invariant: patches change nothing but what their effect names, and are guarded by the pod's UID where
//! the controller's are (ADO-3, ADO-6).

use jobwright_core::output::{Effect, PodRef, Write};
use jobwright_core::{JobKey, Uid};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{owner_reference, pod, status};
use crate::names;
use crate::record::slugs;

/// What a patch of a pod is sent as.
const STRATEGIC_MERGE: &str = "application/strategic-merge-patch+json";

/// One request to the API server.
#[derive(Debug, PartialEq, Serialize)]
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
    let (mut content_type, mut body) = (None, None);
    let mut patch = |pod: &PodRef, guarded, owner, finalizers| {
        content_type = Some(STRATEGIC_MERGE.to_owned());
        body = Some(metadata(guarded, pod, owner, finalizers));
        pod_path(pod)
    };
    let path = match &write.effect {
        Effect::DeletePod(pod) => pod_path(pod),
        Effect::RemoveFinalizer(pod) => patch(pod, false, None, OFF),
        Effect::AdoptPod(pod, job, uid) => patch(pod, true, Some(owner_reference(&job.name, uid)), ON),
        Effect::ReleasePod(pod, _, uid) => patch(pod, true, Some(without_owner(uid)), OFF),
        Effect::GetJob(key) => job_path(key, ""),
        Effect::CreatePod(new) => {
            body = Some(pod(job, new));
            path("/api/v1", &new.job.namespace, "/pods", "", "")
        }
        Effect::UpdateStatus { job: key, status: new, resource_version, .. } => {
            let mut whole = job.clone();
            if let Some(members) = whole.as_object_mut() {
                members.insert("status".to_owned(), status(new));
                // What was decided on, even if a newer Job is known by now: then the answer is a conflict.
                if let (1.., Some(Value::Object(metadata))) = (resource_version.0, members.get_mut("metadata")) {
                    metadata.insert("resourceVersion".to_owned(), resource_version.to_string().into());
                }
            }
            body = Some(whole);
            job_path(key, "/status")
        }
        Effect::DeleteJob(key, uid) => {
            let guard = object([("uid", uid.to_string().into())]);
            body = Some(object([("preconditions", guard), ("propagationPolicy", "Foreground".into())]));
            job_path(key, "")
        }
    };
    let verb = slugs::effect(&write.effect).1.to_owned();
    Request { verb, path, content_type, body, rule: write.why.slug().to_owned() }
}

/// Puts texts on the list of finalizers, and takes them off it, in a strategic merge patch.
const ON: &str = "finalizers";
const OFF: &str = "$deleteFromPrimitiveList/finalizers";

/// A patch of a pod's metadata (TRK-12, ADO-3, ADO-6).
fn metadata(guarded: bool, pod: &PodRef, owner: Option<Value>, finalizers: &str) -> Value {
    let mut members = Map::new();
    let mut set = |name: &str, value: Value| members.insert(name.to_owned(), value);
    set(finalizers, Value::Array(vec![names::TRACKING_FINALIZER.into()]));
    if let Some(owner) = owner {
        set("ownerReferences", Value::Array(vec![owner]));
    }
    if guarded {
        set("uid", pod.uid.to_string().into());
    }
    object([("metadata", Value::Object(members))])
}

/// The owner reference that a merge takes away.
fn without_owner(job: &Uid) -> Value {
    object([("$patch", "delete".into()), ("uid", job.to_string().into())])
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let mut map = Map::new();
    for (name, value) in members {
        map.insert(name.to_owned(), value);
    }
    Value::Object(map)
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
    use serde_json::json;

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
        let new =
            NewPod { job: job(), job_uid: uid(), index: None, index_failures: None, index_ignored_failures: None };
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

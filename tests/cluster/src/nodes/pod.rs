//! The life of one pod.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jobwright_api::names;
use kube::Client;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::Speed;
use super::outcome::{self, Outcome};
use crate::job::send;

/// How long a pod that is deleted takes to end.
const DYING: Duration = Duration::from_millis(300);
/// Exit code of a process that was ended by `SIGTERM`.
const TERMINATED: i32 = 143;
/// How long to wait before a request is sent again: at first, and at most.
const AGAIN: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(2));

/// What is read of a pod.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Pod {
    pub(super) metadata: Metadata,
    spec: Spec,
    status: Status,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Metadata {
    namespace: String,
    name: String,
    pub(super) uid: String,
    pub(super) deletion_timestamp: Option<String>,
    annotations: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Spec {
    node_name: String,
    containers: Vec<Container>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Container {
    name: String,
    image: String,
    command: Vec<String>,
    args: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Status {
    phase: String,
}

impl Pod {
    pub(super) fn has_ended(&self) -> bool {
        matches!(&*self.status.phase, "Succeeded" | "Failed")
    }

    fn outcome(&self) -> Outcome {
        let annotation = |name: &str| self.metadata.annotations.get(name);
        let index = annotation(names::COMPLETION_INDEX).and_then(|text| text.parse().ok());
        match (annotation(outcome::ANNOTATION), self.spec.containers.first()) {
            (Some(text), _) => outcome::of_annotation(text, index),
            (None, Some(first)) => outcome::of_command(&[&first.command[..], &first.args[..]].concat()),
            (None, None) => outcome::of_command(&[]),
        }
    }

    fn path(&self) -> String {
        format!("/api/v1/namespaces/{}/pods/{}", self.metadata.namespace, self.metadata.name)
    }
}

/// What all lives share.
#[derive(Clone)]
pub(super) struct Life {
    pub(super) client: Client,
    pub(super) requests: Arc<Semaphore>,
    pub(super) speed: Speed,
}

impl Life {
    /// Binds a pod, runs it and ends it.
    pub(super) async fn live(&self, pod: &Pod) {
        // 409: it has a node, because the answer to an earlier try was lost, or it is another pod now. What follows names
        // the UID and is refused then.
        if pod.spec.node_name.is_empty() && !matches!(self.bind(pod).await, Ok(()) | Err(Refused(409))) {
            return;
        }
        let outcome = pod.outcome();
        if self.speed == Speed::AsSaid && pod.status.phase != "Running" && self.patch(pod, &running(pod)).await.is_err()
        {
            return;
        }
        let runs = if self.speed == Speed::Instant { outcome.runs.map(|_| Duration::ZERO) } else { outcome.runs };
        let Some(runs) = runs else { return };
        tokio::time::sleep(runs).await;
        let _ = self.patch(pod, &ended(pod, outcome.exit_code)).await;
    }

    /// Ends a pod that is being deleted, and removes it.
    pub(super) async fn die(&self, pod: &Pod) {
        if !pod.has_ended() {
            tokio::time::sleep(DYING).await;
            let _ = self.patch(pod, &ended(pod, TERMINATED)).await;
        }
        let now = json!({"gracePeriodSeconds": 0, "preconditions": {"uid": pod.metadata.uid}});
        let _ = self.request("DELETE", &pod.path(), "application/json", &now).await;
    }

    async fn bind(&self, pod: &Pod) -> Result<(), Refused> {
        let target = json!({"apiVersion": "v1", "kind": "Node", "name": "node-1"});
        let metadata = json!({"name": pod.metadata.name, "uid": pod.metadata.uid});
        let binding = json!({"apiVersion": "v1", "kind": "Binding", "metadata": metadata, "target": target});
        self.request("POST", &format!("{}/binding", pod.path()), "application/json", &binding).await
    }

    async fn patch(&self, pod: &Pod, status: &Value) -> Result<(), Refused> {
        let patch = json!({"metadata": {"uid": pod.metadata.uid}, "status": status});
        self.request("PATCH", &format!("{}/status", pod.path()), "application/merge-patch+json", &patch).await
    }

    /// Sends a request until it is carried out or refused for good. There is no last try: nothing else would take up a pod
    /// that was given up while the API server was away.
    async fn request(&self, verb: &str, path: &str, kind: &str, body: &Value) -> Result<(), Refused> {
        let (mut pause, longest) = AGAIN;
        loop {
            {
                let _allowed = self.requests.acquire().await;
                match send(&self.client, verb, path, kind, Some(body)).await.map_err(|error| refused(&error)) {
                    Ok(_) => return Ok(()),
                    Err(Some(refused)) => return Err(refused),
                    Err(None) => {}
                }
            }
            tokio::time::sleep(pause).await;
            pause = longest.min(pause * 2);
        }
    }
}

/// The API server refused for good, with this status code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refused(u16);

/// `None`: the server could not be reached, was busy or had an error of its own.
fn refused(error: &anyhow::Error) -> Option<Refused> {
    match error.downcast_ref::<kube::Error>() {
        Some(kube::Error::Api(status)) if status.code < 429 => Some(Refused(status.code)),
        _ => None,
    }
}

fn conditions(ready: bool) -> Value {
    let status = |yes| if yes { "True" } else { "False" };
    let now = now();
    let of = |kind: &str, yes| json!({"type": kind, "status": status(yes), "lastTransitionTime": now});
    json!([of("Initialized", true), of("Ready", ready), of("ContainersReady", ready), of("PodScheduled", true)])
}

fn containers(pod: &Pod, ready: bool, state: &Value) -> Value {
    let of = |container: &Container| {
        json!({
            "name": container.name, "image": container.image, "imageID": "simulated", "restartCount": 0,
            "ready": ready, "started": ready, "state": state,
        })
    };
    pod.spec.containers.iter().map(of).collect()
}

fn running(pod: &Pod) -> Value {
    json!({
        "phase": "Running",
        "startTime": now(),
        "conditions": conditions(true),
        "containerStatuses": containers(pod, true, &json!({"running": {"startedAt": now()}})),
    })
}

fn ended(pod: &Pod, exit_code: i32) -> Value {
    let (phase, reason) = if exit_code == 0 { ("Succeeded", "Completed") } else { ("Failed", "Error") };
    let terminated = json!({"exitCode": exit_code, "reason": reason, "startedAt": now(), "finishedAt": now()});
    json!({
        "phase": phase,
        "conditions": conditions(false),
        "containerStatuses": containers(pod, false, &json!({"terminated": terminated})),
    })
}

/// The present time as the API writes it.
fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

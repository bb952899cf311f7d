//! Jobs for tests: made, waited for, looked at.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use http::Request;
use kube::Client;
use serde_json::{Value, json};

/// How long a test waits for something before it fails.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A Job with one container whose pods end as `outcome` says (see [`crate::nodes::outcome`]).
#[must_use]
pub fn job(name: &str, outcome: &str, spec: Value) -> Value {
    let mut job = json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name},
        "spec": {"template": {
            "metadata": {"annotations": {crate::nodes::outcome::ANNOTATION: outcome}},
            "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "example.com/main:1"}]},
        }},
    });
    if let (Some(into), Value::Object(members)) = (job["spec"].as_object_mut(), spec) {
        into.extend(members);
    }
    job
}

/// One namespace, and what a test does in it.
#[derive(Clone)]
pub struct Bench {
    /// For whatever there is no method for.
    pub client: Client,
    /// The namespace.
    pub namespace: String,
}

impl Bench {
    /// Makes a namespace.
    ///
    /// # Errors
    /// The API server refuses.
    pub async fn new(client: Client, namespace: &str) -> Result<Self> {
        let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
        send(&client, "POST", "/api/v1/namespaces", "application/json", Some(&body)).await?;
        Ok(Self { client, namespace: namespace.to_owned() })
    }

    fn jobs(&self) -> String {
        format!("/apis/batch/v1/namespaces/{}/jobs", self.namespace)
    }

    /// Creates a Job and returns it as it is stored.
    ///
    /// # Errors
    /// The API server refuses.
    pub async fn create(&self, job: &Value) -> Result<Value> {
        send(&self.client, "POST", &self.jobs(), "application/json", Some(job)).await
    }

    /// The Job as it is stored.
    ///
    /// # Errors
    /// There is none.
    pub async fn job(&self, name: &str) -> Result<Value> {
        send(&self.client, "GET", &format!("{}/{name}", self.jobs()), "", None).await
    }

    /// Merges a patch into a Job.
    ///
    /// # Errors
    /// The API server refuses.
    pub async fn patch(&self, name: &str, patch: &Value) -> Result<Value> {
        let path = format!("{}/{name}", self.jobs());
        send(&self.client, "PATCH", &path, "application/merge-patch+json", Some(patch)).await
    }

    /// Deletes a Job.
    ///
    /// # Errors
    /// The API server refuses.
    pub async fn delete(&self, name: &str, propagation: &str) -> Result<Value> {
        let body = json!({"propagationPolicy": propagation});
        send(&self.client, "DELETE", &format!("{}/{name}", self.jobs()), "application/json", Some(&body)).await
    }

    /// The pods of a Job, by its name.
    ///
    /// # Errors
    /// They cannot be listed.
    pub async fn pods(&self, job: &str) -> Result<Vec<Value>> {
        let selector = format!("labelSelector=batch.kubernetes.io%2Fjob-name%3D{job}");
        let path = format!("/api/v1/namespaces/{}/pods?{selector}", self.namespace);
        let list = send(&self.client, "GET", &path, "", None).await?;
        Ok(list["items"].as_array().cloned().unwrap_or_default())
    }

    /// Waits until something holds for a Job, and returns the Job.
    ///
    /// # Errors
    /// It did not hold in time; with the last state.
    pub async fn until(&self, name: &str, what: &str, holds: impl Fn(&Value) -> bool) -> Result<Value> {
        let began = tokio::time::timeout(PATIENCE, async {
            loop {
                let job = self.job(name).await?;
                if holds(&job) {
                    return anyhow::Ok(job);
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        match began.await {
            Ok(job) => job,
            Err(_) => bail!("{what}: not in time; the status of {name} is {}", self.job(name).await?["status"]),
        }
    }

    /// Waits for the end of a Job; returns it.
    ///
    /// # Errors
    /// It did not end in time.
    pub async fn ended(&self, name: &str) -> Result<Value> {
        self.until(name, "the end", |job| condition(job, "Complete").or_else(|| condition(job, "Failed")).is_some())
            .await
    }
}

/// The reason of a condition that is true.
#[must_use]
pub fn condition(job: &Value, kind: &str) -> Option<String> {
    let conditions = job["status"]["conditions"].as_array()?;
    let found = conditions.iter().find(|condition| condition["type"] == kind && condition["status"] == "True")?;
    Some(found["reason"].as_str().unwrap_or_default().to_owned())
}

/// Sends one request; the answer as JSON.
///
/// # Errors
/// The API server refuses, with its text.
pub async fn send(client: &Client, verb: &str, path: &str, kind: &str, body: Option<&Value>) -> Result<Value> {
    let body = body.map(Value::to_string).unwrap_or_default().into_bytes();
    let mut request = Request::builder().method(verb).uri(path);
    if !kind.is_empty() {
        request = request.header(http::header::CONTENT_TYPE, kind);
    }
    let request = request.body(body)?;
    client.request::<Value>(request).await.with_context(|| format!("{verb} {path}"))
}

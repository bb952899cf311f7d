//! Leadership by a Lease (`coordination.k8s.io/v1`), as Kubernetes' own components do it.
//!
//! Invariants: a lease of somebody else is taken only when it did not change for its whole duration, measured
//! on the own monotonic clock, so clocks that differ do no harm; who could not renew in time stops leading before
//! another one can begin. Errors never lead to leadership.

use std::time::Duration;

use jobwright_api::time;
use jobwright_api::write::Request;
use jobwright_core::FailureKind;
use kube::Client;
use serde_json::{Value, json};
use tokio::sync::watch::Sender;
use tokio::time::Instant;

use crate::clock;
use crate::send::{SendError, send};

/// How long what takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Others wait that long after the last renewal.
    pub duration: Duration,
    /// Who could not renew for that long stops leading.
    pub renew_deadline: Duration,
    /// Between two tries.
    pub retry: Duration,
}

impl Default for Times {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { duration: seconds(15), renew_deadline: seconds(10), retry: seconds(2) }
    }
}

/// One candidate.
pub struct Lease {
    client: Client,
    namespace: String,
    name: String,
    identity: String,
    times: Times,
    /// The lease of somebody else as it was when it was first seen like this.
    seen: Option<(Value, Instant)>,
}

impl Lease {
    /// A candidate that has not tried yet; `identity` tells candidates apart.
    #[must_use]
    pub fn new(client: Client, namespace: String, name: String, identity: String, times: Times) -> Self {
        Self { client, namespace, name, identity, times, seen: None }
    }

    /// Waits for leadership, tells it, and keeps it. Returns when it was lost.
    pub async fn hold(&mut self, leading: &Sender<bool>) {
        while !self.try_once(self.times.renew_deadline).await {
            tokio::time::sleep(self.times.retry).await;
        }
        tracing::info!(identity = self.identity, lease = self.name, "leading");
        leading.send_replace(true);
        let mut renewed = clock::instant();
        loop {
            tokio::time::sleep(self.times.retry).await;
            let left = self.times.renew_deadline.saturating_sub(renewed.elapsed());
            if left.is_zero() {
                break;
            }
            let began = clock::instant();
            if self.try_once(left).await {
                renewed = began;
            } else if self.seen.is_some() {
                // Somebody else has it.
                break;
            }
        }
        leading.send_replace(false);
        tracing::error!(identity = self.identity, lease = self.name, "leadership is lost");
    }

    /// Gives the lease back, so that nobody has to wait.
    pub async fn release(&self) {
        let Ok(lease) = self.get().await else { return };
        if holder(&lease) == self.identity {
            let _ = self.put(lease, "", Duration::from_secs(1)).await;
        }
    }

    /// Gets or renews the lease; whether it is held now.
    async fn try_once(&mut self, limit: Duration) -> bool {
        match tokio::time::timeout(limit, self.acquire()).await {
            Ok(Ok(held)) => held,
            Ok(Err(error)) => {
                tracing::warn!(%error, lease = self.name, "cannot get or renew the lease");
                false
            }
            Err(_) => {
                tracing::warn!(lease = self.name, "no answer about the lease in time");
                false
            }
        }
    }

    async fn acquire(&mut self) -> Result<bool, SendError> {
        let lease = match self.get().await {
            Err(SendError::Refused(failure)) if failure.kind == FailureKind::NotFound => return self.create().await,
            other => other?,
        };
        let holder = holder(&lease).to_owned();
        if holder != self.identity && !holder.is_empty() {
            let now = clock::instant();
            let same = self.seen.take().filter(|(seen, _)| seen["spec"] == lease["spec"]);
            let (_, since) = self.seen.insert(same.unwrap_or_else(|| (lease.clone(), now)));
            let theirs =
                lease["spec"]["leaseDurationSeconds"].as_u64().map_or(self.times.duration, Duration::from_secs);
            if since.elapsed() < theirs {
                return Ok(false);
            }
        }
        let identity = self.identity.clone();
        let taken = self.put(lease, &identity, self.times.duration).await;
        match taken {
            Err(SendError::Refused(failure)) if failure.kind == FailureKind::Conflict => Ok(false),
            other => {
                other?;
                self.seen = None;
                Ok(true)
            }
        }
    }

    async fn get(&self) -> Result<Value, SendError> {
        self.send("GET", &self.path(), None).await
    }

    async fn create(&self) -> Result<bool, SendError> {
        let now = micros();
        let lease = json!({
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": {"namespace": self.namespace, "name": self.name},
            "spec": {
                "holderIdentity": self.identity,
                "leaseDurationSeconds": self.times.duration.as_secs(),
                "acquireTime": now,
                "renewTime": now,
                "leaseTransitions": 0,
            },
        });
        let path = format!("/apis/coordination.k8s.io/v1/namespaces/{}/leases", self.namespace);
        match self.send("POST", &path, Some(lease)).await {
            Err(SendError::Refused(failure)) if failure.kind == FailureKind::AlreadyExists => Ok(false),
            other => other.map(|_| true),
        }
    }

    /// Writes the lease for `identity`; the resource version in it guards against others.
    async fn put(&self, mut lease: Value, identity: &str, duration: Duration) -> Result<Value, SendError> {
        let now = micros();
        let moved = holder(&lease) != identity;
        let transitions = lease["spec"]["leaseTransitions"].as_u64().unwrap_or_default();
        let Some(spec) = lease.get_mut("spec").and_then(Value::as_object_mut) else {
            return Err(SendError::Lost("the lease has no spec".into()));
        };
        if moved && !identity.is_empty() {
            spec.insert("acquireTime".into(), now.clone().into());
            spec.insert("leaseTransitions".into(), (transitions + 1).into());
        }
        spec.insert("holderIdentity".into(), identity.into());
        spec.insert("leaseDurationSeconds".into(), duration.as_secs().max(1).into());
        spec.insert("renewTime".into(), now.into());
        self.send("PUT", &self.path(), Some(lease)).await
    }

    fn path(&self) -> String {
        format!("/apis/coordination.k8s.io/v1/namespaces/{}/leases/{}", self.namespace, self.name)
    }

    async fn send(&self, verb: &str, path: &str, body: Option<Value>) -> Result<Value, SendError> {
        let (verb, path, rule) = (verb.to_owned(), path.to_owned(), String::new());
        let answer = send(&self.client, &Request { verb, path, content_type: None, body, rule }).await?;
        serde_json::from_slice(&answer).map_err(|error| SendError::Lost(error.to_string()))
    }
}

fn holder(lease: &Value) -> &str {
    lease["spec"]["holderIdentity"].as_str().unwrap_or_default()
}

/// The present time as the API's `MicroTime`.
fn micros() -> String {
    time::format(clock::now()).replace('Z', ".000000Z")
}

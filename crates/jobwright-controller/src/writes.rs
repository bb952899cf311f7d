//! Writes of the core on their way to the API server.
//!
//! Invariants: at most [`Limits::in_flight`] are under way; what stores or releases goes before what creates or
//! deletes, because a status that waits holds back whole Jobs; every write is answered.

use std::collections::VecDeque;
use std::sync::Arc;

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use jobwright_api::{read, write};
use jobwright_core::{
    Answer, ApiFailure, Effect, FailureKind, JobKey, PodKey, Reply, ResourceVersion, Uid, Write, WriteId, Written,
};
use kube::Client;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;

use crate::jobs::{Jobs, Part};
use crate::metrics::Metrics;
use crate::pace::Pace;
use crate::send::{SendError, send};

/// How much is sent.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests under way at a time.
    pub in_flight: usize,
    /// Nothing is sent at all.
    pub dry_run: bool,
}

/// See the module.
pub struct Writes {
    client: Client,
    pace: Arc<Pace>,
    limits: Limits,
    metrics: Arc<Metrics>,
    /// What stores or releases; what creates or deletes.
    waiting: [VecDeque<Write>; 2],
    under_way: FuturesUnordered<BoxFuture<'static, (WriteId, Answer)>>,
}

impl Writes {
    /// Nothing is under way.
    #[must_use]
    pub fn new(client: Client, pace: Arc<Pace>, limits: Limits, metrics: Arc<Metrics>) -> Self {
        let (waiting, under_way) = Default::default();
        Self { client, pace, limits, metrics, waiting, under_way }
    }

    /// Takes a write; [`Self::start`] sends it.
    pub fn push(&mut self, write: Write) {
        let later = matches!(write.effect, Effect::CreatePod(_) | Effect::DeletePod(_));
        self.waiting[usize::from(later)].push_back(write);
    }

    /// Sends as much as is allowed; returns when there will be a token, if that is what is missing.
    pub fn start(&mut self, jobs: &mut Jobs) -> Option<Instant> {
        while self.under_way.len() < self.limits.in_flight && self.waiting.iter().any(|line| !line.is_empty()) {
            if let Err(at) = self.pace.take() {
                return Some(at);
            }
            let [first, later] = &mut self.waiting;
            if let Some(write) = first.pop_front().or_else(|| later.pop_front()) {
                let sending = self.sending(write, jobs);
                self.under_way.push(sending);
            }
        }
        None
    }

    /// The next answer. Pending for ever while nothing is under way.
    pub async fn next(&mut self) -> (WriteId, Answer) {
        match self.under_way.next().await {
            Some(answered) => answered,
            None => std::future::pending().await,
        }
    }

    /// How many are under way.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// How many wait to be sent.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.iter().map(VecDeque::len).sum()
    }

    fn sending(&self, write: Write, jobs: &mut Jobs) -> BoxFuture<'static, (WriteId, Answer)> {
        let id = write.id;
        let stored = match source(&write.effect) {
            None => Value::Null.into(),
            Some((key, uid, part)) => match jobs.part(key, uid, part) {
                Some(stored) => stored,
                None => {
                    let message = format!("jobs.batch \"{}\" not found", key.name);
                    return Box::pin(async move { (id, refused(FailureKind::NotFound, message)) });
                }
            },
        };
        let request = write::request(&write, &stored);
        tracing::trace!(verb = request.verb, path = request.path, rule = request.rule, "sending");
        if self.limits.dry_run {
            tracing::info!(
                verb = request.verb,
                path = request.path,
                rule = request.rule,
                body = request.body.map(tracing::field::display),
                "dry run: not sent"
            );
            return Box::pin(async move { (id, refused(FailureKind::Other, "dry run: nothing is sent".into())) });
        }
        let (client, metrics) = (self.client.clone(), self.metrics.clone());
        Box::pin(async move {
            let sent = send(&client, &request).await;
            metrics.request(&request.verb, &write.effect, sent.as_ref().err());
            let answer = match sent {
                Ok(body) => done(&write.effect, &body),
                Err(SendError::Refused(failure)) => Answer::Failed(failure),
                Err(SendError::Lost(message)) => Answer::Lost(message.into()),
            };
            (id, answer)
        })
    }
}

/// Which part of which Job a request is made from.
const fn source(effect: &Effect) -> Option<(&JobKey, &Uid, Part)> {
    match effect {
        Effect::CreatePod(new) => Some((&new.job, &new.job_uid, Part::Template)),
        Effect::UpdateStatus { job, uid, .. } => Some((job, uid, Part::Head)),
        _ => None,
    }
}

fn refused(kind: FailureKind, message: String) -> Answer {
    Answer::Failed(ApiFailure { kind, message: message.into() })
}

#[derive(Default, Deserialize)]
struct Object {
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Metadata {
    namespace: String,
    name: String,
    uid: String,
    resource_version: String,
}

/// The answer in the body of a write that was carried out.
fn done(effect: &Effect, body: &[u8]) -> Answer {
    if let Effect::GetJob(_) = effect {
        return got(body);
    }
    let Object { metadata } = serde_json::from_slice(body).unwrap_or_default();
    let reply = match effect {
        Effect::CreatePod(_) => Reply::Pod(PodKey::new(&metadata.namespace, &metadata.name), Uid::new(&metadata.uid)),
        _ => Reply::Nothing,
    };
    let resource_version = match effect {
        // What a deletion returns is the object as it was.
        Effect::DeletePod(_) | Effect::DeleteJob(..) => ResourceVersion::default(),
        _ => ResourceVersion::parse(&metadata.resource_version),
    };
    Answer::Done(Written { resource_version, reply })
}

fn got(body: &[u8]) -> Answer {
    let job = serde_json::from_slice::<Value>(body).map_err(|error| error.to_string());
    match job.and_then(|job| read::job(&job).map_err(|error| error.to_string())) {
        Ok(job) => Answer::Done(Written { resource_version: job.resource_version, reply: Reply::Job(Box::new(job)) }),
        Err(message) => refused(FailureKind::Other, message),
    }
}

//! Kubernetes Events: each one that the core emits is told, also under load.
//!
//! Kubernetes' own recorder drops what exceeds a rate. Here many alike become a series instead: the first ten of a
//! Job and reason are written as they are, all further ones as one event whose count grows. What grows is sent at most
//! once a second, so a thousand pods cost a handful of requests.
//!
//! Invariants: memory is bounded by Jobs times reasons; a refused event is dropped, an unanswered one is sent again.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use jobwright_api::time;
use jobwright_api::write::Request;
use jobwright_core::{JobEvent, Timestamp};
use kube::Client;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

use crate::clock;
use crate::metrics::Metrics;
use crate::pace::Pace;
use crate::send::{SendError, send};

/// Events of a Job and reason that are written one by one.
const SINGLE: usize = 10;
/// How often a series is brought up to date.
const REFRESH: Duration = Duration::from_secs(1);
/// A Job and reason that was quiet for so long begins anew.
const FORGET: i64 = 120_000;
/// Requests under way at a time.
const IN_FLIGHT: usize = 4;
/// Who emits, as Kubernetes' own controller is named.
const COMPONENT: &str = "job-controller";

/// A Job's events of one reason.
type GroupKey = (String, String);

#[derive(Debug, Default)]
struct Group {
    entries: Vec<Entry>,
    last: Timestamp,
}

/// One object of kind Event.
#[derive(Debug)]
struct Entry {
    event: JobEvent,
    name: String,
    first: Timestamp,
    last: Timestamp,
    count: u32,
    is_written: bool,
    /// In the line, or under way.
    is_sending: bool,
    /// Grew since it was sent.
    is_stale: bool,
    /// Not again before.
    not_before: Option<Instant>,
}

/// Writes events.
pub struct Events {
    client: Client,
    pace: Arc<Pace>,
    metrics: Arc<Metrics>,
    groups: BTreeMap<GroupKey, Group>,
    line: VecDeque<(GroupKey, usize)>,
    under_way: FuturesUnordered<BoxFuture<'static, Sent>>,
    made: u64,
}

struct Sent {
    at: (GroupKey, usize),
    result: Result<(), SendError>,
}

impl Events {
    /// Nothing was emitted yet.
    #[must_use]
    pub fn new(client: Client, pace: Arc<Pace>, metrics: Arc<Metrics>) -> Self {
        let (groups, line, under_way) = Default::default();
        Self { client, pace, metrics, groups, line, under_way, made: 0 }
    }

    /// Writes what comes, until nothing more can come and all is written.
    pub async fn run(mut self, mut from: UnboundedReceiver<JobEvent>, dry_run: bool) {
        if dry_run {
            while let Some(event) = from.recv().await {
                tracing::info!(job = %event.job.name, reason = %event.reason, message = %event.message, "dry run: no event");
            }
            return;
        }
        let mut tick = tokio::time::interval(REFRESH);
        let mut open = true;
        while open || !self.line.is_empty() || !self.under_way.is_empty() {
            self.start();
            tokio::select! {
                event = from.recv(), if open => match event {
                    Some(event) => self.take(event, clock::now()),
                    None => {
                        open = false;
                        self.refresh(true);
                    }
                },
                Some(sent) = self.under_way.next() => self.sent(sent),
                _ = tick.tick(), if open => self.refresh(false),
            }
        }
    }

    fn take(&mut self, event: JobEvent, now: Timestamp) {
        let key = (event.uid.to_string(), event.reason.to_string());
        let group = self.groups.entry(key.clone()).or_default();
        group.last = now;
        let known = group.entries.iter().position(|entry| entry.event.message == event.message);
        let at = known.or_else(|| (group.entries.len() > SINGLE).then_some(SINGLE));
        let Some((at, entry)) = at.and_then(|at| Some((at, group.entries.get_mut(at)?))) else {
            self.made += 1;
            let name = name(&event, now, self.made);
            let at = group.entries.len();
            let event = if at == SINGLE { combined(event) } else { event };
            group.entries.push(Entry {
                event,
                name,
                first: now,
                last: now,
                count: 1,
                is_written: false,
                is_sending: true,
                is_stale: false,
                not_before: None,
            });
            self.line.push_back((key, at));
            return;
        };
        entry.count += 1;
        entry.last = now;
        entry.is_stale = true;
        if at == SINGLE {
            entry.event.message = combined(event).message;
        }
        self.metrics.event("combined");
    }

    /// Puts what grew into the line, and forgets Jobs that are quiet.
    fn refresh(&mut self, at_once: bool) {
        let now = clock::instant();
        for (key, group) in &mut self.groups {
            for (at, entry) in group.entries.iter_mut().enumerate() {
                let due = at_once || entry.not_before.is_none_or(|time| time <= now);
                if !entry.is_sending && due && (entry.is_stale || !entry.is_written) {
                    entry.is_sending = true;
                    self.line.push_back((key.clone(), at));
                }
            }
        }
        let quiet = clock::now();
        self.groups.retain(|_, group| {
            (quiet - group.last).0 < FORGET || group.entries.iter().any(|entry| entry.is_sending || entry.is_stale)
        });
    }

    fn start(&mut self) {
        while self.under_way.len() < IN_FLIGHT
            && let Some((key, at)) = self.line.pop_front()
        {
            let Some(entry) = self.groups.get_mut(&key).and_then(|group| group.entries.get_mut(at)) else { continue };
            entry.is_stale = false;
            let (client, pace, request) = (self.client.clone(), self.pace.clone(), request(entry));
            self.under_way.push(Box::pin(async move {
                pace.wait().await;
                let result = send(&client, &request).await.map(|_| ());
                Sent { at: (key, at), result }
            }));
        }
    }

    fn sent(&mut self, Sent { at: (key, at), result }: Sent) {
        let Some(entry) = self.groups.get_mut(&key).and_then(|group| group.entries.get_mut(at)) else { return };
        entry.is_sending = false;
        entry.not_before = Some(clock::instant() + REFRESH);
        match result {
            Ok(()) => {
                self.metrics.event(if entry.is_written { "updated" } else { "written" });
                entry.is_written = true;
            }
            Err(SendError::Lost(error)) => {
                tracing::debug!(error, "an event was not answered and is sent again");
                entry.is_stale = true;
            }
            Err(SendError::Refused(error)) => {
                tracing::debug!(error = &*error.message, "an event was refused");
                self.metrics.event("refused");
                entry.is_written = true;
            }
        }
    }
}

/// As `client-go` says it.
fn combined(mut event: JobEvent) -> JobEvent {
    event.message = format!("(combined from similar events): {}", event.message).into();
    event
}

fn name(event: &JobEvent, now: Timestamp, made: u64) -> String {
    let short: String = event.job.name.chars().take(220).collect();
    format!("{short}.{:x}{:05x}", now.0, made & 0xf_ffff)
}

fn request(entry: &Entry) -> Request {
    let events = format!("/api/v1/namespaces/{}/events", entry.event.job.namespace);
    let last = time::format(entry.last);
    let (verb, path, content_type, body) = if entry.is_written {
        let patch = json!({"count": entry.count, "lastTimestamp": last, "message": &*entry.event.message});
        let kind = "application/merge-patch+json".to_owned();
        ("PATCH", [&*events, "/", &*entry.name].concat(), Some(kind), patch)
    } else {
        ("POST", events, None, whole(entry, &last))
    };
    Request { verb: verb.into(), path, content_type, body: Some(body), rule: String::new() }
}

fn whole(entry: &Entry, last: &str) -> Value {
    let event = &entry.event;
    json!({
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"namespace": &*event.job.namespace, "name": entry.name},
        "involvedObject": {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "namespace": &*event.job.namespace,
            "name": &*event.job.name,
            "uid": event.uid.to_string(),
        },
        "reason": &*event.reason,
        "message": &*event.message,
        "type": event.kind.as_str(),
        "source": {"component": COMPONENT},
        "reportingComponent": COMPONENT,
        "reportingInstance": "",
        "firstTimestamp": time::format(entry.first),
        "lastTimestamp": last,
        "count": entry.count,
    })
}

//! The loop around the core: what was shown goes in, what is decided goes out.
//!
//! Invariants: after each input the core is asked until it sleeps, but only while this replica leads; until then it
//! takes in what it is shown, so that it can begin at once. Nothing here waits for the network.

use std::sync::Arc;
use std::time::Duration;

use jobwright_api::record::v1alpha1;
use jobwright_core::{Controller, Input, JobEvent, Output, Recorder, RelistStep, Resource, WakeUp};
use tokio::sync::mpsc::{Receiver, UnboundedSender};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::clock;
use crate::jobs::Jobs;
use crate::metrics::Metrics;
use crate::serve::Ready;
use crate::shown::Shown;
use crate::writes::Writes;

/// Things shown that are taken in before the core is asked what to do.
const AT_ONCE: usize = 128;

/// How old gauges may be.
const REPORT: Duration = Duration::from_millis(500);

/// What the loop works with.
pub struct Drive {
    /// The core.
    pub core: Controller<Recorder>,
    /// Where writes go.
    pub writes: Writes,
    /// Where events go.
    pub events: UnboundedSender<JobEvent>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Whether the caches are filled.
    pub ready: Arc<Ready>,
    /// What the watches show.
    pub shown: Receiver<Shown>,
    /// Whether this replica leads.
    pub leading: watch::Receiver<bool>,
    /// Turns true when the process is to end.
    pub stop: watch::Receiver<bool>,
}

impl Drive {
    /// Runs until it is told to stop; what was sent by then is answered, nothing new is sent.
    pub async fn run(mut self) {
        let mut jobs = Jobs::default();
        let mut batch = Vec::with_capacity(AT_ONCE);
        let mut reported: Option<Instant> = None;
        loop {
            let stopping = *self.stop.borrow();
            let leading = *self.leading.borrow() && !stopping;
            let wake = if leading { self.drain() } else { self.observe() };
            let token = if leading { self.writes.start(&mut jobs) } else { None };
            if reported.is_none_or(|at| at.elapsed() > REPORT) {
                self.report(leading);
                reported = Some(clock::instant());
            }
            if stopping && self.writes.under_way() == 0 {
                return;
            }
            let fresh = clock::instant() + REPORT;
            let next = wake.map(|wake| clock::until(wake.at)).into_iter().chain(token).chain([fresh]).min();
            tokio::select! {
                biased;
                (id, answer) = self.writes.next() => self.core.handle(Input::Answer(id, answer), clock::now()),
                count = self.shown.recv_many(&mut batch, AT_ONCE) => {
                    if count == 0 {
                        return;
                    }
                    for shown in batch.drain(..) {
                        self.take_in(shown, &mut jobs);
                    }
                }
                () = sleep(next) => self.core.handle(Input::Wake, clock::now()),
                _ = self.leading.changed() => {}
                _ = self.stop.changed() => {}
            }
        }
    }

    fn take_in(&mut self, shown: Shown, jobs: &mut Jobs) {
        let input = match shown {
            Shown::Job(view, document) => {
                jobs.put(view.key.clone(), document);
                Input::Job(view)
            }
            Shown::Input(input) => input,
        };
        match &input {
            Input::JobGone(key, uid, _) => jobs.remove(key, uid),
            Input::Relist(resource, RelistStep::Begin) if *resource == Resource::Jobs => jobs.list_begins(),
            Input::Relist(resource, RelistStep::Done(_)) => {
                if *resource == Resource::Jobs {
                    jobs.list_ends();
                }
                self.ready.listed(*resource);
            }
            _ => {}
        }
        self.core.handle(input, clock::now());
    }

    /// Counts what was seen; nothing is begun, so nothing is to be waited for.
    fn observe(&mut self) -> Option<WakeUp> {
        while let Some(output) = self.core.said() {
            if let Output::Metric(metric) = output {
                self.metrics.count(metric);
            }
        }
        None
    }

    /// Takes everything out of the core until it sleeps.
    fn drain(&mut self) -> Option<WakeUp> {
        let now = clock::now();
        let muted = !tracing::enabled!(target: "jobwright::decision", tracing::Level::DEBUG);
        self.core.trace_mut().mute(muted);
        loop {
            match self.core.poll(now) {
                Output::Write(write) => self.writes.push(write),
                Output::Event(event) => {
                    // The receiver lives as long as the process.
                    let _ = self.events.send(event);
                }
                Output::Metric(metric) => self.metrics.count(metric),
                Output::Sleep(wake) => {
                    self.tell();
                    return wake;
                }
            }
        }
    }

    /// Logs the decisions that are complete.
    fn tell(&mut self) {
        while let Some(record) = self.core.trace_mut().take() {
            let record = serde_json::to_string(&v1alpha1::Record::from(&record)).unwrap_or_default();
            tracing::debug!(target: "jobwright::decision", record, "decided");
        }
    }

    fn report(&self, leading: bool) {
        self.metrics.gauge(self.core.load(), self.writes.waiting(), self.writes.under_way(), leading);
    }
}

async fn sleep(until: Option<Instant>) {
    match until {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

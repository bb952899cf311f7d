//! The simulated cluster: API server, kubelet, garbage collector, one controller, and the clock.
//!
//! A discrete-event world with a clock of one millisecond. [`World::tick`] does the smallest piece of
//! work that is due now; when there is none it says when the next one is.
//!
//! Invariants: same inputs and same seed, same run. At one instant the kubelet works first, then the
//! controller, then the garbage collectors; what a person does comes after all of them.

mod act;
mod boundary;
mod calls;
mod create;
mod digest;
mod explore;
mod history;
mod next;
mod select;
mod tally;
mod watches;

use std::sync::Arc;

use jobwright_core::record::Record;
use jobwright_core::{Config, Controller, Gates, Input, Millis, Output, Recorder, Resource, Timestamp, WakeUp};
use serde_json::Value;

pub use act::Performed;
pub use boundary::{Call, Tamper, Tampered};
pub(crate) use calls::call_kind;
pub(crate) use digest::{LivePod, Sight};
pub use history::{History, PodLife};
pub use next::Cause;
pub(crate) use select::restarts;
pub use tally::{Tally, TimedEvent};

use crate::api_server::{ApiServer, ObjectName};
use crate::fault::Faults;
use crate::garbage_collector::GarbageCollector;
use crate::kubelet::Kubelet;
use crate::object;
use crate::pod_garbage_collector::PodGarbageCollector;
use crate::scenario::After;
use crate::text::say;
use watches::Watches;

/// 2000-01-01T01:00:00Z, time 0 of every world.
pub const ORIGIN: Timestamp = Timestamp::from_seconds(946_688_400);

/// What a tick did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tick {
    /// Some work without a call of the controller.
    Worked,
    /// A call of the controller, carried out and answered.
    Wrote,
    /// There is nothing to do now; the next work is due then, if there is any.
    Idle(Option<Timestamp>),
}

/// A cluster at a moment.
#[derive(Clone, Debug)]
pub struct World {
    api: ApiServer,
    controller: Option<Controller<Recorder>>,
    /// The controller has something to say.
    pending: bool,
    wake: Option<WakeUp>,
    /// When the controller was last woken, so that a wake-up in the past cannot stop the clock.
    woken: Option<Timestamp>,
    watches: Watches,
    faults: Faults,
    collector: GarbageCollector,
    pod_collector: PodGarbageCollector,
    kubelet: Option<Kubelet>,
    config: Config,
    boundary: boundary::Boundary,
    /// The controller crashes after so many writes.
    crash_after: Option<u32>,
    now: Timestamp,
    /// Calls and decisions before this instant.
    before: (u64, u64),
    job: ObjectName,
    /// Whether the API server made its name up.
    has_made_name: bool,
    /// The Job of the scenario, which a step can create again.
    manifest: Arc<Value>,
    tally: Tally,
    /// Nobody asks about the past: no history, no events, no records.
    forgets: bool,
    history: History,
    records: Vec<Record>,
}

impl World {
    /// An empty cluster with a controller that runs. Without a kubelet pods do only what they are told.
    #[must_use]
    pub fn new(seed: u64, kubelet: Option<Kubelet>) -> Self {
        let mut world = Self {
            api: ApiServer::new(seed),
            controller: None,
            pending: false,
            wake: None,
            woken: None,
            watches: Watches::default(),
            faults: Faults::default(),
            collector: GarbageCollector::default(),
            pod_collector: PodGarbageCollector::default(),
            kubelet,
            config: config(Gates::default(), false),
            boundary: boundary::Boundary::default(),
            crash_after: None,
            now: ORIGIN,
            before: (0, 0),
            job: ObjectName::default(),
            has_made_name: false,
            manifest: Arc::new(Value::Null),
            tally: Tally::default(),
            forgets: false,
            history: History::default(),
            records: Vec::new(),
        };
        world.start_controller();
        world
    }

    /// The same world with other gates, and perhaps a controller that counts a pod once even where upstream does not.
    #[must_use]
    pub fn with_choices(mut self, gates: Gates, count_once: bool) -> Self {
        self.config = config(gates, count_once);
        self.api.set_gates(gates);
        self.restart_controller();
        self
    }

    /// The present time.
    #[must_use]
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// Time since the origin.
    #[must_use]
    pub fn elapsed(&self) -> Millis {
        self.now - ORIGIN
    }

    /// The API server.
    #[must_use]
    pub const fn api(&self) -> &ApiServer {
        &self.api
    }

    /// API calls that the controllers made in the whole life of the world.
    #[must_use]
    pub const fn calls(&self) -> u64 {
        self.tally.total_calls
    }

    /// What was counted.
    pub const fn tally(&mut self) -> &mut Tally {
        &mut self.tally
    }

    /// The lives of all pods.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// All events, oldest first.
    #[must_use]
    pub fn events(&self) -> &[TimedEvent] {
        &self.tally.events
    }

    /// The Job that the world is about, unless it is gone.
    #[must_use]
    pub fn job(&self) -> Option<Arc<Value>> {
        self.api.get(Resource::Jobs, &self.job.0, &self.job.1).ok()
    }

    /// The namespace of that Job.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.job.0
    }

    /// The name of that Job, and whether the API server made it up.
    #[must_use]
    pub fn job_name(&self) -> (&str, bool) {
        (&self.job.1, self.has_made_name)
    }

    /// Takes out the decisions that are complete, oldest first.
    pub fn take_records(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.records)
    }

    /// When the controller wants to run again, and why.
    #[must_use]
    pub const fn controller_wake(&self) -> Option<&WakeUp> {
        self.wake.as_ref()
    }

    /// Whether the controller runs.
    #[must_use]
    pub const fn has_controller(&self) -> bool {
        self.controller.is_some()
    }

    /// Moves the clock; nothing that is due is done by this.
    pub fn set_time(&mut self, now: Timestamp) {
        if now > self.now {
            self.now = now;
            self.before = (self.tally.total_calls, self.tally.total_decisions);
        }
    }

    /// Runs until nothing is left to do up to and including that time, and stays there.
    pub fn run_to(&mut self, time: Timestamp) {
        self.run_to_place(time, After::Rest);
    }

    /// The same, but stops earlier at a place within that instant.
    pub fn run_to_place(&mut self, time: Timestamp, place: After) {
        loop {
            if self.now == time && self.has_reached(place) {
                return;
            }
            match self.tick() {
                Tick::Worked | Tick::Wrote => {}
                Tick::Idle(Some(next)) if next <= time => self.set_time(next),
                Tick::Idle(_) => break,
            }
        }
        self.set_time(time);
    }

    /// Does the smallest piece of work that is due now.
    pub fn tick(&mut self) -> Tick {
        self.spread();
        self.deliver();
        let now = self.now;
        let is_due = |at: Option<Timestamp>| at.is_some_and(|at| at <= now);
        if let Some(kubelet) = self.kubelet.as_mut().filter(|kubelet| is_due(kubelet.due())) {
            kubelet.act(&mut self.api, now);
            return Tick::Worked;
        }
        if !self.pending && is_due(self.wake.as_ref().map(|wake| wake.at)) && self.woken != Some(now) {
            self.woken = Some(now);
            self.feed(Input::Wake);
        }
        if self.pending {
            return self.poll();
        }
        // What the controller does now was asked for a second or more ago, what the collectors do a quarter of one:
        // in a cluster, whose clock is finer, the controller is a little earlier.
        if is_due(self.collector.due()) {
            self.collector.pass(&mut self.api, now);
            return Tick::Worked;
        }
        if is_due(self.pod_collector.due()) {
            self.pod_collector.pass(&mut self.api, now);
            return Tick::Worked;
        }
        Tick::Idle(self.next_due())
    }

    /// Lets the controller say one thing.
    fn poll(&mut self) -> Tick {
        let Some(controller) = &mut self.controller else {
            self.pending = false;
            return Tick::Worked;
        };
        let output = controller.poll(self.now);
        let tick = match output {
            Output::Write(write) => {
                self.carry_out(&write);
                Tick::Wrote
            }
            Output::Event(_) if self.forgets => Tick::Worked,
            Output::Event(event) => {
                self.tally.events.push(TimedEvent { at: self.now, event });
                Tick::Worked
            }
            Output::Metric(_) => Tick::Worked,
            Output::Sleep(wake) => {
                self.pending = false;
                self.wake = wake;
                Tick::Worked
            }
        };
        if let Some(controller) = &mut self.controller {
            while let Some(record) = controller.trace_mut().take() {
                self.tally.total_decisions += 1;
                self.records.push(record);
            }
        }
        tick
    }

    /// Tells everybody what has changed in the API server.
    fn spread(&mut self) {
        for change in self.api.take_log() {
            self.collector.notice(&change, self.now);
            if change.resource == Resource::Pods {
                if !self.forgets {
                    self.history.notice(&change, self.now);
                }
                // Where pods do only what they are told, nobody but the steps ends them.
                if let Some(kubelet) = &mut self.kubelet {
                    kubelet.notice(&change, self.now);
                    // Passes at fixed times would tell states apart for nothing.
                    let start = if self.forgets { self.now } else { ORIGIN };
                    self.pod_collector.notice(&change, start, self.now);
                }
            }
            if self.controller.is_some() {
                self.watches.push(change);
            }
        }
    }

    /// Lets the watch events arrive at the controller.
    fn deliver(&mut self) {
        for input in self.watches.arriving() {
            self.feed(input);
        }
    }

    fn feed(&mut self, input: Input) {
        if let Some(controller) = &mut self.controller {
            controller.handle(input, self.now);
            self.pending = true;
        }
    }

    /// What was under way stays half done; its decision is kept with what is known of it.
    fn stop_controller(&mut self) {
        if let Some(controller) = &mut self.controller {
            for record in controller.trace_mut().open().cloned() {
                self.tally.total_decisions += 1;
                self.records.push(Record { error: Some(say("sim.stopped", &[]).into()), ..record });
            }
        }
        self.controller = None;
        self.pending = false;
        self.wake = None;
        self.woken = None;
        self.crash_after = None;
        self.watches.forget();
    }

    /// A controller starts with nothing, lists everything, and works on (EVQ-10).
    fn start_controller(&mut self) {
        if self.controller.is_some() {
            return;
        }
        self.spread();
        self.controller = Some(Controller::new(
            self.config.clone(),
            if self.forgets { Recorder::muted() } else { Recorder::default() },
        ));
        for resource in [Resource::Jobs, Resource::Pods] {
            self.list_anew(resource);
        }
    }

    fn restart_controller(&mut self) {
        self.stop_controller();
        self.start_controller();
    }

    fn list_anew(&mut self, resource: Resource) {
        for input in watches::list(&self.api, resource) {
            self.feed(input);
        }
    }

    /// Counts down to a crash that was asked for.
    fn crash_is_due(&mut self) -> bool {
        match &mut self.crash_after {
            None => false,
            Some(left) => {
                *left -= 1;
                *left == 0
            }
        }
    }

    /// `$uid` of the followed Job; empty if it is gone.
    pub(crate) fn job_uid(&self) -> String {
        self.job().map(|job| object::uid(&job).to_owned()).unwrap_or_default()
    }
}

/// A controller that works as upstream's does.
fn config(gates: Gates, count_once_after_not_found: bool) -> Config {
    Config { concurrent_syncs: 1, gates, count_once_after_not_found, ..Config::default() }
}

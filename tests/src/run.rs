//! Runs a scenario to its end with the observer at the API server, as the command line's `replay` does
//! without one.
//!
//! Invariant: work that is due at the time of a step is done before its action.

use jobwright_api::record::v1alpha1;
use jobwright_core::record::Record;
use jobwright_core::{Millis, Timestamp};
use jobwright_sim::scenario::{Action, Scenario};
use jobwright_sim::world::{Tamper, Tick, World};

use crate::observer::{Breach, Law, Observer};

/// More ticks than any generated world needs; a world that needs more does not come to rest.
const TICKS_MAX: usize = 200_000;

/// A world on its way through a scenario.
pub struct Run<'a> {
    scenario: &'a Scenario,
    /// The cluster.
    pub world: World,
    /// Who judges.
    pub observer: Observer,
    /// The decisions so far.
    pub records: Vec<Record>,
    start: Timestamp,
    ticks: usize,
    lines: Option<Vec<String>>,
}

impl<'a> Run<'a> {
    /// A world before the first step of a scenario.
    ///
    /// # Errors
    /// The API server refuses the scenario's Job.
    pub fn new(scenario: &'a Scenario, seed: u64, tamper: Option<Tamper>) -> Result<Self, String> {
        // The laws hold for the controller as a native host runs it.
        let (mut world, created) = World::begin(&Scenario { count_once: true, ..scenario.clone() }, seed);
        created.map_err(|error| format!("the Job is refused: {error}"))?;
        if let Some(tamper) = tamper {
            world.set_tamper(tamper);
        }
        let start = world.now();
        let (mut observer, records) = (Observer::default(), Vec::new());
        if scenario.from.is_none() {
            observer.began(&world, scenario.first_steps().iter().filter_map(|step| step.action.as_ref()));
        }
        Ok(Self { scenario, world, observer, records, start, ticks: 0, lines: None })
    }

    /// Writes down everything that happens, for a comparison with another run.
    #[must_use]
    pub fn with_trace(mut self) -> Self {
        self.lines = Some(Vec::new());
        self
    }

    /// Runs through all steps and the time after the last one.
    ///
    /// # Errors
    /// The first law that is broken.
    pub fn to_end(&mut self) -> Result<(), Breach> {
        let mut last = Millis::ZERO;
        for step in self.scenario.later_steps() {
            self.run_to(self.start + step.at)?;
            last = step.at;
            if let Some(action) = &step.action {
                self.act(action)?;
            }
        }
        self.run_to(self.start + Millis(last.0 + self.scenario.settle.0))
    }

    /// Does what is due up to and including that time.
    ///
    /// # Errors
    /// The first law that is broken.
    pub fn run_to(&mut self, time: Timestamp) -> Result<(), Breach> {
        loop {
            let version = self.world.api().version();
            let tick = self.world.tick();
            self.observer.ticked(&self.world, tick)?;
            self.note(version);
            match tick {
                Tick::Idle(Some(next)) if next <= time => self.world.set_time(next),
                Tick::Idle(_) => break,
                Tick::Worked | Tick::Wrote => {}
            }
            self.ticks += 1;
            if self.ticks > TICKS_MAX {
                let what = format!("no rest after {TICKS_MAX} ticks");
                return Err(Breach { law: Law::Invariant("INV-25"), at: self.world.elapsed(), what });
            }
        }
        self.world.set_time(time);
        Ok(())
    }

    /// Carries out an action now.
    ///
    /// # Errors
    /// The first law that is broken.
    pub fn act(&mut self, action: &Action) -> Result<(), Breach> {
        let version = self.world.api().version();
        let performed = self.world.perform(action);
        self.observer.acted(&self.world, action)?;
        if let Some(lines) = &mut self.lines {
            lines.push(format!("action: {performed:?}"));
        }
        self.note(version);
        Ok(())
    }

    /// Takes the records, and writes down what has changed since a version.
    fn note(&mut self, version: u64) {
        let records = self.world.take_records();
        if let Some(lines) = &mut self.lines {
            lines.extend(records.iter().map(|record| json(&v1alpha1::Record::from(record))));
            if self.world.api().version() != version {
                let at = self.world.elapsed().0;
                let resources = [jobwright_core::Resource::Jobs, jobwright_core::Resource::Pods];
                let all = resources.into_iter().flat_map(|resource| self.world.api().list(resource));
                let new = all.filter(|object| jobwright_sim::object::version(object) > version);
                lines.extend(new.map(|object| format!("{at} {}", json(&**object))));
            }
        }
        self.records.extend(records);
    }

    /// Everything that happened, one line each.
    #[must_use]
    pub fn trace(&self) -> Vec<String> {
        let events = self.world.events().iter().map(|event| format!("{event:?}"));
        self.lines.iter().flatten().cloned().chain(events).collect()
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| error.to_string())
}

/// The decisions of a scenario, without an observer.
///
/// # Errors
/// The API server refuses the scenario's Job.
pub fn decisions(scenario: &Scenario, seed: u64) -> Result<Vec<Record>, String> {
    let mut run = Run::new(scenario, seed, None)?;
    let mut last = Millis::ZERO;
    for step in scenario.later_steps() {
        run.world.run_to(run.start + step.at);
        last = step.at;
        if let Some(action) = &step.action {
            run.world.perform(action);
        }
    }
    run.world.run_to(run.start + Millis(last.0 + scenario.settle.0));
    Ok(run.world.take_records())
}

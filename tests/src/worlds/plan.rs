//! A generated world: a Job, what happens around it, and when.
//!
//! It is kept as the scenario's own words, so that a world which breaks a law can be printed and given to
//! `jobwright run` as it is.
//!
//! Invariant: the text of a plan is a scenario whose steps come at strictly increasing times.

use std::fmt::{self, Write};

use jobwright_sim::scenario::{self, Scenario};
use serde_json::Value;

/// One thing that happens.
#[derive(Clone, Debug)]
pub struct Step {
    /// Milliseconds after the step before.
    pub gap: u32,
    /// The step's action, for example `{"controller": "restart"}`.
    pub action: Value,
}

/// See the module.
#[derive(Clone)]
pub struct Plan {
    /// What the names and uids follow from.
    pub seed: u64,
    /// The manifest.
    pub job: Value,
    /// How pods end by themselves.
    pub outcomes: Option<String>,
    /// What happens.
    pub steps: Vec<Step>,
    /// What happens at last, so that everything comes to an end.
    pub closing: Vec<Step>,
    /// Further things, at milliseconds from the start.
    pub extra: Vec<(u32, Value)>,
    /// Seconds after the last step.
    pub settle: u32,
}

impl Plan {
    /// The scenario in the language of scenario files.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("# seed {}\njob: {}\n", self.seed, self.job);
        if let Some(outcomes) = &self.outcomes {
            let _ = writeln!(text, "outcomes: {}", Value::from(outcomes.as_str()));
        }
        text.push_str("steps:\n");
        let mut last = 0;
        let end: u64 = self.steps.iter().map(|step| u64::from(step.gap)).sum();
        let mut closing = false;
        for (at, action) in self.timed() {
            if at > end && !closing {
                text.push_str("# from here on everything comes to an end\n");
                closing = true;
            }
            last = at.max(last + 1);
            let inner = action.as_object().map(|map| map.iter().collect::<Vec<_>>()).unwrap_or_default();
            let action: Vec<String> = inner.iter().map(|(name, value)| format!(", {name}: {value}")).collect();
            let _ = writeln!(text, "- {{at: {}.{:03}{}}}", last / 1_000, last % 1_000, action.concat());
        }
        let _ = writeln!(text, "settle: {}", self.settle);
        text
    }

    /// All actions with their times, in order.
    fn timed(&self) -> Vec<(u64, &Value)> {
        let mut at = 0;
        let mut timed: Vec<(u64, &Value)> = Vec::new();
        for step in self.steps.iter().chain(&self.closing) {
            at += u64::from(step.gap);
            timed.push((at, &step.action));
        }
        timed.extend(self.extra.iter().map(|(at, action)| (u64::from(*at), action)));
        timed.sort_by_key(|(at, _)| *at);
        timed
    }

    /// The scenario, read from its text.
    ///
    /// # Errors
    /// The generator made something that is no scenario.
    pub fn scenario(&self) -> Result<Scenario, String> {
        let document = scenario::read(&self.text()).map_err(|errors| format!("{errors:?}"))?;
        Ok(document.scenario)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

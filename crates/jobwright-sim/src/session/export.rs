//! A session as a scenario: the text with what the person did as steps, and the trace of that scenario.
//!
//! Invariant: the trace is made by running the scenario that is given out, so that `jobwright replay` accepts the pair.

use serde_json::{Map, Value, json};

use super::Session;
use crate::replay::SEED;
use crate::scenario::{self, After};
use crate::trace::trace;
use crate::yaml_text::yaml;

/// A scenario and what is seen when it runs.
#[derive(Clone, Debug)]
pub struct Export {
    /// YAML.
    pub scenario: String,
    /// JSON.
    pub trace: String,
}

/// Seconds that a recorded step lasts at least at the end.
const SETTLE: i64 = 5_000;

impl Session {
    /// The session so far as a scenario of that name, with its trace.
    ///
    /// # Errors
    /// The scenario cannot be read back; a bug, told as a sentence.
    pub fn export(&self, name: &str) -> Result<Export, String> {
        let mut text = String::new();
        yaml(&self.as_scenario(name), 0, &mut text);
        let scenario = format!("{}\n", text.trim_start());
        let read = scenario::read(&scenario)
            .map_err(|errors| errors.first().map(|error| error.message.clone()).unwrap_or_default())?;
        let trace = format!("{:#}\n", trace(&read.scenario, SEED));
        Ok(Export { scenario, trace })
    }

    fn as_scenario(&self, name: &str) -> Value {
        let mut root = self.root();
        let mut steps: Vec<Value> = match root.remove("steps") {
            Some(Value::Array(steps)) => steps,
            _ => Vec::new(),
        };
        let mut last = steps.last().and_then(|step| step.get("at")).and_then(Value::as_f64).unwrap_or(0.0);
        for (done, deed) in self.deeds.iter().enumerate() {
            let at = (deed.time - self.stage.start).0;
            last = last.max(at as f64 / 1_000.0);
            let place = (deed.steps_done + done).min(steps.len());
            steps.insert(place, step(at, deed.after, &deed.source));
        }
        let rest = self.stage.elapsed().0 - (last * 1_000.0) as i64;
        root.insert("name".to_owned(), name.into());
        root.insert("settle".to_owned(), number(rest.max(SETTLE)));
        if !steps.is_empty() {
            root.insert("steps".to_owned(), steps.into());
        }
        Value::Object(root)
    }

    /// The text as the root of a scenario.
    fn root(&self) -> Map<String, Value> {
        let mut root = match &*self.document.root {
            Value::Object(root) => root.clone(),
            _ => Map::new(),
        };
        let scenario = &self.document.scenario;
        if root.is_empty() {
            match &scenario.from {
                None => root.insert("job".to_owned(), scenario.job.clone()),
                Some(from) => {
                    let time = jobwright_api::time::format(from.time.unwrap_or(crate::world::ORIGIN));
                    let from = json!({"time": time, "job": from.job, "pods": from.pods, "recall": from.recall});
                    root.insert("from".to_owned(), from)
                }
            };
            // With steps and without outcomes nobody would move the pods.
            root.insert("outcomes".to_owned(), "0".into());
        }
        let own: Vec<Value> =
            self.outcomes.split([';', '\n']).map(str::trim).filter(|s| !s.is_empty()).map(Value::from).collect();
        if !own.is_empty() {
            root.insert("outcomes".to_owned(), own.into());
        } else if scenario.outcomes.is_some() && !root.contains_key("outcomes") {
            root.insert("outcomes".to_owned(), "0".into());
        }
        root
    }
}

/// A number of seconds, whole if it can be.
fn number(millis: i64) -> Value {
    if millis % 1_000 == 0 { Value::from(millis / 1_000) } else { Value::from(millis as f64 / 1_000.0) }
}

fn step(at: i64, after: After, action: &Value) -> Value {
    let mut step = Map::new();
    step.insert("at".to_owned(), number(at));
    match after {
        After::Rest => None,
        After::Calls(calls) => step.insert("calls".to_owned(), calls.into()),
        After::Decisions(decisions) => step.insert("decisions".to_owned(), decisions.into()),
    };
    if let Value::Object(action) = action {
        step.extend(action.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    Value::Object(step)
}

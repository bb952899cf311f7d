//! Runs a scenario and notes what is seen, step by step.
//!
//! Invariant: work that is due at the time of a step is done before its action and belongs to the step before.

use jobwright_core::{Millis, Timestamp};
use serde_json::{Map, Value, json};

use super::snapshot;
use crate::api_server::ApiError;
use crate::scenario::{Action, ControllerAct, JobAct, Scenario};
use crate::world::{Performed, World};

/// The trace of a scenario.
#[must_use]
pub fn trace(scenario: &Scenario, seed: u64) -> Value {
    let (mut world, created) = World::begin(scenario, seed);
    let refused = created.err();
    let start = world.now();
    let mut steps = Vec::new();
    let mut open =
        Open { at: Millis::ZERO, events: 0, action: "job create", performed: Performed { matched: None, refused } };
    for step in scenario.later_steps() {
        world.run_to_place(start + step.at, step.after);
        steps.push(open.close(&mut world, step.at, start));
        let events = world.events().len();
        let performed = step.action.as_ref().map(|action| world.perform(action)).unwrap_or_default();
        open = Open { at: step.at, events, action: action_text(step.action.as_ref()), performed };
    }
    let end = Millis(open.at.0 + scenario.settle.0);
    world.run_to(start + end);
    steps.push(open.close(&mut world, end, start));
    json!({"name": scenario.name, "steps": steps})
}

/// A step whose end has not come yet.
struct Open {
    at: Millis,
    /// Events that came before it.
    events: usize,
    action: &'static str,
    performed: Performed,
}

impl Open {
    fn close(self, world: &mut World, until: Millis, start: Timestamp) -> Value {
        let mut step = Map::new();
        let mut set = |field: &str, value: Value| step.insert(field.to_owned(), value);
        set("at", snapshot::seconds(self.at));
        set("until", snapshot::seconds(until));
        set("action", self.action.into());
        if let Some(matched) = self.performed.matched {
            set("matched", matched.into());
        }
        if let Some(refused) = &self.performed.refused {
            set("action_error", error_json(refused));
        }
        set("job", snapshot::job(world, start));
        set("pods", snapshot::pods(world, start));
        set("events", snapshot::events(world, self.events, start));
        let (calls, rejections) = world.tally().take_calls();
        set("writes", calls.into_iter().map(|(key, count)| (key, Value::from(count))).collect::<Map<_, _>>().into());
        set("rejections", rejections.into());
        Value::Object(step)
    }
}

fn error_json(error: &ApiError) -> Value {
    let causes: Vec<Value> =
        error.causes.iter().map(|c| json!({"type": c.kind, "field": c.field, "detail": c.detail})).collect();
    json!({"reason": error.reason.as_str(), "causes": causes})
}

/// How traces name an action.
fn action_text(action: Option<&Action>) -> &'static str {
    match action {
        None => "none",
        Some(Action::Pods(..)) => "pods",
        Some(Action::CreatePod(_)) => "createPod",
        Some(Action::Job(JobAct::Patch(_))) => "job patch",
        Some(Action::Job(JobAct::StatusPatch(_))) => "job statusPatch",
        Some(Action::Job(JobAct::Delete(_))) => "job delete",
        Some(Action::Job(JobAct::Recreate | JobAct::Create(_))) => "job create",
        Some(Action::Controller(ControllerAct::Stop)) => "controller stop",
        Some(Action::Controller(ControllerAct::Start)) => "controller start",
        Some(Action::Controller(ControllerAct::Restart)) => "controller restart",
        Some(Action::Fault(_)) => "fault",
        Some(Action::Watch(..)) => "watch",
        Some(Action::Crash { .. }) => "crash",
    }
}

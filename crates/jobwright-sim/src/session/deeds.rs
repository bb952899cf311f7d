//! What a person does in a session: any action of a scenario's step, now.
//!
//! Invariant: a refusal changes nothing and says why. A deed stands at a place of the session, and is done again there
//! whenever the session is played again.

use std::sync::Arc;

use jobwright_core::{Resource, Timestamp};
use serde_json::Value;

use super::Session;
use super::pod_event::{PodEvent, refuse};
use crate::api_server::ApiError;
use crate::scenario::{Action, After, read_action};
use crate::text::say;

/// A deed of a person: this pod, that event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// `metadata.name` of the pod, or `#3` for the third one that was made.
    pub pod: String,
    /// What happens to it.
    pub event: PodEvent,
}

/// Why a deed is impossible, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// A deed and its place in the session.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    /// Moves before it.
    moves: u64,
    /// The virtual time; a person may have waited for it where nothing happened.
    pub(super) time: Timestamp,
    /// The place within that instant, as a scenario gives it.
    pub(super) after: After,
    /// Steps of the scenario that came before.
    pub(super) steps_done: usize,
    action: Action,
    /// The action as it was given.
    pub(super) source: Value,
}

impl Session {
    /// Does something to a pod now. What was seen of the future is discarded.
    ///
    /// # Errors
    /// It is impossible; then nothing has changed.
    pub fn inject(&mut self, injection: &Injection) -> Result<(), Refusal> {
        let found = self.place_of(&injection.pod);
        let name = self.name_at(found).unwrap_or_else(|| injection.pod.clone());
        let pod = self.pod(&name);
        if let Some(refusal) = refuse(pod.as_deref(), &name, injection.event) {
            return Err(refusal);
        }
        for action in injection.event.actions(found.map_or(0, |place| place + 1)) {
            self.perform(&action.to_string())?;
        }
        Ok(())
    }

    /// Carries out an action now, given as in a step of a scenario: `crash: {afterWrites: 1}`. What was seen of the
    /// future is discarded.
    ///
    /// # Errors
    /// It is no action, or the API server refuses it; then nothing has changed.
    pub fn perform(&mut self, text: &str) -> Result<(), Refusal> {
        let action = read_action(text).map_err(|errors| {
            let sentences: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
            if sentences.is_empty() { Refusal(say("sim.refused.no-action", &[])) } else { Refusal(sentences.join(" ")) }
        })?;
        let source = jobwright_api::yaml::parse(text, jobwright_api::yaml::Mode::Strict).ok();
        let source = source.and_then(|nodes| nodes.first().map(jobwright_api::yaml::Node::to_value));
        let performed = self.stage.world.clone().perform(&action);
        match performed {
            _ if matches!(action, Action::Crash { .. }) && !self.stage.world.has_controller() => {
                return Err(Refusal(say("sim.refused.no-controller", &[])));
            }
            crate::world::Performed { refused: Some(error), .. } => return Err(Refusal(sentence(&error))),
            crate::world::Performed { matched: Some(0), .. } => return Err(Refusal(say("sim.refused.no-pod", &[]))),
            _ => self.do_now(action, source.unwrap_or(Value::Null)),
        }
        Ok(())
    }

    fn do_now(&mut self, action: Action, source: Value) {
        let now = self.stage.moves;
        self.repeat_deeds();
        self.deeds.retain(|planned| planned.moves <= now);
        self.deeds.push(Planned {
            moves: now,
            time: self.stage.world.now(),
            after: self.place(),
            steps_done: self.stage.steps_done(),
            action,
            source,
        });
        self.forget_future();
        self.repeat_deeds();
    }

    /// The place within the present instant: a person stops at the end of a decision, or behind a call.
    fn place(&self) -> After {
        let (calls, decisions) = self.stage.world.done_now();
        let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        if self.stage.behind_call { After::Calls(number(calls)) } else { After::Decisions(number(decisions)) }
    }

    /// Does again what the person did at this place, unless it is done already.
    pub(super) fn repeat_deeds(&mut self) {
        let now = self.stage.moves;
        let here = self.deeds.iter().filter(|planned| planned.moves == now).skip(self.stage.deeds_done);
        for planned in here.cloned().collect::<Vec<_>>() {
            self.stage.deeds_done += 1;
            self.stage.world.set_time(planned.time);
            self.stage.world.perform(&planned.action);
        }
        self.waiting.extend(self.stage.world.take_records());
    }

    /// The stored pod of that name in the namespace of the Job.
    pub(super) fn pod(&self, name: &str) -> Option<Arc<Value>> {
        let world = &self.stage.world;
        world.api().get(Resource::Pods, world.namespace(), name).ok()
    }
}

/// What the API server says, with its causes.
fn sentence(error: &ApiError) -> String {
    if error.causes.is_empty() {
        return error.message.clone();
    }
    let causes: Vec<String> = error.causes.iter().map(|cause| format!("{}: {}", cause.field, cause.detail)).collect();
    causes.join("; ")
}

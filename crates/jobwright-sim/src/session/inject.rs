//! What a person does to a pod, and why it may be impossible.
//!
//! Invariant: a refusal changes nothing and says why; the same judgement serves the menu of a pod and the deed.

use std::sync::Arc;

use jobwright_core::{Resource, Timestamp};
use serde_json::Value;

use super::Session;
use crate::kubelet::outcome::eviction;
use crate::kubelet::transition::Failure;
use crate::kubelet::{OutcomeError, Outcomes};
use crate::object;
use crate::scenario::PodAct;
use crate::text;

/// What happens to a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodEvent {
    /// Its containers end with exit code 0.
    Succeed,
    /// Its first container ends with this code.
    Fail {
        /// From 1 to 255.
        exit_code: u8,
    },
    /// Its node throws it out.
    Evict,
    /// A user deletes it.
    Delete,
}

impl PodEvent {
    /// All of them; `Fail` with exit code 1.
    pub const ALL: [Self; 4] = [Self::Succeed, Self::Fail { exit_code: 1 }, Self::Evict, Self::Delete];

    /// `succeed`, `fail`, `evict` or `delete`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Succeed => "succeed",
            Self::Fail { .. } => "fail",
            Self::Evict => "evict",
            Self::Delete => "delete",
        }
    }

    /// The event of that name. An exit code makes sense for `fail` only; without one it is 1.
    #[must_use]
    pub fn parse(name: &str, exit_code: Option<u8>) -> Option<Self> {
        match name {
            "succeed" => Some(Self::Succeed),
            "fail" => Some(Self::Fail { exit_code: exit_code.unwrap_or(1) }),
            "evict" => Some(Self::Evict),
            "delete" => Some(Self::Delete),
            _ => None,
        }
    }
}

/// A deed of a person: this pod, that event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// `metadata.name` of the pod.
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
    time: Timestamp,
    deed: Deed,
}

/// Something that a person did in a session.
#[derive(Clone, Debug)]
enum Deed {
    Pod(Injection),
    Outcomes(Outcomes),
}

impl Session {
    /// Does something to a pod now. What was seen of the future is discarded.
    ///
    /// # Errors
    /// It is impossible; then nothing has changed.
    pub fn inject(&mut self, injection: Injection) -> Result<(), Refusal> {
        let pod = self.pod(&injection.pod);
        if let Some(refusal) = refuse(pod.as_deref(), &injection.pod, injection.event) {
            return Err(refusal);
        }
        self.do_now(Deed::Pod(injection));
        Ok(())
    }

    /// Gives pods that are made from now on other scripts. What was seen of the future is discarded.
    ///
    /// # Errors
    /// The text is no script; then nothing has changed.
    pub fn set_outcomes(&mut self, text: &str) -> Result<(), OutcomeError> {
        let outcomes = Outcomes::parse(text)?;
        self.do_now(Deed::Outcomes(outcomes));
        Ok(())
    }

    fn do_now(&mut self, deed: Deed) {
        let now = self.stage.moves;
        self.repeat_deeds();
        self.deeds.retain(|planned| planned.moves <= now);
        self.deeds.push(Planned { moves: now, time: self.stage.world.now(), deed });
        self.checkpoints.forget_after(self.decisions());
        self.repeat_deeds();
    }

    /// Does again what the person did at this place, unless it is done already.
    pub(super) fn repeat_deeds(&mut self) {
        let now = self.stage.moves;
        let here = self.deeds.iter().filter(|planned| planned.moves == now).skip(self.stage.deeds_done);
        for planned in here.cloned().collect::<Vec<_>>() {
            self.stage.deeds_done += 1;
            self.stage.world.set_time(planned.time);
            match planned.deed {
                Deed::Outcomes(outcomes) => self.stage.world.set_outcomes(outcomes),
                Deed::Pod(injection) => {
                    if let Some(pod) = self.pod(&injection.pod) {
                        self.stage.world.act_on(&pod, &act(injection.event));
                    }
                }
            }
        }
    }

    /// The stored pod of that name in the namespace of the Job.
    fn pod(&self, name: &str) -> Option<Arc<Value>> {
        let world = &self.stage.world;
        world.api().get(Resource::Pods, world.namespace(), name).ok()
    }
}

fn act(event: PodEvent) -> PodAct {
    match event {
        PodEvent::Succeed => PodAct::Succeed,
        PodEvent::Fail { exit_code } => {
            PodAct::Fail(Failure { exit_code: Some(exit_code.into()), ..Failure::default() })
        }
        PodEvent::Evict => PodAct::Fail(eviction()),
        PodEvent::Delete => PodAct::Delete { grace: None },
    }
}

/// Why an event cannot happen to a pod.
pub(super) fn refuse(pod: Option<&Value>, name: &str, event: PodEvent) -> Option<Refusal> {
    let sentence = |id: &str| Some(Refusal(text::say(id, &[("pod", name)])));
    let Some(pod) = pod else { return sentence("sim.refused.gone") };
    let ended = object::phase(pod).is_terminal();
    match event {
        PodEvent::Fail { exit_code: 0 } => sentence("sim.refused.exit-code"),
        PodEvent::Succeed if ended => sentence("sim.refused.ended-succeed"),
        PodEvent::Fail { .. } if ended => sentence("sim.refused.ended-fail"),
        PodEvent::Evict if ended => sentence("sim.refused.ended-evict"),
        PodEvent::Delete if object::is_terminating(pod) => sentence("sim.refused.terminating"),
        _ => None,
    }
}

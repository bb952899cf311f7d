//! Scenarios: a Job, what happens around it, and when. The language is the YAML of the recorded traces
//! (`tests/recorded/FORMAT.md`, section 2) plus `outcomes`, `from` and the step actions `watch` and `crash`
//! (`docs/scenarios.md`).
//!
//! Invariant: a value of [`Scenario`] is complete and of the right types; whether the API server takes
//! its Job shows when the scenario runs.

mod actions;
mod document;
mod lines;
mod pods;
mod reader;

use jobwright_core::{Gates, OrderedMap};

use jobwright_core::{Millis, Resource, Timestamp};
use serde_json::Value;

use crate::api_server::Propagation;
use crate::fault::Fault;
use crate::kubelet::Outcomes;
use crate::kubelet::transition::{Failure, PodCondition, Restarts};

pub use actions::read_action;
pub use document::{Document, diagnose, read};
pub use lines::{FieldLine, field_lines};

/// A whole scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name; empty if the file gives none.
    pub name: String,
    /// Feature gates that differ from their default.
    pub feature_gates: OrderedMap<String, bool>,
    /// Whether the controller counts a pod once even where upstream counts it twice (`docs/parity.md`).
    pub count_once: bool,
    /// The Job that is created at time 0; `Value::Null` if the scenario starts from an existing one.
    pub job: Value,
    /// What is there before.
    pub from: Option<From>,
    /// What happens, at strictly increasing times. One at time 0 comes before the Job.
    pub steps: Vec<Step>,
    /// How long the last step lasts.
    pub settle: Millis,
    /// How pods end by themselves; `None` if they do only what the steps say.
    pub outcomes: Option<Outcomes>,
}

impl Scenario {
    /// The gates, as the scenario sets them.
    #[must_use]
    pub fn gates(&self) -> Gates {
        let defaults = Gates::default();
        let set = |gate: &str, default: bool| self.feature_gates.get(gate).copied().unwrap_or(default);
        Gates {
            mutable_scheduling_directives: set(KNOWN_GATES[0], defaults.mutable_scheduling_directives),
            stale_controller_consistency: set(KNOWN_GATES[1], defaults.stale_controller_consistency),
            mutable_pod_resources: set(KNOWN_GATES[2], defaults.mutable_pod_resources),
            managed_by: defaults.managed_by,
        }
    }

    /// The steps at time 0: they are done before the Job is created, so that they meet its first sync.
    #[must_use]
    pub fn first_steps(&self) -> &[Step] {
        let count = self.steps.iter().take_while(|step| step.at == Millis::ZERO && step.after == After::Rest).count();
        self.steps.get(..count).unwrap_or_default()
    }

    /// The steps after that.
    #[must_use]
    pub fn later_steps(&self) -> &[Step] {
        self.steps.get(self.first_steps().len()..).unwrap_or_default()
    }

    /// Gates that are set and that nothing here asks for.
    pub fn unknown_gates(&self) -> impl Iterator<Item = (&String, &bool)> {
        self.feature_gates.iter().filter(|(gate, _)| !KNOWN_GATES.contains(&gate.as_str()))
    }
}

/// The gates that change what the controller or the API server does (section 23).
const KNOWN_GATES: [&str; 3] = [
    "MutableSchedulingDirectivesForSuspendedJobs",
    "StaleControllerConsistencyJob",
    "MutablePodResourcesForSuspendedJobs",
];

/// The gates that differ from their default, by name.
pub(crate) fn changed_gates(gates: Gates) -> impl Iterator<Item = (&'static str, bool)> {
    let values = |gates: Gates| [gates.mutable_scheduling_directives, gates.stale_controller_consistency];
    let pairs = values(gates).into_iter().zip(values(Gates::default()));
    KNOWN_GATES.into_iter().zip(pairs).filter(|(_, (is, default))| is != default).map(|(gate, (is, _))| (gate, is))
}

/// An existing state to start from.
#[derive(Clone, Debug)]
pub struct From {
    /// The virtual time at the start.
    pub time: Option<Timestamp>,
    /// The stored Job.
    pub job: Value,
    /// The stored pods.
    pub pods: Vec<Value>,
    /// Whether the controller knows the failures before the start, as one that has run all the time.
    pub recall: bool,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// When, from the start.
    pub at: Millis,
    /// Where within that instant.
    pub after: After,
    /// What is done; `None` only observes.
    pub action: Option<Action>,
}

/// A place within an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum After {
    /// All work that is due then is done.
    #[default]
    Rest,
    /// The controllers have made so many API calls at that time.
    Calls(u32),
    /// The controllers have come to the end of so many decisions at that time.
    Decisions(u32),
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Something to pods that are there.
    Pods(Selection, PodAct),
    /// A pod that the controller did not make.
    CreatePod(Box<ExtraPod>),
    /// A call on the Job.
    Job(JobAct),
    /// The controller stops or starts.
    Controller(ControllerAct),
    /// The next calls of the controller fail.
    Fault(Fault),
    /// The controller's watches.
    Watch(WatchAct, Resource),
    /// The controller crashes after its n-th write from now and starts again at once.
    Crash {
        /// Which write, from 1.
        after_writes: u32,
    },
}

/// Which pods.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The completion index.
    pub index: Option<u32>,
    /// `status.phase`
    pub phase: Option<String>,
    /// Whether the pod is being deleted; the default depends on what is done.
    pub terminating: Option<bool>,
    /// At most this many.
    pub count: Option<usize>,
    /// Whether `count` takes the newest first.
    pub newest: bool,
    /// The how-manieth pod that was made, from 1.
    pub made: Option<u32>,
}

/// What is done to each selected pod.
#[derive(Clone, Debug)]
pub enum PodAct {
    /// It is bound and runs.
    Run {
        /// Whether it is ready at once.
        ready: bool,
    },
    /// It becomes ready or unready.
    Ready(bool),
    /// It ends with success.
    Succeed,
    /// It ends with failure.
    Fail(Failure),
    /// A container is started again.
    Restart(Restarts),
    /// A condition is set.
    Condition(PodCondition),
    /// A user or a drain deletes it.
    Delete {
        /// Seconds; the pod's own if absent.
        grace: Option<i64>,
    },
    /// Its kubelet has ended it after a deletion.
    Terminated {
        /// Whether with success.
        succeeded: bool,
        /// Exit code of the first container; 137 or 0 if absent.
        exit_code: Option<i64>,
    },
    /// Its finalizers and the object go.
    Vanish,
    /// A user's JSON merge patch.
    Patch(Value),
}

/// A pod that the controller did not make.
#[derive(Clone, Debug, Default)]
pub struct ExtraPod {
    /// `metadata.name`; generated from `manual-` if absent.
    pub name: Option<String>,
    /// The completion index in annotation and label.
    pub index: Option<u32>,
    /// Whether the Job owns it.
    pub owned: bool,
    /// Whether it has the tracking finalizer.
    pub finalizer: bool,
    /// Whether it has the template's labels.
    pub match_labels: bool,
    /// Further labels.
    pub labels: OrderedMap<String, String>,
    /// Further annotations.
    pub annotations: OrderedMap<String, String>,
    /// `Running`, `Succeeded` or `Failed`.
    pub phase: Option<String>,
}

/// A call on the Job.
#[derive(Clone, Debug)]
pub enum JobAct {
    /// A JSON merge patch.
    Patch(Value),
    /// A JSON merge patch on the status.
    StatusPatch(Value),
    /// DELETE.
    Delete(Option<Propagation>),
    /// The scenario's Job again.
    Recreate,
    /// Another Job.
    Create(Value),
}

/// What happens to the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControllerAct {
    /// It stops and forgets.
    Stop,
    /// It starts with empty queues and lists everything.
    Start,
    /// Both.
    Restart,
}

/// What happens to a watch of the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchAct {
    /// Its events wait.
    Hold,
    /// The events that wait arrive, and all that follow.
    Release,
    /// It breaks: the events that wait are lost, and everything is listed anew.
    Drop,
}

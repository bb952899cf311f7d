//! What a person may do to one pod, and why it may be impossible.
//!
//! Invariant: an event is a short list of the actions that a step of a scenario has; the same judgement serves the menu
//! of a pod and the deed.

use jobwright_core::pod::PodPhase;
use serde_json::{Value, json};

use super::Refusal;
use crate::kubelet::outcome::eviction;
use crate::object;
use crate::text;

/// What happens to a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodEvent {
    /// It is scheduled, runs and is ready.
    Run,
    /// Its containers end with exit code 0.
    Succeed,
    /// Its first container ends with this code.
    Fail {
        /// From 1 to 255.
        exit_code: u8,
    },
    /// Its first container takes too much memory and is killed.
    Oom,
    /// Its first container fails and is started again in the same pod.
    Restart,
    /// Its node is short of memory and throws it out.
    Evict,
    /// A drain of its node evicts it through the API.
    Drain,
    /// The scheduler makes room for a pod of higher priority.
    Preempt,
    /// Its node is not reachable any more.
    NodeLost,
    /// A user deletes it.
    Delete,
    /// A user deletes it without a grace period.
    DeleteNow,
    /// Its kubelet has ended it after a deletion.
    Terminated,
}

impl PodEvent {
    /// All of them; `Fail` with exit code 1.
    pub const ALL: [Self; 12] = [
        Self::Run,
        Self::Succeed,
        Self::Fail { exit_code: 1 },
        Self::Oom,
        Self::Restart,
        Self::Evict,
        Self::Drain,
        Self::Preempt,
        Self::NodeLost,
        Self::Delete,
        Self::DeleteNow,
        Self::Terminated,
    ];

    /// One word, such as `succeed` or `node-lost`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Succeed => "succeed",
            Self::Fail { .. } => "fail",
            Self::Oom => "oom",
            Self::Restart => "restart",
            Self::Evict => "evict",
            Self::Drain => "drain",
            Self::Preempt => "preempt",
            Self::NodeLost => "node-lost",
            Self::Delete => "delete",
            Self::DeleteNow => "delete-now",
            Self::Terminated => "terminated",
        }
    }

    /// The event of that name. An exit code makes sense for `fail` only; without one it is 1.
    #[must_use]
    pub fn parse(name: &str, exit_code: Option<u8>) -> Option<Self> {
        match name {
            "fail" => Some(Self::Fail { exit_code: exit_code.unwrap_or(1) }),
            _ => Self::ALL.into_iter().find(|event| event.as_str() == name),
        }
    }

    /// The actions of a scenario that do it to the pod which was made as the `made`-th.
    pub(super) fn actions(self, made: usize) -> Vec<Value> {
        let disrupt = |reason: &str| vec![condition(reason), ("delete", json!({}))];
        let acts = match self {
            Self::Run => vec![("run", json!({"ready": true}))],
            Self::Succeed => vec![("succeed", json!({}))],
            Self::Fail { exit_code } => vec![("fail", json!({"exitCode": exit_code}))],
            Self::Oom => vec![("fail", json!({"exitCode": 137}))],
            Self::Restart => vec![("restart", json!({"exitCode": 1}))],
            Self::Evict => vec![("fail", evict())],
            Self::Drain => disrupt("EvictionByEvictionAPI"),
            Self::Preempt => disrupt("PreemptionByScheduler"),
            Self::NodeLost => disrupt("DeletionByTaintManager"),
            Self::Delete => vec![("delete", json!({}))],
            Self::DeleteNow => vec![("delete", json!({"grace": 0}))],
            Self::Terminated => vec![("terminated", json!({"exitCode": 143}))],
        };
        acts.into_iter().map(|(name, act)| json!({"pods": {"made": made, name: act}})).collect()
    }
}

fn condition(reason: &str) -> (&'static str, Value) {
    ("condition", json!({"type": "DisruptionTarget", "status": "True", "reason": reason}))
}

/// [`eviction`], as a scenario writes it.
fn evict() -> Value {
    let failure = eviction();
    let conditions: Vec<Value> = failure
        .conditions
        .iter()
        .map(|c| json!({"type": c.kind, "status": c.status, "reason": c.reason, "message": c.message}))
        .collect();
    json!({"exitCode": failure.exit_code, "reason": failure.reason, "message": failure.message, "conditions": conditions})
}

/// Why an event cannot happen to a pod.
pub(super) fn refuse(pod: Option<&Value>, name: &str, event: PodEvent) -> Option<Refusal> {
    let sentence = |id: &str| Some(Refusal(text::say(id, &[("pod", name)])));
    let Some(pod) = pod else { return sentence("sim.refused.gone") };
    let (phase, terminating) = (object::phase(pod), object::is_terminating(pod));
    let ended = phase.is_terminal();
    match event {
        PodEvent::Fail { exit_code: 0 } => sentence("sim.refused.exit-code"),
        PodEvent::Succeed if ended => sentence("sim.refused.ended-succeed"),
        PodEvent::Fail { .. } | PodEvent::Oom if ended => sentence("sim.refused.ended-fail"),
        PodEvent::Evict | PodEvent::Drain | PodEvent::Preempt | PodEvent::NodeLost if ended => {
            sentence("sim.refused.ended-evict")
        }
        PodEvent::Run if phase != PodPhase::Pending => sentence("sim.refused.not-pending"),
        PodEvent::Restart if phase != PodPhase::Running => sentence("sim.refused.not-running"),
        PodEvent::Terminated if !terminating => sentence("sim.refused.not-terminating"),
        PodEvent::Terminated | PodEvent::DeleteNow => None,
        _ if terminating => sentence("sim.refused.terminating"),
        _ => None,
    }
}

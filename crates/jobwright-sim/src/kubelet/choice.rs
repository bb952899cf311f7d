//! Pods whose end nobody has planned: who walks through all that can happen decides it when its time has come.
//!
//! Invariant: a pod's end is planned once; what was planned is done like an entry of a script.

use jobwright_core::{Millis, Timestamp};
use serde_json::Value;

use super::automatic::{Kubelet, KubeletAct};
use super::outcome::{Ending, Outcome};

/// What the kubelet plans with a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlannedPod {
    /// Which pod of its index, or of its Job, from 0.
    pub(crate) attempt: u32,
    /// Its completion index.
    pub(crate) index: Option<u32>,
    /// Since when it runs.
    pub(crate) started: Option<Timestamp>,
    /// What is planned next, and when.
    pub(crate) next: Option<(Timestamp, KubeletAct)>,
    /// What is planned last; no more than two things are planned with a pod.
    pub(crate) last: Option<(Timestamp, KubeletAct)>,
    /// How often its container was started again.
    pub(crate) restarts: u32,
    /// Whether it is planned to run for ever, or never.
    pub(crate) open: bool,
}

impl KubeletAct {
    /// Another number for each.
    pub(crate) const fn number(self) -> u64 {
        match self {
            Self::Start => 1,
            Self::End => 2,
            Self::Deadline => 3,
            Self::Terminate => 4,
            Self::Stop(code) => (code.cast_unsigned() as u64) << 1 | 0x100_0000,
            Self::Restart(code) => (code.cast_unsigned() as u64) << 1 | 0x100_0001,
        }
    }
}

impl Kubelet {
    /// What is planned with the pod of this UID.
    pub(crate) fn planned(&self, uid: &str) -> Option<PlannedPod> {
        let plan = self.plans.get(uid)?;
        let mut tasks = self.due.iter().filter(|(_, task)| task.uid == uid).map(|((at, _), task)| (*at, task.act));
        let next = tasks.next();
        let open = plan.outcome.ending == Ending::Hang && !plan.terminating;
        Some(PlannedPod {
            attempt: plan.attempt,
            index: plan.index,
            started: plan.started,
            next,
            last: tasks.last(),
            restarts: plan.restarts,
            open,
        })
    }

    /// How many pods were made so far, by index.
    pub(crate) fn made(&self) -> impl Iterator<Item = (Option<u32>, u32)> {
        self.attempts.iter().map(|((_, index), made)| (*index, *made))
    }

    /// Plans that a pod which runs ends so at that time.
    pub(crate) fn end_at(&mut self, pod: &Value, ending: Ending, at: Timestamp) {
        let uid = crate::object::uid(pod);
        if let Some(plan) = self.plans.get_mut(uid) {
            let after = plan.started.map_or(Millis::ZERO, |started| at - started);
            plan.outcome = Outcome { ending, after };
            self.add(pod, KubeletAct::End, at);
        }
    }

    /// Plans that a pod never starts.
    pub(crate) fn never_start(&mut self, uid: &str) {
        if let Some(plan) = self.plans.get_mut(uid) {
            plan.outcome.ending = Ending::Pending;
            self.due.retain(|_, task| task.uid != uid || task.act != KubeletAct::Start);
        }
    }
}

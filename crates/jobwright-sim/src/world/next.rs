//! What comes next if nobody does anything.
//!
//! Invariant: the time given is that of the work which [`World::tick`] will then find due.

use jobwright_core::{Millis, Timestamp, WakeReason};

use super::World;
use crate::kubelet::{Kubelet, KubeletAct};
use crate::scenario::After;

/// Why something happens next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The kubelet does something to the pod of that name.
    Kubelet(String, KubeletAct),
    /// The garbage collector looks.
    Collector,
    /// The pod garbage collector looks.
    PodCollector,
    /// The controller wakes.
    Controller(WakeReason),
}

impl World {
    /// What is due next if nobody does anything, and when.
    #[must_use]
    pub fn next_cause(&self) -> Option<(Timestamp, Cause)> {
        let at = self.next_due()?;
        if let Some(kubelet) = &self.kubelet
            && kubelet.due().is_some_and(|due| due <= at)
            && let Some((pod, act)) = kubelet.next_task()
        {
            return Some((at, Cause::Kubelet(pod, act)));
        }
        if let Some(wake) = self.wake.as_ref().filter(|_| self.wake_due() == Some(at)) {
            return Some((at, Cause::Controller(wake.why)));
        }
        if self.collector.due().is_some_and(|due| due <= at) {
            return Some((at, Cause::Collector));
        }
        Some((at, Cause::PodCollector))
    }

    /// When the next work is due if nobody does anything.
    #[must_use]
    pub fn next_due(&self) -> Option<Timestamp> {
        let kubelet = self.kubelet.as_ref().and_then(Kubelet::due);
        [self.wake_due(), kubelet, self.collector.due(), self.pod_collector.due()].into_iter().flatten().min()
    }

    /// When the controller wakes. A wake-up that was answered and is still in the past is tried again a moment later.
    fn wake_due(&self) -> Option<Timestamp> {
        self.wake.as_ref().map(|wake| if wake.at <= self.now { self.now + Millis(1) } else { wake.at })
    }

    /// The decision of the controller that is under way, if the API server has answered a write of it.
    #[must_use]
    pub fn open_record(&self) -> Option<&jobwright_core::record::Record> {
        let trace = self.controller.as_ref()?.trace();
        trace.open().find(|record| record.writes.iter().any(|write| write.answer.is_some()))
    }

    /// Calls and decisions of the controllers at the present time.
    #[must_use]
    pub const fn done_now(&self) -> (u64, u64) {
        (self.tally.total_calls - self.before.0, self.tally.total_decisions - self.before.1)
    }

    /// Whether a place within the present instant lies behind. Nobody knows before a tick whether there is rest.
    #[must_use]
    pub fn has_reached(&self, place: After) -> bool {
        let (calls, decisions) = self.done_now();
        match place {
            After::Rest => false,
            After::Calls(wanted) => calls >= wanted.into(),
            After::Decisions(wanted) => decisions >= wanted.into(),
        }
    }
}

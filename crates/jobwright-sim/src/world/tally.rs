//! What is counted while a world runs: calls of the controller, refusals, events.
//!
//! Invariant: only calls of the controller are counted, never those of people, kubelet or garbage collector.

use jobwright_core::OrderedMap;

use jobwright_core::{JobEvent, Timestamp};

use crate::api_server::Reason;
use crate::fault::{CallKind, FaultError};

/// A Kubernetes Event and its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedEvent {
    /// When it was emitted.
    pub at: Timestamp,
    /// The event.
    pub event: JobEvent,
}

/// Sums since the last [`Tally::take_calls`], and all events.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    calls: OrderedMap<String, u64>,
    rejections: u64,
    /// Calls of the controller in the whole life of the world.
    pub total_calls: u64,
    /// Decisions of the controller in the whole life of the world.
    pub total_decisions: u64,
    /// All events, oldest first.
    pub events: Vec<TimedEvent>,
}

impl Tally {
    fn count(&mut self, key: String) {
        *self.calls.get_or_default(key) += 1;
    }

    /// A call was made.
    pub(super) fn called(&mut self, call: CallKind) {
        self.total_calls += 1;
        self.count(call.to_string());
    }

    /// An injected fault hit it.
    pub(super) fn faulted(&mut self, call: CallKind, error: FaultError) {
        self.count(format!("{call} fault:{}", error.as_str()));
    }

    /// The API server refused it by itself.
    pub(super) fn rejected(&mut self, call: CallKind, reason: Reason) {
        self.rejections += 1;
        self.count(format!("{call} rejected:{}", reason.as_str()));
    }

    /// Takes the sums out: calls by kind and outcome, and the number of refusals.
    pub fn take_calls(&mut self) -> (OrderedMap<String, u64>, u64) {
        (std::mem::take(&mut self.calls), std::mem::take(&mut self.rejections))
    }
}

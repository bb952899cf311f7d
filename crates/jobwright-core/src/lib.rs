//! Decides, for any number of Kubernetes Jobs, which writes follow from what was observed, and why.
//!
//! This crate has no clock, no IO, no threads and no randomness: events and time go in, effects and
//! decisions come out. It does not know JSON, YAML or HTTP.
//!
//! # How to drive it
//!
//! 1. Hand over one [`Input`] with the present time: [`Controller::handle`].
//! 2. Call [`Controller::poll`] until it answers [`Output::Sleep`]. Carry out each [`Output::Write`]
//!    and hand its [`Answer`] back with [`Controller::handle`], in any order, now or later.
//! 3. Sleep until the time in [`Output::Sleep`] or until there is another input; go on with 1
//!    ([`Input::Wake`] when nothing but time has passed).
//!
//! Rule ids such as `TRK-10` in the documentation name the rules of `docs/spec`.
#![no_std]

extern crate alloc;

mod backoff;
pub mod controller;
mod decide;
pub mod digest;
mod failure_policy;
mod freshness;
pub mod ids;
pub mod index_set;
pub mod input;
mod intents;
pub mod job;
mod ledger;
pub mod metric;
#[cfg(feature = "mutants")]
pub mod mutant;
#[cfg(not(feature = "mutants"))]
mod mutant;
pub mod ordered;
pub mod output;
pub mod pod;
mod queue;
pub mod record;
pub mod rule;
pub mod selector;
mod short;
pub mod spec;
pub mod status;
mod success_policy;
mod sync;
pub mod time;

pub use controller::{Config, Controller, Gates, Load, PodBackoff, Queued, Tuning};
pub use ids::{CompletionIndex, JobKey, PodKey, ResourceVersion, Text, Uid, WriteId};
pub use index_set::IndexSet;
pub use input::{Answer, ApiFailure, FailureKind, Input, RelistStep, Reply, Resource, Written};
pub use job::JobView;
pub use metric::Metric;
pub use ordered::{OrderedMap, OrderedSet};
pub use output::{Effect, EventType, JobEvent, NewPod, Output, PodRef, WakeReason, WakeUp, Write};
pub use pod::{Deletion, PodPhase, PodView};
pub use record::{Recorder, Silent, Trace};
pub use rule::Rule;
pub use selector::Selector;
pub use spec::{CompletionMode, JobSpec, PodReplacementPolicy, RestartPolicy};
pub use status::{Condition, ConditionStatus, ConditionType, JobStatus, UncountedTerminatedPods};
pub use time::{Millis, Timestamp};

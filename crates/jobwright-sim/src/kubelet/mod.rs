//! What kubelets and the scheduler do to pods.
//!
//! [`transition`] holds the single changes of a pod's status, which a scenario's steps name one by one, `containers` the statuses of containers;
//! [`outcome`] the scripts that say how pods end; [`automatic`] the kubelet that plays them.

pub mod automatic;
mod choice;
mod containers;
mod crash_loop;
pub mod outcome;
pub mod transition;

pub use automatic::{Kubelet, KubeletAct};
pub(crate) use choice::PlannedPod;
pub use outcome::{Ending, Outcome, OutcomeError, Outcomes};

//! Traces: what is seen of a scenario from outside, and the comparison with recorded ones.
//!
//! The form and the rules are those of `tests/recorded/FORMAT.md`, sections 3 and 0.
//!
//! Invariant: a trace holds no uid and no random part of a name.

mod compare;
mod run;
mod snapshot;

pub use compare::{Difference, compare};
pub use run::trace;

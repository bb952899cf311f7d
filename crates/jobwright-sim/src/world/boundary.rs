//! The line between the controller and the API server, opened for tests.
//!
//! A test can see the newest call as it came over the line, and can plant a bug there: send another call
//! on, or say "done" to one that was never carried out. So a law about the controller can be shown to
//! fail for a controller that breaks it, without a second controller.
//!
//! Invariant: without a tamper every call passes as it is.

use jobwright_core::output::{Effect, Write};
use jobwright_core::{Answer, ResourceVersion, Written};

use crate::fault::FaultError;

/// Looks at a call before it is carried out, and says what becomes of it.
pub type Tamper = fn(&Write) -> Tampered;

/// What becomes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tampered {
    /// It is carried out.
    Pass,
    /// This one is carried out in its place, and its answer given.
    Instead(Effect),
    /// It is answered as done and never carried out.
    Swallow,
}

/// A call of the controller and its fate.
#[derive(Clone, Debug)]
pub struct Call {
    /// The call as the controller sent it.
    pub write: Write,
    /// The fault that hit it, and whether it took effect all the same.
    pub injected: Option<(FaultError, bool)>,
    /// What the API server answered.
    pub answer: Answer,
    /// Whether the controller crashed and never got the answer.
    pub crashed: bool,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Boundary {
    pub(super) tamper: Option<Tamper>,
    pub(super) injected: Option<(FaultError, bool)>,
    pub(super) last_call: Option<Call>,
}

impl Boundary {
    /// What becomes of a call that begins now.
    pub(super) fn judge(&mut self, write: &Write) -> Tampered {
        self.injected = None;
        self.tamper.map_or(Tampered::Pass, |tamper| tamper(write))
    }
}

impl super::World {
    /// Plants a bug between the controller and the API server. For tests of tests.
    pub const fn set_tamper(&mut self, tamper: Tamper) {
        self.boundary.tamper = Some(tamper);
    }

    /// The newest call of the controller.
    #[must_use]
    pub const fn last_call(&self) -> Option<&Call> {
        self.boundary.last_call.as_ref()
    }
}

/// The answer to a call that was swallowed. A status keeps the version that it was made from, so that
/// the next one is taken.
pub(super) const fn pretend(effect: &Effect) -> Written {
    let resource_version = match effect {
        Effect::UpdateStatus { resource_version, .. } => *resource_version,
        _ => ResourceVersion(0),
    };
    Written { resource_version, reply: jobwright_core::Reply::Nothing }
}

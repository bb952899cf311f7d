//! Writes what the core decided as objects of the API.
//!
//! Invariant: a pod is a copy of the template with the controller's part added; nothing of the
//! template is lost, and nothing is defaulted here.

mod pod;
mod status;

pub use pod::pod;
pub use status::status;

//! Writes what the core decided as objects of the API.
//!
//! Invariant: a pod is a copy of the template with the controller's part added; nothing of the
//! template is lost, and nothing is defaulted here.

mod pod;
mod request;
mod status;

pub use pod::{owner_reference, pod};
pub use request::{Request, request};
pub use status::status;

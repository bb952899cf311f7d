//! Generated worlds: Jobs, pods that do anything they can do, people, faults and crashes around them.
//!
//! [`general`] makes worlds for the laws about single runs. [`paired`] makes those whose outcome does not
//! depend on timing, for the law of restarts, and [`from_bytes`] those that a fuzzer steers.

mod acts;
mod bytes;
mod general;
mod jobs;
pub mod paired;
mod plan;
mod pod_acts;

pub use bytes::from_bytes;
pub use general::general;
pub use plan::{Plan, Step};

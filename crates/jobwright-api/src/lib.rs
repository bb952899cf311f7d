//! The wire side of Jobwright: manifests, objects as JSON, and the words for people.
//!
//! Objects travel as [`Value`], because the pod template stays opaque: what a person wrote in it
//! reaches the pods unchanged. This crate reads them into the core's views ([`read`]), writes the
//! core's answers back ([`mod@write`]), does what the API server does to a Job on its way in
//! ([`defaults`], [`prepare`], [`validate`], [`status_rules`]), judges whole texts ([`verdict`], [`lint`]),
//! and tells decisions in words ([`record`], [`card`], [`catalogue`]).
//!
//! Invariant: no clock, no IO, no randomness; nothing that comes from outside makes it panic.
//!
//! Rule ids such as `VAL-20` in the documentation name the rules of `docs/spec`.

mod at;
pub mod card;
pub mod catalogue;
mod decode;
pub mod defaults;
pub mod diagnostic;
pub mod index_text;
pub mod lint;
pub mod manifest;
pub mod names;
pub mod partial;
pub mod patch;
mod places;
pub mod prepare;
mod quantity;
pub mod read;
pub mod record;
mod schema;
pub mod status_rules;
pub mod syntax;
pub mod time;
pub mod validate;
pub mod verdict;
pub mod write;
pub mod yaml;

pub use catalogue::Catalogue;
pub use diagnostic::{Code, Diagnostic, Severity};
pub use manifest::{Manifest, Notice};
pub use serde_json::Value;
pub use validate::{ErrorKind, FieldError};

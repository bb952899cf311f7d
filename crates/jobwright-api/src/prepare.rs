//! Create.
use serde_json::Value;

/// What the API server does to a new Job before it looks at it (UPD-1, UPD-3, UPD-4).
pub fn create(_job: &mut Value, _uid: &str) {}

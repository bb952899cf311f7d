//! Which updates of a Job's status the API server takes (section 5).
use serde_json::Value;

use crate::validate::FieldError;

/// What is wrong with an update of the status (STV-1 to STV-33).
#[must_use]
pub fn check(_old: &Value, _new: &Value) -> Vec<FieldError> {
    Vec::new()
}

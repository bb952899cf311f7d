//! A `CronJob`: the Job that it would make.
//!
//! Invariant: what the template does not have, the Job does not have either; only its name is made up.

use serde_json::{Map, Value, json};

use crate::names;

/// Where the Job's template stands in a `CronJob`.
pub(super) const TEMPLATE: &str = "spec.jobTemplate";
/// The scheduled time in minutes since 1970, which a Job made by a `CronJob` has at the end of its name: here
/// 2000-01-01T01:00:00Z, time 0 of every simulated cluster.
const SCHEDULED: &str = "-15778140";

/// The Job that a `CronJob` would make.
pub(super) fn job(cron: &Value) -> Value {
    let text = |field: &str| cron.pointer(field).and_then(Value::as_str).unwrap_or_default();
    let mut metadata = Map::new();
    for field in ["labels", "annotations"] {
        if let Some(value) = cron.pointer("/spec/jobTemplate/metadata").and_then(|of| of.get(field)) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
    metadata.insert("name".to_owned(), [text("/metadata/name"), SCHEDULED].concat().into());
    if let Some(namespace) = cron.pointer("/metadata/namespace") {
        metadata.insert("namespace".to_owned(), namespace.clone());
    }
    let spec = cron.pointer("/spec/jobTemplate/spec").cloned().unwrap_or_else(|| json!({}));
    json!({"apiVersion": names::BATCH_V1, "kind": names::JOB, "metadata": metadata, "spec": spec})
}

/// Where a field of the Job stands in its `CronJob`.
pub(super) fn field(of_job: &str) -> String {
    match of_job {
        "metadata.name" | "metadata.namespace" => of_job.to_owned(),
        _ => [TEMPLATE, ".", of_job].concat(),
    }
}

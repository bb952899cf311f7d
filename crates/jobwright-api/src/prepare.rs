//! What the API server does to a new Job before it judges it (UPD-1 to UPD-4).
//!
//! Invariant: what a person wrote is kept; wrong labels and selectors are left to validation.

use serde_json::{Map, Value};

use crate::{defaults, names};

/// Prepares a new Job: defaults, uid, generation 1, no status, generated labels and selector
/// (UPD-1 to UPD-4).
///
/// A Job without labels of its own shares those of its template, the generated ones included, if the
/// template has any; else it has none until it is read again (DEF-4).
pub fn create(job: &mut Value, uid: &str) {
    let has_labels = |job: &Value, at: &str| job.pointer(at).and_then(Value::as_object).is_some_and(|l| !l.is_empty());
    let shares = !has_labels(job, "/metadata/labels") && has_labels(job, "/spec/template/metadata/labels");
    if let Some(object) = job.as_object_mut() {
        child(object, "spec");
    }
    defaults::apply(job);
    let Some(object) = job.as_object_mut() else { return };
    object.remove("status");
    if let Some(metadata) = child(object, "metadata") {
        metadata.insert("uid".to_owned(), uid.into());
        metadata.insert("generation".to_owned(), 1.into());
    }
    // The gate `WorkloadWithJob` is off (UPD-2).
    if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) {
        spec.remove("scheduling");
    }
    generate_selector(job, uid);
    if shares {
        if let Some(metadata) = job.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.remove("labels");
        }
        defaults::apply(job);
    }
}

/// Gives the template the labels of its Job and the Job the selector, unless they are there (UPD-3);
/// nothing with `manualSelector` (UPD-4).
pub fn generate_selector(job: &mut Value, uid: &str) {
    let name = job.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let Some(spec) = job.get_mut("spec").and_then(Value::as_object_mut) else { return };
    if spec.get("manualSelector") == Some(&Value::Bool(true)) {
        return;
    }
    let labels = [
        (names::LEGACY_JOB_NAME, name.as_str()),
        (names::JOB_NAME, name.as_str()),
        (names::LEGACY_CONTROLLER_UID, uid),
        (names::CONTROLLER_UID, uid),
    ];
    add(child(spec, "template").and_then(|t| child(t, "metadata")).and_then(|m| child(m, "labels")), &labels);
    add(child(spec, "selector").and_then(|s| child(s, "matchLabels")), &labels[3..]);
}

/// Adds the pairs whose key is not there.
fn add(object: Option<&mut Map<String, Value>>, pairs: &[(&str, &str)]) {
    let Some(object) = object else { return };
    for (key, value) in pairs {
        object.entry(*key).or_insert_with(|| (*value).into());
    }
}

/// The object that is a member; it is made if something else is there.
fn child<'a>(object: &'a mut Map<String, Value>, name: &str) -> Option<&'a mut Map<String, Value>> {
    if !object.get(name).is_some_and(Value::is_object) {
        object.insert(name.to_owned(), Value::Object(Map::new()));
    }
    object.get_mut(name).and_then(Value::as_object_mut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_new_job_gets_labels_and_selector_upd_1_upd_3() {
        let mut job = json!({
            "metadata": {"name": "job"},
            "spec": {"template": {"metadata": {"labels": {"job-name": "own"}}}},
            "status": {"active": 3},
        });
        create(&mut job, "u1");
        assert_eq!(job["spec"]["selector"], json!({"matchLabels": {"batch.kubernetes.io/controller-uid": "u1"}}));
        let labels = json!({
            "batch.kubernetes.io/controller-uid": "u1",
            "batch.kubernetes.io/job-name": "job",
            "controller-uid": "u1",
            "job-name": "own",
        });
        assert_eq!(job["spec"]["template"]["metadata"]["labels"], labels);
        assert_eq!(job["metadata"]["labels"], labels);
        assert_eq!(job["metadata"]["generation"], 1);
        assert!(job.get("status").is_none());
    }

    #[test]
    fn a_manual_selector_is_left_alone_upd_4() {
        let mut job = json!({"metadata": {"name": "job"}, "spec": {"manualSelector": true, "template": {}}});
        create(&mut job, "u1");
        assert!(job["spec"].get("selector").is_none());
        assert_eq!(job["spec"]["template"], json!({}));
    }
}

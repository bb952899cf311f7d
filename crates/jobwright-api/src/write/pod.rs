//! The pod that is POSTed for a Job (CRE-9).
//!
//! Invariant: a template in which something has the wrong type still gives a pod; the API server is
//! the one to judge it.

use jobwright_core::{CompletionIndex, NewPod, Uid};
use serde_json::{Map, Value, json};

use crate::{names, syntax};

/// The longest `generateName` of a pod of an Indexed Job: 63 for a label, less the 5 random characters (IDX-22).
const INDEXED_PREFIX_MAX: usize = 58;

/// The pod to POST for `new`, made from the template of `job` (CRE-9, IDX-19, IDX-21 to IDX-23, OBJ-14).
#[must_use]
pub fn pod(job: &Value, new: &NewPod) -> Value {
    let template = &job["spec"]["template"];
    let part = |of: &Value, name: &str| of.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
    let mut labels = part(&template["metadata"], "labels");
    let mut annotations = part(&template["metadata"], "annotations");
    let mut spec = part(template, "spec");
    if let Some(index) = new.index {
        let text = Value::String(index.0.to_string());
        labels.insert(names::COMPLETION_INDEX.to_owned(), text.clone());
        annotations.insert(names::COMPLETION_INDEX.to_owned(), text);
        spec.insert("hostname".to_owned(), format!("{}-{}", new.job.name, index.0).into());
        for containers in ["initContainers", "containers"] {
            add_index_variable(spec.get_mut(containers));
        }
    }
    let counts = [
        (names::INDEX_FAILURE_COUNT, new.index_failures),
        (names::INDEX_IGNORED_FAILURE_COUNT, new.index_ignored_failures),
    ];
    for (name, count) in counts {
        if let Some(count) = count {
            annotations.insert(name.to_owned(), count.to_string().into());
        }
    }
    let mut metadata = Map::new();
    metadata.insert("namespace".to_owned(), (&*new.job.namespace).into());
    metadata.insert("generateName".to_owned(), generate_name(&new.job.name, new.index).into());
    if !labels.is_empty() {
        metadata.insert("labels".to_owned(), labels.into());
    }
    if !annotations.is_empty() {
        metadata.insert("annotations".to_owned(), annotations.into());
    }
    metadata.insert("finalizers".to_owned(), finalizers(&template["metadata"]["finalizers"]));
    metadata.insert("ownerReferences".to_owned(), json!([owner_reference(&new.job.name, &new.job_uid)]));
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})
}

/// The reference to the Job as controller (OBJ-14).
#[must_use]
pub fn owner_reference(job: &str, uid: &Uid) -> Value {
    json!({
        "apiVersion": names::BATCH_V1,
        "kind": names::JOB,
        "name": job,
        "uid": uid.to_string(),
        "controller": true,
        "blockOwnerDeletion": true,
    })
}

/// The finalizers of the template, and the tracking finalizer if it is not among them.
fn finalizers(of_template: &Value) -> Value {
    let mut finalizers = of_template.as_array().cloned().unwrap_or_default();
    if !finalizers.iter().any(|name| name == names::TRACKING_FINALIZER) {
        finalizers.push(names::TRACKING_FINALIZER.into());
    }
    Value::Array(finalizers)
}

/// Appends the variable to each container that has none of its name (IDX-23).
fn add_index_variable(containers: Option<&mut Value>) {
    let Some(containers) = containers.and_then(Value::as_array_mut) else { return };
    for container in containers.iter_mut().filter_map(Value::as_object_mut) {
        let env = container.entry("env").or_insert(Value::Null);
        if env.is_null() {
            *env = json!([]);
        }
        let Some(variables) = env.as_array_mut() else { continue };
        if variables.iter().any(|variable| variable["name"] == names::COMPLETION_INDEX_VARIABLE) {
            continue;
        }
        let field = format!("metadata.labels['{}']", names::COMPLETION_INDEX);
        variables.push(json!({
            "name": names::COMPLETION_INDEX_VARIABLE,
            "valueFrom": {"fieldRef": {"fieldPath": field}},
        }));
    }
}

/// The prefix of the pod's name (IDX-22, CRE-9).
fn generate_name(job: &str, index: Option<CompletionIndex>) -> String {
    let Some(index) = index else {
        // As a prefix, a name may end in a dash; the API server looks at it as if a letter stood there.
        return if syntax::is_dns_subdomain(&format!("{job}a")) { format!("{job}-") } else { job.to_owned() };
    };
    let suffix = format!("-{}-", index.0);
    let room = INDEXED_PREFIX_MAX - suffix.len();
    let kept = (0..=room.min(job.len())).rev().find(|end| job.is_char_boundary(*end)).unwrap_or(0);
    format!("{}{suffix}", &job[..kept])
}

#[cfg(test)]
mod tests {
    use super::*;
    use jobwright_core::JobKey;

    fn new(name: &str, index: Option<u32>) -> NewPod {
        NewPod {
            job: JobKey::new("default", name),
            job_uid: Uid::new("u1"),
            index: index.map(CompletionIndex),
            index_failures: None,
            index_ignored_failures: None,
        }
    }

    fn job() -> Value {
        json!({"metadata": {"name": "job"}, "spec": {"template": {
            "metadata": {"labels": {"app": "x"}, "finalizers": ["a.io/b"]},
            "spec": {
                "hostname": "own",
                "initContainers": [{"name": "init", "env": [{"name": "JOB_COMPLETION_INDEX", "value": "7"}]}],
                "containers": [{"name": "main", "env": [{"name": "A", "value": "b"}]}, {"name": "side"}],
            },
        }}})
    }

    #[test]
    fn a_pod_is_the_template_and_the_owner_cre_9() {
        let pod = pod(&job(), &new("job", None));
        assert_eq!(
            pod["metadata"],
            json!({
                "namespace": "default",
                "generateName": "job-",
                "labels": {"app": "x"},
                "finalizers": ["a.io/b", "batch.kubernetes.io/job-tracking"],
                "ownerReferences": [{
                    "apiVersion": "batch/v1", "kind": "Job", "name": "job", "uid": "u1",
                    "controller": true, "blockOwnerDeletion": true,
                }],
            })
        );
        assert_eq!(pod["spec"], job()["spec"]["template"]["spec"]);
    }

    #[test]
    fn an_index_shows_in_label_annotation_hostname_and_env_idx_21_idx_23() {
        let new = NewPod { index_failures: Some(0), index_ignored_failures: Some(2), ..new("job", Some(4)) };
        let pod = pod(&job(), &new);
        assert_eq!(pod["metadata"]["labels"][names::COMPLETION_INDEX], "4");
        assert_eq!(
            pod["metadata"]["annotations"],
            json!({
                "batch.kubernetes.io/job-completion-index": "4",
                "batch.kubernetes.io/job-index-failure-count": "0",
                "batch.kubernetes.io/job-index-ignored-failure-count": "2",
            })
        );
        assert_eq!(pod["spec"]["hostname"], "job-4");
        assert_eq!(pod["spec"]["initContainers"], job()["spec"]["template"]["spec"]["initContainers"]);
        let field = "metadata.labels['batch.kubernetes.io/job-completion-index']";
        let variable = json!({"name": "JOB_COMPLETION_INDEX", "valueFrom": {"fieldRef": {"fieldPath": field}}});
        assert_eq!(pod["spec"]["containers"][0]["env"], json!([{"name": "A", "value": "b"}, variable]));
        assert_eq!(pod["spec"]["containers"][1]["env"], json!([variable]));
    }

    #[test]
    fn a_name_prefix_has_room_for_the_random_part_idx_22() {
        let long = "a".repeat(60);
        for (name, index, prefix) in [
            ("job", Some(3), "job-3-".to_owned()),
            (long.as_str(), Some(12), format!("{}-12-", "a".repeat(54))),
            (long.as_str(), None, format!("{long}-")),
            (&"a".repeat(253), None, "a".repeat(253)),
        ] {
            assert_eq!(generate_name(name, index.map(CompletionIndex)), prefix);
        }
    }

    #[test]
    fn a_tracking_finalizer_of_the_template_is_not_doubled_cre_9() {
        let own = json!([names::TRACKING_FINALIZER]);
        assert_eq!(finalizers(&own), own);
    }
}

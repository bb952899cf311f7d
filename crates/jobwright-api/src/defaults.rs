//! What a Job leaves unset, as the API server fills it in on every read and write (section 2).
//!
//! Invariant: a value that is there is kept, also an empty text (DEF-5); applying twice changes nothing.
//! Of the template's defaults those of DEF-11 are set; the rest does not matter to a Job.

use serde_json::{Map, Value, json};

use crate::names;

/// Sets what a Job leaves unset (DEF-1 to DEF-11).
pub fn apply(job: &mut Value) {
    let Some(object) = job.as_object_mut() else { return };
    set_text(object, "apiVersion", names::BATCH_V1);
    set_text(object, "kind", names::JOB);
    labels(object);
    let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) else { return };
    if !is_set(spec, "completions") && !is_set(spec, "parallelism") {
        set(spec, "completions", || 1.into());
    }
    set(spec, "parallelism", || 1.into());
    let per_index = is_set(spec, "backoffLimitPerIndex");
    set(spec, "backoffLimit", || if per_index { i32::MAX.into() } else { 6.into() });
    set(spec, "completionMode", || "NonIndexed".into());
    set(spec, "suspend", || false.into());
    let has_policy = is_set(spec, "podFailurePolicy");
    set(spec, "podReplacementPolicy", || if has_policy { "Failed".into() } else { "TerminatingOrFailed".into() });
    set(spec, "manualSelector", || false.into());
    job_template(spec);
}

/// What is set also in the Job template of a `CronJob` (DEF-9, DEF-11).
pub(crate) fn job_template(spec: &mut Map<String, Value>) {
    failure_policy(spec);
    if let Some(template) = member(spec, "template").and_then(|template| member(template, "spec")) {
        pod_spec(template);
    }
}

/// A Job without labels shows those of its template (DEF-4).
fn labels(job: &mut Map<String, Value>) {
    let of_template = job.get("spec").and_then(|spec| spec.pointer("/template/metadata/labels"));
    let Some(labels) = of_template.filter(|labels| labels.as_object().is_some_and(|l| !l.is_empty())).cloned() else {
        return;
    };
    if let Some(metadata) = job.get_mut("metadata").and_then(Value::as_object_mut) {
        let own = metadata.get("labels").and_then(Value::as_object);
        if own.is_none_or(Map::is_empty) {
            metadata.insert("labels".to_owned(), labels);
        }
    }
}

/// DEF-9
fn failure_policy(spec: &mut Map<String, Value>) {
    for rule in members_of(member(spec, "podFailurePolicy"), "rules") {
        for pattern in members_of(Some(rule), "onPodConditions") {
            if pattern.get("status").and_then(Value::as_str).is_none_or(str::is_empty) {
                pattern.insert("status".to_owned(), "True".into());
            }
        }
    }
}

/// DEF-11
fn pod_spec(spec: &mut Map<String, Value>) {
    set_text(spec, "restartPolicy", "Always");
    set_text(spec, "dnsPolicy", "ClusterFirst");
    set_text(spec, "schedulerName", "default-scheduler");
    set(spec, "terminationGracePeriodSeconds", || 30.into());
    set(spec, "securityContext", || json!({}));
    for list in ["initContainers", "containers"] {
        for container in members_of(Some(&mut *spec), list) {
            let image = container.get("image").and_then(Value::as_str).unwrap_or_default();
            let pull = if is_latest(image) { "Always" } else { "IfNotPresent" };
            set_text(container, "imagePullPolicy", pull);
            set_text(container, "terminationMessagePath", "/dev/termination-log");
            set_text(container, "terminationMessagePolicy", "File");
        }
    }
}

/// Whether an image has the tag `latest`, or neither tag nor digest.
fn is_latest(image: &str) -> bool {
    let name = image.rsplit('/').next().unwrap_or_default();
    if image.contains('@') || image.is_empty() {
        return false;
    }
    name.split_once(':').is_none_or(|(_, tag)| tag == "latest")
}

fn is_set(object: &Map<String, Value>, name: &str) -> bool {
    object.get(name).is_some_and(|value| !value.is_null())
}

fn set(object: &mut Map<String, Value>, name: &str, value: impl FnOnce() -> Value) {
    if !is_set(object, name) {
        object.insert(name.to_owned(), value());
    }
}

/// For fields that are no pointers, an empty text is unset.
fn set_text(object: &mut Map<String, Value>, name: &str, text: &str) {
    if object.get(name).is_none_or(|value| value.is_null() || value == "") {
        object.insert(name.to_owned(), text.into());
    }
}

fn member<'a>(object: &'a mut Map<String, Value>, name: &str) -> Option<&'a mut Map<String, Value>> {
    object.get_mut(name).and_then(Value::as_object_mut)
}

/// The objects in a list.
fn members_of<'a>(
    object: Option<&'a mut Map<String, Value>>,
    list: &str,
) -> impl Iterator<Item = &'a mut Map<String, Value>> {
    let items = object.and_then(|object| object.get_mut(list)).and_then(Value::as_array_mut);
    items.into_iter().flatten().filter_map(Value::as_object_mut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_defaults_def_1_to_9() {
        for (spec, path, value) in [
            (json!({}), "/spec/completions", json!(1)),
            (json!({}), "/spec/parallelism", json!(1)),
            (json!({"completions": 5}), "/spec/parallelism", json!(1)),
            (json!({"parallelism": 5}), "/spec/completions", Value::Null),
            (json!({}), "/spec/backoffLimit", json!(6)),
            (json!({"backoffLimitPerIndex": 0}), "/spec/backoffLimit", json!(2_147_483_647)),
            (json!({"completionMode": ""}), "/spec/completionMode", json!("")),
            (json!({"completionMode": null}), "/spec/completionMode", json!("NonIndexed")),
            (json!({"podFailurePolicy": {}}), "/spec/podReplacementPolicy", json!("Failed")),
            (json!({}), "/spec/podReplacementPolicy", json!("TerminatingOrFailed")),
            (json!({}), "/spec/suspend", json!(false)),
            (json!({}), "/spec/manualSelector", json!(false)),
            (
                json!({"podFailurePolicy": {"rules": [{"onPodConditions": [{"type": "x"}]}]}}),
                "/spec/podFailurePolicy/rules/0/onPodConditions/0/status",
                json!("True"),
            ),
        ] {
            let mut job = json!({"metadata": {"name": "job"}, "spec": spec});
            apply(&mut job);
            let once = job.clone();
            apply(&mut job);
            assert_eq!(job, once);
            assert_eq!(job.pointer(path).cloned().unwrap_or_default(), value, "{spec} {path}");
        }
    }

    #[test]
    fn a_job_without_labels_shows_those_of_its_template_def_4() {
        let template = json!({"metadata": {"labels": {"a": "b"}}});
        let mut job = json!({"metadata": {}, "spec": {"template": template}});
        apply(&mut job);
        assert_eq!(job["metadata"]["labels"], json!({"a": "b"}));
        let mut job = json!({"metadata": {"labels": {"c": "d"}}, "spec": {"template": template}});
        apply(&mut job);
        assert_eq!(job["metadata"]["labels"], json!({"c": "d"}));
    }

    #[test]
    fn images_are_pulled_by_their_tag_def_11() {
        for (image, latest) in [
            ("busybox", true),
            ("busybox:latest", true),
            ("busybox:1.36", false),
            ("localhost:5000/busybox", true),
            ("localhost:5000/busybox:1", false),
            ("busybox@sha256:00", false),
        ] {
            assert_eq!(is_latest(image), latest, "{image}");
        }
    }
}

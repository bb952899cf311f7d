//! What may change in the pod template of a Job (UPD-23, UPD-40 to UPD-46).
//!
//! Invariant: everything is judged by the old object, so that one request may also resume the Job (UPD-40).

use jobwright_core::Gates;
use serde_json::Value;

use super::differs;
use crate::object;

/// Scheduling directives of the pod spec, besides node affinity (UPD-42).
const DIRECTIVES: [&str; 3] = ["nodeSelector", "tolerations", "schedulingGates"];

/// The field that must not change and does.
pub(super) fn violation(old: &Value, new: &Value, gates: Gates) -> Option<&'static str> {
    let template = |job| object::at(job, &["spec", "template"]).cloned().unwrap_or_default();
    let (mut allowed, wanted) = (template(old), template(new));
    if is_scheduling_open(old, gates) {
        allow_directives(&mut allowed, &wanted);
    }
    if gates.mutable_pod_resources && is_open(old) {
        // UPD-43, UPD-44: resources may change, and of the rest only the pod spec is compared.
        allow_resources(&mut allowed, &wanted);
        return differs(allowed.get("spec"), wanted.get("spec")).then_some("spec.template.spec");
    }
    differs(Some(&allowed), Some(&wanted)).then_some("spec.template")
}

fn is_suspended(job: &Value) -> bool {
    object::at(job, &["spec", "suspend"]) == Some(&Value::Bool(true))
}

fn never_started(job: &Value) -> bool {
    object::at(job, &["status", "startTime"]).is_none()
}

/// UPD-40
fn is_open(old: &Value) -> bool {
    let active = object::integer(old, &["status", "active"]).unwrap_or(0);
    is_suspended(old) && (never_started(old) || object::condition_is_true(old, "Suspended")) && active == 0
}

/// UPD-41
fn is_scheduling_open(old: &Value, gates: Gates) -> bool {
    if gates.mutable_scheduling_directives { is_open(old) } else { is_suspended(old) && never_started(old) }
}

/// UPD-42: takes the directives over.
fn allow_directives(allowed: &mut Value, wanted: &Value) {
    for field in DIRECTIVES {
        take_over(allowed, wanted, &["spec", field]);
    }
    for field in ["labels", "annotations"] {
        take_over(allowed, wanted, &["metadata", field]);
    }
    let path = ["spec", "affinity", "nodeAffinity"];
    let affinity = |template: &Value| object::at(template, &path[..2]).cloned();
    let only_nodes = |affinity: &Value| {
        affinity.as_object().is_some_and(|parts| parts.iter().all(|(name, part)| name == path[2] || part.is_null()))
    };
    match (affinity(allowed), affinity(wanted)) {
        (Some(old), None) if only_nodes(&old) => object::unset(allowed, &path[..2]),
        (None, Some(new)) if only_nodes(&new) => object::set(allowed, &path[..2], new),
        (_, Some(_)) => take_over(allowed, wanted, &path),
        _ => {}
    }
}

/// Sets a field of `allowed` as it is in `wanted`.
fn take_over(allowed: &mut Value, wanted: &Value, path: &[&str]) {
    match object::at(wanted, path) {
        Some(value) => object::set(allowed, path, value.clone()),
        None => object::unset(allowed, path),
    }
}

/// UPD-43: takes the resources of containers over whose place and name are the same.
fn allow_resources(allowed: &mut Value, wanted: &Value) {
    for field in ["initContainers", "containers"] {
        let new = object::list(wanted, &["spec", field]);
        let mut old = object::list(allowed, &["spec", field]).to_vec();
        if old.is_empty() || old.len() != new.len() {
            continue;
        }
        for (old, new) in old.iter_mut().zip(new) {
            if object::text(old, &["name"]) == object::text(new, &["name"]) {
                take_over(old, new, &["resources"]);
            }
        }
        object::set(allowed, &["spec", field], old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn job(suspend: bool, template: &Value) -> Value {
        json!({"spec": {"suspend": suspend, "template": template}})
    }

    fn judge(old: Value, new: Value) -> Option<&'static str> {
        violation(&job(true, &old), &job(true, &new), Gates::default())
    }

    #[test]
    fn upd_42_directives_of_a_suspended_job_may_change() {
        let zone = json!({"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}});
        for (old, new) in [
            (json!({}), json!({"spec": {"nodeSelector": {"a": "b"}}})),
            (json!({"spec": {"tolerations": [{"key": "a"}]}}), json!({"spec": {}})),
            (json!({}), json!({"metadata": {"labels": {"a": "b"}}})),
            (json!({}), json!({"spec": {"affinity": {"nodeAffinity": zone}}})),
            (json!({"spec": {"affinity": {"nodeAffinity": zone}}}), json!({"spec": {}})),
        ] {
            assert_eq!(judge(old, new.clone()), None, "{new}");
        }
    }

    #[test]
    fn upd_43_nothing_else_of_it_may() {
        let main = |image: &str| json!({"spec": {"containers": [{"name": "main", "image": image}]}});
        let resources = json!({"spec": {"containers": [
            {"name": "main", "image": "a", "resources": {"requests": {"cpu": "2"}}},
        ]}});
        assert_eq!(judge(main("a"), resources), None);
        assert_eq!(judge(main("a"), main("b")), Some("spec.template.spec"));
        let anti = json!({"spec": {"affinity": {"podAntiAffinity": {"x": []}}}});
        assert_eq!(judge(json!({"spec": {}}), anti.clone()), Some("spec.template.spec"));
        assert_eq!(judge(anti, json!({"spec": {}})), Some("spec.template.spec"));
    }

    #[test]
    fn upd_45_upd_46_the_template_of_a_job_that_runs_is_frozen() {
        let new = json!({"spec": {"nodeSelector": {"a": "b"}}});
        let running = job(false, &json!({}));
        assert_eq!(violation(&running, &job(true, &new), Gates::default()), Some("spec.template"));
        let mut active = job(true, &json!({}));
        object::set(&mut active, &["status", "active"], 1);
        assert_eq!(violation(&active, &job(true, &new), Gates::default()), Some("spec.template"));
    }

    #[test]
    fn upd_41_without_the_gate_a_job_that_was_started_is_closed_to_directives() {
        let gates = Gates { mutable_scheduling_directives: false, ..Gates::default() };
        let mut old = job(true, &json!({"spec": {}}));
        let new = job(true, &json!({"spec": {"nodeSelector": {"a": "b"}}}));
        assert_eq!(violation(&old, &new, gates), None);
        object::set(&mut old, &["status", "startTime"], "2000-01-01T01:00:00Z");
        object::set(&mut old, &["status", "conditions"], vec![json!({"type": "Suspended", "status": "True"})]);
        assert_eq!(violation(&old, &new, gates), Some("spec.template.spec"));
        assert_eq!(violation(&old, &new, Gates::default()), None);
    }

    #[test]
    fn without_the_gate_of_resources_only_directives_may_change_upd_43_upd_44_gate_2() {
        let gates = Gates { mutable_pod_resources: false, ..Gates::default() };
        let job = |pod: Value, metadata: Value| json!({"spec": {"suspend": true, "template": {"metadata": metadata, "spec": pod}}});
        let old = job(json!({"containers": [{"name": "a"}]}), json!({}));
        let resources = job(json!({"containers": [{"name": "a", "resources": {"limits": {"cpu": "1"}}}]}), json!({}));
        assert_eq!(violation(&old, &resources, Gates::default()), None);
        assert_eq!(violation(&old, &resources, gates), Some("spec.template"));
        let labels = job(json!({"containers": [{"name": "a"}]}), json!({"labels": {"a": "b"}}));
        assert_eq!(violation(&old, &labels, gates), None);
        let named = job(json!({"containers": [{"name": "a"}]}), json!({"generateName": "x-"}));
        assert_eq!(violation(&old, &named, Gates::default()), None);
        assert_eq!(violation(&old, &named, gates), Some("spec.template"));
    }
}

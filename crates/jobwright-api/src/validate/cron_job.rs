//! What the API server refuses in a `CronJob`, for the sake of its Job template.
//!
//! Invariant: paths begin at the `CronJob`. Whether the schedule and the time zone can be read is not judged.

use serde_json::Value;

use super::spec::{self, invalid, not_supported, required};
use super::{FieldError, metadata, once, pod_template};
use crate::at::At;
use crate::defaults;

/// The name of a Job that a `CronJob` makes has 11 characters more.
const NAME_MAX: usize = 52;
const NEGATIVE: &str = "must be greater than or equal to 0";

/// What is wrong with a `CronJob` that is being created.
#[must_use]
pub fn cron_job(cron: &Value) -> Vec<FieldError> {
    let root = At::root(cron);
    let (own, spec) = (root.get("metadata"), root.get("spec"));
    let mut errors = metadata::check(&root);
    let not_negative = |name: &str, errors: &mut Vec<FieldError>| {
        if spec.get(name).int().is_some_and(|number| number < 0) {
            errors.push(invalid(&spec.get(name), NEGATIVE));
        }
    };
    if spec.get("schedule").str().is_none_or(str::is_empty) {
        errors.push(required(&spec.get("schedule"), ""));
    }
    not_negative("startingDeadlineSeconds", &mut errors);
    let policy = spec.get("concurrencyPolicy");
    if policy.str().is_some_and(|policy| !matches!(policy, "" | "Allow" | "Forbid" | "Replace")) {
        errors.push(not_supported(&policy, &["Allow", "Forbid", "Replace"]));
    }
    let template = spec.get("jobTemplate");
    errors.extend(job_template(template.value()));
    let job = template.get("spec");
    let (selector, manual) = (job.get("selector"), job.get("manualSelector"));
    if selector.is_set() {
        errors.push(invalid(&selector, "`selector` will be auto-generated"));
    }
    if manual.is_true() {
        errors.push(not_supported(&manual, &["nil", "false"]));
    }
    not_negative("successfulJobsHistoryLimit", &mut errors);
    not_negative("failedJobsHistoryLimit", &mut errors);
    let name = own.get("name");
    if name.str().is_some_and(|name| name.len() > NAME_MAX) {
        errors.push(invalid(&name, "must be no more than 52 characters"));
    }
    once(errors)
}

/// What is wrong with the Job of a template. Defaulting goes no further than its pod template.
fn job_template(template: Option<&Value>) -> Vec<FieldError> {
    let mut template = template.cloned().unwrap_or_default();
    if let Some(spec) = template.get_mut("spec").and_then(Value::as_object_mut) {
        defaults::job_template(spec);
    }
    let mut errors = Vec::new();
    let root = At::root(&template);
    spec::check(&root.get("spec"), &mut errors);
    pod_template::check(&root.get("spec"), &mut errors);
    for error in &mut errors {
        error.field.insert_str(0, "spec.jobTemplate.");
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_template_is_judged_at_its_own_paths_val_20_val_78_val_80() {
        let pod = json!({"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}]});
        for (spec, job, fields) in [
            (json!({}), json!({}), &[][..]),
            (json!({"schedule": ""}), json!({}), &["spec.schedule"]),
            (json!({"concurrencyPolicy": "Never"}), json!({}), &["spec.concurrencyPolicy"]),
            (json!({"failedJobsHistoryLimit": -1}), json!({}), &["spec.failedJobsHistoryLimit"]),
            // No default of completions: it belongs to a Job, not to its template.
            (json!({}), json!({"completionMode": "Indexed"}), &["spec.jobTemplate.spec.completions"]),
            (json!({}), json!({"selector": {}}), &["spec.jobTemplate.spec.selector"]),
            (
                json!({}),
                json!({"template": {}}),
                &[
                    "spec.jobTemplate.spec.template.spec.containers",
                    "spec.jobTemplate.spec.template.spec.restartPolicy",
                ],
            ),
        ] {
            let mut of_job = json!({"template": {"spec": pod}});
            of_job.as_object_mut().unwrap().extend(job.as_object().unwrap().clone());
            let mut whole = json!({"schedule": "* * * * *", "jobTemplate": {"spec": of_job}});
            whole.as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
            let found = cron_job(&json!({"metadata": {"name": "nightly"}, "spec": whole}));
            assert_eq!(found.iter().map(|error| &*error.field).collect::<Vec<_>>(), fields, "{spec} {job}");
        }
        let named = cron_job(&json!({"metadata": {"name": "a".repeat(53)}, "spec": {}}));
        assert_eq!(named.last().map(|error| &*error.detail), Some("must be no more than 52 characters"));
    }
}

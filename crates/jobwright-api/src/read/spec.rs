//! `spec` of a Job.
//!
//! Invariant: "unset" stays `None`; nothing is defaulted here.

use std::sync::Arc;

use jobwright_core::selector::Requirement;
use jobwright_core::spec::{ExitCodes, FailureAction, PodFailurePolicy, PodFailureRule, SuccessPolicy, TemplateFacts};
use jobwright_core::{CompletionMode, JobSpec, PodReplacementPolicy, RestartPolicy, Selector};

use super::ReadError;
use crate::at::At;

/// Reads `spec` (OBJ-2).
pub(super) fn job_spec(spec: &At<'_>) -> Result<JobSpec, ReadError> {
    let completion_mode = match spec.get("completionMode").read_str()? {
        None | Some("NonIndexed") => CompletionMode::NonIndexed,
        Some("Indexed") => CompletionMode::Indexed,
        Some(_) => CompletionMode::Unknown,
    };
    let pod_replacement_policy = match spec.get("podReplacementPolicy").read_str()? {
        Some("Failed") => Some(PodReplacementPolicy::Failed),
        Some("TerminatingOrFailed") => Some(PodReplacementPolicy::TerminatingOrFailed),
        _ => None,
    };
    Ok(JobSpec {
        parallelism: spec.get("parallelism").read_i32()?,
        completions: spec.get("completions").read_i32()?,
        active_deadline_seconds: spec.get("activeDeadlineSeconds").read_i64()?,
        backoff_limit: spec.get("backoffLimit").read_i32()?,
        backoff_limit_per_index: spec.get("backoffLimitPerIndex").read_i32()?,
        max_failed_indexes: spec.get("maxFailedIndexes").read_i32()?,
        selector: selector(&spec.get("selector"))?,
        manual_selector: spec.get("manualSelector").read_bool()?.unwrap_or_default(),
        completion_mode,
        suspend: spec.get("suspend").read_bool()?.unwrap_or_default(),
        pod_replacement_policy,
        pod_failure_policy: pod_failure_policy(&spec.get("podFailurePolicy"))?,
        success_policy: success_policy(&spec.get("successPolicy"))?,
        managed_by: spec.get("managedBy").read_str()?.map(Arc::from),
        ttl_seconds_after_finished: spec.get("ttlSecondsAfterFinished").read_i32()?,
        template: template(&spec.get("template"), completion_mode)?,
    })
}

/// Facts of the template. Pods of an Indexed Job always have a label: that of their index (IDX-21).
fn template(template: &At<'_>, mode: CompletionMode) -> Result<TemplateFacts, ReadError> {
    let restart_policy = match template.get("spec").get("restartPolicy").read_str()? {
        Some("OnFailure") => RestartPolicy::OnFailure,
        _ => RestartPolicy::Never,
    };
    let has_own = template.get("metadata").get("labels").map().is_some_and(|labels| !labels.is_empty());
    Ok(TemplateFacts { restart_policy, has_labels: has_own || mode == CompletionMode::Indexed })
}

/// Reads a label selector; an absent one matches nothing.
pub(crate) fn selector(selector: &At<'_>) -> Result<Selector, ReadError> {
    if !selector.is_set() {
        return Ok(Selector { rules: None });
    }
    let mut rules = Vec::new();
    for (key, value) in selector.get("matchLabels").members() {
        rules.push(Requirement::Equals(key.clone(), value.read_str()?.unwrap_or_default().to_owned()));
    }
    for rule in selector.get("matchExpressions").items() {
        let key = rule.get("key").read_str()?.unwrap_or_default().to_owned();
        let mut values = Vec::new();
        for value in rule.get("values").items() {
            values.push(value.read_str()?.unwrap_or_default().to_owned());
        }
        rules.push(match rule.get("operator").read_str()?.unwrap_or_default() {
            "In" => Requirement::In(key, values),
            "NotIn" => Requirement::NotIn(key, values),
            "Exists" => Requirement::Exists(key),
            "DoesNotExist" => Requirement::DoesNotExist(key),
            _ => {
                let expected = "In, NotIn, Exists or DoesNotExist";
                return Err(ReadError { field: rule.get("operator").path(), expected });
            }
        });
    }
    Ok(Selector { rules: Some(rules) })
}

/// Reads `podFailurePolicy` (OBJ-3).
fn pod_failure_policy(policy: &At<'_>) -> Result<Option<PodFailurePolicy>, ReadError> {
    if !policy.is_set() {
        return Ok(None);
    }
    let mut rules = Vec::new();
    for rule in policy.get("rules").items() {
        let action = match rule.get("action").read_str()? {
            Some("FailJob") => Some(FailureAction::FailJob),
            Some("FailIndex") => Some(FailureAction::FailIndex),
            Some("Ignore") => Some(FailureAction::Ignore),
            Some("Count") => Some(FailureAction::Count),
            _ => None,
        };
        let mut on_pod_conditions = Vec::new();
        for pattern in rule.get("onPodConditions").items() {
            let text = |name| pattern.get(name).read_str().map(|text| text.unwrap_or_default().to_owned());
            on_pod_conditions.push((text("type")?, text("status")?));
        }
        let on_exit_codes = exit_codes(&rule.get("onExitCodes"))?;
        rules.push(PodFailureRule { action, on_exit_codes, on_pod_conditions });
    }
    Ok(Some(PodFailurePolicy { rules }))
}

fn exit_codes(codes: &At<'_>) -> Result<Option<ExitCodes>, ReadError> {
    if !codes.is_set() {
        return Ok(None);
    }
    let is_in = match codes.get("operator").read_str()? {
        Some("In") => Some(true),
        Some("NotIn") => Some(false),
        _ => None,
    };
    let mut values = Vec::new();
    for value in codes.get("values").items() {
        values.push(value.read_i32()?.unwrap_or_default());
    }
    let container_name = codes.get("containerName").read_str()?.map(str::to_owned);
    Ok(Some(ExitCodes { container_name, is_in, values }))
}

/// Reads `successPolicy` (OBJ-4).
fn success_policy(policy: &At<'_>) -> Result<Option<SuccessPolicy>, ReadError> {
    if !policy.is_set() {
        return Ok(None);
    }
    let mut rules = Vec::new();
    for rule in policy.get("rules").items() {
        let indexes = rule.get("succeededIndexes").read_str()?.map(str::to_owned);
        rules.push((indexes, rule.get("succeededCount").read_i32()?));
    }
    Ok(Some(SuccessPolicy { rules }))
}

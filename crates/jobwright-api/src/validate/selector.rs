//! The selector and the labels that it must fit.
//!
//! Invariant: what breaks a rule of selectors is compared with nothing.

use jobwright_core::Selector;
use serde_json::Value;

use super::{ErrorKind, FieldError, pod_template};
use crate::at::At;
use crate::{names, read};

/// The generated labels and selector (VAL-10 to VAL-13).
pub(super) fn generated(job: &At<'_>, errors: &mut Vec<FieldError>) {
    let (metadata, spec) = (job.get("metadata"), job.get("spec"));
    if spec.get("manualSelector").is_true() || !spec.get("selector").is_set() {
        return;
    }
    let uid = metadata.get("uid").str().unwrap_or_default().to_owned();
    let name = metadata.get("name").str().unwrap_or_default().to_owned();
    if uid.is_empty() {
        errors.push(required(metadata.get("uid").path(), String::new()));
    }
    let wanted = [
        (names::LEGACY_CONTROLLER_UID, &uid),
        (names::LEGACY_JOB_NAME, &name),
        (names::CONTROLLER_UID, &uid),
        (names::JOB_NAME, &name),
    ];
    let (template, field) = (spec.get("template"), "spec.template.metadata.labels");
    let template_metadata = template.get("metadata");
    let labels = template_metadata.get("labels");
    for (key, value) in wanted {
        let field = format!("{field}[{key}]");
        let detail = format!("must be '{value}'");
        match labels.get(key).str() {
            None => errors.push(required(field, detail)),
            Some(is) if is != value => errors.push(FieldError::invalid(field, labels.value(), detail)),
            Some(_) => {}
        }
    }
    let expected = wanted.iter().map(|(key, value)| ((*key).into(), (*value).clone())).collect();
    let selector = spec.get("selector");
    let mut unreadable = Vec::new();
    pod_template::label_selector(&selector, &mut unreadable);
    if unreadable.is_empty() && !selector_of(&spec).matches(&expected) {
        let message = "`selector` not auto-generated";
        errors.push(FieldError::invalid(selector.path(), selector.value(), message));
    }
}

/// VAL-83, VAL-85
pub(super) fn matches(spec: &At<'_>, errors: &mut Vec<FieldError>) {
    let before = errors.len();
    pod_template::label_selector(&spec.get("selector"), errors);
    if errors.len() > before {
        return;
    }
    if !spec.get("selector").is_set() {
        errors.push(required(spec.get("selector").path(), String::new()));
    }
    let template = spec.get("template");
    let metadata = template.get("metadata");
    let labels = metadata.get("labels");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let pairs = labels.map().into_iter().flatten().map(|(key, value)| (key.clone().into(), text(value))).collect();
    if !selector_of(spec).matches(&pairs) {
        let message = "`selector` does not match template `labels`";
        errors.push(FieldError::invalid("spec.template.metadata.labels", labels.value(), message));
    }
}

fn selector_of(spec: &At<'_>) -> Selector {
    read::selector(&spec.get("selector")).unwrap_or_default()
}

fn required(field: String, detail: String) -> FieldError {
    FieldError { kind: ErrorKind::Required, field, value: None, detail }
}

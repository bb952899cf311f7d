//! Names and labels of the Job itself.
//!
//! Invariant: an absent name is judged as the empty one (VAL-5).

use serde_json::Value;

use super::{ErrorKind, FieldError};
use crate::at::At;
use crate::syntax;

/// VAL-5
pub(super) fn check(job: &At<'_>) -> Vec<FieldError> {
    let metadata = job.get("metadata");
    let (name, generate) = (metadata.get("name"), metadata.get("generateName"));
    let mut errors = Vec::new();
    let is_empty = |at: &At<'_>| at.str().is_none_or(str::is_empty);
    if let Some(text) = generate.str().filter(|text| !text.is_empty()) {
        // As a prefix it may end in a dash.
        let prefix = text.strip_suffix('-').filter(|prefix| !prefix.is_empty()).map(|prefix| format!("{prefix}a"));
        let messages = syntax::dns_subdomain(prefix.as_deref().unwrap_or(text));
        errors.extend(messages.into_iter().map(|m| FieldError::invalid(generate.path(), generate.value(), m)));
    }
    match name.str().filter(|name| !name.is_empty()) {
        Some(text) => {
            let messages = syntax::dns_subdomain(text);
            errors.extend(messages.into_iter().map(|m| FieldError::invalid(name.path(), name.value(), m)));
        }
        None if is_empty(&generate) => errors.push(FieldError {
            kind: ErrorKind::Required,
            field: name.path(),
            value: None,
            detail: "name or generateName is required".to_owned(),
        }),
        None => {}
    }
    labels(&metadata.get("labels"), &metadata.get("labels").path(), &mut errors);
    annotations(&metadata.get("annotations"), &metadata.get("annotations").path(), &mut errors);
    finalizers(&metadata.get("finalizers"), &mut errors);
    errors
}

/// Keys and values of labels, reported at `field`.
pub(super) fn labels(labels: &At<'_>, field: &str, errors: &mut Vec<FieldError>) {
    for (key, value) in labels.members() {
        let printed = Value::String(key.clone());
        errors.extend(syntax::qualified_name(key).into_iter().map(|m| FieldError::invalid(field, Some(&printed), m)));
        let messages = syntax::label_value(value.str().unwrap_or_default());
        errors.extend(messages.into_iter().map(|m| FieldError::invalid(field, value.value(), m)));
    }
}

/// Keys of annotations, reported at `field`; they are judged in lower case.
pub(super) fn annotations(annotations: &At<'_>, field: &str, errors: &mut Vec<FieldError>) {
    for (key, _) in annotations.members() {
        let printed = Value::String(key.clone());
        let messages = syntax::qualified_name(&key.to_ascii_lowercase());
        errors.extend(messages.into_iter().map(|m| FieldError::invalid(field, Some(&printed), m)));
    }
}

/// Finalizers are qualified names with a domain, or one of three old ones.
fn finalizers(finalizers: &At<'_>, errors: &mut Vec<FieldError>) {
    const STANDARD: [&str; 3] = ["orphan", "foregroundDeletion", "kubernetes"];
    for item in finalizers.items() {
        let name = item.str().unwrap_or_default();
        let messages = syntax::qualified_name(name);
        errors.extend(messages.into_iter().map(|m| FieldError::invalid(finalizers.path(), item.value(), m)));
        if !name.contains('/') && !STANDARD.contains(&name) {
            let message = "name is neither a standard finalizer name nor is it fully qualified";
            errors.push(FieldError::invalid(item.path(), item.value(), message));
        }
    }
}

/// VAL-86: the pods of an Indexed Job have host names made from its name.
pub(super) fn index_name(job: &At<'_>, errors: &mut Vec<FieldError>) {
    let spec = job.get("spec");
    let completions = spec.get("completions").int().unwrap_or(0);
    if spec.get("completionMode").str() != Some("Indexed") || completions <= 0 {
        return;
    }
    let metadata = job.get("metadata");
    let name = metadata.get("name");
    let host = format!("{}-{}", name.str().unwrap_or_default(), completions - 1);
    if !syntax::dns_label(&host).is_empty() {
        let message = format!("will not able to create pod with invalid DNS label: {host}");
        let printed = Value::from(name.str().unwrap_or_default());
        errors.push(FieldError::invalid(name.path(), Some(&printed), message));
    }
}

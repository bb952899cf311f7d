//! Names and labels of the Job itself.
//!
//! Invariant: an absent name is judged as the empty one (VAL-5).

use serde_json::Value;

use super::error::print;
use super::spec::required;
use super::{ErrorKind, FieldError};
use crate::at::At;
use crate::places::Places;
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
    let namespace = metadata.get("namespace");
    if let Some(text) = namespace.str() {
        let messages = syntax::dns_label(text);
        errors.extend(messages.into_iter().map(|m| FieldError::invalid(namespace.path(), namespace.value(), m)));
    }
    labels(&metadata.get("labels"), &metadata.get("labels").path(), &mut errors);
    annotations(&metadata.get("annotations"), &metadata.get("annotations").path(), &mut errors);
    owners(&metadata.get("ownerReferences"), &mut errors);
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
    size(annotations, field, errors);
}

/// Annotations may have so many bytes together, keys and values.
const ANNOTATIONS_MAX: usize = 256 * 1024;

/// The size of annotations, reported at `field`.
pub(super) fn size(annotations: &At<'_>, field: &str, errors: &mut Vec<FieldError>) {
    let mut bytes = 0;
    for (key, value) in annotations.members() {
        bytes += key.len() + value.str().map_or(0, str::len);
    }
    if bytes > ANNOTATIONS_MAX {
        let detail = "may not be more than 262144 bytes".to_owned();
        errors.push(FieldError { kind: ErrorKind::TooLong, field: field.to_owned(), value: None, detail });
    }
}

/// Finalizers are qualified names with a domain, or one of three old ones.
fn finalizers(finalizers: &At<'_>, errors: &mut Vec<FieldError>) {
    const STANDARD: [&str; 3] = ["orphan", "foregroundDeletion", "kubernetes"];
    let mut of_deletion = Places::default();
    for item in finalizers.items() {
        let name = item.str().unwrap_or_default();
        if STANDARD[..2].contains(&name) {
            of_deletion.is_new(name);
        }
        let messages = syntax::qualified_name(name);
        errors.extend(messages.into_iter().map(|m| FieldError::invalid(finalizers.path(), item.value(), m)));
    }
    if STANDARD[..2].iter().all(|name| of_deletion.get(name).is_some()) {
        let message = "finalizer orphan and foregroundDeletion cannot be both set";
        errors.push(FieldError::invalid(finalizers.path(), finalizers.value(), message));
    }
    for item in finalizers.items() {
        let name = item.str().unwrap_or_default();
        if !name.contains('/') && !STANDARD.contains(&name) {
            let message = "name is neither a standard finalizer name nor is it fully qualified";
            errors.push(FieldError::invalid(item.path(), item.value(), message));
        }
    }
}

/// Owners have names, and at most one of them is the controller.
fn owners(list: &At<'_>, errors: &mut Vec<FieldError>) {
    let mut first = String::new();
    for item in list.items() {
        let of = |name| item.get(name).str().unwrap_or_default();
        let (version, kind, name) = (of("apiVersion"), of("kind"), of("name"));
        for field in ["apiVersion", "kind", "name", "uid"] {
            let at = item.get(field);
            if of(field).is_empty() {
                errors.push(required(&at, "must not be empty"));
            } else if field == "apiVersion"
                && (version == "/" || version.ends_with('/') || version.matches('/').count() > 1)
            {
                errors.push(FieldError::invalid(at.path(), at.value(), "must be <group>/<version> or <version>"));
            }
        }
        if (version, kind) == ("v1", "Event") {
            let message = "/v1, Kind=Event is disallowed from being an owner";
            errors.push(FieldError::invalid(item.path(), item.value(), message));
        }
        if item.get("controller").is_true() {
            let this = [kind, "/", name].concat();
            if first.is_empty() {
                first = this;
            } else {
                let head = "Only one reference can have Controller set to true. Found \"true\" in references for ";
                let printed = list.items().map(|item| printed(&item)).collect::<Vec<_>>().join(",");
                errors.push(FieldError {
                    kind: ErrorKind::Invalid,
                    field: list.path(),
                    value: Some(["[", &printed, "]"].concat()),
                    detail: [head, &first, " and ", &this].concat(),
                });
            }
        }
    }
}

/// An owner in one form, for comparing.
pub(crate) fn owner(value: &Value) -> String {
    printed(&At::root(value))
}

/// An owner as an error about the list of them shows it.
fn printed(owner: &At<'_>) -> String {
    let mut text = String::new();
    let names = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
    let at_least = &names[..4];
    for name in names {
        let at = owner.get(name);
        let Some(value) = at.value().map(print).or((at_least.contains(&name)).then(|| "\"\"".to_owned())) else {
            continue;
        };
        text.push_str(if text.is_empty() { "{" } else { "," });
        text.push_str(&["\"", name, "\":", &value].concat());
    }
    text.push('}');
    text
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

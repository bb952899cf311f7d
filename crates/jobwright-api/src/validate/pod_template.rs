//! The pod template, as far as every Job has to do with it: labels, containers, restart policy.
//!
//! Invariant: rules of the pod template come before those that a Job adds to them (VAL-81).

use super::error::print;
use super::spec::not_supported;
use super::{ErrorKind, FieldError, metadata};
use crate::at::At;
use crate::places::Places;
use crate::syntax;

/// VAL-78 in part, VAL-80 to VAL-82.
pub(super) fn check(spec: &At<'_>, errors: &mut Vec<FieldError>) {
    let template = spec.get("template");
    let own = template.get("metadata");
    metadata::labels(&own.get("labels"), "spec.template.labels", errors);
    metadata::annotations(&own.get("annotations"), "spec.template.annotations", errors);
    let pod = template.get("spec");
    containers(&pod, errors);
    let restart = pod.get("restartPolicy");
    let text = restart.str().unwrap_or_default();
    if !matches!(text, "" | "Always" | "OnFailure" | "Never") {
        errors.push(not_supported(&restart, &["Always", "OnFailure", "Never"]));
    }
    if pod.get("ephemeralContainers").items().len() > 0 {
        let detail = "ephemeral containers not allowed in pod template";
        errors.push(error(ErrorKind::Forbidden, &pod.get("ephemeralContainers"), detail));
    }
    match text {
        "" | "Always" => errors.push(error(ErrorKind::Required, &restart, "valid values: \"OnFailure\", \"Never\"")),
        "OnFailure" if spec.get("podFailurePolicy").is_set() => {
            let detail = "only \"Never\" is supported when podFailurePolicy is specified";
            errors.push(FieldError::invalid(restart.path(), restart.value(), detail));
        }
        "OnFailure" | "Never" => {}
        _ => errors.push(not_supported(&restart, &["OnFailure", "Never"])),
    }
}

/// Containers need a name of their own and an image.
fn containers(pod: &At<'_>, errors: &mut Vec<FieldError>) {
    let (containers, init) = (pod.get("containers"), pod.get("initContainers"));
    let mut names = Places::default();
    if containers.items().len() == 0 {
        errors.push(error(ErrorKind::Required, &containers, ""));
    }
    for list in [&containers, &init] {
        for container in list.items() {
            let name = container.get("name");
            let text = name.str().unwrap_or_default();
            if text.is_empty() {
                errors.push(error(ErrorKind::Required, &name, ""));
            } else {
                let messages = syntax::dns_label(text);
                errors.extend(messages.into_iter().map(|m| FieldError::invalid(name.path(), name.value(), m)));
                if !names.is_new(text) {
                    let value = name.value().map(print);
                    errors.push(FieldError { value, ..error(ErrorKind::Duplicate, &name, "") });
                }
            }
            if container.get("image").str().is_none_or(str::is_empty) {
                errors.push(error(ErrorKind::Required, &container.get("image"), ""));
            }
        }
    }
}

fn error(kind: ErrorKind, field: &At<'_>, detail: &str) -> FieldError {
    FieldError { kind, field: field.path(), value: None, detail: detail.to_owned() }
}

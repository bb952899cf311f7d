//! Environment variables and where their values come from.
//!
//! Invariant: a source is judged before their number is.

use super::forms::Form;
use super::walk::{Check, Checker, Rows, text};
use crate::at::At;
use crate::quantity::Quantity;

/// Fields that a variable can show.
const FIELDS: &[&str] = &[
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];
/// Fields that a file of a volume can show.
pub(super) const FIELDS_OF_VOLUMES: &[&str] =
    &["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];
/// Fields that exist and that neither can show.
const OTHER_FIELDS: &[&str] = &["spec.restartPolicy", "spec.schedulerName", "status.phase"];
const RESOURCES: &[&str] = &[
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
];

/// What a resource of bytes can be divided by, without the 1 before it.
const UNITS: &[&str] = &["", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const SHOWN_UNITS: &str = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

pub(super) const ENV: Rows = &[("name", Check::Name(Form::EnvName)), ("", Check::By(value_from))];
const ENV_FROM: Rows = &[
    ("prefix", Check::Form(Form::EnvName)),
    ("configMapRef", Check::Object(&[("name", Check::Name(Form::SubdomainPrefix))])),
    ("secretRef", Check::Object(&[("name", Check::Name(Form::SubdomainPrefix))])),
];
const KEY_REF: Rows = &[("name", Check::Always(Form::Subdomain)), ("key", Check::Name(Form::ConfigKey))];
const SOURCES: Rows = &[
    ("fieldRef", Check::By(|checker, at| field_ref(checker, at, FIELDS))),
    ("resourceFieldRef", Check::By(|checker, at| resource_ref(checker, at, false))),
    ("configMapKeyRef", Check::Object(KEY_REF)),
    ("secretKeyRef", Check::Object(KEY_REF)),
    (
        "fileKeyRef",
        Check::Object(&[
            ("key", Check::Name(Form::EnvName)),
            ("volumeName", Check::Name(Form::Label)),
            ("path", Check::Name(Form::NoBacksteps)),
        ]),
    ),
];

fn value_from(checker: &mut Checker<'_>, variable: &At<'_>) {
    let from = variable.get("valueFrom");
    if !from.is_set() {
        return;
    }
    checker.walk(&from, SOURCES);
    let count = SOURCES.iter().filter(|(name, _)| from.get(name).is_set()).count();
    let detail = match (count, text(&variable.get("value")).is_empty()) {
        (0, _) => {
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        }
        (_, false) => "may not be specified when `value` is not empty",
        (1, true) => return,
        _ => "may not have more than one field specified at a time",
    };
    checker.invalid_text(&from, "", detail);
}

/// Sources of many variables: the errors about their number are reported at the list.
pub(super) fn env_from(checker: &mut Checker<'_>, list: &At<'_>) {
    for source in list.items() {
        checker.walk(&source, ENV_FROM);
        let detail = match (source.get("configMapRef").is_set(), source.get("secretRef").is_set()) {
            (false, false) => "must specify one of: `configMapRef` or `secretRef`",
            (true, true) => "may not have more than one field specified at a time",
            _ => continue,
        };
        checker.invalid_text(list, "", detail);
    }
}

/// A field of the pod, one of `known` or a label or an annotation by its key.
pub(super) fn field_ref(checker: &mut Checker<'_>, at: &At<'_>, known: &[&str]) {
    let (version, path) = (at.get("apiVersion"), at.get("fieldPath"));
    let (version, name) = (text(&version), text(&path));
    if !at.is_set() {
        return;
    }
    if name.is_empty() {
        checker.required(&path, "");
        return;
    }
    let subscript = name.strip_suffix("']").and_then(|name| name.split_once("['")).filter(|(of, _)| !of.is_empty());
    let converts = |name: &str| {
        [FIELDS, FIELDS_OF_VOLUMES, OTHER_FIELDS].iter().any(|list| list.contains(&name)) || name == "spec.host"
    };
    let problem = match subscript {
        _ if !matches!(version, "" | "v1") => ["unsupported pod version: ", version],
        Some(("metadata.annotations", key)) => {
            return checker.form(at, Form::Qualified, &key.to_ascii_lowercase());
        }
        Some(("metadata.labels", key)) => return checker.form(at, Form::Qualified, key),
        Some(_) => ["field label does not support subscript: ", name],
        None if !converts(name) => ["field label not supported: ", name],
        None => {
            let name = if name == "spec.host" { "spec.nodeName" } else { name };
            if !known.contains(&name) {
                checker.not_supported(&path, name, known);
            }
            return;
        }
    };
    checker.invalid(&path, &["error converting fieldPath: ", &problem.concat()].concat());
}

/// A resource of a container.
pub(super) fn resource_ref(checker: &mut Checker<'_>, at: &At<'_>, is_volume: bool) {
    if !at.is_set() {
        return;
    }
    let (container, resource) = (at.get("containerName"), at.get("resource"));
    let name = text(&resource);
    let of = name.split_once('.').map_or("", |(_, of)| of);
    let is_huge = name.starts_with("requests.hugepages-") || name.starts_with("limits.hugepages-");
    if is_volume && text(&container).is_empty() {
        checker.required(&container, "");
    } else if name.is_empty() {
        checker.required(&resource, "");
    } else if !RESOURCES.contains(&name) && !is_huge {
        checker.not_supported(&resource, name, RESOURCES);
    }
    let divisor = at.get("divisor");
    let quantity = Quantity::of(divisor.value());
    if quantity.size() == 0 || !(RESOURCES.contains(&name) || is_huge) {
        return;
    }
    let printed = quantity.shown(divisor.value());
    let unit = printed.strip_prefix('1');
    let (units, called) = match of {
        "cpu" => ("1m and 1", "cpu"),
        "memory" => (SHOWN_UNITS, "memory"),
        "ephemeral-storage" => (SHOWN_UNITS, "local ephemeral storage"),
        _ => (SHOWN_UNITS, "hugepages"),
    };
    let fits = unit.is_some_and(|unit| if of == "cpu" { matches!(unit, "" | "m") } else { UNITS.contains(&unit) });
    if !fits {
        let detail = ["only divisor's values ", units, " are supported with the ", called, " resource"].concat();
        checker.invalid_text(&divisor, name, &detail);
    }
}

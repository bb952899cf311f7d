//! Claims that are made for a volume.
//!
//! Invariant: a template has labels and annotations and nothing else of an object's metadata.

use super::forms::Form;
use super::scheduling::label_selector;
use super::walk::{Check, Checker, REQUIRED, Rows, text};
use crate::at::At;
use crate::quantity::Quantity;
use crate::validate::{ErrorKind, metadata};

pub(super) const CLAIM: Rows =
    &[("", Check::By(of_metadata)), ("spec", Check::By(|checker, at| checker.walk(at, SPEC)))];
const SPEC: Rows = &[
    ("accessModes", Check::Required("at least 1 access mode is required")),
    ("selector", Check::By(label_selector)),
    ("accessModes", Check::By(access_modes)),
    ("resources", Check::By(storage)),
    ("storageClassName", Check::Form(Form::Subdomain)),
    ("volumeMode", Check::OneOf(&["Block", "Filesystem"])),
    ("dataSource", Check::Object(SOURCE)),
    ("dataSourceRef", Check::Object(SOURCE)),
    ("dataSourceRef", Check::Object(&[("namespace", Check::Form(Form::Label))])),
    ("", Check::By(both_sources)),
    ("volumeAttributesClassName", Check::Form(Form::Subdomain)),
];
const SOURCE: Rows = &[
    ("name", REQUIRED),
    ("kind", REQUIRED),
    ("", Check::By(of_own_group)),
    ("apiGroup", Check::Form(Form::Subdomain)),
];
const ACCESS_MODES: &[&str] = &["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
/// Fields, and how an error shows them.
const NOT_IN_TEMPLATES: &[(&str, &str)] = &[
    ("name", "name"),
    ("generateName", "generateName"),
    ("namespace", "namespace"),
    ("selfLink", "selfLink"),
    ("uid", "uID"),
    ("resourceVersion", "resourceVersion"),
    ("generation", "generation"),
    ("creationTimestamp", "creationTimestamp"),
    ("deletionTimestamp", "deletionTimestamp"),
    ("deletionGracePeriodSeconds", "deletionGracePeriodSeconds"),
    ("ownerReferences", "ownerReferences"),
    ("finalizers", "finalizers"),
    ("managedFields", "managedFields"),
];

fn of_metadata(checker: &mut Checker<'_>, template: &At<'_>) {
    let own = template.get("metadata");
    let (labels, annotations) = (own.get("labels"), own.get("annotations"));
    metadata::annotations(&annotations, &annotations.path(), checker.errors);
    metadata::labels(&labels, &labels.path(), checker.errors);
    for (field, shown) in NOT_IN_TEMPLATES {
        let at = own.get(field);
        let is_zero = at.str() == Some("") || *field == "generation" && at.int() == Some(0);
        if at.is_set() && !is_zero {
            checker.forbidden(&own.get(shown), "cannot be set");
        }
    }
}

fn access_modes(checker: &mut Checker<'_>, modes: &At<'_>) {
    let (mut alone, mut others) = (false, false);
    for mode in modes.items() {
        let mode = text(&mode);
        if !ACCESS_MODES.contains(&mode) {
            checker.not_supported(modes, mode, ACCESS_MODES);
        } else if mode == "ReadWriteOncePod" {
            alone = true;
        } else {
            others = true;
        }
    }
    if alone && others {
        checker.forbidden(modes, "may not use ReadWriteOncePod with other access modes");
    }
}

fn storage(checker: &mut Checker<'_>, resources: &At<'_>) {
    let requests = resources.get("requests");
    let (wanted, shown) = (requests.get("storage"), resources.key("storage"));
    let quantity = Quantity::of(wanted.value()).rounded();
    if !wanted.is_set() {
        checker.required(&shown, "");
    } else if quantity.is_negative() || quantity.size() == 0 {
        checker.invalid_text(&shown, &quantity.shown(wanted.value()), "must be greater than zero");
    }
}

/// Only claims are in the group without a name.
fn of_own_group(checker: &mut Checker<'_>, source: &At<'_>) {
    let kind = source.get("kind");
    if text(&source.get("apiGroup")).is_empty() && text(&kind) != "PersistentVolumeClaim" {
        let detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
        checker.invalid_text(source, text(&kind), detail);
    }
}

fn both_sources(checker: &mut Checker<'_>, spec: &At<'_>) {
    let (old, new) = (spec.get("dataSource"), spec.get("dataSourceRef"));
    if !old.is_set() || !new.is_set() {
        return;
    }
    let is_same = |field| old.get(field).str() == new.get(field).str();
    let detail = if !text(&new.get("namespace")).is_empty() {
        "may not be specified when dataSourceRef.namespace is specified"
    } else if !(is_same("apiGroup")
        && text(&old.get("kind")) == text(&new.get("kind"))
        && text(&old.get("name")) == text(&new.get("name")))
    {
        "must match dataSourceRef"
    } else {
        return;
    };
    checker.add(ErrorKind::Invalid, spec, Some("{...}".to_owned()), detail);
}

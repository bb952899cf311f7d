//! Annotations that say what fields say today: profiles of seccomp and `AppArmor`, mirror pods, the cost of a deletion.
//!
//! Invariant: an annotation and its field must agree; entries come by name.

use super::LISTS;
use super::forms::Form;
use super::walk::{Checker, text};
use crate::at::At;
use crate::validate::error::quote;

pub(super) const SECCOMP_OF_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
pub(super) const SECCOMP_OF_CONTAINER: &str = "container.seccomp.security.alpha.kubernetes.io/";
pub(super) const APP_ARMOR_OF_CONTAINER: &str = "container.apparmor.security.beta.kubernetes.io/";
const LOCAL: &str = "localhost/";

/// Each for itself, before the pod is judged.
pub(super) fn check(checker: &mut Checker<'_>, annotations: &At<'_>) {
    let pod = checker.pod;
    let mirror = annotations.key("kubernetes.io/config.mirror");
    if mirror.is_set() && text(&pod.get("nodeName")).is_empty() {
        checker.invalid(&mirror, "must set spec.nodeName if mirror pod annotation is set");
    }
    deletion_cost(checker, annotations);
    seccomp(checker, &annotations.get(SECCOMP_OF_POD));
    for (name, _) in annotations.members().filter(|(name, _)| name.starts_with(SECCOMP_OF_CONTAINER)) {
        seccomp(checker, &annotations.get(name));
    }
    for (name, value) in annotations.members() {
        let Some(container) = name.strip_prefix(APP_ARMOR_OF_CONTAINER) else { continue };
        let at = annotations.key(name);
        let has_it = |list| pod.get(list).items().any(|item| text(&item.get("name")) == container);
        if !LISTS.into_iter().any(has_it) {
            checker.invalid_text(&at, container, "container not found");
        }
        let profile = text(&value);
        if !matches!(profile, "" | "runtime/default" | "unconfined") && !profile.starts_with(LOCAL) {
            checker.invalid(&at, &["invalid AppArmor profile name: ", &quote(profile)].concat());
        }
    }
}

fn deletion_cost(checker: &mut Checker<'_>, annotations: &At<'_>) {
    let cost = annotations.key("controller.kubernetes.io/pod-deletion-cost");
    let Some(value) = cost.str() else { return };
    let is_plain = value == "0" || !value.starts_with(['0', '+']);
    if !is_plain || value.parse::<i32>().is_err() {
        checker.invalid(&cost, "must be a 32bit integer");
    }
}

fn seccomp(checker: &mut Checker<'_>, at: &At<'_>) {
    match at.str() {
        None | Some("runtime/default" | "docker/default" | "unconfined") => {}
        Some(profile) => match profile.strip_prefix(LOCAL) {
            Some(file) => checker.form(at, Form::Relative, file),
            None => checker.invalid(at, "must be a valid seccomp profile"),
        },
    }
}

/// Against the fields, after the pod is judged.
pub(super) fn agree(checker: &mut Checker<'_>, annotations: &At<'_>) {
    let pod = checker.pod;
    let (of_pod, os) = (pod.get("securityContext"), pod.get("os"));
    let profile = of_pod.get("seccompProfile");
    same(checker, &annotations.key(SECCOMP_OF_POD), &profile, &profile, "seccomp");
    for is_seccomp in [true, false] {
        if !is_seccomp && os.get("name").str() == Some("windows") {
            continue;
        }
        let (field, prefix, kind) = if is_seccomp {
            ("seccompProfile", SECCOMP_OF_CONTAINER, "seccomp")
        } else {
            ("appArmorProfile", APP_ARMOR_OF_CONTAINER, "apparmor")
        };
        for list in LISTS {
            for container in pod.get(list).items() {
                let context = container.get("securityContext");
                let (name, own) = (container.get("name"), context.get(field));
                let counts = if is_seccomp || own.is_set() { own } else { of_pod.get(field) };
                let key = [prefix, text(&name)].concat();
                same(checker, &annotations.key(&key), &own, &counts, kind);
            }
        }
    }
}

/// Whether the annotation says what the profile says; reported at a field.
fn same(checker: &mut Checker<'_>, annotation: &At<'_>, shown: &At<'_>, profile: &At<'_>, kind: &str) {
    let Some(says) = annotation.str().filter(|_| profile.is_set()) else { return };
    let (part, word) = match text(&profile.get("type")) {
        "Unconfined" if says != "unconfined" => ("type", " type"),
        "RuntimeDefault" if says != "runtime/default" && (kind != "seccomp" || says != "docker/default") => {
            ("type", " type")
        }
        "Localhost" => match says.strip_prefix(LOCAL) {
            None => ("type", " type"),
            Some(file) if profile.get("localhostProfile").str() != Some(file) => ("localhostProfile", " profile"),
            Some(_) => return,
        },
        _ => return,
    };
    checker.forbidden(&shown.get(part), &[kind, word, " in annotation and field must match"].concat());
}

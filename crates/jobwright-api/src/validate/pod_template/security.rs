//! Security contexts of the pod and of containers.
//!
//! Invariant: whether privileged containers are allowed is a setting of the API server; here they are.

use super::forms::{Form, messages};
use super::walk::{Check, Checker, REQUIRED, Rows, text};
use super::windows::OPTIONS;
use crate::at::At;
use crate::places::Places;
use crate::validate::ErrorKind;

const ID: Check = Check::Int(0, 2_147_483_647, "must be between 0 and 2147483647, inclusive");
const PROFILES: &[&str] = &["Localhost", "RuntimeDefault", "Unconfined"];
/// A profile for `AppArmor` may have this many bytes.
const PROFILE_MAX: usize = 4095;

pub(super) const OF_POD: Rows = &[
    ("fsGroup", ID),
    ("runAsUser", ID),
    ("runAsGroup", ID),
    ("supplementalGroups", Check::Each(&[("", ID)])),
    ("sysctls", Check::By(sysctls)),
    ("fsGroupChangePolicy", Check::OneOf(&["Always", "OnRootMismatch"])),
    ("seccompProfile", SECCOMP),
    ("windowsOptions", Check::Object(OPTIONS)),
    ("appArmorProfile", Check::By(app_armor)),
    ("supplementalGroupsPolicy", Check::OneOf(&["Merge", "Strict"])),
    ("seLinuxChangePolicy", Check::OneOf(&["MountOption", "Recursive"])),
];
const SECCOMP: Check = Check::Object(&[
    ("type", Check::Required("type is required when seccompProfile is set")),
    ("type", Check::Known(PROFILES)),
    ("", Check::By(seccomp_file)),
]);
const OF_CONTAINER: Rows = &[
    ("runAsUser", ID),
    ("runAsGroup", ID),
    ("procMount", Check::OneOf(&["Default", "Unmasked"])),
    ("procMount", Check::By(unmasked)),
    ("seccompProfile", SECCOMP),
    ("", Check::By(escalation)),
    ("windowsOptions", Check::Object(OPTIONS)),
    ("appArmorProfile", Check::By(app_armor)),
];
const SYSCTL: &str = "must have at most 253 characters and match regex \
     ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

pub(super) fn of_container(checker: &mut Checker<'_>, context: &At<'_>) {
    checker.walk(context, OF_CONTAINER);
}

fn unmasked(checker: &mut Checker<'_>, mount: &At<'_>) {
    let pod = checker.pod;
    if mount.str() == Some("Unmasked") && pod.get("hostUsers").value() != Some(&serde_json::Value::Bool(false)) {
        checker.invalid(mount, "`hostUsers` must be false to use `Unmasked`");
    }
}

fn escalation(checker: &mut Checker<'_>, context: &At<'_>) {
    if context.get("allowPrivilegeEscalation").value() != Some(&serde_json::Value::Bool(false)) {
        return;
    }
    if context.get("privileged").is_true() {
        checker.invalid(context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
    }
    let capabilities = context.get("capabilities");
    for _ in capabilities.get("add").items().filter(|name| name.str() == Some("CAP_SYS_ADMIN")) {
        let detail = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
        checker.invalid(context, detail);
    }
}

fn seccomp_file(checker: &mut Checker<'_>, profile: &At<'_>) {
    let file = profile.get("localhostProfile");
    match (profile.get("type").str() == Some("Localhost"), file.str()) {
        (true, None) => checker.required(&file, "must be set when seccomp type is Localhost"),
        (true, Some(path)) => checker.form(&file, Form::Relative, path),
        (false, Some(_)) => {
            checker.invalid(&file.showing(profile), "can only be set when seccomp type is Localhost");
        }
        (false, None) => {}
    }
}

fn app_armor(checker: &mut Checker<'_>, profile: &At<'_>) {
    const MUST: &str = "must be set when AppArmor type is Localhost";
    if !profile.is_set() {
        return;
    }
    let (kind, file) = (profile.get("type"), profile.get("localhostProfile"));
    match (text(&kind), file.str()) {
        ("Localhost", None) => checker.required(&file, MUST),
        ("Localhost", Some(path)) => {
            if path.trim() != path {
                checker.invalid(&file, "must not be padded with whitespace");
            } else if path.is_empty() {
                checker.required(&file, MUST);
            }
            if path.len() > PROFILE_MAX {
                checker.add(ErrorKind::TooLong, &file, None, "may not be more than 4095 bytes");
            }
        }
        ("RuntimeDefault" | "Unconfined", Some(_)) => {
            checker.invalid(&file, "can only be set when AppArmor type is Localhost");
        }
        ("RuntimeDefault" | "Unconfined", None) => {}
        ("", _) => checker.required(&kind, "type is required when appArmorProfile is set"),
        (other, _) => checker.not_supported(&kind, other, PROFILES),
    }
}

fn sysctls(checker: &mut Checker<'_>, list: &At<'_>) {
    let pod = checker.pod;
    let mut seen = Places::default();
    for item in list.items() {
        let name = item.get("name");
        let called = text(&name);
        let is_new = seen.is_new(called);
        checker.walk(&item, &[("name", REQUIRED)]);
        if !called.is_empty() {
            let parts = called.replace('/', ".");
            let has_form =
                messages(Form::SearchDomain, &parts).is_empty() && !parts.split('.').any(|part| part.starts_with('_'));
            if !has_form {
                checker.invalid(&name, SYSCTL);
            } else if !is_new {
                checker.duplicate(&name, called);
            }
        }
        for (field, detail, prefixes) in [
            ("hostNetwork", "may not be specified when 'hostNetwork' is true", &["net."][..]),
            (
                "hostIPC",
                "may not be specified when 'hostIPC' is true",
                &["kernel.shm", "kernel.msg", "kernel.sem", "fs.mqueue."],
            ),
        ] {
            let is_of = prefixes.iter().any(|prefix| called.replace('/', ".").starts_with(prefix));
            if is_of && pod.get(field).is_true() {
                checker.invalid(&name, detail);
            }
        }
    }
}

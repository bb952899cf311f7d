//! What containers mount, and as which devices.
//!
//! Invariant: only valid volumes can be mounted; some errors are reported at the list and not at its element,
//! as upstream does.

use super::forms::{Form, has_backsteps};
use super::walk::{Check, Checker, Rows, text};
use crate::at::At;
use crate::places::Places;

const PROPAGATIONS: &[&str] = &["Bidirectional", "HostToContainer", "None"];
const RECURSIVE: &[&str] = &["Disabled", "Enabled", "IfPossible"];
/// Reported at the list.
const PATHS: Rows = &[("subPath", Check::Form(Form::Relative))];
const MORE: Rows = &[("mountPropagation", Check::OneOf(PROPAGATIONS))];

/// The mounts and then the devices of a container.
pub(super) fn check(checker: &mut Checker<'_>, container: &At<'_>) {
    let (mounts, devices) = (container.get("volumeMounts"), container.get("volumeDevices"));
    let of_devices = places(&devices, "devicePath");
    let mut paths = Places::default();
    for mount in mounts.items() {
        one(checker, &mount, &mut paths, &of_devices);
        let shown = mounts.showing(&mount);
        checker.walk(&shown, PATHS);
        let expression = mount.get("subPathExpr");
        if !text(&expression).is_empty() {
            if !text(&mount.get("subPath")).is_empty() {
                checker.invalid(&expression, "subPathExpr and subPath are mutually exclusive");
            }
            checker.form(&shown.get("subPathExpr"), Form::Relative, text(&expression));
        }
        checker.walk(&shown, MORE);
        let propagation = shown.get("mountPropagation");
        let context = container.get("securityContext");
        if text(&propagation) == "Bidirectional" && !context.get("privileged").is_true() {
            checker
                .forbidden(&propagation, "Bidirectional mount propagation is available only to privileged containers");
        }
        recursive(checker, &shown);
    }
    let of_mounts = places(&mounts, "mountPath");
    check_devices(checker, &devices, &of_mounts);
}

/// The names and the paths of a list.
fn places(list: &At<'_>, path: &str) -> (Places, Places) {
    let (mut names, mut paths) = (Places::default(), Places::default());
    for item in list.items() {
        names.is_new(text(&item.get("name")));
        paths.is_new(text(&item.get(path)));
    }
    (names, paths)
}

fn one(checker: &mut Checker<'_>, mount: &At<'_>, paths: &mut Places, devices: &(Places, Places)) {
    let (name, path) = (mount.get("name"), mount.get("mountPath"));
    let (volume, target) = (text(&name), text(&path));
    if volume.is_empty() {
        checker.required(&name, "");
    }
    if checker.volume(volume).is_none() {
        checker.not_found(&name, volume, "");
    }
    if target.is_empty() {
        checker.required(&path, "");
    }
    if !paths.is_new(target) {
        checker.invalid(&path, "must be unique");
    }
    if devices.0.get(volume).is_some() {
        checker.invalid(&name, "must not already exist in volumeDevices");
    }
    if devices.1.get(target).is_some() {
        checker.invalid(&path, "must not already exist as a path in volumeDevices");
    }
}

fn recursive(checker: &mut Checker<'_>, mount: &At<'_>) {
    let recursive = mount.get("recursiveReadOnly");
    match recursive.str() {
        None | Some("Disabled") => {}
        Some("Enabled" | "IfPossible") => {
            if !mount.get("readOnly").is_true() {
                checker.forbidden(&recursive, "may only be specified when readOnly is true");
            }
            if !matches!(mount.get("mountPropagation").str(), None | Some("None")) {
                let detail = "may only be specified when mountPropagation is None or not specified";
                checker.forbidden(&recursive, detail);
            }
        }
        Some(other) => checker.not_supported(&recursive, other, RECURSIVE),
    }
}

fn check_devices(checker: &mut Checker<'_>, devices: &At<'_>, mounts: &(Places, Places)) {
    let (mut names, mut paths) = (Places::default(), Places::default());
    for device in devices.items() {
        let (name, path) = (device.get("name"), device.get("devicePath"));
        let (volume, target) = (text(&name), text(&path));
        if volume.is_empty() {
            checker.required(&name, "");
        } else if !names.is_new(volume) {
            checker.invalid(&name, "must be unique");
        }
        match checker.volume(volume).map(|v| v.get("persistentVolumeClaim").or(v.get("ephemeral")).is_some()) {
            None => checker.not_found(&name, volume, ""),
            Some(false) => checker
                .invalid(&name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"),
            Some(true) => {}
        }
        if target.is_empty() {
            checker.required(&path, "");
        }
        if paths.get(target).is_some() {
            checker.invalid(&path, "must be unique");
        }
        if has_backsteps(target) {
            checker.invalid(&path, "can not contain backsteps ('..')");
        } else {
            paths.is_new(target);
        }
        if mounts.0.get(volume).is_some() {
            checker.invalid(&name, "must not already exist in volumeMounts");
        }
        if mounts.1.get(target).is_some() {
            checker.invalid(&path, "must not already exist as a path in volumeMounts");
        }
    }
}

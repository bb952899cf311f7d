//! Volumes of old kinds whose texts have a form of their own.
//!
//! Invariant: each function judges one kind, in the API server's order.

use super::forms::Form;
use super::walk::{Checker, text};
use crate::at::At;
use crate::validate::ErrorKind;

pub(super) fn flocker(checker: &mut Checker<'_>, volume: &At<'_>) {
    let (name, uuid) = (volume.get("datasetName"), volume.get("datasetUUID"));
    match (text(&name), text(&uuid)) {
        ("", "") => checker.required(volume, "one of datasetName and datasetUUID is required"),
        ("", _) | (_, "") => {}
        _ => {
            let detail = "datasetName and datasetUUID can not be specified simultaneously";
            checker.invalid_text(volume, "resource", detail);
        }
    }
    if text(&name).contains('/') {
        checker.invalid(&name, "must not contain '/'");
    }
}

pub(super) fn fibre_channel(checker: &mut Checker<'_>, volume: &At<'_>) {
    let (targets, ids, lun) = (volume.get("targetWWNs"), volume.get("wwids"), volume.get("lun"));
    match (targets.items().len(), ids.items().len()) {
        (0, 0) => checker.required(&targets, "must specify either targetWWNs or wwids, but not both"),
        (0, _) | (_, 0) => {}
        _ => checker.invalid(&targets, "targetWWNs and wwids can not be specified simultaneously"),
    }
    if targets.items().len() == 0 {
        return;
    }
    match lun.int() {
        None => checker.required(&lun, "lun is required if targetWWNs is specified"),
        Some(0..=255) => {}
        Some(_) => checker.invalid(&lun, "must be between 0 and 255, inclusive"),
    }
}

/// Names of initiators and targets.
pub(super) fn iscsi_name(checker: &mut Checker<'_>, at: &At<'_>) {
    if let Some(name) = at.str().filter(|name| !name.is_empty()) {
        iscsi(checker, at, name);
    }
}

/// The session needs a secret; the initiator is shown in lower case.
pub(super) fn iscsi_session(checker: &mut Checker<'_>, volume: &At<'_>) {
    let secret = volume.get("secretRef");
    let has_password = ["chapAuthDiscovery", "chapAuthSession"].iter().any(|field| volume.get(field).is_true());
    if has_password && !secret.is_set() {
        checker.required(&secret, "");
    }
    let initiator = volume.get("initiatorName");
    if let Some(name) = initiator.str() {
        iscsi(checker, &volume.holding(&initiator, "initiatorname"), name);
    }
}

fn iscsi(checker: &mut Checker<'_>, at: &At<'_>, name: &str) {
    let has_digits = |count: usize| name.len() == 4 + count && name[4..].bytes().all(|b| b.is_ascii_alphanumeric());
    let is_right = match name.get(..3) {
        Some("iqn") => name.match_indices("iqn.").any(|(start, _)| is_qualified(&name[start + 4..])),
        Some("eui") => name.is_ascii() && has_digits(16),
        Some("naa") => name.is_ascii() && has_digits(32),
        _ => return checker.invalid(at, "must be valid format starting with iqn, eui, or naa"),
    };
    if !is_right {
        checker.invalid(at, "must be valid format");
    }
}

/// `2015-02.example.com:text`
fn is_qualified(name: &str) -> bool {
    let Some((date, rest)) = name.split_once('.') else { return false };
    let Some((domain, end)) = rest.split_once(':') else { return false };
    let is_date =
        date.len() == 7 && date.bytes().enumerate().all(|(at, b)| if at == 4 { b == b'-' } else { b.is_ascii_digit() });
    is_date
        && !domain.is_empty()
        && domain.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'))
        && !end.is_empty()
        && !end.contains(|c: char| c.is_ascii_whitespace() || ",;*&$|".contains(c))
}

/// A disk's address fits its kind; without one it is `Shared`.
pub(super) fn azure_disk(checker: &mut Checker<'_>, volume: &At<'_>) {
    let uri = volume.get("diskURI");
    let (start, known) = if volume.get("kind").str() == Some("Managed") {
        (
            "/subscriptions/",
            "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",
        )
    } else {
        ("https://", "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd")
    };
    if !text(&uri).starts_with(start) {
        checker.not_supported(&uri, text(&uri), &[known]);
    }
}

pub(super) fn quobyte(checker: &mut Checker<'_>, volume: &At<'_>) {
    const DETAIL: &str = "must be a host:port pair or multiple pairs separated by commas";
    let (registry, tenant) = (volume.get("registry"), volume.get("tenant"));
    if text(&registry).is_empty() {
        checker.required(&registry, DETAIL);
    } else if text(&tenant).len() > 64 {
        checker.required(&tenant, "must be a UUID and may not exceed a length of 64 characters");
    } else if !text(&registry).split(',').all(is_host_and_port) {
        checker.invalid(&registry, DETAIL);
    }
}

fn is_host_and_port(pair: &str) -> bool {
    let Some((host, port)) = pair.rsplit_once(':') else { return false };
    match host.strip_prefix('[') {
        Some(host) => {
            let Some(host) = host.strip_suffix(']') else { return false };
            !host.contains(['[', ']']) && !port.contains(['[', ']'])
        }
        None => !host.contains(':') && !pair.contains(['[', ']']),
    }
}

/// Names of drivers do not tell letters by their case; a secret's form is reported at the name of the volume source.
pub(super) fn csi(checker: &mut Checker<'_>, volume: &At<'_>) {
    let driver = volume.get("driver");
    let name = text(&driver);
    if name.is_empty() {
        checker.required(&driver, "");
    } else {
        if name.len() > 63 {
            checker.add(ErrorKind::TooLong, &driver, None, "may not be more than 63 bytes");
        }
        for message in super::forms::messages(Form::Subdomain, &name.to_lowercase()) {
            checker.invalid(&driver, &message);
        }
    }
    let secret = volume.get("nodePublishSecretRef");
    let of = secret.get("name");
    if secret.is_set() && text(&of).is_empty() {
        checker.required(&of, "");
    } else if secret.is_set() {
        checker.form(&volume.get("name"), Form::Subdomain, text(&of));
    }
}

/// Options of drivers must not be in the project's own namespaces.
pub(super) fn flex_options(checker: &mut Checker<'_>, options: &At<'_>) {
    for (key, _) in options.members() {
        let domain = [".", key.split('/').next().unwrap_or_default()].concat().to_lowercase();
        if domain.ends_with(".kubernetes.io") || domain.ends_with(".k8s.io") {
            checker.invalid_text(&options.key(key), key, "kubernetes.io and k8s.io namespaces are reserved");
        }
    }
}

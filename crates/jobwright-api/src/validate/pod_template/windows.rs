//! Pods and containers on Windows.
//!
//! Invariant: options for Windows are judged wherever they stand; what Windows cannot do is refused only where the pod
//! says that it is for Windows.

use super::LISTS;
use super::forms::Form;
use super::walk::{Check, Checker, Rows, text};
use crate::at::At;
use crate::validate::ErrorKind;

/// Bytes of the credential.
const CREDENTIAL_MAX: usize = 64 * 1024;
/// Bytes of the parts of a user's name.
const DOMAIN_MAX: usize = 256;
const USER_MAX: usize = 104;

pub(super) const OPTIONS: Rows = &[
    ("gmsaCredentialSpecName", Check::By(credential_name)),
    ("gmsaCredentialSpec", Check::By(credential)),
    ("runAsUserName", Check::By(user_name)),
];
const OF_POD: &[&str] = &[
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "fsGroup",
    "fsGroupChangePolicy",
    "sysctls",
    "runAsUser",
    "runAsGroup",
    "supplementalGroups",
    "supplementalGroupsPolicy",
    "seLinuxChangePolicy",
];
const OF_CONTAINER: &[&str] = &[
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
];

fn credential_name(checker: &mut Checker<'_>, name: &At<'_>) {
    if name.is_set() {
        checker.form(name, Form::Subdomain, text(name));
    }
}

fn credential(checker: &mut Checker<'_>, credential: &At<'_>) {
    match credential.str().map(str::len) {
        Some(0) => checker.invalid(credential, "gmsaCredentialSpec cannot be an empty string"),
        Some(CREDENTIAL_MAX..) if text(credential).len() > CREDENTIAL_MAX => {
            checker.invalid(credential, "gmsaCredentialSpec size must be under 64 KiB");
        }
        _ => {}
    }
}

/// `DOMAIN\user`, the domain being optional.
fn user_name(checker: &mut Checker<'_>, at: &At<'_>) {
    let Some(name) = at.str() else { return };
    let (domain, user) = name.split_once('\\').map_or((None, name), |(domain, user)| (Some(domain), user));
    let alone: [(bool, &str); 3] = [
        (name.is_empty(), "cannot be an empty string"),
        (name.bytes().any(|b| b.is_ascii_control()), "cannot contain control characters"),
        (name.matches('\\').count() > 1, "cannot contain more than one backslash"),
    ];
    let parts: [(bool, &str); 6] = [
        (domain.is_some_and(|domain| domain.len() >= DOMAIN_MAX), "'s Domain length must be under 256 characters"),
        (
            domain.is_some_and(|domain| !is_net_bios(domain) && !is_domain(domain)),
            "'s Domain doesn't match the NetBios nor the DNS format",
        ),
        (user.is_empty(), "'s User cannot be empty"),
        (user.len() > USER_MAX, "'s User length must not be longer than 104 characters"),
        (
            !user.is_empty() && user.bytes().all(|b| matches!(b, b'.' | b' ')),
            "'s User cannot contain only periods or spaces",
        ),
        (
            user.contains(|c| "\"/\\:;|=,+*?<>@[]".contains(c)),
            "'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]",
        ),
    ];
    let first = alone.iter().find(|(is_wrong, _)| *is_wrong);
    let found = if let Some(first) = first { std::slice::from_ref(first) } else { &parts[..] };
    for (_, rest) in found.iter().filter(|(is_wrong, _)| *is_wrong) {
        let gap = if rest.starts_with('\'') { "" } else { " " };
        checker.invalid(at, &["runAsUserName", gap, rest].concat());
    }
}

fn is_net_bios(domain: &str) -> bool {
    (1..=15).contains(&domain.chars().count())
        && !domain.starts_with('.')
        && !domain.contains(|c| "\\/:*?\"<>|".contains(c))
}

fn is_domain(domain: &str) -> bool {
    domain.split('.').all(|label| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    })
}

/// A pod with a container that is a process of its node has only such ones, and the node's network.
pub(super) fn host_processes(checker: &mut Checker<'_>, pod: &At<'_>) {
    let is_host = |at: &At<'_>| -> Option<bool> {
        let context = at.get("securityContext");
        let options = context.get("windowsOptions");
        options.get("hostProcess").value().and_then(serde_json::Value::as_bool)
    };
    let of_pod = is_host(pod);
    let (mut count, mut hosts) = (0, 0);
    for list in LISTS {
        for container in pod.get(list).items() {
            let own = is_host(&container);
            if of_pod.zip(own).is_some_and(|(pod, own)| pod != own) {
                let was = if of_pod == Some(true) { "true" } else { "false" };
                let detail = ["pod hostProcess value must be identical if both are specified, was ", was].concat();
                let context = container.get("securityContext");
                checker.invalid(&context.get("windowsOptions").get("hostProcess"), &detail);
            }
            count += 1;
            hosts += usize::from(own.or(of_pod) == Some(true));
        }
    }
    if hosts == 0 {
        return;
    }
    if hosts != count {
        let detail = "If pod contains any hostProcess containers then all containers must be HostProcess containers";
        checker.invalid_text(pod, "", detail);
    }
    let network = pod.get("hostNetwork");
    if !network.is_true() {
        let detail = "hostNetwork must be true if pod contains any hostProcess containers";
        checker.add(ErrorKind::Invalid, &network, Some("false".to_owned()), detail);
    }
}

/// What a pod for Windows must not set.
pub(super) fn forbidden(checker: &mut Checker<'_>, pod: &At<'_>) {
    must_not(checker, &pod.get("securityContext"), OF_POD);
    for field in ["hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"] {
        let at = pod.get(field);
        if at.is_set() && (at.is_true() || matches!(field, "hostUsers" | "shareProcessNamespace")) {
            checker.forbidden(&at, DETAIL);
        }
    }
    for list in LISTS {
        for container in pod.get(list).items() {
            must_not(checker, &container.get("securityContext"), OF_CONTAINER);
        }
    }
}

const DETAIL: &str = "cannot be set for a windows pod";

fn must_not(checker: &mut Checker<'_>, context: &At<'_>, fields: &[&str]) {
    for field in fields {
        let at = context.get(field);
        if at.is_set() && !(*field == "sysctls" && at.items().len() == 0) {
            checker.forbidden(&at, DETAIL);
        }
    }
}

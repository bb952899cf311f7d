//! Probes and lifecycle hooks.
//!
//! Invariant: exactly one handler each.

use super::forms::Form;
use super::walk::{Check, Checker, Choice, NOT_NEGATIVE, REQUIRED, Rows, text};
use crate::at::At;
use crate::validate::ErrorKind;

const EXEC: Rows = &[("command", REQUIRED)];
const HTTP_GET: Rows =
    &[("port", Check::By(port)), ("scheme", Check::Known(&["HTTP", "HTTPS"])), ("httpHeaders", Check::By(headers))];
const TCP_SOCKET: Rows = &[("port", Check::By(port))];
const HANDLERS: Choice = Choice {
    members: &[("exec", EXEC), ("httpGet", HTTP_GET), ("tcpSocket", TCP_SOCKET), ("grpc", TCP_SOCKET)],
    renamed: &[],
    second: "may not specify more than 1 handler type",
    none: Some("must specify a handler type"),
};
const HOOKS: Choice = Choice {
    members: &[("exec", EXEC), ("httpGet", HTTP_GET), ("tcpSocket", TCP_SOCKET), ("sleep", &[("", Check::By(sleep))])],
    ..HANDLERS
};

pub(super) const LIFECYCLE: Rows = &[("postStart", Check::Object(HOOK)), ("preStop", Check::Object(HOOK))];
const HOOK: Rows = &[("", Check::First(&HOOKS))];
const PROBE: Rows = &[
    ("", Check::First(&HANDLERS)),
    ("initialDelaySeconds", NOT_NEGATIVE),
    ("timeoutSeconds", NOT_NEGATIVE),
    ("periodSeconds", NOT_NEGATIVE),
    ("successThreshold", NOT_NEGATIVE),
    ("failureThreshold", NOT_NEGATIVE),
    ("terminationGracePeriodSeconds", Check::Int(1, i64::MAX, "must be greater than 0")),
];
/// A probe whose first success counts; 0 becomes 1 by default.
pub(super) const PROBE_OF_ONE: Rows =
    &[("", Check::Object(PROBE)), ("successThreshold", Check::Int(0, 1, "must be 1"))];
pub(super) const READINESS: Rows = &[
    ("", Check::Object(PROBE)),
    // No number is right.
    ("terminationGracePeriodSeconds", Check::Int(1, 0, "must not be set for readinessProbes")),
];

fn port(checker: &mut Checker<'_>, port: &At<'_>) {
    if let Some(name) = port.str() {
        checker.form(port, Form::PortName, name);
    } else if !(1..=65535).contains(&port.int().unwrap_or_default()) {
        let value = port.int().unwrap_or_default().to_string();
        checker.add(ErrorKind::Invalid, port, Some(value), "must be between 1 and 65535, inclusive");
    }
}

/// Reported at the list.
fn headers(checker: &mut Checker<'_>, list: &At<'_>) {
    for header in list.items() {
        checker.form(list, Form::HeaderName, text(&header.get("name")));
    }
}

fn sleep(checker: &mut Checker<'_>, sleep: &At<'_>) {
    let pod = checker.pod;
    let grace = pod.get("terminationGracePeriodSeconds").int().unwrap_or(30);
    let seconds = sleep.get("seconds").int().unwrap_or_default();
    if seconds < 0 || seconds > grace {
        let head = "must be non-negative and less than terminationGracePeriodSeconds (";
        let detail = [head, &grace.to_string(), ")"].concat();
        checker.add(ErrorKind::Invalid, sleep, Some(seconds.to_string()), &detail);
    }
}

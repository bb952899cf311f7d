//! Containers and init containers.
//!
//! Invariant: what holds for every container comes before what holds for its kind; the ports of the node are
//! compared at the end.

use super::forms::Form;
use super::volumes::PULL_POLICIES;
use super::walk::{Check, Checker, REQUIRED, Rows, text};
use super::{env, mounts, probes, resources, security};
use crate::at::At;
use crate::places::Places;
use crate::validate::ErrorKind;

const RANGE: &str = "must be between 1 and 65535, inclusive";
const PORT: Rows = &[
    ("containerPort", Check::By(container_port)),
    ("hostPort", Check::By(host_port)),
    ("protocol", Check::Known(&["SCTP", "TCP", "UDP"])),
];

/// What holds for every container.
const COMMON: Rows = &[
    ("name", Check::Name(Form::Label)),
    ("image", REQUIRED),
    ("terminationMessagePolicy", Check::Known(&["File", "FallbackToLogsOnError"])),
    ("ports", Check::By(ports)),
    ("env", Check::Each(env::ENV)),
    ("envFrom", Check::By(env::env_from)),
    ("", Check::By(mounts::check)),
    ("imagePullPolicy", Check::Known(PULL_POLICIES)),
    ("resources", Check::By(resources::of_container)),
    ("resizePolicy", Check::By(resize_policy)),
    ("securityContext", Check::By(security::of_container)),
];
/// What only containers that stay may have.
const RUNNING: Rows = &[
    ("lifecycle", Check::Object(probes::LIFECYCLE)),
    ("livenessProbe", Check::Object(probes::PROBE_OF_ONE)),
    ("readinessProbe", Check::Object(probes::READINESS)),
    ("startupProbe", Check::Object(probes::PROBE_OF_ONE)),
];
const RESTART: Rows = &[("restartPolicyRules", Check::Each(RESTART_RULE))];
const RESTART_RULE: Rows = &[
    ("action", Check::MustBe(&["Restart", "RestartAllContainers"])),
    ("exitCodes", Check::Required("must be specified")),
    ("exitCodes", Check::Object(&[("operator", Check::MustBe(&["In", "NotIn"])), ("values", Check::By(exit_codes))])),
];
/// Rules of a container, and exit codes of a rule.
const RULES_MAX: usize = 20;
const CODES_MAX: usize = 255;

/// The containers of the pod.
pub(super) fn containers(checker: &mut Checker<'_>, list: &At<'_>) {
    if list.items().len() == 0 {
        checker.required(list, "");
        return;
    }
    let mut names = Places::default();
    for container in list.items() {
        checker.walk(&container, COMMON);
        let name = container.get("name");
        if !names.is_new(text(&name)) {
            checker.duplicate(&name, text(&name));
        }
        checker.walk(&container, RUNNING);
        restart(checker, &container);
    }
    let mut taken = Places::default();
    for container in list.items() {
        host_ports(checker, &container, &mut taken);
    }
}

/// The init containers; those that are restarted always are sidecars.
pub(super) fn init_containers(checker: &mut Checker<'_>, list: &At<'_>) {
    let pod = checker.pod;
    let mut names = Places::default();
    for container in pod.get("containers").items() {
        names.is_new(text(&container.get("name")));
    }
    for container in list.items() {
        checker.walk(&container, COMMON);
        if container.get("restartPolicy").is_set() {
            restart(checker, &container);
        } else {
            no_rules(checker, &container);
        }
        let name = container.get("name");
        let is_known = names.get(text(&name)).is_some();
        if is_known {
            checker.duplicate(&name, text(&name));
        } else if !text(&name).is_empty() {
            names.is_new(text(&name));
        }
        // They run one by one, so only ports of one container can be in each other's way; upstream reports
        // them at the first container whichever it is.
        host_ports(checker, &list.item(0).showing(&container), &mut Places::default());
        let is_sidecar = container.get("restartPolicy").str() == Some("Always");
        if is_sidecar {
            checker.walk(&container, RUNNING);
            continue;
        }
        for (name, _) in RUNNING {
            if container.get(name).is_set() && !is_dropped(&container.get(name)) {
                let detail = "may not be set for init containers without restartPolicy=Always";
                checker.forbidden(&container.get(name), detail);
            }
        }
        for policy in container.get("resizePolicy").items() {
            if policy.get("restartPolicy").str() == Some("RestartContainer") {
                let detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
                checker.invalid(&policy.get("restartPolicy"), detail);
            }
        }
    }
}

/// What a container that is started in a running pod must not have, in the order of the API's type.
const NOT_EPHEMERAL: &[&str] = &[
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
];

/// Ephemeral containers: judged, though a template must not have them.
pub(super) fn ephemeral_containers(checker: &mut Checker<'_>, list: &At<'_>) {
    const DETAIL: &str = "cannot be set for an Ephemeral Container";
    let pod = checker.pod;
    let mut names = Places::default();
    for of in ["containers", "initContainers"] {
        for container in pod.get(of).items() {
            names.first(text(&container.get("name")), 0);
        }
    }
    for container in list.items() {
        checker.walk(&container, COMMON);
        let (name, target, image) =
            (container.get("name"), container.get("targetContainerName"), container.get("image"));
        if text(&image).trim() != text(&image) {
            checker.invalid(&image, "must not have leading or trailing whitespace");
        }
        if names.first(text(&name), 1).is_some() {
            checker.duplicate(&name, text(&name));
        }
        if !text(&target).is_empty() && names.get(text(&target)) != Some(0) {
            checker.not_found(&target, text(&target), "");
        }
        for field in NOT_EPHEMERAL {
            let at = container.get(field);
            let is_zero = *field == "resources" && at.members().len() == 0 || *field == "lifecycle" && is_dropped(&at);
            if at.is_set() && !is_zero {
                checker.forbidden(&at, DETAIL);
            }
        }
        for mount in container.get("volumeMounts").items() {
            for field in ["subPath", "subPathExpr"] {
                if !text(&mount.get(field)).is_empty() {
                    checker.forbidden(&mount.get(field), DETAIL);
                }
            }
        }
    }
}

/// A container's own restart policy and rules.
fn restart(checker: &mut Checker<'_>, container: &At<'_>) {
    let rules = container.get("restartPolicyRules");
    no_rules(checker, container);
    checker.walk(container, &[("restartPolicy", Check::OneOf(&["Always", "Never", "OnFailure"]))]);
    too_many(checker, &rules, RULES_MAX);
    checker.walk(container, RESTART);
}

/// A lifecycle of which the API server keeps nothing, as the gate of stop signals is off.
fn is_dropped(lifecycle: &At<'_>) -> bool {
    let is_set = |name| lifecycle.get(name).is_set();
    is_set("stopSignal") && !is_set("postStart") && !is_set("preStop")
}

fn no_rules(checker: &mut Checker<'_>, container: &At<'_>) {
    let (policy, rules) = (container.get("restartPolicy"), container.get("restartPolicyRules"));
    if !policy.is_set() && rules.items().len() > 0 {
        checker.required(&policy, "must specify restartPolicy when restart rules are used");
    }
}

fn exit_codes(checker: &mut Checker<'_>, values: &At<'_>) {
    too_many(checker, values, CODES_MAX);
}

fn too_many(checker: &mut Checker<'_>, list: &At<'_>, max: usize) {
    let count = list.items().len();
    if count > max {
        let detail = ["must have at most ", &max.to_string(), " items"].concat();
        checker.add(ErrorKind::TooMany, list, Some(count.to_string()), &detail);
    }
}

fn ports(checker: &mut Checker<'_>, list: &At<'_>) {
    let mut names = Places::default();
    for port in list.items() {
        let name = port.get("name");
        let called = text(&name);
        if !called.is_empty() {
            let before = checker.errors.len();
            checker.form(&name, Form::PortName, called);
            if checker.errors.len() == before && !names.is_new(called) {
                checker.duplicate(&name, called);
            }
        }
        checker.walk(&port, PORT);
    }
}

fn container_port(checker: &mut Checker<'_>, port: &At<'_>) {
    match port.int().unwrap_or_default() {
        0 => checker.required(port, ""),
        1..=65535 => {}
        _ => checker.invalid(port, RANGE),
    }
}

fn host_port(checker: &mut Checker<'_>, port: &At<'_>) {
    if !(0..=65535).contains(&port.int().unwrap_or_default()) {
        checker.invalid(port, RANGE);
    }
}

/// A port of the node can be taken once.
fn host_ports(checker: &mut Checker<'_>, container: &At<'_>, taken: &mut Places) {
    for port in container.get("ports").items() {
        let host = port.get("hostPort");
        let number = host.int().unwrap_or_default();
        if number == 0 {
            continue;
        }
        let protocol = port.get("protocol");
        let protocol = if text(&protocol).is_empty() { "TCP" } else { text(&protocol) };
        let key = [protocol, "/", text(&port.get("hostIP")), "/", &number.to_string()].concat();
        if !taken.is_new(&key) {
            checker.duplicate(&host, &key);
        }
    }
}

/// What happens to a container whose resources change; the errors are reported at the list.
fn resize_policy(checker: &mut Checker<'_>, list: &At<'_>) {
    const RESOURCES: &[&str] = &["cpu", "memory"];
    const POLICIES: &[&str] = &["NotRequired", "RestartContainer"];
    let pod = checker.pod;
    let is_never = pod.get("restartPolicy").str() == Some("Never");
    let mut seen = Places::default();
    for item in list.items() {
        let (name, policy) = (item.get("resourceName"), item.get("restartPolicy"));
        let (resource, wanted) = (text(&name), text(&policy));
        if !seen.is_new(resource) {
            checker.duplicate(&item, resource);
        }
        for (value, known) in [(resource, RESOURCES), (wanted, POLICIES)] {
            if value.is_empty() {
                checker.required(list, "");
            } else if !known.contains(&value) {
                checker.not_supported(list, value, known);
            }
        }
        if is_never && wanted != "NotRequired" {
            let detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
            checker.invalid_text(list, wanted, detail);
        }
    }
}

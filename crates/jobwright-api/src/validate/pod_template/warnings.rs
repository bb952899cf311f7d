//! What of a pod template the API server takes and warns of (VAL-90).
//!
//! Invariant: at most [`WARNINGS_MAX`] are given.

use super::addresses::Address;
use super::annotations::{APP_ARMOR_OF_CONTAINER, SECCOMP_OF_CONTAINER, SECCOMP_OF_POD};
use super::forms::{Form, messages};
use super::overlaps;
use super::scheduling::{PREFERRED_TERMS, REQUIRED_TERMS};
use super::walk::text;
use crate::at::At;
use crate::places::Places;
use crate::quantity::Quantity;
use crate::validate::Warning;
use crate::validate::error::quote;

/// As many warnings are given.
const WARNINGS_MAX: usize = 200;
/// A port is compared with so many others of its number.
const PORTS_MAX: usize = 100;

/// Labels of nodes that have new names.
const OLD_LABELS: &[(&str, &str)] = &[
    ("beta.kubernetes.io/arch", "deprecated since v1.14; use \"kubernetes.io/arch\" instead"),
    ("beta.kubernetes.io/os", "deprecated since v1.14; use \"kubernetes.io/os\" instead"),
    (
        "failure-domain.beta.kubernetes.io/region",
        "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
    ),
    ("failure-domain.beta.kubernetes.io/zone", "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead"),
    ("beta.kubernetes.io/instance-type", "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead"),
    ("app.kubernetes.io/created-by", "deprecated since v1.9"),
    ("scheduler.alpha.kubernetes.io/preferAvoidPods", "deprecated since v1.22; use Taints and Tolerations instead"),
    ("node-role.kubernetes.io/master", "use \"node-role.kubernetes.io/control-plane\" instead"),
];
const OLD_ANNOTATIONS: &[(&str, &str)] = &[
    (
        "scheduler.alpha.kubernetes.io/critical-pod",
        "non-functional in v1.16+; use the \"priorityClassName\" field instead",
    ),
    ("security.alpha.kubernetes.io/sysctls", "non-functional in v1.11+; use the \"sysctls\" field instead"),
    ("security.alpha.kubernetes.io/unsafe-sysctls", "non-functional in v1.11+; use the \"sysctls\" field instead"),
];
/// Sources of volumes: the field, its name in the warning, and the warning.
const OLD_VOLUMES: &[(&str, &str, &str)] = &[
    ("photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    ("gitRepo", "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
    ("scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"),
    ("storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"),
    ("quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"),
];
const NO_SELECTOR: &str = "a null labelSelector results in matching no pod";
const OLD_SECCOMP: &str = "non-functional in v1.27+; use the \"seccompProfile\" field instead";
const OLD_APP_ARMOR: &str = "deprecated since v1.30; use the \"appArmorProfile\" field instead";

type Warnings = Vec<Warning>;

fn warn(warnings: &mut Warnings, at: &At<'_>, parts: &[&str]) {
    if warnings.len() < WARNINGS_MAX {
        warnings.push(Warning { field: at.path(), text: parts.concat(), is_whole: false });
    }
}

/// The warnings about a pod template.
pub(in crate::validate) fn warnings(template: &At<'_>, warnings: &mut Warnings) {
    let (own, pod) = (template.get("metadata"), template.get("spec"));
    let annotations = own.get("annotations");
    nodes(&pod, warnings);
    for (key, message) in OLD_ANNOTATIONS {
        annotation(&annotations, key, message, warnings);
    }
    for volume in pod.get("volumes").items() {
        for (field, shown, message) in OLD_VOLUMES {
            if volume.get(field).is_set() {
                warn(warnings, &volume.get(shown), &[message]);
            }
        }
        let claim = volume.get("ephemeral");
        let claim = claim.get("volumeClaimTemplate");
        let claim = claim.get("spec");
        let resources = claim.get("resources");
        for list in ["requests", "limits"] {
            fraction(&resources.get(list), "storage", warnings);
        }
    }
    for volume in pod.get("volumes").items() {
        overlaps::check(&volume, &mut |warning| {
            if warnings.len() < WARNINGS_MAX {
                warnings.push(warning);
            }
        });
    }
    repeated(&pod, warnings);
    let context = pod.get("securityContext");
    fractions(&pod.get("overhead"), warnings);
    if !context.get("seccompProfile").is_set() {
        annotation(&annotations, SECCOMP_OF_POD, OLD_SECCOMP, warnings);
    }
    for list in super::LISTS {
        for container in pod.get(list).items() {
            of_container(&container, &annotations, context.get("appArmorProfile").is_set(), warnings);
        }
    }
    ports(&pod, warnings);
    let grace = pod.get("terminationGracePeriodSeconds");
    if grace.int().is_some_and(|seconds| seconds < 0) {
        warn(warnings, &grace, &["must be >= 0; negative values are invalid and will be treated as 1"]);
    }
    let affinity = pod.get("affinity");
    for kind in ["podAffinity", "podAntiAffinity"] {
        let terms = affinity.get(kind);
        for term in terms.get(REQUIRED_TERMS).items() {
            selector(&term, warnings);
        }
        for term in terms.get(PREFERRED_TERMS).items() {
            selector(&term.get("podAffinityTerm"), warnings);
        }
    }
    addresses(&pod, warnings);
}

fn addresses(pod: &At<'_>, warnings: &mut Warnings) {
    let dns = pod.get("dnsConfig");
    for server in dns.get("nameservers").items() {
        canonical(&server, warnings);
    }
    for alias in pod.get("hostAliases").items() {
        canonical(&alias.get("ip"), warnings);
    }
}

/// An address has one right form.
fn canonical(at: &At<'_>, warnings: &mut Warnings) {
    let form = Address::parse(text(at)).and_then(|address| address.canonical()).filter(|form| form != text(at));
    if let Some(form) = form {
        let head = ["IPv6 address ", &quote(text(at)), " should be in RFC 5952 canonical format ("].concat();
        warn(warnings, at, &[&head, &quote(&form), ")"]);
    }
}

fn selector(term: &At<'_>, warnings: &mut Warnings) {
    let selector = term.get("labelSelector");
    if !selector.is_set() {
        warn(warnings, &selector, &[NO_SELECTOR]);
    }
}

fn annotation(annotations: &At<'_>, key: &str, message: &str, warnings: &mut Warnings) {
    let at = annotations.key(key);
    if at.is_set() {
        warn(warnings, &at, &[message]);
    }
}

fn old_label(name: &str) -> Option<&'static str> {
    OLD_LABELS.iter().find(|(known, _)| *known == name).map(|(_, message)| *message)
}

/// Labels of nodes: in the selector, in the affinity, in spreading.
fn nodes(pod: &At<'_>, warnings: &mut Warnings) {
    let selector_of_nodes = pod.get("nodeSelector");
    for (name, _) in selector_of_nodes.members() {
        if let Some(message) = old_label(name) {
            warn(warnings, &selector_of_nodes.key(name), &[message]);
        }
    }
    let affinity = pod.get("affinity");
    let of_nodes = affinity.get("nodeAffinity");
    for term in of_nodes.get(REQUIRED_TERMS).get("nodeSelectorTerms").items() {
        expressions(&term, false, warnings);
    }
    for term in of_nodes.get(PREFERRED_TERMS).items() {
        expressions(&term.get("preference"), true, warnings);
    }
    for constraint in pod.get("topologySpreadConstraints").items() {
        let key = constraint.get("topologyKey");
        if let Some(message) = old_label(text(&key)) {
            warn(warnings, &key, &[text(&key), " is ", message]);
        }
        selector(&constraint, warnings);
    }
}

fn expressions(term: &At<'_>, with_values: bool, warnings: &mut Warnings) {
    for expression in term.get("matchExpressions").items() {
        let key = expression.get("key");
        if let Some(message) = old_label(text(&key)) {
            warn(warnings, &key, &[text(&key), " is ", message]);
        }
        for value in expression.get("values").items().filter(|_| with_values) {
            for message in messages(Form::LabelValue, text(&value)) {
                warn(warnings, &value, &[text(&value), " is invalid, ", &message]);
            }
        }
    }
}

/// Entries of lists that stand twice, or have no name.
fn repeated(pod: &At<'_>, warnings: &mut Warnings) {
    for (list, field, kind) in [("hostAliases", "ip", "duplicate ip "), ("imagePullSecrets", "name", "duplicate name ")]
    {
        let mut seen = Places::default();
        for item in pod.get(list).items() {
            let value = item.get(field);
            if !seen.is_new(text(&value)) {
                warn(warnings, &value, &[kind, &quote(text(&value))]);
            }
        }
    }
    for item in pod.get("imagePullSecrets").items() {
        let name = item.get("name");
        if text(&name).is_empty() {
            warn(warnings, &name, &["invalid empty name \"\""]);
        }
    }
}

/// Parts of bytes.
fn fractions(list: &At<'_>, warnings: &mut Warnings) {
    fraction(list, "memory", warnings);
    fraction(list, "ephemeral-storage", warnings);
}

fn fraction(list: &At<'_>, name: &str, warnings: &mut Warnings) {
    let at = list.key(name);
    let quantity = Quantity::of(at.value()).rounded();
    if !quantity.is_whole() {
        let value = quote(&quantity.shown(at.value()));
        warn(warnings, &at, &["fractional byte value ", &value, " is invalid, must be an integer"]);
    }
}

fn of_container(container: &At<'_>, annotations: &At<'_>, has_app_armor: bool, warnings: &mut Warnings) {
    let (name, context) = (container.get("name"), container.get("securityContext"));
    if !context.get("seccompProfile").is_set() {
        annotation(annotations, &[SECCOMP_OF_CONTAINER, text(&name)].concat(), OLD_SECCOMP, warnings);
    }
    if !has_app_armor && !context.get("appArmorProfile").is_set() {
        annotation(annotations, &[APP_ARMOR_OF_CONTAINER, text(&name)].concat(), OLD_APP_ARMOR, warnings);
    }
    let resources = container.get("resources");
    for name in ["memory", "ephemeral-storage"] {
        for list in ["limits", "requests"] {
            fraction(&resources.get(list), name, warnings);
        }
    }
    let mut seen = Places::default();
    for variable in container.get("env").items() {
        let (name, value) = (variable.get("name"), variable.get("value"));
        let (name, value) = (text(&name), text(&value));
        let reference = ["$(", name, ")"].concat();
        let builds_on = !variable.get("valueFrom").is_set() && value != reference && value.contains(&reference);
        if !seen.is_new(name) && !builds_on {
            let head = "hides previous definition of ";
            warn(warnings, &variable, &[head, &quote(name), ", which may be dropped when using apply"]);
        }
    }
}

/// A port as it is compared: number and protocol, host IP, host port, path.
type Port = (String, String, i64, String);

/// Ports of all containers that are in each other's way, and then their names.
fn ports(pod: &At<'_>, warnings: &mut Warnings) {
    let (mut of_key, mut before): (Places, Vec<Vec<Port>>) = (Places::default(), Vec::new());
    let (mut names, mut paths) = (Places::default(), Vec::new());
    let mut named = Vec::new();
    for list in super::LISTS {
        for container in pod.get(list).items() {
            let has_names = list == "containers" || container.get("restartPolicy").str() == Some("Always");
            for port in container.get("ports").items() {
                let this = as_compared(&port);
                without_host_port(&port, &this, warnings);
                let name = port.get("name");
                if has_names && !text(&name).is_empty() {
                    if let Some(first) = names.first(text(&name), paths.len()) {
                        let other: &String = &paths[first];
                        let head = ["duplicate port name ", &quote(text(&name)), " with ", other].concat();
                        let tail = ", services and probes that select ports by name will use ";
                        named.push(Warning {
                            field: this.3.clone(),
                            text: [&head, tail, other].concat(),
                            is_whole: false,
                        });
                    } else {
                        paths.push(this.3.clone());
                    }
                }
                let at = of_key.first(&this.0, before.len()).unwrap_or(before.len());
                if at == before.len() {
                    before.push(Vec::new());
                }
                compare(&port, &this, &before[at], warnings);
                if before[at].len() < PORTS_MAX {
                    before[at].push(this);
                }
            }
        }
    }
    named.truncate(WARNINGS_MAX.saturating_sub(warnings.len()));
    warnings.append(&mut named);
}

fn as_compared(port: &At<'_>) -> Port {
    let protocol = port.get("protocol");
    let protocol = if text(&protocol).is_empty() { "TCP" } else { text(&protocol) };
    let number = port.get("containerPort").int().unwrap_or_default().to_string();
    let ip = text(&port.get("hostIP")).to_owned();
    ([&number, "/", protocol].concat(), ip, port.get("hostPort").int().unwrap_or_default(), port.path())
}

fn without_host_port(port: &At<'_>, (key, ip, host, _): &Port, warnings: &mut Warnings) {
    if ip.is_empty() || *host != 0 {
        return;
    }
    let (number, protocol) = key.split_once('/').unwrap_or_default();
    let name = port.get("name");
    let shown =
        ["{Name:", text(&name), " HostPort:0 ContainerPort:", number, " Protocol:", protocol, " HostIP:", ip, "}"];
    warn(warnings, port, &["hostIP set without hostPort: ", &shown.concat()]);
}

fn compare(port: &At<'_>, (_, ip, host, _): &Port, others: &[Port], warnings: &mut Warnings) {
    for (_, other_ip, other_host, path) in others {
        let kind = if ip == other_ip && host == other_host {
            "duplicate port definition with "
        } else if *host == 0 || *other_host == 0 {
            "overlapping port definition with "
        } else if host == other_host && ip.is_empty() != other_ip.is_empty() {
            "dangerously ambiguous port definition with "
        } else {
            continue;
        };
        warn(warnings, port, &[kind, path]);
    }
}

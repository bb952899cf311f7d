//! The pod template, as the API server judges it in a Job.
//!
//! Invariant: rules of the pod template come before those that a Job adds to them (VAL-81). What upstream's
//! gates switch off is not looked at.

mod addresses;
mod annotations;
mod claim_templates;
mod containers;
mod env;
mod forms;
mod mounts;
mod overlaps;
mod probes;
mod projected;
mod resources;
mod scheduling;
mod security;
mod volume_forms;
mod volumes;
mod walk;
mod warnings;
mod windows;

use self::forms::Form;
use self::walk::{Check, Checker, REQUIRED, Rows, text};
pub(super) use self::warnings::warnings;
use super::spec::not_supported;
use super::{ErrorKind, FieldError, metadata};
use crate::at::At;
use crate::places::Places;

/// The pod's specification, in the order of the API server (VAL-78).
const POD: Rows = &[
    ("volumes", Check::By(volumes::volumes)),
    ("resourceClaims", Check::By(scheduling::claims)),
    ("containers", Check::By(containers::containers)),
    ("initContainers", Check::By(containers::init_containers)),
    ("ephemeralContainers", Check::By(containers::ephemeral_containers)),
    ("resources", Check::By(pod_resources)),
    ("", Check::By(host_network)),
    ("restartPolicy", Check::Known(&["Always", "OnFailure", "Never"])),
    ("dnsPolicy", Check::Known(&["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"])),
    ("nodeSelector", Check::By(node_selector)),
    ("securityContext", Check::Object(security::OF_POD)),
    ("", Check::By(shared_processes)),
    ("affinity", Check::Object(scheduling::AFFINITY)),
    ("", Check::By(dns_config)),
    ("readinessGates", Check::Each(&[("conditionType", Check::Always(Form::Qualified))])),
    ("schedulingGates", Check::By(scheduling::gates)),
    ("topologySpreadConstraints", Check::By(scheduling::spread)),
    ("", Check::By(windows::host_processes)),
    ("", Check::By(host_users)),
    ("", Check::By(hostname_override)),
    ("", Check::By(service_account)),
    ("nodeName", Check::Form(Form::Subdomain)),
    ("activeDeadlineSeconds", Check::Int(1, 2_147_483_647, "must be between 1 and 2147483647, inclusive")),
    ("hostname", Check::Form(Form::Label)),
    ("subdomain", Check::Form(Form::Label)),
    ("tolerations", Check::By(scheduling::tolerations)),
    ("hostAliases", Check::Each(HOST_ALIAS)),
    ("priorityClassName", Check::Form(Form::Subdomain)),
    ("runtimeClassName", Check::By(runtime_class)),
    ("preemptionPolicy", Check::By(preemption)),
    ("overhead", Check::By(resources::of_overhead)),
    ("os", Check::By(os)),
    ("", Check::By(file_keys)),
];
const HOST_ALIAS: Rows =
    &[("ip", Check::Always(Form::Ip)), ("hostnames", Check::Each(&[("", Check::Always(Form::Subdomain))]))];
/// The lists of containers in the order in which upstream visits them.
const LISTS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];
/// Name servers, search paths and characters of search paths.
const NAMESERVERS_MAX: usize = 3;
const SEARCHES_MAX: usize = 32;
const SEARCH_CHARS_MAX: usize = 2048;

/// VAL-78 to VAL-82.
pub(super) fn check(spec: &At<'_>, errors: &mut Vec<FieldError>) {
    let template = spec.get("template");
    let own = template.get("metadata");
    let annotations = own.get("annotations");
    metadata::labels(&own.get("labels"), "spec.template.labels", errors);
    metadata::annotations(&annotations, "spec.template.annotations", errors);
    let pod = template.get("spec");
    let mut checker = Checker { errors, pod, volumes: Places::default() };
    let shown = template.holding(&annotations, "annotations");
    annotations::check(&mut checker, &shown);
    checker.walk(&pod, POD);
    annotations::agree(&mut checker, &shown);
    let ephemeral = pod.get("ephemeralContainers");
    if ephemeral.items().len() > 0 {
        checker.forbidden(&ephemeral, "ephemeral containers not allowed in pod template");
    }
    restart_policy(spec, &pod.get("restartPolicy"), errors);
}

/// What a Job adds (VAL-80 to VAL-82).
fn restart_policy(spec: &At<'_>, restart: &At<'_>, errors: &mut Vec<FieldError>) {
    match text(restart) {
        "" | "Always" => {
            let detail = "valid values: \"OnFailure\", \"Never\"".to_owned();
            errors.push(FieldError { kind: ErrorKind::Required, field: restart.path(), value: None, detail });
        }
        "OnFailure" if spec.get("podFailurePolicy").is_set() => {
            let detail = "only \"Never\" is supported when podFailurePolicy is specified";
            errors.push(FieldError::invalid(restart.path(), restart.value(), detail));
        }
        "OnFailure" | "Never" => {}
        _ => errors.push(not_supported(restart, &["OnFailure", "Never"])),
    }
}

/// What is wrong with a selector of labels.
pub(super) fn label_selector(at: &At<'_>, errors: &mut Vec<FieldError>) {
    let mut checker = Checker { errors, pod: *at, volumes: Places::default() };
    scheduling::label_selector(&mut checker, at);
}

fn pod_resources(checker: &mut Checker<'_>, at: &At<'_>) {
    let pod = checker.pod;
    let os = pod.get("os");
    if at.is_set() && os.get("name").str() == Some("windows") {
        checker.forbidden(at, "may not be set for a windows pod");
    } else if at.is_set() {
        resources::of_pod(checker, at);
    }
}

/// On the node's network a port of the node is the container's own.
fn host_network(checker: &mut Checker<'_>, pod: &At<'_>) {
    if !pod.get("hostNetwork").is_true() {
        return;
    }
    for container in pod.get("containers").items() {
        for port in container.get("ports").items() {
            let host = port.get("hostPort");
            let number = host.int().unwrap_or_default();
            if number != 0 && Some(number) != port.get("containerPort").int() {
                checker.invalid(&host, "must match `containerPort` when `hostNetwork` is true");
            }
        }
    }
}

fn node_selector(checker: &mut Checker<'_>, at: &At<'_>) {
    metadata::labels(at, &at.path(), checker.errors);
}

fn shared_processes(checker: &mut Checker<'_>, pod: &At<'_>) {
    let share = pod.get("shareProcessNamespace");
    if share.is_true() && pod.get("hostPID").is_true() {
        checker.invalid(&share, "ShareProcessNamespace and HostPID cannot both be enabled");
    }
}

fn dns_config(checker: &mut Checker<'_>, pod: &At<'_>) {
    let config = pod.get("dnsConfig");
    let (servers, searches) = (config.get("nameservers"), config.get("searches"));
    if pod.get("dnsPolicy").str() == Some("None") {
        if !config.is_set() {
            checker.required(&config, "must provide `dnsConfig` when `dnsPolicy` is None");
            return;
        }
        if servers.items().len() == 0 {
            let detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
            checker.required(&servers, detail);
            return;
        }
    }
    if servers.items().len() > NAMESERVERS_MAX {
        checker.invalid(&servers, "must not have more than 3 nameservers");
    }
    checker.walk(&config, &[("nameservers", Check::Each(&[("", Check::Always(Form::Ip))]))]);
    if searches.items().len() > SEARCHES_MAX {
        checker.invalid(&searches, "must not have more than 32 search paths");
    }
    let characters: usize = searches.items().map(|search| text(&search).len() + 1).sum();
    if characters > SEARCH_CHARS_MAX + 1 {
        checker.invalid(&searches, "must not have more than 2048 characters (including spaces) in the search list");
    }
    for search in searches.items().filter(|search| search.str() != Some(".")) {
        let name = text(&search);
        checker.form(&search, Form::SearchDomain, name.strip_suffix('.').unwrap_or(name));
    }
    for option in config.get("options").items().filter(|option| text(&option.get("name")).is_empty()) {
        checker.required(&option, "must not be empty");
    }
}

/// With users of its own a pod has no namespaces of the node; two paths are written as upstream does.
fn host_users(checker: &mut Checker<'_>, pod: &At<'_>) {
    const DETAIL: &str = "when `hostUsers` is false";
    if pod.get("hostUsers").value() != Some(&serde_json::Value::Bool(false)) {
        return;
    }
    for (field, shown) in [("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")] {
        if pod.get(field).is_true() {
            checker.forbidden(&pod.get(shown), DETAIL);
        }
    }
    for list in LISTS {
        for container in pod.get(list).items() {
            let devices = container.get("volumeDevices");
            if devices.items().len() > 0 {
                checker.forbidden(&devices, DETAIL);
            }
        }
    }
}

fn hostname_override(checker: &mut Checker<'_>, pod: &At<'_>) {
    let name = pod.get("hostnameOverride");
    let Some(host) = name.str() else { return };
    for (field, detail) in [
        ("setHostnameAsFQDN", "may not be specified when setHostnameAsFQDN is true"),
        ("hostNetwork", "may not be specified when hostNetwork is true"),
    ] {
        if pod.get(field).is_true() {
            checker.forbidden(&name, detail);
        }
    }
    if host.len() > 64 {
        checker.add(ErrorKind::TooLong, &name, None, "may not be more than 64 bytes");
    }
    checker.form(&name, Form::Subdomain, host);
}

/// The old name of the field counts where the new one is empty.
fn service_account(checker: &mut Checker<'_>, pod: &At<'_>) {
    let (name, old) = (pod.get("serviceAccountName"), pod.get("serviceAccount"));
    let account = if text(&name).is_empty() { text(&old) } else { text(&name) };
    if !account.is_empty() {
        checker.form(&name, Form::Subdomain, account);
    }
}

fn runtime_class(checker: &mut Checker<'_>, at: &At<'_>) {
    if let Some(name) = at.str() {
        checker.form(at, Form::Subdomain, name);
    }
}

fn preemption(checker: &mut Checker<'_>, at: &At<'_>) {
    match at.str() {
        None | Some("PreemptLowerPriority" | "Never") => {}
        Some("") => checker.required(at, ""),
        Some(other) => checker.not_supported(at, other, &["PreemptLowerPriority", "Never"]),
    }
}

fn os(checker: &mut Checker<'_>, at: &At<'_>) {
    const DETAIL: &str = "windows options cannot be set for a linux pod";
    if !at.is_set() {
        return;
    }
    let pod = checker.pod;
    match text(&at.get("name")) {
        "" => checker.walk(at, &[("name", REQUIRED)]),
        "linux" => {
            let own = pod.get("securityContext");
            if own.get("windowsOptions").is_set() {
                checker.forbidden(&own.get("windowsOptions"), DETAIL);
            }
            for list in LISTS {
                for container in pod.get(list).items() {
                    let context = container.get("securityContext");
                    if context.get("windowsOptions").is_set() {
                        checker.forbidden(&context.get("windowsOptions"), DETAIL);
                    }
                }
            }
        }
        "windows" => windows::forbidden(checker, &pod),
        other => checker.not_supported(at, other, &["linux", "windows"]),
    }
}

/// Variables from files need an `emptyDir`.
fn file_keys(checker: &mut Checker<'_>, pod: &At<'_>) {
    let mut positions = Places::default();
    for (position, volume) in pod.get("volumes").items().enumerate() {
        positions.first(text(&volume.get("name")), position);
    }
    for list in LISTS {
        for container in pod.get(list).items() {
            for variable in container.get("env").items() {
                let from = variable.get("valueFrom");
                let reference = from.get("fileKeyRef");
                let name = reference.get("volumeName");
                if !reference.is_set() {
                    continue;
                }
                let volumes = pod.get("volumes");
                match positions.get(text(&name)).map(|at| volumes.item(at)) {
                    None => checker.not_found(&name, text(&name), ""),
                    // A volume without a source is an emptyDir by default.
                    Some(volume)
                        if !volume.get("emptyDir").is_set()
                            && volume.members().any(|(name, value)| name.as_str() != "name" && value.is_set()) =>
                    {
                        checker.invalid(&name, "referenced volume must be of type emptyDir");
                    }
                    Some(_) => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;

//! Requests and limits.
//!
//! Invariant: amounts are compared after the rounding to thousandths that defaulting does.

mod sums;

use serde_json::Value;

use super::forms::Form;
use super::walk::{Checker, text};
use crate::at::At;
use crate::places::Places;
use crate::quantity::Quantity;
use crate::syntax;

/// Resources with names of their own, besides huge pages; the first three are those of containers.
const STANDARD: &[&str] = &[
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "storage",
    "requests.storage",
    "services.nodeports",
    "services.loadbalancers",
];
/// Those that come in whole numbers, by their positions.
const WHOLE: [usize; 9] = [9, 10, 11, 12, 13, 14, 15, 18, 19];
const OF_PODS: &[&str] = &["cpu", "hugepages-", "memory"];

/// The resources of a container.
pub(super) fn of_container(checker: &mut Checker<'_>, resources: &At<'_>) {
    check(checker, resources, &resources.get("limits"), false);
}

/// What a pod takes besides its containers; judged, and shown, as limits.
pub(super) fn of_overhead(checker: &mut Checker<'_>, overhead: &At<'_>) {
    if overhead.is_set() {
        check(checker, &overhead.showing(&At::root(&Value::Null)), &overhead.holding(overhead, "limits"), false);
    }
}

/// The resources of the whole pod.
pub(super) fn of_pod(checker: &mut Checker<'_>, resources: &At<'_>) {
    if resources.get("claims").is_set() {
        checker.forbidden(&resources.get("claims"), "claims may not be set for Resources at pod-level");
    }
    check(checker, resources, &resources.get("limits"), true);
    sums::check(checker, resources);
}

fn check(checker: &mut Checker<'_>, resources: &At<'_>, limits: &At<'_>, is_pod: bool) {
    let requests = resources.get("requests");
    for name in names(limits) {
        let limit = limits.key(name);
        amount(checker, name, &limit, is_pod);
        huge_page(checker, name, &limit);
    }
    for name in names(&requests) {
        let request = requests.key(name);
        amount(checker, name, &request, is_pod);
        against_limit(checker, name, &requests, limits);
        huge_page(checker, name, &request);
    }
    let all = || names(limits).chain(names(&requests));
    if all().any(is_huge) && !all().any(|name| matches!(name, "cpu" | "memory")) {
        checker.forbidden(resources, "HugePages require cpu or memory");
    }
    claims(checker, &resources.get("claims"));
}

pub(super) fn names<'b>(list: &At<'b>) -> impl Iterator<Item = &'b str> {
    list.map().into_iter().flat_map(|map| map.keys().map(String::as_str))
}

pub(super) fn is_huge(name: &str) -> bool {
    name.starts_with("hugepages-")
}

/// Resources without a domain, and those of the project's own.
fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

fn is_extended(name: &str) -> bool {
    !is_native(name)
        && !name.starts_with("requests.")
        && syntax::qualified_name(&["requests.", name].concat()).is_empty()
}

fn amount(checker: &mut Checker<'_>, name: &str, at: &At<'_>, is_pod: bool) {
    let before = checker.errors.len();
    checker.form(at, Form::Qualified, name);
    let is_known = STANDARD.contains(&name) || is_huge(name) || name.starts_with("requests.hugepages-");
    if checker.errors.len() == before && !name.contains('/') && !is_known {
        checker.invalid_text(at, name, "must be a standard resource type or fully qualified");
    }
    if is_pod {
        if checker.errors.len() == before && !OF_PODS.contains(&name) && !is_huge(name) {
            checker.not_supported(at, name, OF_PODS);
        }
    } else if !name.contains('/') {
        if !STANDARD[..3].contains(&name) && !is_huge(name) {
            checker.invalid_text(at, name, "must be a standard resource for containers");
        }
    } else if !is_native(name) && !is_extended(name) {
        checker.invalid_text(at, name, "doesn't follow extended resource name standard");
    }
    let quantity = rounded(at);
    if quantity.is_negative() {
        checker.invalid_text(at, &quantity.shown(at.value()), "must be greater than or equal to 0");
    }
    let is_counted = is_extended(name) || WHOLE.iter().any(|at| STANDARD[*at] == name);
    if is_counted && !quantity.is_whole() {
        checker.invalid_text(at, &quantity.shown(at.value()), "must be an integer");
    }
}

pub(super) fn rounded(at: &At<'_>) -> Quantity {
    Quantity::of(at.value()).rounded()
}

/// A request is at most its limit; of resources that cannot be shared it is its limit.
fn against_limit(checker: &mut Checker<'_>, name: &str, requests: &At<'_>, limits: &At<'_>) {
    let can_be_shared = is_native(name) && !is_huge(name);
    let limit = limits.key(name);
    if !limit.is_set() {
        if !can_be_shared {
            checker.required(limits, "Limit must be set for non overcommitable resources");
        }
        return;
    }
    let (of, most) = (requests.key(name), limit);
    let (request, limit) = (rounded(&of), rounded(&most));
    let word = match (request.is_above(limit), limit.is_above(request)) {
        (true, _) | (_, true) if !can_be_shared => "must be equal to ",
        (true, _) => "must be less than or equal to ",
        _ => return,
    };
    let detail = [word, name, " limit of ", &limit.shown(most.value())].concat();
    checker.invalid_text(requests, &request.shown(of.value()), &detail);
}

/// Huge pages come whole.
fn huge_page(checker: &mut Checker<'_>, name: &str, at: &At<'_>) {
    let Some(size) = name.strip_prefix("hugepages-") else { return };
    let quantity = rounded(at);
    let fits = Quantity::parse(size).is_some_and(|size| {
        !size.is_negative() && size.size() > 0 && size.is_whole() && quantity.size().is_multiple_of(size.size())
    });
    if !fits {
        let printed = quantity.shown(at.value());
        let detail = [&printed, " is not positive integer multiple of ", name].concat();
        checker.invalid_text(at, &printed, &detail);
    }
}

/// Each claim is one of the pod's, and is named once.
fn claims(checker: &mut Checker<'_>, list: &At<'_>) {
    let pod = checker.pod;
    let of_pod = pod.get("resourceClaims");
    let mut known = Places::default();
    let mut listed = String::new();
    for claim in of_pod.items().filter(|claim| !text(&claim.get("name")).is_empty()) {
        known.is_new(text(&claim.get("name")));
    }
    for name in known.texts() {
        listed.push_str(if listed.is_empty() { ": " } else { ", " });
        listed.push_str(name);
    }
    let mut seen = Places::default();
    for claim in list.items() {
        let (name, request) = (claim.get("name"), claim.get("request"));
        let (of, part) = (text(&name), text(&request));
        if of.is_empty() {
            checker.required(&claim, "");
            continue;
        }
        let key = if part.is_empty() { of.to_owned() } else { [of, "/", part].concat() };
        if seen.get(of).is_some() {
            checker.duplicate(&claim, of);
        } else {
            if !part.is_empty() {
                checker.form(&request, Form::Label, part);
            }
            if !seen.is_new(&key) {
                checker.duplicate(&claim, &key);
            }
        }
        if known.get(of).is_none() {
            let mut detail = String::from("must be one of the names in pod.spec.resourceClaims");
            detail.push_str(if listed.is_empty() { " which is empty" } else { &listed });
            checker.not_found(&claim, of, &detail);
        }
    }
}

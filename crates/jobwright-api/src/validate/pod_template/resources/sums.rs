//! What containers ask for together, against what the pod says.
//!
//! Invariant: init containers run one after the other, before the rest; those that are restarted always stay.

use super::{is_huge, names, rounded};
use crate::at::At;
use crate::quantity::Quantity;
use crate::validate::pod_template::walk::Checker;

/// The resources of the pod against those of its containers.
pub(super) fn check(checker: &mut Checker<'_>, resources: &At<'_>) {
    let pod = checker.pod;
    for (list, of_huge) in [("requests", false), ("limits", true)] {
        let of_pod = resources.get(list);
        for name in names(&of_pod).filter(|name| !of_huge || is_huge(name)) {
            let own = rounded(&of_pod.key(name));
            if let Some(total) = total(&pod, list, name).filter(|total| total.is_above(own)) {
                let head = "must be greater than or equal to aggregate container ";
                let detail = [head, list, " of ", &total.to_string()].concat();
                checker.invalid_text(&of_pod.key(name), &own.shown(of_pod.key(name).value()), &detail);
            }
        }
    }
    let (limits, containers, shown) = (resources.get("limits"), pod.get("containers"), resources.get("containers"));
    for (at, container) in containers.items().enumerate() {
        let of_container = container.get("resources");
        let of_container = of_container.get("limits");
        for name in names(&of_container) {
            let (limit, own) = (limits.key(name), rounded(&of_container.key(name)));
            let most = rounded(&limit);
            if limit.is_set() && own.is_above(most) {
                let detail = ["must be less than or equal to pod limits of ", &most.shown(limit.value())].concat();
                checker.invalid_text(
                    &shown.item(at).key(name).get("limits"),
                    &own.shown(of_container.key(name).value()),
                    &detail,
                );
            }
        }
    }
}

/// The most that the containers take at one time.
fn total(pod: &At<'_>, list: &str, name: &str) -> Option<Quantity> {
    let of = |container: &At<'_>| {
        let resources = container.get("resources");
        let list = resources.get(list);
        let at = list.key(name);
        at.is_set().then(|| rounded(&at))
    };
    let mut sum = None;
    for container in pod.get("containers").items() {
        sum = plus(sum, of(&container));
    }
    let (mut sidecars, mut peak) = (None, None);
    for container in pod.get("initContainers").items() {
        let own = of(&container);
        let now = plus(sidecars, own);
        if container.get("restartPolicy").str() == Some("Always") {
            sum = plus(sum, own);
            sidecars = now;
        }
        peak = most(peak, now);
    }
    most(sum, peak)
}

fn plus(one: Option<Quantity>, other: Option<Quantity>) -> Option<Quantity> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.plus(other)),
        _ => one.or(other),
    }
}

fn most(one: Option<Quantity>, other: Option<Quantity>) -> Option<Quantity> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.is_above(one) { other } else { one }),
        _ => one.or(other),
    }
}

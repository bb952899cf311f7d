//! What is worked out of a pod's status when it is read.
//!
//! Invariant: facts of the pod alone.

use crate::pod::{ContainerStatus, PodView};
use crate::status::ConditionStatus;
use crate::time::{Millis, Timestamp};

/// Whether a pod is ready, and since when, if that is told.
pub(super) fn ready_since(pod: &PodView) -> Option<Option<Timestamp>> {
    let ready = pod.ready_condition().filter(|c| c.status == ConditionStatus::True);
    ready.map(|c| c.last_transition)
}

/// Restarts of all containers together (BKO-20), and the highest counts of regular containers and of sidecars (DEL-5).
pub(super) fn restarts(pod: &PodView) -> (i64, (i32, i32)) {
    let all = pod.containers.iter().chain(&pod.init_containers);
    let highest = (
        pod.containers.iter().map(|c| c.restart_count).max().unwrap_or(0),
        sidecars(pod).map(|c| c.restart_count).max().unwrap_or(0),
    );
    (all.map(|c| i64::from(c.restart_count)).sum(), highest)
}

fn sidecars(pod: &PodView) -> impl Iterator<Item = &ContainerStatus> {
    pod.init_containers.iter().filter(|c| c.restartable)
}

/// When a pod finished, as well as can be told (BKO-4).
pub(super) fn finished_at(pod: &PodView) -> Timestamp {
    let mut latest = latest_end(pod.containers.iter(), None);
    if sidecars(pod).next().is_some() {
        latest = latest_end(sidecars(pod), latest);
    }
    let not_ready = || {
        let ready = pod.ready_condition().filter(|c| c.status == ConditionStatus::False);
        ready.and_then(|c| c.last_transition)
    };
    let deleted = || pod.deletion.map(|d| d.at - Millis::from_seconds(d.grace_seconds));
    latest.or_else(not_ready).or_else(deleted).unwrap_or(pod.created)
}

/// The latest end of all containers and `start`; nothing if one of them has not ended.
fn latest_end<'a>(
    containers: impl Iterator<Item = &'a ContainerStatus>,
    start: Option<Timestamp>,
) -> Option<Timestamp> {
    let mut latest = start;
    for container in containers {
        let end = container.terminated.and_then(|t| t.finished_at)?;
        latest = latest.max(Some(end));
    }
    latest
}

//! Single changes of a pod's status, as a kubelet reports them.
//!
//! Invariant: a transition time moves only when the status of its condition changes, except that
//! `run` sets those of Ready and ContainersReady in any case.

use jobwright_core::Timestamp;
use serde_json::{Value, json};

use super::containers::{
    container_status, end_container, ended, failing_container, is_restartable, map_containers, set_statuses, wire,
};
use crate::object;

/// The only node.
const NODE: &str = "node-1";

/// How a pod fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// Exit code of the container that fails; 1 if absent.
    pub exit_code: Option<i64>,
    /// Which container fails; the first if absent.
    pub container: Option<String>,
    /// Which init container fails instead.
    pub init_container: Option<String>,
    /// `status.reason`
    pub reason: Option<String>,
    /// `status.message`
    pub message: Option<String>,
    /// Pod conditions that are set.
    pub conditions: Vec<PodCondition>,
    /// No container statuses and no change of Ready: a pod that was refused or lost.
    pub no_statuses: bool,
}

/// One pod condition to set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodCondition {
    /// `type`
    pub kind: String,
    /// `status`
    pub status: String,
    /// `reason`
    pub reason: Option<String>,
    /// `message`
    pub message: Option<String>,
}

/// Containers that were started again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restarts {
    /// How often.
    pub times: i64,
    /// With what they had ended.
    pub exit_code: i64,
    /// Which container; the first if absent.
    pub container: Option<String>,
    /// Which init container instead.
    pub init_container: Option<String>,
}

/// The pod is bound and its containers run.
pub fn run(pod: &mut Value, ready: bool, now: Timestamp) {
    schedule(pod);
    object::set(pod, &["status", "phase"], "Running");
    object::set(pod, &["status", "startTime"], wire(now));
    let started = json!({"running": {"startedAt": wire(now)}});
    let ended = ended(0, now);
    let init = map_containers(pod, "initContainers", &mut |container, old| {
        let state = if is_restartable(container) { &started } else { &ended };
        container_status(container, old, state.clone())
    });
    set_statuses(pod, "initContainerStatuses", init);
    let containers =
        map_containers(pod, "containers", &mut |container, old| container_status(container, old, started.clone()));
    set_statuses(pod, "containerStatuses", containers);
    for kind in ["PodScheduled", "Initialized"] {
        set_condition(pod, &PodCondition::new(kind, true, None), now, false);
    }
    let reason = (!ready).then_some("ContainersNotReady");
    for kind in ["ContainersReady", "Ready"] {
        set_condition(pod, &PodCondition::new(kind, ready, reason), now, true);
    }
}

/// The pod becomes ready or unready.
pub fn set_ready(pod: &mut Value, ready: bool, now: Timestamp) {
    let reason = (!ready).then_some("ContainersNotReady");
    for kind in ["ContainersReady", "Ready"] {
        set_condition(pod, &PodCondition::new(kind, ready, reason), now, false);
    }
}

/// Every container ends with exit code 0.
pub fn succeed(pod: &mut Value, now: Timestamp) {
    schedule(pod);
    object::set(pod, &["status", "phase"], "Succeeded");
    for (specs, statuses) in [("initContainers", "initContainerStatuses"), ("containers", "containerStatuses")] {
        let list = map_containers(pod, specs, &mut |container, old| end_container(container, old, 0, now));
        set_statuses(pod, statuses, list);
    }
    unready(pod, "PodCompleted", now);
}

/// The ordinary containers end, the first with this code and the others with 0; sidecars go on.
pub fn end_main(pod: &mut Value, exit_code: i64, now: Timestamp) {
    let first = failing_container(pod, "containers", None);
    let code_of = |container: &Value| if object::text(container, &["name"]) == first { exit_code } else { 0 };
    let list = map_containers(pod, "containers", &mut |c, old| end_container(c, old, code_of(c), now));
    set_statuses(pod, "containerStatuses", list);
    unready(pod, "ContainersNotReady", now);
}

/// The first container ends with this code and waits to be started again.
pub fn crash(pod: &mut Value, exit_code: i64, now: Timestamp) {
    let first = failing_container(pod, "containers", None);
    let waiting = json!({"waiting": {"reason": "CrashLoopBackOff"}});
    let list = map_containers(pod, "containers", &mut |container, old| {
        if object::text(container, &["name"]) != first {
            return old.cloned().unwrap_or_else(|| container_status(container, None, json!({})));
        }
        let mut status = container_status(container, old, waiting.clone());
        object::set(&mut status, &["lastState"], ended(exit_code, now));
        status
    });
    set_statuses(pod, "containerStatuses", list);
    unready(pod, "ContainersNotReady", now);
}

/// A container ends with failure, and the pod with it.
pub fn fail(pod: &mut Value, failure: &Failure, now: Timestamp) {
    if !failure.no_statuses {
        schedule(pod);
    }
    object::set(pod, &["status", "phase"], "Failed");
    for (field, text) in [("reason", &failure.reason), ("message", &failure.message)] {
        if let Some(text) = text {
            object::set(pod, &["status", field], text.as_str());
        }
    }
    if failure.no_statuses {
        for statuses in ["initContainerStatuses", "containerStatuses"] {
            object::unset(pod, &["status", statuses]);
        }
    } else {
        fail_containers(pod, failure, now);
        unready(pod, "PodFailed", now);
    }
    for condition in &failure.conditions {
        set_condition(pod, condition, now, false);
    }
}

/// An init container that fails leaves those behind it, and all containers, waiting.
fn fail_containers(pod: &mut Value, failure: &Failure, now: Timestamp) {
    let code = failure.exit_code.unwrap_or(1);
    let waiting = json!({"waiting": {"reason": "PodInitializing"}});
    let failing_init = failure.init_container.as_deref();
    let mut reached = false;
    let init = map_containers(pod, "initContainers", &mut |container, old| {
        if reached {
            container_status(container, old, waiting.clone())
        } else if Some(object::text(container, &["name"])) == failing_init {
            reached = true;
            end_container(container, old, code, now)
        } else {
            end_container(container, old, 0, now)
        }
    });
    set_statuses(pod, "initContainerStatuses", init);
    let failing = failing_container(pod, "containers", failure.container.as_deref());
    let containers = map_containers(pod, "containers", &mut |container, old| {
        if failing_init.is_some() {
            container_status(container, old, waiting.clone())
        } else {
            let failed = object::text(container, &["name"]) == failing;
            end_container(container, old, if failed { code } else { 0 }, now)
        }
    });
    set_statuses(pod, "containerStatuses", containers);
}

/// Containers are started again, and the pod stays Running.
pub fn restart(pod: &mut Value, restarts: &Restarts, now: Timestamp) {
    let (specs, statuses, wanted) = match &restarts.init_container {
        Some(name) => ("initContainers", "initContainerStatuses", Some(name.as_str())),
        None => ("containers", "containerStatuses", restarts.container.as_deref()),
    };
    let name = failing_container(pod, specs, wanted);
    let list = map_containers(pod, specs, &mut |container, old| {
        if object::text(container, &["name"]) != name {
            return old.cloned().unwrap_or_else(|| container_status(container, None, json!({})));
        }
        let mut status = container_status(container, old, json!({"running": {"startedAt": wire(now)}}));
        let count = object::integer(&status, &["restartCount"]).unwrap_or(0);
        object::set(&mut status, &["restartCount"], count.saturating_add(restarts.times));
        object::set(&mut status, &["lastState"], ended(restarts.exit_code, now));
        status
    });
    set_statuses(pod, statuses, list);
}

/// Sets one pod condition.
pub fn condition(pod: &mut Value, condition: &PodCondition, now: Timestamp) {
    set_condition(pod, condition, now, false);
}

impl PodCondition {
    fn new(kind: &str, holds: bool, reason: Option<&str>) -> Self {
        let status = if holds { "True" } else { "False" };
        Self { kind: kind.to_owned(), status: status.to_owned(), reason: reason.map(str::to_owned), message: None }
    }
}

/// Binds the pod to the node, unless it is bound.
fn schedule(pod: &mut Value) {
    if object::text(pod, &["spec", "nodeName"]).is_empty() {
        object::set(pod, &["spec", "nodeName"], NODE);
    }
}

fn unready(pod: &mut Value, reason: &str, now: Timestamp) {
    for kind in ["ContainersReady", "Ready"] {
        set_condition(pod, &PodCondition::new(kind, false, Some(reason)), now, false);
    }
}

fn set_condition(pod: &mut Value, condition: &PodCondition, now: Timestamp, moves_time: bool) {
    let mut list = object::list(pod, &["status", "conditions"]).to_vec();
    let at = list.iter().position(|c| object::text(c, &["type"]) == condition.kind);
    let old = at.and_then(|at| list.get(at));
    let kept_time = old
        .filter(|old| !moves_time && object::text(old, &["status"]) == condition.status)
        .map(|old| object::text(old, &["lastTransitionTime"]).to_owned());
    let mut new = json!({
        "type": condition.kind,
        "status": condition.status,
        "lastTransitionTime": kept_time.unwrap_or_else(|| wire(now)),
    });
    for (field, text) in [("reason", &condition.reason), ("message", &condition.message)] {
        if let Some(text) = text {
            object::set(&mut new, &[field], text.as_str());
        }
    }
    match at.and_then(|at| list.get_mut(at)) {
        Some(slot) => *slot = new,
        None => list.push(new),
    }
    object::set(pod, &["status", "conditions"], list);
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_seconds(946_688_400);

    fn pod() -> Value {
        json!({
            "spec": {
                "initContainers": [{"name": "init", "image": "x"}, {"name": "proxy", "restartPolicy": "Always"}],
                "containers": [{"name": "main"}, {"name": "side"}],
            },
            "status": {"phase": "Pending"},
        })
    }

    /// Name and exit code of each container that has ended, in the order of the lists.
    fn codes(pod: &Value) -> Vec<(&str, Option<i64>)> {
        ["initContainerStatuses", "containerStatuses"]
            .into_iter()
            .flat_map(|field| object::list(pod, &["status", field]))
            .map(|s| (object::text(s, &["name"]), object::integer(s, &["state", "terminated", "exitCode"])))
            .collect()
    }

    fn condition_of<'a>(pod: &'a Value, kind: &str) -> (&'a str, &'a str) {
        let list = object::list(pod, &["status", "conditions"]);
        let found = list.iter().find(|c| object::text(c, &["type"]) == kind);
        found.map_or(("", ""), |c| (object::text(c, &["status"]), object::text(c, &["lastTransitionTime"])))
    }

    #[test]
    fn run_ends_init_containers_and_starts_the_others() {
        let mut pod = pod();
        run(&mut pod, false, START);
        let expected = [("init", Some(0)), ("proxy", None), ("main", None), ("side", None)];
        assert_eq!(codes(&pod), expected);
        assert_eq!(object::text(&pod, &["spec", "nodeName"]), NODE);
        assert_eq!(condition_of(&pod, "Ready"), ("False", "2000-01-01T01:00:00Z"));
    }

    #[test]
    fn a_transition_time_moves_only_with_the_status() {
        let mut pod = pod();
        run(&mut pod, false, START);
        set_ready(&mut pod, false, Timestamp(START.0 + 5_000));
        assert_eq!(condition_of(&pod, "Ready"), ("False", "2000-01-01T01:00:00Z"));
        set_ready(&mut pod, true, Timestamp(START.0 + 7_900));
        assert_eq!(condition_of(&pod, "Ready"), ("True", "2000-01-01T01:00:07Z"));
    }

    #[test]
    fn one_container_fails_and_the_others_end_well() {
        let mut pod = pod();
        run(&mut pod, true, START);
        let failure = Failure { exit_code: Some(42), container: Some("side".to_owned()), ..Failure::default() };
        fail(&mut pod, &failure, Timestamp(START.0 + 1_000));
        assert_eq!(codes(&pod), [("init", Some(0)), ("proxy", Some(0)), ("main", Some(0)), ("side", Some(42))]);
        assert_eq!(condition_of(&pod, "Ready"), ("False", "2000-01-01T01:00:01Z"));
    }

    #[test]
    fn an_init_container_that_fails_leaves_the_rest_waiting() {
        let mut pod = pod();
        let failure = Failure { init_container: Some("init".to_owned()), ..Failure::default() };
        fail(&mut pod, &failure, START);
        assert_eq!(codes(&pod), [("init", Some(1)), ("proxy", None), ("main", None), ("side", None)]);
    }

    #[test]
    fn a_pod_that_was_lost_has_no_statuses_and_keeps_its_conditions() {
        let mut pod = pod();
        run(&mut pod, true, START);
        fail(&mut pod, &Failure { no_statuses: true, ..Failure::default() }, Timestamp(START.0 + 1_000));
        assert!(codes(&pod).is_empty());
        assert_eq!(condition_of(&pod, "Ready"), ("True", "2000-01-01T01:00:00Z"));
    }

    #[test]
    fn restarts_add_up() {
        let mut pod = pod();
        run(&mut pod, true, START);
        let restarts = Restarts { times: 2, exit_code: 3, container: None, init_container: None };
        restart(&mut pod, &restarts, START);
        restart(&mut pod, &restarts, START);
        let main = &object::list(&pod, &["status", "containerStatuses"])[0];
        assert_eq!(object::integer(main, &["restartCount"]), Some(4));
        assert_eq!(object::integer(main, &["lastState", "terminated", "exitCode"]), Some(3));
        assert_eq!(object::text(&pod, &["status", "phase"]), "Running");
    }
}

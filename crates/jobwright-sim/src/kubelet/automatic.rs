//! The kubelet that plays scripts: starts pods, ends them, and terminates those that are deleted.
//!
//! A container that fails under the restart policy OnFailure is started again in its pod, and plays the next entry of its
//! script. Sidecars stop after the other containers, and the pod ends with them. A pod whose own
//! `activeDeadlineSeconds` are over fails.
//!
//! Invariant: a task is carried out only if the pod that it was made for is still in a state for it.

use jobwright_core::OrderedMap;

use jobwright_core::pod::PodPhase;
use jobwright_core::{Millis, Resource, Timestamp};
use serde_json::Value;

use super::containers::has_sidecars;
use super::crash_loop;
use super::outcome::{Ending, Outcome, Outcomes, eviction};
use super::transition::{self, Failure, Restarts};
use crate::api_server::{ApiServer, Change, DeletePod, ObjectName};
use crate::object;

/// From the creation of a pod until it runs and is ready.
const START: Millis = Millis::from_seconds(1);
/// From the deletion of a running pod until it has ended.
const TERMINATE: Millis = Millis::from_seconds(1);
/// Exit code of a container that heeds SIGTERM.
const SIGTERM: i64 = 143;
/// Exit code of a container that was killed.
const SIGKILL: i64 = 137;

/// What a kubelet does to a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KubeletAct {
    /// Its containers start.
    Start,
    /// Its containers end as planned.
    End,
    /// Its sidecars have stopped after its other containers, which ended with this code.
    Stop(i32),
    /// The container that ended with this code is started again.
    Restart(i32),
    /// Its own `activeDeadlineSeconds` are over.
    Deadline,
    /// Its containers end because it is being deleted.
    Terminate,
}

#[derive(Clone, Debug)]
pub(super) struct Task {
    pod: ObjectName,
    pub(super) uid: String,
    pub(super) act: KubeletAct,
}

/// What the kubelet knows of one pod.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) outcome: Outcome,
    pub(super) terminating: bool,
    /// How often its container was started again.
    pub(super) restarts: u32,
    /// Which pod of its index, or of its Job, from 0.
    pub(super) attempt: u32,
    pub(super) index: Option<u32>,
    /// Since when it runs.
    pub(super) started: Option<Timestamp>,
}

/// The kubelet of the only node.
#[derive(Clone, Debug)]
pub struct Kubelet {
    outcomes: Outcomes,
    /// Pods that were created so far, by owner and index.
    pub(super) attempts: OrderedMap<(String, Option<u32>), u32>,
    pub(super) plans: OrderedMap<String, Plan>,
    pub(super) due: OrderedMap<(Timestamp, u64), Task>,
    tasks: u64,
}

impl Kubelet {
    /// A kubelet that plays these scripts.
    #[must_use]
    pub const fn new(outcomes: Outcomes) -> Self {
        Self { outcomes, attempts: OrderedMap::new(), plans: OrderedMap::new(), due: OrderedMap::new(), tasks: 0 }
    }

    /// When the next task is due.
    #[must_use]
    pub fn due(&self) -> Option<Timestamp> {
        self.due.first().map(|((at, _), _)| *at)
    }

    /// The name of the pod that is next, and what is done to it.
    #[must_use]
    pub fn next_task(&self) -> Option<(String, KubeletAct)> {
        self.due.first().map(|(_, task)| (task.pod.1.clone(), task.act))
    }

    /// Takes in a change of a pod.
    pub fn notice(&mut self, change: &Change, now: Timestamp) {
        let uid = object::uid(&change.object);
        if change.gone {
            self.plans.remove(uid);
            return;
        }
        if !self.plans.contains_key(uid) {
            self.plan(&change.object, now);
        }
        let running = object::phase(&change.object) == PodPhase::Running;
        if running
            && object::is_terminating(&change.object)
            && let Some(plan) = self.plans.get_mut(uid)
            && !plan.terminating
        {
            plan.terminating = true;
            self.add(&change.object, KubeletAct::Terminate, now + TERMINATE);
        }
    }

    /// Plans the life of a pod that was not seen before.
    fn plan(&mut self, pod: &Value, now: Timestamp) {
        let (outcome, attempt) = self.next_outcome(pod);
        let index = object::completion_index(pod);
        let started = (object::phase(pod) == PodPhase::Running).then_some(now);
        let plan = Plan { outcome, terminating: false, restarts: 0, attempt, index, started };
        self.plans.insert(object::uid(pod).to_owned(), plan);
        let gated = !object::list(pod, &["spec", "schedulingGates"]).is_empty();
        match object::phase(pod) {
            PodPhase::Pending if !gated && outcome.ending != Ending::Pending => {
                self.add(pod, KubeletAct::Start, now + START)
            }
            PodPhase::Running => self.plan_end(pod, outcome, now),
            _ => {}
        }
    }

    /// The next entry of the script that this pod plays, and which it is.
    fn next_outcome(&mut self, pod: &Value) -> (Outcome, u32) {
        let index = object::completion_index(pod);
        let attempts = self.attempts.get_or_default((object::controller_uid(pod).to_owned(), index));
        let attempt = *attempts;
        *attempts += 1;
        (self.outcomes.of(index, attempt), attempt)
    }

    fn started(&mut self, uid: &str, now: Timestamp) {
        if let Some(plan) = self.plans.get_mut(uid) {
            plan.started = Some(now);
        }
    }

    fn plan_end(&mut self, pod: &Value, outcome: Outcome, now: Timestamp) {
        if outcome.ending != Ending::Hang {
            self.add(pod, KubeletAct::End, now + outcome.after);
        }
    }

    pub(super) fn add(&mut self, pod: &Value, act: KubeletAct, at: Timestamp) {
        let name = (object::namespace(pod).to_owned(), object::name(pod).to_owned());
        self.tasks += 1;
        self.due.insert((at, self.tasks), Task { pod: name, uid: object::uid(pod).to_owned(), act });
    }

    /// Carries out the oldest task that is due, if any.
    pub fn act(&mut self, api: &mut ApiServer, now: Timestamp) {
        if self.due().is_none_or(|at| at > now) {
            return;
        }
        let Some((_, task)) = self.due.pop_first() else { return };
        let (namespace, name) = (&task.pod.0, &task.pod.1);
        let Ok(pod) = api.get(Resource::Pods, namespace, name) else { return };
        let Some(plan) = self.plans.get(&task.uid).copied().filter(|_| object::uid(&pod) == task.uid) else { return };
        let (phase, leaving) = (object::phase(&pod), object::is_terminating(&pod));
        match task.act {
            KubeletAct::Start if phase == PodPhase::Pending && !leaving => {
                let _ = api.change_pod_status(namespace, name, |pod| transition::run(pod, true, now));
                self.started(&task.uid, now);
                self.plan_end(&pod, plan.outcome, now);
                if let Some(seconds) = object::integer(&pod, &["spec", "activeDeadlineSeconds"]) {
                    self.add(&pod, KubeletAct::Deadline, now + Millis::from_seconds(seconds));
                }
            }
            KubeletAct::End if !phase.is_terminal() => self.end(api, &pod, plan, now),
            KubeletAct::Stop(code) if !phase.is_terminal() => finish(api, &task.pod, Ending::Exit(code), now),
            KubeletAct::Restart(code) if phase == PodPhase::Running && !leaving => {
                let restarts = Restarts { times: 1, exit_code: code.into(), container: None, init_container: None };
                let _ = api.change_pod_status(namespace, name, |pod| {
                    transition::restart(pod, &restarts, now);
                    transition::set_ready(pod, true, now);
                });
                self.started(&task.uid, now);
                self.plan_end(&pod, plan.outcome, now);
            }
            KubeletAct::Deadline if !phase.is_terminal() => {
                let _ = api.change_pod_status(namespace, name, |pod| transition::fail(pod, &deadline(), now));
            }
            KubeletAct::Terminate => terminate(api, &task.pod, &pod, now),
            _ => {}
        }
    }

    /// The containers end: those that fail may be started again, and sidecars have to stop first.
    fn end(&mut self, api: &mut ApiServer, pod: &Value, plan: Plan, now: Timestamp) {
        let key = (object::namespace(pod).to_owned(), object::name(pod).to_owned());
        let Ending::Exit(code) = plan.outcome.ending else { return finish(api, &key, plan.outcome.ending, now) };
        let again = code != 0 && object::text(pod, &["spec", "restartPolicy"]) == "OnFailure";
        if again && !object::is_terminating(pod) {
            let (outcome, attempt) = self.next_outcome(pod);
            let next = Plan { outcome, attempt, restarts: plan.restarts + 1, started: None, ..plan };
            self.plans.insert(object::uid(pod).to_owned(), next);
            let _ = api.change_pod_status(&key.0, &key.1, |pod| transition::crash(pod, code.into(), now));
            self.add(pod, KubeletAct::Restart(code), now + crash_loop::delay(plan.restarts));
        } else if has_sidecars(pod) {
            let _ = api.change_pod_status(&key.0, &key.1, |pod| transition::end_main(pod, code.into(), now));
            self.add(pod, KubeletAct::Stop(code), now + TERMINATE);
        } else {
            finish(api, &key, plan.outcome.ending, now);
        }
    }
}

/// How a pod ends whose own deadline is over.
fn deadline() -> Failure {
    Failure {
        exit_code: Some(SIGTERM),
        reason: Some("DeadlineExceeded".to_owned()),
        message: Some("Pod was active on the node longer than the specified deadline".to_owned()),
        ..Failure::default()
    }
}

/// A refusal means that the pod is gone, and then there is nothing to do.
fn finish(api: &mut ApiServer, pod: &ObjectName, ending: Ending, now: Timestamp) {
    let (namespace, name) = (&pod.0, &pod.1);
    let _ = match ending {
        Ending::Exit(0) => api.change_pod_status(namespace, name, |pod| transition::succeed(pod, now)),
        Ending::Exit(code) => {
            let failure = Failure { exit_code: Some(code.into()), ..Failure::default() };
            api.change_pod_status(namespace, name, |pod| transition::fail(pod, &failure, now))
        }
        Ending::Evict => api.change_pod_status(namespace, name, |pod| transition::fail(pod, &eviction(), now)),
        Ending::Delete => {
            let _ = api.delete_pod(namespace, name, DeletePod::default(), now);
            return;
        }
        Ending::Hang | Ending::Pending => return,
    };
}

/// ENV-3: a deleted pod ends before its object goes.
fn terminate(api: &mut ApiServer, key: &ObjectName, pod: &Value, now: Timestamp) {
    if !object::phase(pod).is_terminal() {
        let killed = object::integer(pod, &["metadata", "deletionGracePeriodSeconds"]) == Some(0);
        let exit_code = Some(if killed { SIGKILL } else { SIGTERM });
        let failure = Failure { exit_code, ..Failure::default() };
        let _ = api.change_pod_status(&key.0, &key.1, |pod| transition::fail(pod, &failure, now));
    }
    let _ = api.delete_pod(&key.0, &key.1, DeletePod { grace: Some(0), uid: Some(object::uid(pod)) }, now);
}

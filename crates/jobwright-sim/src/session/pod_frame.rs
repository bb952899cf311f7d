//! Pods as they are drawn: state, times, and what a person may do to them.
//!
//! Invariant: pods that are gone stay in the list, with the last that was seen of them.

use jobwright_core::OrderedSet;

use jobwright_api::names::TRACKING_FINALIZER;
use jobwright_core::Timestamp;
use jobwright_core::pod::PodPhase;
use serde_json::Value;

use super::Session;
use super::pod_event::{PodEvent, refuse};
use crate::object;
use crate::text::say;
use crate::view::{PodActionFrame, PodFrame, PodState};
use crate::world::{PodLife, World, restarts};

/// Every pod that ever was, in order of creation.
pub(super) fn all(world: &World, status: Option<&Value>, start: Timestamp) -> Vec<PodFrame> {
    let lists = ["succeeded", "failed"]
        .into_iter()
        .filter_map(|field| status.map(|status| object::list(status, &["uncountedTerminatedPods", field])));
    let uncounted: OrderedSet<&str> = lists.flatten().filter_map(Value::as_str).collect();
    let lives = world.history().lives().iter().enumerate();
    lives.map(|(order, life)| pod(life, order, &uncounted, start)).collect()
}

fn pod(life: &PodLife, order: usize, uncounted: &OrderedSet<&str>, start: Timestamp) -> PodFrame {
    let object = &life.object;
    let ms = |at: Timestamp| (at - start).0;
    let reason = object::text(object, &["status", "reason"]);
    PodFrame {
        name: object::name(object).to_owned(),
        row: life.index.unwrap_or_else(|| u32::try_from(order).unwrap_or(u32::MAX)),
        index: life.index,
        attempt: life.attempt,
        state: state(object),
        exit_code: exit_code(object),
        reason: (!reason.is_empty()).then(|| reason.to_owned()),
        created_ms: ms(life.created),
        started_ms: life.started.map(ms),
        ready_ms: life.ready.map(ms),
        deleted_ms: life.deleted.map(ms),
        ended_ms: life.ended.map(ms),
        gone_ms: life.gone.map(ms),
        tracking_finalizer: life.gone.is_none() && object::finalizers(object).contains(&TRACKING_FINALIZER),
        uncounted: uncounted.contains(object::uid(object)),
        restarts: restarts(object),
    }
}

fn state(pod: &Value) -> PodState {
    match object::phase(pod) {
        PodPhase::Succeeded => PodState::Succeeded,
        PodPhase::Failed => PodState::Failed,
        _ if object::is_terminating(pod) => PodState::Terminating,
        PodPhase::Running if object::condition_is_true(pod, "Ready") => PodState::Ready,
        PodPhase::Running => PodState::Running,
        PodPhase::Pending | PodPhase::Unknown => PodState::Pending,
    }
}

/// The code of the first container that ended with failure, else of the first that ended; of a pod that has ended.
fn exit_code(pod: &Value) -> Option<i32> {
    if !object::phase(pod).is_terminal() {
        return None;
    }
    let statuses = ["containerStatuses", "initContainerStatuses"];
    let codes: Vec<i64> = statuses
        .into_iter()
        .flat_map(|field| object::list(pod, &["status", field]))
        .filter_map(|status| object::integer(status, &["state", "terminated", "exitCode"]))
        .collect();
    let decided = codes.iter().find(|code| **code != 0).or(codes.first());
    decided.and_then(|code| i32::try_from(*code).ok())
}

impl Session {
    /// What a person may do to a pod now; what is refused carries the reason.
    #[must_use]
    pub fn actions(&self, pod: &str) -> Vec<PodActionFrame> {
        let lives = self.stage.world.history().lives();
        let Some(life) = self.place_of(pod).and_then(|place| lives.get(place)) else { return Vec::new() };
        // Starting and ending by hand are for pods that nobody else starts or ends.
        let fits = |event: &PodEvent, refused: bool| match event {
            PodEvent::Run | PodEvent::Restart | PodEvent::Terminated => !refused,
            _ => true,
        };
        let all = PodEvent::ALL.into_iter().map(|event| (event, action(life, event)));
        all.filter(|(event, action)| fits(event, action.refused.is_some())).map(|(_, action)| action).collect()
    }

    /// Where a pod stands in the order of creation; `#3` is the third.
    pub(super) fn place_of(&self, pod: &str) -> Option<usize> {
        let lives = self.stage.world.history().lives();
        match pod.strip_prefix('#') {
            Some(number) => number.parse::<usize>().ok()?.checked_sub(1).filter(|place| *place < lives.len()),
            // A name may come again; the newest is meant.
            None => lives.iter().rposition(|life| object::name(&life.object) == pod),
        }
    }

    /// The name of the pod at that place.
    pub(super) fn name_at(&self, place: Option<usize>) -> Option<String> {
        let life = self.stage.world.history().lives().get(place?)?;
        Some(object::name(&life.object).to_owned())
    }
}

fn action(life: &PodLife, event: PodEvent) -> PodActionFrame {
    let present = life.gone.is_none().then_some(&*life.object);
    PodActionFrame {
        action: event.as_str().to_owned(),
        label: say(&format!("sim.action.{}", event.as_str()), &[]),
        refused: refuse(present, object::name(&life.object), event).map(|refusal| refusal.0),
    }
}

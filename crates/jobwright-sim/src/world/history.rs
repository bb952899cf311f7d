//! The life of each pod, kept also after its object is gone.
//!
//! Invariant: pods are in order of creation; a time that was noted does not move, except that a pod
//! that is started again is ready anew.

use jobwright_core::OrderedMap;
use std::sync::Arc;

use jobwright_core::Timestamp;
use jobwright_core::pod::PodPhase;
use serde_json::Value;

use crate::api_server::Change;
use crate::object;

/// What is known of a pod.
#[derive(Clone, Debug)]
pub struct PodLife {
    /// The object as it is, or as it was last.
    pub object: Arc<Value>,
    /// The completion index.
    pub index: Option<u32>,
    /// The how-manieth pod of its index, or of the Job, from 1.
    pub attempt: u32,
    /// When it was made.
    pub created: Timestamp,
    /// When it began to run.
    pub started: Option<Timestamp>,
    /// When it became ready, if it is or was at its end.
    pub ready: Option<Timestamp>,
    /// When somebody asked for its deletion.
    pub deleted: Option<Timestamp>,
    /// When it reached a terminal phase.
    pub ended: Option<Timestamp>,
    /// When the object went.
    pub gone: Option<Timestamp>,
}

/// The lives of all pods that ever were.
#[derive(Clone, Debug, Default)]
pub struct History {
    lives: Vec<PodLife>,
    by_uid: OrderedMap<String, usize>,
    attempts: OrderedMap<(String, Option<u32>), u32>,
}

impl History {
    /// All pods, in order of creation.
    #[must_use]
    pub fn lives(&self) -> &[PodLife] {
        &self.lives
    }

    /// Takes in a change of a pod.
    pub(super) fn notice(&mut self, change: &Change, now: Timestamp) {
        let pod = &change.object;
        let place = match self.by_uid.get(object::uid(pod)) {
            Some(place) => *place,
            None => self.add(pod, now),
        };
        let Some(life) = self.lives.get_mut(place) else { return };
        life.object = Arc::clone(pod);
        if change.gone {
            life.gone = Some(now);
        }
        let phase = object::phase(pod);
        if phase != PodPhase::Pending && !object::text(pod, &["status", "startTime"]).is_empty() {
            life.started.get_or_insert(now);
        }
        if object::condition_is_true(pod, "Ready") {
            life.ready.get_or_insert(now);
        } else if !phase.is_terminal() {
            life.ready = None;
        }
        if object::is_terminating(pod) {
            life.deleted.get_or_insert(now);
        }
        if phase.is_terminal() {
            life.ended.get_or_insert(now);
        }
    }

    fn add(&mut self, pod: &Arc<Value>, now: Timestamp) -> usize {
        let index = object::completion_index(pod);
        let attempt = self.attempts.get_or_default((object::controller_uid(pod).to_owned(), index));
        *attempt += 1;
        let stored = object::text(pod, &["metadata", "creationTimestamp"]);
        // A pod that was there before the session has only its stored time.
        let created = jobwright_api::time::parse(stored).filter(|at| *at < now.on_wire()).unwrap_or(now);
        self.lives.push(PodLife {
            object: Arc::clone(pod),
            index,
            attempt: *attempt,
            created,
            started: None,
            ready: None,
            deleted: None,
            ended: None,
            gone: None,
        });
        let place = self.lives.len() - 1;
        self.by_uid.insert(object::uid(pod).to_owned(), place);
        place
    }
}

//! Deletion of Jobs and Pods: propagation, grace periods, finalizers, preconditions.
//!
//! Invariant: an object with finalizers is never removed by a DELETE, only marked (ENV-2, GCD-1 to GCD-4).

use std::sync::Arc;

use jobwright_core::{Millis, Resource, Timestamp};
use serde_json::Value;

use super::{ApiError, ApiServer, wire_time};
use crate::object;

/// The finalizer of a foreground deletion (GCD-3).
pub(crate) const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of an orphaning deletion (GCD-4).
pub(crate) const ORPHAN: &str = "orphan";

/// `propagationPolicy` of a DELETE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Propagation {
    /// The object goes at once (GCD-2).
    Background,
    /// The object waits for its pods (GCD-3).
    Foreground,
    /// The pods stay and lose their owner (GCD-4).
    Orphan,
}

/// Options of a pod's DELETE.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeletePod<'a> {
    /// `gracePeriodSeconds`; the pod's own if absent.
    pub grace: Option<i64>,
    /// Precondition on the UID.
    pub uid: Option<&'a str>,
}

impl ApiServer {
    /// DELETE of a Job. Without a policy a deletion that is under way goes on as it was asked for, and otherwise
    /// the pods are orphaned (GCD-1).
    ///
    /// # Errors
    /// 404 if it is not there, 409 if the UID is another one.
    pub fn delete_job(
        &mut self,
        (namespace, name): (&str, &str),
        propagation: Option<Propagation>,
        uid: Option<&str>,
        now: Timestamp,
    ) -> Result<(), ApiError> {
        let old = self.get(Resource::Jobs, namespace, name)?;
        check_uid(Resource::Jobs, &old, uid)?;
        let mut finalizers: Vec<String> = object::finalizers(&old).into_iter().map(str::to_owned).collect();
        let under_way = finalizers.iter().find(|f| *f == FOREGROUND || *f == ORPHAN);
        let default =
            if under_way.is_some_and(|f| f == FOREGROUND) { Propagation::Foreground } else { Propagation::Orphan };
        finalizers.retain(|f| f != FOREGROUND && f != ORPHAN);
        match propagation.unwrap_or(default) {
            Propagation::Background => {}
            Propagation::Foreground => finalizers.push(FOREGROUND.to_owned()),
            Propagation::Orphan => finalizers.push(ORPHAN.to_owned()),
        }
        if finalizers.is_empty() {
            self.remove(Resource::Jobs, &old);
            return Ok(());
        }
        let mut new = Value::clone(&old);
        object::set_finalizers(&mut new, &finalizers);
        if !object::is_terminating(&old) {
            mark(&mut new, now, 0);
            let generation = object::integer(&old, &["metadata", "generation"]).unwrap_or(0);
            object::set(&mut new, &["metadata", "generation"], generation + 1);
        }
        self.update(Resource::Jobs, &old, new);
        Ok(())
    }

    /// DELETE of a pod (ENV-2).
    ///
    /// # Errors
    /// 404 if it is not there, 409 if the UID is another one.
    pub fn delete_pod(
        &mut self,
        namespace: &str,
        name: &str,
        options: DeletePod<'_>,
        now: Timestamp,
    ) -> Result<(), ApiError> {
        let old = self.get(Resource::Pods, namespace, name)?;
        check_uid(Resource::Pods, &old, options.uid)?;
        let mut new = Value::clone(&old);
        let grace = if object::is_terminating(&old) {
            // A deletion that is under way can only be made shorter.
            let present = object::integer(&old, &["metadata", "deletionGracePeriodSeconds"]).unwrap_or(0);
            let Some(shorter) = options.grace.map(|grace| asked_grace(&old, grace)).filter(|g| *g < present) else {
                return Ok(());
            };
            shorten(&mut new, present, shorter);
            shorter
        } else {
            let own = object::integer(&old, &["spec", "terminationGracePeriodSeconds"]).unwrap_or(30);
            let grace = asked_grace(&old, options.grace.unwrap_or(own));
            mark(&mut new, now, grace);
            grace
        };
        if grace == 0 && object::finalizers(&old).is_empty() {
            self.remove(Resource::Pods, &old);
        } else {
            self.update(Resource::Pods, &old, new);
        }
        Ok(())
    }
}

/// The grace period that is granted: none to a pod that no kubelet runs or that has ended, 1 s for a negative one.
fn asked_grace(pod: &Value, grace: i64) -> i64 {
    let scheduled = !object::text(pod, &["spec", "nodeName"]).is_empty();
    if !scheduled || object::phase(pod).is_terminal() {
        0
    } else if grace < 0 {
        1
    } else {
        grace
    }
}

fn mark(object: &mut Value, now: Timestamp, grace: i64) {
    let end = now + Millis::from_seconds(grace);
    object::set(object, &["metadata", "deletionTimestamp"], wire_time(end));
    object::set(object, &["metadata", "deletionGracePeriodSeconds"], grace);
}

fn shorten(pod: &mut Value, present: i64, shorter: i64) {
    let end = jobwright_api::time::parse(object::text(pod, &["metadata", "deletionTimestamp"]));
    if let Some(end) = end {
        let earlier = end - Millis::from_seconds(present.saturating_sub(shorter));
        object::set(pod, &["metadata", "deletionTimestamp"], wire_time(earlier));
    }
    object::set(pod, &["metadata", "deletionGracePeriodSeconds"], shorter);
}

fn check_uid(resource: Resource, object: &Arc<Value>, wanted: Option<&str>) -> Result<(), ApiError> {
    let is = object::uid(object);
    match wanted {
        Some(wanted) if wanted != is => {
            let why = format!("the UID in the precondition ({wanted}) and the UID in record ({is}) do not match");
            Err(ApiError::conflict(resource, object::name(object), &why))
        }
        _ => Ok(()),
    }
}

//! The pod garbage collector, as far as Jobs see it (GCD-15, GCD-17, GCD-18): every 20 seconds it ends deleted pods that no
//! node will ever end, and deletes ended pods when there are too many.
//!
//! Invariant: a pass that could find nothing to do is left out; nobody can see the difference. The cluster has one
//! node that never goes, so there is nothing to do for pods of lost nodes (GCD-16).

use std::sync::Arc;

use jobwright_core::ordered::sort_by;
use jobwright_core::{Millis, OrderedSet, Resource, Timestamp};
use serde_json::Value;

use crate::api_server::{ApiServer, Change, DeletePod};
use crate::object;

/// Time between two passes (CST-17).
const PERIOD: Millis = Millis::from_seconds(20);
/// Ended pods that may stay (CST-17).
const THRESHOLD: usize = 12_500;

/// When the next pass is due, and what it will look for.
#[derive(Clone, Debug, Default)]
pub struct PodGarbageCollector {
    /// UIDs of the pods that have ended.
    ended: OrderedSet<String>,
    due: Option<Timestamp>,
}

impl PodGarbageCollector {
    /// Notices a change of a pod. Passes are counted from `start`.
    pub fn notice(&mut self, change: &Change, start: Timestamp, now: Timestamp) {
        let uid = object::uid(&change.object);
        if change.gone {
            self.ended.remove(uid);
            return;
        }
        if object::phase(&change.object).is_terminal() {
            self.ended.insert(uid.to_owned());
        }
        if self.due.is_none() && (is_stuck(&change.object) || self.ended.len() > THRESHOLD) {
            let passes = (now - start).0 / PERIOD.0 + 1;
            self.due = Some(start + Millis(passes * PERIOD.0));
        }
    }

    /// When the next pass is due.
    #[must_use]
    pub const fn due(&self) -> Option<Timestamp> {
        self.due
    }

    /// One pass over all pods.
    pub fn pass(&mut self, api: &mut ApiServer, now: Timestamp) {
        self.due = None;
        let mut pods: Vec<Arc<Value>> = api.list(Resource::Pods).cloned().collect();
        sort_by(&mut pods, |a, b| age(a).cmp(&age(b)));
        let surplus = self.ended.len().saturating_sub(THRESHOLD);
        let ended = pods.iter().filter(|pod| object::phase(pod).is_terminal() && !object::is_terminating(pod));
        for pod in ended.take(surplus) {
            delete(api, pod, now);
        }
        for pod in pods.iter().filter(|pod| is_stuck(pod)) {
            let fail = |pod: &mut Value| object::set(pod, &["status", "phase"], "Failed");
            // A refusal means that the pod is gone by now.
            let _ = api.change_pod_status(object::namespace(pod), object::name(pod), fail);
            delete(api, pod, now);
        }
    }
}

/// A pod that is being deleted, has no node and has not ended (GCD-17, GCD-18).
fn is_stuck(pod: &Value) -> bool {
    object::is_terminating(pod)
        && object::text(pod, &["spec", "nodeName"]).is_empty()
        && !object::phase(pod).is_terminal()
}

/// Evicted pods come first, then the oldest (GCD-15).
fn age(pod: &Value) -> (bool, &str, &str) {
    let evicted = object::text(pod, &["status", "reason"]) == "Evicted";
    (!evicted, object::text(pod, &["metadata", "creationTimestamp"]), object::name(pod))
}

fn delete(api: &mut ApiServer, pod: &Value, now: Timestamp) {
    let options = DeletePod { grace: Some(0), uid: Some(object::uid(pod)) };
    let _ = api.delete_pod(object::namespace(pod), object::name(pod), options, now);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const START: Timestamp = Timestamp::from_seconds(946_688_400);

    fn after(seconds: i64) -> Timestamp {
        START + Millis::from_seconds(seconds)
    }

    fn api_with(pods: impl IntoIterator<Item = Value>) -> ApiServer {
        let mut api = ApiServer::new(1);
        for pod in pods {
            assert!(api.create_pod(pod, START).is_ok());
        }
        api
    }

    fn pod(name: &str) -> Value {
        json!({"metadata": {"name": name, "finalizers": ["a/b"]}, "spec": {}})
    }

    fn tell(collector: &mut PodGarbageCollector, api: &mut ApiServer, now: Timestamp) {
        for change in api.take_log() {
            collector.notice(&change, START, now);
        }
    }

    #[test]
    fn a_deleted_pod_without_a_node_fails_at_the_next_pass_gcd_17_prp_5() {
        let mut api = api_with([pod("a"), pod("b")]);
        let mut collector = PodGarbageCollector::default();
        tell(&mut collector, &mut api, START);
        assert_eq!(collector.due(), None);
        assert!(api.delete_pod("default", "a", DeletePod::default(), after(21)).is_ok());
        tell(&mut collector, &mut api, after(21));
        assert_eq!(collector.due(), Some(after(40)));
        collector.pass(&mut api, after(40));
        let phases: Vec<_> = api.list(Resource::Pods).map(|pod| object::text(pod, &["status", "phase"])).collect();
        assert_eq!(phases, ["Failed", "Pending"]);
        tell(&mut collector, &mut api, after(40));
        assert_eq!(collector.due(), None);
    }

    #[test]
    fn the_evicted_and_then_the_oldest_go_above_the_threshold_gcd_15() {
        let mut api =
            api_with((0..THRESHOLD + 2).map(|n| json!({"metadata": {"name": format!("p{n:05}")}, "spec": {}})));
        let fail = |pod: &mut Value| object::set(pod, &["status", "phase"], "Failed");
        for n in 0..THRESHOLD + 2 {
            assert!(api.change_pod_status("default", &format!("p{n:05}"), fail).is_ok());
        }
        let evict = |pod: &mut Value| object::set(pod, &["status", "reason"], "Evicted");
        assert!(api.change_pod_status("default", "p00007", evict).is_ok());
        let mut collector = PodGarbageCollector::default();
        tell(&mut collector, &mut api, START);
        assert_eq!(collector.due(), Some(after(20)));
        collector.pass(&mut api, after(20));
        let gone = |name: &str| api.get(Resource::Pods, "default", name).is_err();
        assert_eq!([gone("p00000"), gone("p00001"), gone("p00007")], [true, false, true]);
    }
}

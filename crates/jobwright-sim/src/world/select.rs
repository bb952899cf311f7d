//! Which pods a step means, and in which order.
//!
//! Invariant: `newest` is the exact reverse of `oldest`; pods that are equal in all that is compared are
//! interchangeable, and are taken by name so that a run can be repeated.

use std::cmp::Ordering;
use std::sync::Arc;

use jobwright_api::names::TRACKING_FINALIZER;
use jobwright_core::ordered::sort_by;
use jobwright_core::pod::PodPhase;
use serde_json::Value;

use crate::object;
use crate::scenario::{PodAct, Selection};

/// The pods of a selection, in its order.
pub(super) fn select<'a>(
    pods: impl Iterator<Item = &'a Arc<Value>>,
    selection: &Selection,
    act: &PodAct,
) -> Vec<Arc<Value>> {
    let mut chosen: Vec<Arc<Value>> = pods.filter(|pod| fits(pod, selection, act)).cloned().collect();
    sort_by(&mut chosen, |a, b| oldest_first(a, b));
    if selection.newest {
        chosen.reverse();
    }
    chosen.truncate(selection.count.unwrap_or(usize::MAX));
    chosen
}

fn fits(pod: &Value, selection: &Selection, act: &PodAct) -> bool {
    let phase = object::text(pod, &["status", "phase"]);
    let is = object::phase(pod);
    let takes_ended =
        matches!(act, PodAct::Delete { .. } | PodAct::Terminated { .. } | PodAct::Vanish | PodAct::Patch(_));
    let phase_fits = match &selection.phase {
        Some(wanted) => wanted == phase,
        None => takes_ended || !is.is_terminal(),
    };
    let act_fits = match act {
        PodAct::Run { .. } => is == PodPhase::Pending,
        PodAct::Ready(_) | PodAct::Restart(_) => is == PodPhase::Running,
        _ => true,
    };
    let terminating = selection.terminating.or(match act {
        PodAct::Terminated { .. } => Some(true),
        PodAct::Vanish | PodAct::Patch(_) => None,
        _ => Some(false),
    });
    phase_fits
        && act_fits
        && terminating.is_none_or(|wanted| wanted == object::is_terminating(pod))
        && selection.index.is_none_or(|wanted| object::completion_index(pod) == Some(wanted))
}

fn oldest_first(a: &Value, b: &Value) -> Ordering {
    let created = |pod| object::text(pod, &["metadata", "creationTimestamp"]);
    let started = |pod| object::text(pod, &["status", "startTime"]);
    let tracked = |pod| object::finalizers(pod).contains(&TRACKING_FINALIZER);
    let phase = |pod| object::text(pod, &["status", "phase"]);
    // Texts of times have one form, so they compare like the times.
    created(a)
        .cmp(created(b))
        .then_with(|| object::completion_index(a).cmp(&object::completion_index(b)))
        .then_with(|| phase(a).cmp(phase(b)))
        .then_with(|| object::condition_is_true(a, "Ready").cmp(&object::condition_is_true(b, "Ready")))
        .then_with(|| restarts(a).cmp(&restarts(b)))
        .then_with(|| object::is_terminating(a).cmp(&object::is_terminating(b)))
        .then_with(|| tracked(a).cmp(&tracked(b)))
        .then_with(|| started(a).cmp(started(b)))
        .then_with(|| object::name(a).cmp(object::name(b)))
}

/// Sum of the restart counts of all containers.
pub(crate) fn restarts(pod: &Value) -> i64 {
    ["initContainerStatuses", "containerStatuses"]
        .into_iter()
        .flat_map(|field| object::list(pod, &["status", field]))
        .filter_map(|status| object::integer(status, &["restartCount"]))
        .fold(0, i64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pod(name: &str, phase: &str, extra: Value) -> Arc<Value> {
        let mut pod = json!({"metadata": {"name": name, "creationTimestamp": "2000-01-01T01:00:00Z"},
                             "status": {"phase": phase}});
        jobwright_api::patch::merge(&mut pod, &extra);
        Arc::new(pod)
    }

    fn chosen(selection: &Selection, act: &PodAct) -> Vec<String> {
        let deleting = json!({"metadata": {"deletionTimestamp": "2000-01-01T01:00:30Z"}});
        let older = json!({"metadata": {"creationTimestamp": "2000-01-01T00:59:59Z"}});
        let indexed = json!({"metadata": {"annotations": {"batch.kubernetes.io/job-completion-index": "3"}}});
        let pods = [
            pod("a-running", "Running", json!({})),
            pod("b-pending", "Pending", json!({})),
            pod("c-deleting", "Running", deleting),
            pod("d-ended", "Succeeded", json!({})),
            pod("e-older", "Running", older),
            pod("f-indexed", "Pending", indexed),
        ];
        let found = select(pods.iter(), selection, act);
        found.iter().map(|pod| object::name(pod)[..1].to_owned()).collect()
    }

    #[test]
    fn each_action_has_its_own_candidates() {
        let any = Selection::default();
        assert_eq!(chosen(&any, &PodAct::Run { ready: true }).concat(), "bf");
        assert_eq!(chosen(&any, &PodAct::Ready(true)).concat(), "ea");
        assert_eq!(chosen(&any, &PodAct::Succeed).concat(), "ebaf");
        assert_eq!(chosen(&any, &PodAct::Delete { grace: None }).concat(), "ebadf");
        assert_eq!(chosen(&any, &PodAct::Terminated { succeeded: false, exit_code: None }).concat(), "c");
        assert_eq!(chosen(&any, &PodAct::Vanish).concat(), "ebacdf");
    }

    #[test]
    fn a_selection_narrows() {
        let phase = Selection { phase: Some("Running".to_owned()), ..Selection::default() };
        assert_eq!(chosen(&phase, &PodAct::Succeed).concat(), "ea");
        let index = Selection { index: Some(3), ..Selection::default() };
        assert_eq!(chosen(&index, &PodAct::Succeed).concat(), "f");
        let newest = Selection { newest: true, count: Some(2), ..Selection::default() };
        assert_eq!(chosen(&newest, &PodAct::Vanish).concat(), "fd");
        let terminating = Selection { terminating: Some(true), ..Selection::default() };
        assert_eq!(chosen(&terminating, &PodAct::Succeed).concat(), "c");
    }
}

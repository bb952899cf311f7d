//! The law of the ledger, and the order of deletion.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::facts::PodFacts;
use super::family::Owner;
use super::lens::Lens;
use super::{Ledger, PodSlot, ranking};
use crate::ids::{CompletionIndex, PodKey, ResourceVersion, Uid};
use crate::pod::{ContainerStatus, PodCondition, PodPhase, PodView};
use crate::status::ConditionStatus;
use crate::time::Timestamp;

/// A pod that runs and is ready.
pub(crate) fn running(name: &str) -> PodView {
    PodView {
        key: PodKey::new("default", name),
        uid: Uid::new(name),
        resource_version: ResourceVersion(1),
        created: Timestamp(0),
        deletion: None,
        labels: Vec::new(),
        index: None,
        index_failures: 0,
        index_ignored_failures: 0,
        tracking_finalizer: true,
        controller: None,
        scheduled: true,
        phase: PodPhase::Running,
        conditions: ready(true, Timestamp(0)),
        containers: Vec::new(),
        init_containers: Vec::new(),
    }
}

fn ready(ready: bool, at: Timestamp) -> Vec<PodCondition> {
    let status = if ready { ConditionStatus::True } else { ConditionStatus::False };
    alloc::vec![PodCondition { kind: "Ready".into(), status, last_transition: Some(at) }]
}

fn restarted(restart_count: i32, restartable: bool) -> Vec<ContainerStatus> {
    alloc::vec![ContainerStatus { name: "c".into(), restart_count, restartable, terminated: None }]
}

/// The facts of a pod of which nothing was known.
pub(super) fn facts(pod: &PodView) -> PodFacts {
    PodFacts::of(pod, Owner::of(pod), [None; 2], true)
}

fn any_pod() -> impl Strategy<Value = PodFacts> {
    let phase = prop_oneof![
        Just(PodPhase::Pending),
        Just(PodPhase::Running),
        Just(PodPhase::Unknown),
        Just(PodPhase::Succeeded),
        Just(PodPhase::Failed)
    ];
    (0..12_u32, phase, any::<[bool; 4]>(), proptest::option::of(0..5_u32), 0..4_i32).prop_map(
        |(name, phase, [deleting, finalizer, is_ready, scheduled], index, restarts)| {
            facts(&PodView {
                phase,
                deletion: deleting.then_some(crate::pod::Deletion { at: Timestamp(0), grace_seconds: 0 }),
                tracking_finalizer: finalizer,
                conditions: ready(is_ready, Timestamp(0)),
                scheduled,
                index: index.map(CompletionIndex),
                containers: restarted(restarts, false),
                ..running(&format!("pod-{name}"))
            })
        },
    )
}

fn lens(only_failed: bool) -> Lens {
    Lens { only_failed, ..Lens::default() }
}

proptest! {
    /// Applying a history equals building from what it left behind, replacement policy included.
    #[test]
    fn a_history_equals_a_rebuild(changes in prop::collection::vec((any_pod(), 0..5_u8), 0..120)) {
        let mut ledger = Ledger::default();
        let mut world: BTreeMap<Uid, (PodSlot, PodFacts)> = BTreeMap::new();
        let mut only_failed = false;
        for (pod, what) in changes {
            match (what, world.get(&pod.uid()).map(|(slot, _)| *slot)) {
                (0, Some(slot)) => {
                    ledger.remove(slot);
                    world.remove(&pod.uid());
                }
                (1, _) => {
                    only_failed = !only_failed;
                    ledger.look_through(lens(only_failed));
                }
                (_, Some(slot)) => {
                    ledger.replace(slot, pod.clone());
                    world.insert(pod.uid(), (slot, pod));
                }
                (_, None) => {
                    let slot = ledger.insert(pod.clone());
                    world.insert(pod.uid(), (slot, pod));
                }
            }
            let mut rebuilt = Ledger::default();
            rebuilt.look_through(lens(only_failed));
            for (_, pod) in world.values() {
                rebuilt.insert(pod.clone());
            }
            prop_assert_eq!(ledger.counts(), rebuilt.counts());
            prop_assert_eq!(ledger.ended(), rebuilt.ended());
            prop_assert_eq!(ledger.active_indexes(), rebuilt.active_indexes());
            prop_assert_eq!(ledger.has_misplaced(3), rebuilt.has_misplaced(3));
            prop_assert_eq!(ledger.scan_sorted(), rebuilt.scan_sorted());
            prop_assert_eq!(ledger.is_empty(), world.is_empty());
        }
    }

    /// DEL-5 is a strict weak order; with names as the last word, a total one.
    #[test]
    fn deletion_order_is_total(a in any_pod(), b in any_pod(), c in any_pod()) {
        use core::cmp::Ordering::{Greater, Less};
        let order = ranking::deletion_order;
        prop_assert_eq!(order(&a, &b), order(&b, &a).reverse());
        if order(&a, &b) == Less && order(&b, &c) == Less {
            prop_assert_eq!(order(&a, &c), Less);
        }
        if order(&a, &b) == Greater && order(&b, &c) == Greater {
            prop_assert_eq!(order(&a, &c), Greater);
        }
    }
}

/// Names of the chosen pods.
fn chosen(pods: &[PodView], at_least: usize, completions: Option<u32>) -> Vec<String> {
    let pods: Vec<PodFacts> = pods.iter().map(facts).collect();
    let chosen = ranking::choose(pods.iter().collect(), at_least, completions);
    chosen.into_iter().map(|pod| pod.name().to_text().as_ref().into()).collect()
}

#[test]
fn least_useful_pods_go_first_del_5() {
    let pods = [
        PodView { created: Timestamp(1), ..running("old") },
        PodView { created: Timestamp(2), ..running("new") },
        PodView { containers: restarted(2, false), ..running("restarted") },
        PodView { init_containers: restarted(1, true), ..running("sidecar-restarted") },
        PodView { conditions: ready(true, Timestamp(9)), ..running("ready-late") },
        PodView { conditions: ready(false, Timestamp(0)), ..running("not-ready") },
        PodView { phase: PodPhase::Unknown, ..running("unknown") },
        PodView { phase: PodPhase::Pending, ..running("pending") },
        PodView { scheduled: false, ..running("unscheduled") },
    ];
    let order = [
        "unscheduled",
        "pending",
        "unknown",
        "not-ready",
        "ready-late",
        "restarted",
        "sidecar-restarted",
        "new",
        "old",
    ];
    assert_eq!(chosen(&pods, 9, None), order);
    assert_eq!(chosen(&pods, 2, None), order[..2]);
}

#[test]
fn pods_without_an_index_of_their_own_go_first_del_3() {
    let at = |name, index| PodView { index: Some(CompletionIndex(index)), ..running(name) };
    let newer = PodView { created: Timestamp(5), ..at("one-again", 1) };
    let pods = [at("zero", 0), at("one", 1), newer, at("nine", 9), running("none")];
    assert_eq!(chosen(&pods, 0, Some(3)), ["none", "one-again", "nine"]);
    assert_eq!(chosen(&pods, 4, Some(3)).len(), 4);
    assert_eq!(chosen(&pods[..2], 0, Some(3)), [""; 0]);
}

#[test]
fn pods_that_are_equal_go_by_their_index_as_a_number_del_5() {
    let at = |name, index| PodView { index: Some(CompletionIndex(index)), ..running(name) };
    let pods = [at("job-10-a", 10), at("job-2-a", 2), at("job-9-a", 9)];
    assert_eq!(chosen(&pods, 2, Some(12)), ["job-2-a", "job-9-a"]);
}

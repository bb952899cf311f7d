//! Facts take little room and lose nothing.

use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::facts::PodFacts;
use super::family::Owner;
use super::tests::{facts, running};
use crate::ids::{CompletionIndex, PodKey, ResourceVersion, Uid};
use crate::pod::{ContainerStatus, ControllerRef, Deletion, PodCondition, PodPhase, PodView, Terminated};
use crate::selector::{INDEX_LABEL, Requirement, Selector};
use crate::status::ConditionStatus;
use crate::time::Timestamp;

#[test]
fn a_pod_takes_64_bytes_at_most() {
    assert!(size_of::<Option<PodFacts>>() <= 64);
}

/// Times that fit into four bytes of seconds and times that do not.
fn any_time() -> impl Strategy<Value = Timestamp> {
    prop_oneof![
        (0..2_000_000_000_i64).prop_map(Timestamp::from_seconds),
        (0..10_000_i64).prop_map(Timestamp),
        Just(Timestamp::from_seconds(-5)),
        Just(Timestamp::from_seconds(u32::MAX.into())),
        Just(Timestamp(i64::MAX)),
    ]
}

fn any_name() -> impl Strategy<Value = alloc::string::String> {
    prop_oneof!["train-[0-3]-[b-d2-5]{5}", "a{50,60}-[0-3]-[b-d2-5]{5}", "[a-z0-9-]{1,20}", "train-[b-d2-5]{5}"]
}

fn any_uid() -> impl Strategy<Value = Uid> {
    prop_oneof!["[0-9a-f]{8}-0000-4000-8000-[0-9a-f]{12}", "[a-z]{0,5}"].prop_map(|text| Uid::new(&text))
}

fn any_owner() -> impl Strategy<Value = Option<ControllerRef>> {
    let owner = |(name, kind, api, uid): (_, &'static str, &'static str, _)| ControllerRef {
        api_version: api.into(),
        kind: kind.into(),
        name: Arc::from(name as alloc::string::String),
        uid,
    };
    let names = prop_oneof!["train", "a{60}"];
    let kinds = prop_oneof![Just("Job"), Just("ReplicaSet")];
    let owners = (names, kinds, prop_oneof![Just("batch/v1"), Just("x/v1")], any_uid());
    proptest::option::of(owners.prop_map(owner))
}

prop_compose! {
    fn any_view()(
        (name, uid, controller, version) in (any_name(), any_uid(), any_owner(), any::<u64>()),
        (created, turned, ended) in (any_time(), proptest::option::of(any_time()), any_time()),
        (index, label) in (proptest::option::of(0..4_u32), proptest::option::of("[0-3]|03|x")),
        [deleting, finalizer, scheduled, ready, other_label] in any::<[bool; 5]>(),
        phase in 0..5_usize,
        (restarts, failures, ignored) in (0..2_i32, 0..2_u32, 0..2_u32),
    ) -> PodView {
        let phases = [PodPhase::Pending, PodPhase::Unknown, PodPhase::Running, PodPhase::Succeeded, PodPhase::Failed];
        let phase = phases[phase];
        let status = if ready { ConditionStatus::True } else { ConditionStatus::False };
        let label = label.map(|value| (INDEX_LABEL.into(), value));
        PodView {
            key: PodKey::new("default", &name),
            uid,
            resource_version: ResourceVersion(version),
            created,
            deletion: deleting.then_some(Deletion { at: ended, grace_seconds: 3 }),
            labels: label.into_iter().chain(other_label.then(|| ("z".into(), "1".into()))).collect(),
            index: index.map(CompletionIndex),
            index_failures: failures,
            index_ignored_failures: ignored,
            tracking_finalizer: finalizer,
            controller,
            scheduled,
            phase,
            conditions: alloc::vec![PodCondition { kind: "Ready".into(), status, last_transition: turned }],
            containers: alloc::vec![ContainerStatus {
                name: "main".into(),
                restart_count: restarts,
                restartable: false,
                terminated: phase.is_terminal().then_some(Terminated { exit_code: 0, finished_at: Some(ended) }),
            }],
            init_containers: Vec::new(),
        }
    }
}

proptest! {
    /// What was read can be told again, whatever the pod is like.
    #[test]
    fn facts_lose_nothing(view in any_view()) {
        let pod = facts(&view);
        prop_assert_eq!(pod.key(), view.key.clone());
        prop_assert_eq!(pod.uid(), view.uid.clone());
        prop_assert_eq!(pod.resource_version(), view.resource_version);
        prop_assert_eq!(pod.created(), view.created);
        prop_assert_eq!(pod.owner(), &Owner::of(&view));
        prop_assert_eq!(pod.index(), view.index);
        prop_assert_eq!(pod.all_labels(), view.labels.clone());
        prop_assert_eq!(pod.labels().is_empty(), view.labels.is_empty());
        prop_assert_eq!((pod.phase(), pod.is_scheduled()), (view.phase, view.scheduled));
        prop_assert_eq!((pod.has_finalizer(), pod.is_deleting()), (view.tracking_finalizer, view.deletion.is_some()));
        prop_assert_eq!((pod.index_failures(), pod.index_ignored_failures()), (view.index_failures, view.index_ignored_failures));
        let ready = view.conditions[0].status == ConditionStatus::True;
        prop_assert_eq!(pod.is_ready(), ready);
        if pod.is_active() {
            prop_assert_eq!(pod.ready_since(), view.conditions[0].last_transition.filter(|_| ready));
        } else {
            prop_assert_eq!(pod.finished_at(), super::reading::finished_at(&view));
        }
    }

    /// What is shared changes nothing, and UIDs and labels compare as they do in full.
    #[test]
    fn shared_parts_are_equal_ones(views in prop::collection::vec(any_view(), 1..6)) {
        let alone: Vec<PodFacts> = views.iter().map(facts).collect();
        let mut before: [Option<PodFacts>; 2] = [None, None];
        for (view, alone_pod) in views.iter().zip(&alone) {
            let pod = PodFacts::of(view, Owner::of(view), [before[0].as_ref(), before[1].as_ref()], true);
            prop_assert_eq!(&pod, alone_pod);
            before = [before[1].take(), Some(pod)];
        }
        for (a, view_a) in alone.iter().zip(&views) {
            for (b, view_b) in alone.iter().zip(&views) {
                prop_assert_eq!(a.uid_order(&view_b.uid), view_a.uid.cmp(&view_b.uid));
                prop_assert_eq!(a.has_labels_of(b), view_a.labels == view_b.labels);
                prop_assert_eq!(a.name().order(&b.name()), view_a.key.name.cmp(&view_b.key.name));
            }
        }
    }

    /// A selector sees the same labels, in the ledger and outside.
    #[test]
    fn selectors_see_the_index_label(view in any_view(), value in "[0-3]") {
        let key = || INDEX_LABEL.to_string();
        for rule in [
            Requirement::Equals(key(), value.clone()),
            Requirement::In(key(), alloc::vec![value.clone(), "x".into()]),
            Requirement::NotIn(key(), alloc::vec![value]),
            Requirement::Exists(key()),
            Requirement::DoesNotExist(key()),
        ] {
            let selector = Selector { rules: Some(alloc::vec![rule]) };
            prop_assert_eq!(selector.selects(&facts(&view).labels()), selector.matches(&view.labels));
        }
    }
}

#[test]
fn pods_of_one_job_share_what_they_have_in_common() {
    let pod = |index: u32| PodView {
        labels: alloc::vec![("app".into(), "train".into()), (INDEX_LABEL.into(), index.to_string())],
        index: Some(CompletionIndex(index)),
        uid: Uid::new(&format!("00000000-0000-4000-8000-{index:012x}")),
        ..running(&format!("train-{index}-bcd24"))
    };
    let first = PodFacts::of(&pod(9), Owner::Nobody, [None; 2], false);
    let second = PodFacts::of(&pod(10), Owner::Nobody, [None, Some(&first)], false);
    assert!(second.shares_all_with(&first));
}

#[test]
fn a_claimed_pod_has_another_owner_and_the_same_name() {
    let long = "a".repeat(60);
    let owner = ControllerRef {
        api_version: "batch/v1".into(),
        kind: "Job".into(),
        name: long.as_str().into(),
        uid: Uid::new("job"),
    };
    let name = format!("{}-7-bcd24", &long[..55]);
    let view = PodView { controller: Some(owner), index: Some(CompletionIndex(7)), ..running(&name) };
    let pod = facts(&view).claimed_by(Owner::Nobody);
    assert_eq!((&*pod.key().name, pod.owner(), pod.has_finalizer()), (name.as_str(), &Owner::Nobody, false));
}

//! The cache finds each pod, by UID and by name, whatever became of it.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::cache::Cache;
use crate::ids::{PodKey, Uid};
use crate::ledger::tests::running;
use crate::pod::{ControllerRef, PodPhase, PodView};

/// One of a few pods: some have UUIDs that begin alike, some have a UID that is none; names repeat.
fn any_pod() -> impl Strategy<Value = PodView> {
    (0..40_u32, 0..3_u8, 0..4_u8, any::<bool>(), any::<bool>()).prop_map(|(number, owner, name, other, finalizer)| {
        let uid = match number % 4 {
            0 => format!("{number}"),
            1 => format!("ffffffff-0000-4000-8000-{number:012}"),
            _ => format!("{:08x}-0000-4000-8000-{number:012}", number << 15),
        };
        let name =
            if name == 0 { format!("named-{}", number / 3) } else { format!("train-bcd{}{name}", 2 + number % 2) };
        PodView {
            key: PodKey::new(if other { "other" } else { "default" }, &name),
            uid: Uid::new(&uid),
            tracking_finalizer: finalizer,
            controller: (owner > 0).then(|| ControllerRef {
                api_version: "batch/v1".into(),
                kind: "Job".into(),
                name: format!("job-{owner}").into(),
                uid: Uid::new(&format!("job-{owner}")),
            }),
            scheduled: false,
            phase: PodPhase::Pending,
            conditions: Vec::new(),
            ..running(&name)
        }
    })
}

type World = BTreeMap<Uid, PodView>;

/// Names and UIDs of the world's pods in a namespace, sorted.
fn named(world: &World, namespace: &str, belongs: impl Fn(&PodView) -> bool) -> Vec<(PodKey, Uid)> {
    let pods = world.values().filter(|pod| &*pod.key.namespace == namespace && belongs(pod));
    let mut names: Vec<_> = pods.map(|pod| (pod.key.clone(), pod.uid.clone())).collect();
    names.sort();
    names
}

proptest! {
    #[test]
    fn it_shows_what_was_put_in(changes in prop::collection::vec((any_pod(), 0..4_u8), 0..150)) {
        let (mut cache, mut world) = (Cache::default(), World::new());
        for (pod, what) in changes {
            if what == 0 {
                let gone = cache.remove_pod(&pod.uid).map(|pod| pod.key());
                prop_assert_eq!(gone, world.remove(&pod.uid).map(|pod| pod.key));
            } else {
                let place = cache.place(&pod.uid);
                let facts = cache.read(&pod, cache.pod_at(place));
                cache.put_pod(facts, place);
                world.insert(pod.uid.clone(), pod);
            }
        }
        prop_assert!(cache.pod_uids().eq(world.keys().cloned()));
        for (uid, pod) in &world {
            prop_assert_eq!(cache.pod(uid).map(|found| found.key()), Some(pod.key.clone()));
        }
        for namespace in ["default", "other"] {
            let key: Arc<str> = namespace.into();
            let held: Vec<_> = cache.held_in(&key).map(|pod| (pod.key(), pod.uid())).collect();
            prop_assert_eq!(held, named(&world, namespace, |pod| pod.tracking_finalizer));
            let loose: Vec<_> = cache.loose_in(&key).map(|pod| (pod.key(), pod.uid())).collect();
            prop_assert_eq!(loose, named(&world, namespace, |pod| pod.controller.is_none()));
        }
        for owner in ["job-1", "job-2"] {
            let owner = Uid::new(owner);
            let pods = world.values().filter(|pod| pod.controller.as_ref().is_some_and(|c| c.uid == owner)).count();
            prop_assert_eq!(cache.ledger(&owner).scan().count(), pods);
        }
    }
}

//! What the watches showed: Jobs by key, pods by UID, and a ledger for each owner.
//!
//! Invariant: each known pod is in exactly one ledger, the one of its controlling Job or the one of
//! pods without a controller.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::ids::{JobKey, PodKey, ResourceVersion, Uid};
use crate::job::JobView;
use crate::ledger::facts::{Owner, PodFacts};
use crate::ledger::lens::Lens;
use crate::ledger::{Ledger, PodSlot};
use crate::ordered::{OrderedMap, OrderedSet};

/// A ledger's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LedgerId(usize);

/// The ledger of pods that nobody controls, or an owner that is no Job.
const UNOWNED: LedgerId = LedgerId(0);

/// Pods by namespace and name.
type PodNames = OrderedSet<(PodKey, Uid)>;

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    jobs: OrderedMap<JobKey, Arc<JobView>>,
    ledgers: Vec<Ledger>,
    free: Vec<LedgerId>,
    by_owner: OrderedMap<Uid, LedgerId>,
    homes: OrderedMap<Uid, (LedgerId, PodSlot)>,
    /// Pods with the tracking finalizer: what the clean-up of pods without a living Job looks at.
    held: PodNames,
    /// Pods that nobody controls: what Jobs look at for adoption.
    loose: PodNames,
    nothing: Ledger,
}

impl Default for Cache {
    fn default() -> Self {
        Self {
            jobs: OrderedMap::new(),
            ledgers: alloc::vec![Ledger::default()],
            free: Vec::new(),
            by_owner: OrderedMap::new(),
            homes: OrderedMap::new(),
            held: PodNames::new(),
            loose: PodNames::new(),
            nothing: Ledger::default(),
        }
    }
}

impl Cache {
    /// The Job of a key.
    pub(crate) fn job(&self, key: &JobKey) -> Option<&Arc<JobView>> {
        self.jobs.get(key)
    }

    /// All Jobs.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = &Arc<JobView>> {
        self.jobs.values()
    }

    /// Puts a Job in; returns the one that was there.
    pub(crate) fn put_job(&mut self, job: Arc<JobView>) -> Option<Arc<JobView>> {
        if let Some(id) = self.by_owner.get(&job.uid) {
            let ledger = &mut self.ledgers[id.0];
            ledger.look_through(Lens::of(&job.spec, ledger.lens()));
        }
        self.jobs.insert(job.key.clone(), job)
    }

    /// Takes a Job out, if the one of this key has that UID.
    pub(crate) fn remove_job(&mut self, key: &JobKey, uid: &Uid) -> Option<Arc<JobView>> {
        self.jobs.get(key).filter(|job| job.uid == *uid)?;
        self.jobs.remove(key)
    }

    /// The Job that a pod's owner reference names, if it is known under that UID (EVQ-30).
    pub(crate) fn resolve(&self, namespace: &Arc<str>, owner: &Owner) -> Option<&Arc<JobView>> {
        let Owner::Job(name, uid, _) = owner else { return None };
        let key = JobKey { namespace: namespace.clone(), name: name.clone() };
        self.jobs.get(&key).filter(|job| job.uid == *uid)
    }

    /// The pods of a Job.
    pub(crate) fn ledger(&self, job: &Uid) -> &Ledger {
        self.by_owner.get(job).map_or(&self.nothing, |id| &self.ledgers[id.0])
    }

    /// A pod by its UID.
    pub(crate) fn pod(&self, uid: &Uid) -> Option<&PodFacts> {
        let (ledger, slot) = self.homes.get(uid)?;
        self.ledgers[ledger.0].get(*slot)
    }

    /// Pods of a namespace that nobody controls.
    pub(crate) fn loose_in(&self, namespace: &Arc<str>) -> impl Iterator<Item = &PodFacts> {
        self.named(&self.loose, namespace)
    }

    /// UIDs of all pods.
    pub(crate) fn pod_uids(&self) -> impl Iterator<Item = &Uid> {
        self.homes.keys()
    }

    /// Pods of a namespace that carry the tracking finalizer.
    pub(crate) fn held_in(&self, namespace: &Arc<str>) -> impl Iterator<Item = &PodFacts> {
        self.named(&self.held, namespace)
    }

    fn named<'a>(&'a self, names: &'a PodNames, namespace: &Arc<str>) -> impl Iterator<Item = &'a PodFacts> {
        let namespace = namespace.clone();
        let first = (PodKey { namespace: namespace.clone(), name: "".into() }, Uid::new(""));
        names.from(&first).take_while(move |(key, _)| key.namespace == namespace).filter_map(|(_, uid)| self.pod(uid))
    }

    /// Puts a pod in, in the place of what was known of it.
    pub(crate) fn put_pod(&mut self, mut pod: PodFacts) {
        if self.resolve(&pod.key.namespace, &pod.owner).is_some_and(|job| job.spec.pod_failure_policy.is_none()) {
            pod.evidence = None;
        }
        let id = self.home_of(&pod);
        note(&mut self.held, &pod, pod.has_finalizer);
        note(&mut self.loose, &pod, pod.owner == Owner::Nobody);
        match self.homes.get(&pod.uid) {
            Some((old, slot)) if *old == id => self.ledgers[id.0].replace(*slot, pod),
            _ => {
                self.leave_home(&pod.uid);
                let uid = pod.uid.clone();
                let slot = self.ledgers[id.0].insert(pod);
                self.homes.insert(uid, (id, slot));
            }
        }
    }

    /// A pod's owner and finalizer are known to be these as of a version that the watch has not shown yet.
    pub(crate) fn claim_pod(&mut self, uid: &Uid, owner: Owner, version: ResourceVersion) {
        let Some(mut pod) = self.pod(uid).cloned() else { return };
        if pod.resource_version < version {
            pod.has_finalizer = owner != Owner::Nobody;
            pod.owner = owner;
            self.put_pod(pod);
        }
    }

    /// Takes a pod out.
    pub(crate) fn remove_pod(&mut self, uid: &Uid) -> Option<PodFacts> {
        let pod = self.leave_home(uid)?;
        note(&mut self.held, &pod, false);
        note(&mut self.loose, &pod, false);
        Some(pod)
    }

    fn leave_home(&mut self, uid: &Uid) -> Option<PodFacts> {
        let (id, slot) = self.homes.remove(uid)?;
        let pod = self.ledgers[id.0].remove(slot)?;
        if let Owner::Job(_, owner, _) = &pod.owner
            && self.ledgers[id.0].is_empty()
        {
            self.ledgers[id.0] = Ledger::default();
            self.by_owner.remove(owner);
            self.free.push(id);
        }
        Some(pod)
    }

    /// The ledger that a pod belongs in; made if it is the first of its owner.
    fn home_of(&mut self, pod: &PodFacts) -> LedgerId {
        let Owner::Job(_, owner, _) = &pod.owner else { return UNOWNED };
        if let Some(id) = self.by_owner.get(owner) {
            return *id;
        }
        let id = self.free.pop().unwrap_or_else(|| {
            self.ledgers.push(Ledger::default());
            LedgerId(self.ledgers.len() - 1)
        });
        if let Some(job) = self.resolve(&pod.key.namespace, &pod.owner) {
            let lens = Lens::of(&job.spec, &Lens::default());
            self.ledgers[id.0].look_through(lens);
        }
        self.by_owner.insert(owner.clone(), id);
        id
    }
}

/// Puts a pod among the names, or takes it out.
fn note(names: &mut PodNames, pod: &PodFacts, belongs: bool) {
    let name = (pod.key.clone(), pod.uid.clone());
    if belongs {
        names.insert(name);
    } else {
        names.remove(&name);
    }
}

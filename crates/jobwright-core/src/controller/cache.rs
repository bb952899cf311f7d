//! What the watches showed: Jobs by key, pods by UID, and a ledger for each owner.
//!
//! Invariant: each known pod is in exactly one ledger, the one of its controlling Job or the one of
//! pods without a controller.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::ids::{JobKey, ResourceVersion, Uid};
use crate::job::JobView;
use crate::ledger::facts::PodFacts;
use crate::ledger::family::Owner;
use crate::ledger::lens::Lens;
use crate::ledger::{Ledger, PodSlot};
use crate::ordered::{OrderedMap, OrderedPlaces};
use crate::pod::PodView;

/// A ledger's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LedgerId(u32);

/// Where a pod is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Home(LedgerId, PodSlot);

/// The ledger of pods that nobody controls, or an owner that is no Job.
const UNOWNED: LedgerId = LedgerId(0);

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    jobs: OrderedMap<JobKey, Arc<JobView>>,
    ledgers: Vec<Ledger>,
    free: Vec<LedgerId>,
    by_owner: OrderedMap<Uid, LedgerId>,
    /// All pods, by UID.
    homes: OrderedPlaces<Home>,
    /// Pods with the tracking finalizer, by name: what the clean-up of pods without a living Job looks at.
    held: OrderedPlaces<Home>,
    /// Pods that nobody controls, by name: what Jobs look at for adoption.
    loose: OrderedPlaces<Home>,
    nothing: Ledger,
}

impl Default for Cache {
    fn default() -> Self {
        Self {
            jobs: OrderedMap::new(),
            ledgers: alloc::vec![Ledger::default()],
            free: Vec::new(),
            by_owner: OrderedMap::new(),
            homes: OrderedPlaces::default(),
            held: OrderedPlaces::default(),
            loose: OrderedPlaces::default(),
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
            let ledger = &mut self.ledgers[id.at()];
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
        self.by_owner.get(job).map_or(&self.nothing, |id| &self.ledgers[id.at()])
    }

    /// A pod by its UID.
    pub(crate) fn pod(&self, uid: &Uid) -> Option<&PodFacts> {
        facts(&self.ledgers, self.home(uid)?)
    }

    fn home(&self, uid: &Uid) -> Option<Home> {
        self.homes.get(&|home| by_uid(&self.ledgers, home, uid))
    }

    /// Reads a pod of which this was known before.
    pub(crate) fn read(&self, view: &PodView, old: Option<&PodFacts>) -> PodFacts {
        let owner = view.controller.as_ref();
        let id = owner.and_then(|owner| self.by_owner.get(&owner.uid)).copied().unwrap_or(UNOWNED);
        let job = self.resolve(&view.key.namespace, &Owner::of(view));
        let judged = job.is_none_or(|job| job.spec.pod_failure_policy.is_some());
        PodFacts::of(view, [old, self.ledgers[id.at()].newest()], judged)
    }

    /// Pods of a namespace that nobody controls.
    pub(crate) fn loose_in(&self, namespace: &Arc<str>) -> impl Iterator<Item = &PodFacts> {
        self.named(&self.loose, namespace)
    }

    /// UIDs of all pods.
    pub(crate) fn pod_uids(&self) -> impl Iterator<Item = Uid> {
        self.homes.iter().filter_map(|home| Some(facts(&self.ledgers, home)?.uid()))
    }

    /// Pods of a namespace that carry the tracking finalizer.
    pub(crate) fn held_in(&self, namespace: &Arc<str>) -> impl Iterator<Item = &PodFacts> {
        self.named(&self.held, namespace)
    }

    fn named<'a>(&'a self, names: &'a OrderedPlaces<Home>, namespace: &Arc<str>) -> impl Iterator<Item = &'a PodFacts> {
        let namespace = namespace.clone();
        let order = |home| facts(&self.ledgers, home).map_or(Ordering::Less, |pod| pod.namespace().cmp(&namespace));
        let homes = names.from(&order);
        homes.filter_map(|home| facts(&self.ledgers, home)).take_while(move |pod| *pod.namespace() == namespace)
    }

    /// Puts a pod in, in the place of what was known of it.
    pub(crate) fn put_pod(&mut self, pod: PodFacts) {
        let id = self.home_of(&pod);
        let uid = pod.uid();
        let ledger = id.at();
        match self.home(&uid) {
            Some(home) if home.0 == id => {
                let stays = facts(&self.ledgers, home).is_some_and(|old| is_listed_as(old, &pod));
                if !stays {
                    self.list(home, false);
                }
                self.ledgers[ledger].replace(home.1, pod);
                if !stays {
                    self.list(home, true);
                }
            }
            _ => {
                self.leave_home(&uid);
                let home = Home(id, self.ledgers[ledger].insert(pod));
                let ledgers = &self.ledgers;
                self.homes.insert(home, &|other| by_uid(ledgers, other, &uid));
                self.list(home, true);
            }
        }
    }

    /// Puts a pod among those that are listed by name, where it belongs, or takes it out.
    fn list(&mut self, home: Home, belongs: bool) {
        let ledgers = &self.ledgers;
        let Some(pod) = facts(ledgers, home) else { return };
        let order = |other| facts(ledgers, other).map_or(Ordering::Less, |other| by_name(other, pod));
        for (names, is_one) in [(&mut self.held, pod.has_finalizer()), (&mut self.loose, is_loose(pod))] {
            match belongs {
                _ if !is_one => {}
                true => names.insert(home, &order),
                false => _ = names.remove(&order),
            }
        }
    }

    /// A pod's owner and finalizer are known to be these as of a version that the watch has not shown yet.
    pub(crate) fn claim_pod(&mut self, uid: &Uid, owner: Owner, version: ResourceVersion) {
        let Some(pod) = self.pod(uid).filter(|pod| pod.resource_version() < version) else { return };
        let pod = pod.claimed_by(owner);
        self.put_pod(pod);
    }

    /// Takes a pod out.
    pub(crate) fn remove_pod(&mut self, uid: &Uid) -> Option<PodFacts> {
        self.leave_home(uid)
    }

    fn leave_home(&mut self, uid: &Uid) -> Option<PodFacts> {
        let home = self.home(uid)?;
        self.list(home, false);
        let ledgers = &self.ledgers;
        self.homes.remove(&|other| by_uid(ledgers, other, uid));
        let Home(id, slot) = home;
        let pod = self.ledgers[id.at()].remove(slot)?;
        if let Some(owner) = pod.owner().job_uid()
            && self.ledgers[id.at()].is_empty()
        {
            self.ledgers[id.at()] = Ledger::default();
            self.by_owner.remove(owner);
            self.free.push(id);
        }
        Some(pod)
    }

    /// The ledger that a pod belongs in; made if it is the first of its owner.
    fn home_of(&mut self, pod: &PodFacts) -> LedgerId {
        let Some(owner) = pod.owner().job_uid() else { return UNOWNED };
        if let Some(id) = self.by_owner.get(owner) {
            return *id;
        }
        let id = self.free.pop().unwrap_or_else(|| {
            self.ledgers.push(Ledger::default());
            LedgerId(u32::try_from(self.ledgers.len() - 1).unwrap_or(u32::MAX))
        });
        if let Some(job) = self.resolve(pod.namespace(), pod.owner()) {
            let lens = Lens::of(&job.spec, &Lens::default());
            self.ledgers[id.at()].look_through(lens);
        }
        self.by_owner.insert(owner.clone(), id);
        id
    }
}

impl LedgerId {
    const fn at(self) -> usize {
        self.0 as usize
    }
}

fn facts(ledgers: &[Ledger], Home(id, slot): Home) -> Option<&PodFacts> {
    ledgers.get(id.at())?.get(slot)
}

/// How the UID of the pod at a place compares.
fn by_uid(ledgers: &[Ledger], home: Home, uid: &Uid) -> Ordering {
    facts(ledgers, home).map_or(Ordering::Less, |pod| pod.uid_order(uid))
}

/// By namespace and name; pods of one name, of which all but one are gone and not yet seen to be, by UID.
fn by_name(a: &PodFacts, b: &PodFacts) -> Ordering {
    let names = || a.name().order(&b.name());
    a.namespace().cmp(b.namespace()).then_with(names).then_with(|| a.uid_order(&b.uid()))
}

fn is_loose(pod: &PodFacts) -> bool {
    *pod.owner() == Owner::Nobody
}

/// Whether the lists by name need no change when this pod becomes that one.
fn is_listed_as(old: &PodFacts, new: &PodFacts) -> bool {
    old.has_finalizer() == new.has_finalizer() && is_loose(old) == is_loose(new) && by_name(old, new) == Ordering::Equal
}

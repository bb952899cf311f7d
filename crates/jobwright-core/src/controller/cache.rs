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
use crate::ordered::{OrderedMap, OrderedPlaces, Spot};
use crate::pod::PodView;

/// A ledger's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LedgerId(u32);

/// Where a pod is, in nine bytes.
#[derive(Clone, Copy, Debug)]
struct Home {
    /// How its UID begins, so that most comparisons need no look at the pod.
    hint: ThreeBytes,
    ledger: ThreeBytes,
    slot: ThreeBytes,
}

/// A number below 2^24: pods of an owner and owners of pods, of which no cluster has as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ThreeBytes([u8; 3]);

/// Where a pod is, or would be among all pods.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(Result<Home, Spot>);

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
        let order = |key: &JobKey| key.namespace.cmp(namespace).then_with(|| key.name.cmp(name));
        self.jobs.get_by(order).filter(|job| job.uid == *uid)
    }

    /// The pods of a Job.
    pub(crate) fn ledger(&self, job: &Uid) -> &Ledger {
        self.by_owner.get(job).map_or(&self.nothing, |id| &self.ledgers[id.at()])
    }

    /// A pod by its UID.
    pub(crate) fn pod(&self, uid: &Uid) -> Option<&PodFacts> {
        self.pod_at(self.place(uid))
    }

    /// Where a pod is, or would be; good until something is put in or taken out.
    pub(crate) fn place(&self, uid: &Uid) -> Place {
        let hint = hint(uid);
        Place(self.homes.find(&|home| by_uid(&self.ledgers, home, hint, uid)))
    }

    /// The pod of a place.
    pub(crate) fn pod_at(&self, place: Place) -> Option<&PodFacts> {
        facts(&self.ledgers, place.0.ok()?)
    }

    /// Reads a pod of which this was known before.
    pub(crate) fn read(&self, view: &PodView, old: Option<&PodFacts>) -> PodFacts {
        let owner = Owner::of(view);
        let id = owner.job_uid().and_then(|uid| self.by_owner.get(uid)).copied().unwrap_or(UNOWNED);
        let job = self.resolve(&view.key.namespace, &owner);
        let judged = job.is_none_or(|job| job.spec.pod_failure_policy.is_some());
        PodFacts::of(view, owner, [old, self.ledgers[id.at()].newest()], judged)
    }

    /// Pods of a namespace that nobody controls.
    pub(crate) fn loose_in(&self, namespace: &Arc<str>) -> impl Iterator<Item = &PodFacts> {
        self.named(&self.loose, namespace)
    }

    /// How many Jobs and pods there are.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        (self.jobs.len(), self.homes.len())
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

    /// Puts a pod in its place.
    pub(crate) fn put_pod(&mut self, pod: PodFacts, place: Place) {
        let id = self.home_of(&pod);
        let ledger = id.at();
        match place.0 {
            Ok(home) if home.ledger() == id => {
                let stays = facts(&self.ledgers, home).is_some_and(|old| is_listed_as(old, &pod));
                if !stays {
                    self.list(home, false);
                }
                self.ledgers[ledger].replace(home.slot(), pod);
                if !stays {
                    self.list(home, true);
                }
            }
            Ok(home) => {
                let uid = pod.uid();
                self.leave_home(&uid, home);
                let home = Home { ledger: id.into(), slot: self.ledgers[ledger].insert(pod).into(), ..home };
                if let Err(spot) = self.place(&uid).0 {
                    self.homes.insert(spot, home);
                }
                self.list(home, true);
            }
            Err(spot) => {
                let hint = hint(&pod.uid());
                let home = Home { hint, ledger: id.into(), slot: self.ledgers[ledger].insert(pod).into() };
                self.homes.insert(spot, home);
                self.list(home, true);
            }
        }
    }

    /// Puts a pod among those that are listed by name, where it belongs, or takes it out.
    fn list(&mut self, home: Home, belongs: bool) {
        let ledgers = &self.ledgers;
        let Some(pod) = facts(ledgers, home) else { return };
        let (name, uid) = (pod.name(), pod.uid());
        let order = |other| {
            let Some(other) = facts(ledgers, other) else { return Ordering::Less };
            let by_name = other.namespace().cmp(pod.namespace()).then_with(|| other.name().order(&name));
            // Of pods with one name all but one are gone, and that was not seen yet.
            by_name.then_with(|| other.uid_order(&uid))
        };
        for (names, is_one) in [(&mut self.held, pod.has_finalizer()), (&mut self.loose, is_loose(pod))] {
            if is_one && !belongs {
                names.remove(&order);
            } else if is_one && let Err(spot) = names.find(&order) {
                names.insert(spot, home);
            }
        }
    }

    /// A pod's owner and finalizer are known to be these as of a version that the watch has not shown yet.
    pub(crate) fn claim_pod(&mut self, uid: &Uid, owner: Owner, version: ResourceVersion) {
        let place = self.place(uid);
        let Some(pod) = self.pod_at(place).filter(|pod| pod.resource_version() < version) else { return };
        let pod = pod.claimed_by(owner);
        self.put_pod(pod, place);
    }

    /// Takes a pod out.
    pub(crate) fn remove_pod(&mut self, uid: &Uid) -> Option<PodFacts> {
        self.leave_home(uid, self.place(uid).0.ok()?)
    }

    fn leave_home(&mut self, uid: &Uid, home: Home) -> Option<PodFacts> {
        self.list(home, false);
        let ledgers = &self.ledgers;
        self.homes.remove(&|other| by_uid(ledgers, other, home.hint, uid));
        let id = home.ledger();
        let pod = self.ledgers[id.at()].remove(home.slot())?;
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

impl ThreeBytes {
    const fn get(self) -> u32 {
        let [a, b, c] = self.0;
        u32::from_be_bytes([0, a, b, c])
    }
}

impl From<u32> for ThreeBytes {
    fn from(number: u32) -> Self {
        let [_, a, b, c] = number.min(0xff_ffff).to_be_bytes();
        Self([a, b, c])
    }
}

impl From<LedgerId> for ThreeBytes {
    fn from(id: LedgerId) -> Self {
        id.0.into()
    }
}

impl From<PodSlot> for ThreeBytes {
    fn from(slot: PodSlot) -> Self {
        slot.0.into()
    }
}

impl Home {
    const fn ledger(self) -> LedgerId {
        LedgerId(self.ledger.get())
    }

    const fn slot(self) -> PodSlot {
        PodSlot(self.slot.get())
    }
}

fn facts(ledgers: &[Ledger], home: Home) -> Option<&PodFacts> {
    ledgers.get(home.ledger().at())?.get(home.slot())
}

/// The first three bytes of a UUID; the highest ones for any other text, which comes after all UUIDs.
fn hint(uid: &Uid) -> ThreeBytes {
    ThreeBytes(uid.uuid().map_or([u8::MAX; 3], |[a, b, c, ..]| [a, b, c]))
}

/// How the UID of the pod at a place compares.
fn by_uid(ledgers: &[Ledger], home: Home, hint: ThreeBytes, uid: &Uid) -> Ordering {
    let in_full = || facts(ledgers, home).map_or(Ordering::Less, |pod| pod.uid_order(uid));
    home.hint.get().cmp(&hint.get()).then_with(in_full)
}

fn is_loose(pod: &PodFacts) -> bool {
    *pod.owner() == Owner::Nobody
}

/// Whether the lists by name need no change when this pod becomes that one.
fn is_listed_as(old: &PodFacts, new: &PodFacts) -> bool {
    old.has_finalizer() == new.has_finalizer()
        && is_loose(old) == is_loose(new)
        && old.namespace() == new.namespace()
        && old.name().order(&new.name()) == Ordering::Equal
}

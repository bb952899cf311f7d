//! One pod, reduced to the facts that decisions use again and again, in 56 bytes.
//!
//! Invariants: facts depend on the pod alone. Whether a pod that is being deleted has failed depends on
//! the Job too, and is asked with its replacement policy (GLO-6). What is shared is equal to what would
//! have been made anew.

use alloc::sync::Arc;
use core::cmp::Ordering;

use super::family::{Family, Owner};
use super::name::{Name, Suffix, split};
use super::rare::{Rare, Times};
use super::reading;
use crate::failure_policy::Evidence;
use crate::ids::{CompletionIndex, PodKey, ResourceVersion, Uid};
use crate::output::PodRef;
use crate::pod::{PodPhase, PodView};
use crate::selector::{Labels, PodLabels};
use crate::time::Timestamp;

/// What is kept of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PodFacts {
    family: Arc<Family>,
    rare: Option<Arc<Rare>>,
    resource_version: u64,
    /// Zero if the UID is a rare one.
    uid: [u8; 16],
    created: Seconds,
    since: Seconds,
    /// [`NO_INDEX`], or the completion index.
    index: u32,
    suffix: Suffix,
    state: State,
}

/// A time in whole seconds since 1970; the highest one is "none".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seconds(u32);

/// No index is as high: see [`CompletionIndex::parse`].
const NO_INDEX: u32 = u32::MAX;

/// The phase in the low three bits, then flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State(u8);

const PHASES: [PodPhase; 5] =
    [PodPhase::Pending, PodPhase::Unknown, PodPhase::Running, PodPhase::Succeeded, PodPhase::Failed];
const PHASE: u8 = 7;
const FINALIZER: u8 = 8;
const DELETING: u8 = 16;
const SCHEDULED: u8 = 32;
const READY: u8 = 64;

impl Seconds {
    const NONE: Self = Self(u32::MAX);

    /// Not for a time that has parts of a second or is not of our age.
    fn of(time: Option<Timestamp>) -> Option<Self> {
        let Some(time) = time else { return Some(Self::NONE) };
        let seconds = u32::try_from(time.on_wire().0 / 1_000).ok()?;
        (time.on_wire() == time && seconds != u32::MAX).then_some(Self(seconds))
    }

    fn get(self) -> Option<Timestamp> {
        (self != Self::NONE).then(|| Timestamp::from_seconds(self.0.into()))
    }
}

impl PodFacts {
    /// Reads a pod. What it has in common with `known` pods is shared with them. Evidence for a failure
    /// policy is kept only if `judged`.
    pub(crate) fn of(pod: &PodView, owner: Owner, known: [Option<&Self>; 2], judged: bool) -> Self {
        let index = pod.index.filter(|index| index.0 != NO_INDEX);
        let split = split(&pod.key.name, index, pod.controller.as_ref().map(|owner| &*owner.name));
        let ready = reading::ready_since(pod);
        let state = State::of(pod, ready.is_some());
        let since = if state.is_active() { ready.flatten() } else { Some(reading::finished_at(pod)) };
        let seconds = Seconds::of(Some(pod.created)).zip(Seconds::of(since));
        let uuid = pod.uid.uuid();
        let (restarts, max_restarts) = reading::restarts(pod);
        let rare = Rare {
            name: split.is_none().then(|| pod.key.name.clone()),
            uid: uuid.is_none().then(|| pod.uid.clone()),
            times: seconds.is_none().then_some(Times { created: pod.created, since }),
            restarts,
            max_restarts,
            index_failures: pod.index_failures,
            index_ignored_failures: pod.index_ignored_failures,
            evidence: judged.then(|| Evidence::of(pod)).filter(|evidence| !evidence.is_empty()),
        };
        let (created, since) = seconds.unwrap_or((Seconds::NONE, Seconds::NONE));
        Self {
            family: Family::of(pod, owner, split.as_ref(), &known.map(|pod| pod.map(|pod| &pod.family))),
            rare: rare.kept(&known.map(|pod| pod.and_then(|pod| pod.rare.as_ref()))),
            resource_version: pod.resource_version.0,
            uid: uuid.unwrap_or_default(),
            created,
            since,
            index: index.map_or(NO_INDEX, |index| index.0),
            suffix: split.map_or(Suffix::NONE, |split| split.suffix),
            state,
        }
    }

    /// This pod with another owner; it has the finalizer if it has an owner at all.
    pub(crate) fn claimed_by(&self, owner: Owner) -> Self {
        let mut pod = self.clone();
        pod.state.set(FINALIZER, owner != Owner::Nobody);
        // The base of the names stays: what was taken apart with another owner comes together all the same.
        pod.family = Arc::new(Family { owner, ..(*self.family).clone() });
        pod
    }

    fn rare<T>(&self, part: impl FnOnce(&Rare) -> T) -> Option<T> {
        self.rare.as_deref().map(part)
    }

    /// `metadata.namespace`
    pub(crate) fn namespace(&self) -> &Arc<str> {
        &self.family.namespace
    }

    /// `metadata.name`
    pub(crate) fn name(&self) -> Name<'_> {
        match self.rare.as_deref().and_then(|rare| rare.name.as_deref()) {
            Some(name) => Name::whole(name),
            None => Name::joined(&self.family.base, self.index().filter(|_| self.family.indexed), self.suffix),
        }
    }

    /// Namespace and name.
    pub(crate) fn key(&self) -> PodKey {
        PodKey { namespace: self.namespace().clone(), name: self.name().to_text() }
    }

    /// How writes name it.
    pub(crate) fn pod_ref(&self) -> PodRef {
        PodRef { key: self.key(), uid: self.uid() }
    }

    /// `metadata.uid`
    pub(crate) fn uid(&self) -> Uid {
        self.rare.as_deref().and_then(|rare| rare.uid.clone()).unwrap_or_else(|| Uid::from_uuid(self.uid))
    }

    /// How its UID compares, without an allocation.
    pub(crate) fn uid_order(&self, other: &Uid) -> Ordering {
        match (self.rare.as_deref().and_then(|rare| rare.uid.as_ref()), other.uuid()) {
            (None, Some(uuid)) => self.uid.cmp(&uuid),
            // UUIDs come before other texts.
            (None, None) => Ordering::Less,
            (Some(uid), _) => uid.cmp(other),
        }
    }

    /// `metadata.resourceVersion`
    pub(crate) const fn resource_version(&self) -> ResourceVersion {
        ResourceVersion(self.resource_version)
    }

    /// `metadata.creationTimestamp`
    pub(crate) fn created(&self) -> Timestamp {
        self.created.get().or_else(|| self.times().map(|times| times.created)).unwrap_or_default()
    }

    /// Since when it is ready, if that is known; not for a pod that is not active.
    pub(crate) fn ready_since(&self) -> Option<Timestamp> {
        self.since().filter(|_| self.is_active())
    }

    /// When it finished, as well as can be told (BKO-4); when it was made, if it is active.
    pub(crate) fn finished_at(&self) -> Timestamp {
        self.since().filter(|_| !self.is_active()).unwrap_or_else(|| self.created())
    }

    fn since(&self) -> Option<Timestamp> {
        self.since.get().or_else(|| self.times()?.since)
    }

    fn times(&self) -> Option<Times> {
        self.rare.as_deref()?.times
    }

    /// Who controls it.
    pub(crate) fn owner(&self) -> &Owner {
        &self.family.owner
    }

    /// `metadata.labels`, for asking.
    pub(crate) fn labels(&self) -> PodLabels<'_> {
        self.family.labels(self.index())
    }

    /// `metadata.labels`, in full.
    pub(super) fn all_labels(&self) -> Labels {
        self.family.all_labels(self.index())
    }

    /// Whether the labels are those of another pod, or of this one at another time.
    pub(crate) fn has_labels_of(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.family, &other.family) && self.index == other.index)
            || self.all_labels() == other.all_labels()
    }

    /// Whether both are kept without a part of their own besides their facts.
    #[cfg(test)]
    pub(super) fn shares_all_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.family, &other.family) && self.rare.is_none() && other.rare.is_none()
    }

    /// The completion index (GLO-9).
    pub(crate) fn index(&self) -> Option<CompletionIndex> {
        (self.index != NO_INDEX).then_some(CompletionIndex(self.index))
    }

    /// Whether the tracking finalizer is on (GLO-1).
    pub(crate) const fn has_finalizer(&self) -> bool {
        self.state.has(FINALIZER)
    }

    /// Whether it is being deleted.
    pub(crate) const fn is_deleting(&self) -> bool {
        self.state.has(DELETING)
    }

    /// Whether it has a node.
    pub(crate) const fn is_scheduled(&self) -> bool {
        self.state.has(SCHEDULED)
    }

    /// Whether its condition `Ready` is true.
    pub(crate) const fn is_ready(&self) -> bool {
        self.state.has(READY)
    }

    /// `status.phase`
    pub(crate) const fn phase(&self) -> PodPhase {
        self.state.phase()
    }

    /// Highest restart count of the regular containers, then of the sidecars (DEL-5).
    pub(crate) fn max_restarts(&self) -> (i32, i32) {
        self.rare(|rare| rare.max_restarts).unwrap_or_default()
    }

    /// Counted failures of its index before this pod (IDX-18).
    pub(crate) fn index_failures(&self) -> u32 {
        self.rare(|rare| rare.index_failures).unwrap_or_default()
    }

    /// Ignored failures of its index before this pod (IDX-18).
    pub(crate) fn index_ignored_failures(&self) -> u32 {
        self.rare(|rare| rare.index_ignored_failures).unwrap_or_default()
    }

    /// What a failure policy looks at, if there is anything and it was kept.
    pub(crate) fn evidence(&self) -> Option<&Evidence> {
        self.rare.as_deref()?.evidence.as_ref()
    }

    /// Neither ended nor being deleted (GLO-2).
    pub(crate) const fn is_active(&self) -> bool {
        self.state.is_active()
    }

    /// Being deleted, and not ended (GLO-3).
    pub(crate) const fn is_terminating(&self) -> bool {
        !self.phase().is_terminal() && self.is_deleting()
    }

    /// Ended with success (GLO-7).
    pub(crate) fn has_succeeded(&self) -> bool {
        self.phase() == PodPhase::Succeeded
    }

    /// Failed, for a Job that replaces only failed pods or also terminating ones (GLO-6).
    pub(crate) fn has_failed(&self, replaces_only_failed: bool) -> bool {
        match self.phase() {
            PodPhase::Failed => true,
            PodPhase::Succeeded => false,
            _ => self.is_deleting() && !replaces_only_failed,
        }
    }

    /// Restarts that count against the limit: those of pods that have not ended (BKO-20).
    pub(crate) fn counted_restarts(&self) -> i64 {
        match self.phase() {
            PodPhase::Pending | PodPhase::Running => self.rare(|rare| rare.restarts).unwrap_or_default(),
            _ => 0,
        }
    }

    /// The index, if it is one of a Job with `completions` indexes (GLO-10).
    pub(crate) fn valid_index(&self, completions: u32) -> Option<CompletionIndex> {
        self.index().filter(|index| index.0 < completions)
    }

    /// Failures of its index before this pod, ignored ones too (BKO-31).
    pub(crate) fn absolute_failures(&self) -> u32 {
        self.index_failures().saturating_add(self.index_ignored_failures())
    }
}

impl State {
    fn of(pod: &PodView, ready: bool) -> Self {
        let phase = PHASES.iter().position(|phase| *phase == pod.phase).unwrap_or(0);
        let mut state = Self(u8::try_from(phase).unwrap_or(0));
        state.set(FINALIZER, pod.tracking_finalizer);
        state.set(DELETING, pod.deletion.is_some());
        state.set(SCHEDULED, pod.scheduled);
        state.set(READY, ready);
        state
    }

    const fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    const fn set(&mut self, flag: u8, on: bool) {
        if on {
            self.0 |= flag;
        } else {
            self.0 &= !flag;
        }
    }

    const fn phase(self) -> PodPhase {
        let position = (self.0 & PHASE) as usize;
        if position < PHASES.len() { PHASES[position] } else { PodPhase::Pending }
    }

    const fn is_active(self) -> bool {
        !self.phase().is_terminal() && !self.has(DELETING)
    }
}

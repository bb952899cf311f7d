//! Bugs planted on purpose, so that the model checker can be shown to find them.
//!
//! Invariant: without the feature `mutants` none of this is compiled but a constant `false`.

#![cfg_attr(
    not(feature = "mutants"),
    allow(dead_code, unreachable_pub, reason = "names of bugs that nobody can plant")
)]

/// A planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// Finalizers go before the status that accounts for their pods is stored (against TRK-10, TRK-14).
    ReleaseFirst,
    /// `failed >= backoffLimit` ends the Job (against SYNC-23).
    LimitAtEqual,
    /// An index that waits for its back-off gives its slot to another (against BKO-37).
    SlotGivenAway,
    /// UIDs that wait already are put on the list again (against TRK-3).
    CountedTwice,
    /// UIDs enter the counters while their pods carry the finalizer (against TRK-2).
    CountedEarly,
    /// Open expectations are not waited for (against EXP-2).
    ImpatientCreation,
    /// Pods are made again at once after failures (against BKO-6).
    NoBackoff,
    /// The terminal condition does not wait for terminating pods (against TRK-17).
    HastyFinish,
    /// A status write that met a conflict counts as stored (against SYNC-36).
    ConflictIsStored,
    /// The interim condition is left out (against TRK-6).
    NoInterim,
    /// The new pod of an index begins with no failures (against IDX-19).
    FailuresForgotten,
}

impl Mutant {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::ReleaseFirst,
        Self::LimitAtEqual,
        Self::SlotGivenAway,
        Self::CountedTwice,
        Self::CountedEarly,
        Self::ImpatientCreation,
        Self::NoBackoff,
        Self::HastyFinish,
        Self::ConflictIsStored,
        Self::NoInterim,
        Self::FailuresForgotten,
    ];
}

/// The planted bug, plus 1; 0 without one.
#[cfg(feature = "mutants")]
static PLANTED: core::sync::atomic::AtomicU8 = core::sync::atomic::AtomicU8::new(0);

/// Plants a bug in all controllers of the process, or takes it out.
#[cfg(feature = "mutants")]
pub fn plant(mutant: Option<Mutant>) {
    let number = mutant.map_or(0, |mutant| mutant as u8 + 1);
    PLANTED.store(number, core::sync::atomic::Ordering::Relaxed);
}

/// Whether this bug is planted.
#[cfg(feature = "mutants")]
pub(crate) fn is_planted(mutant: Mutant) -> bool {
    PLANTED.load(core::sync::atomic::Ordering::Relaxed) == mutant as u8 + 1
}

/// No bug is ever planted.
#[cfg(not(feature = "mutants"))]
pub(crate) const fn is_planted(_: Mutant) -> bool {
    false
}

//! What few pods have.
//!
//! Invariant: a pod that has nothing unusual has no `Rare` at all.

use alloc::sync::Arc;

use crate::failure_policy::Evidence;
use crate::ids::Uid;
use crate::time::Timestamp;

/// Times in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) created: Timestamp,
    /// Since when it is ready, if it is active; otherwise when it finished.
    pub(super) since: Option<Timestamp>,
}

/// What is unusual about a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rare {
    /// A name that the API server did not make.
    pub(super) name: Option<Arc<str>>,
    /// A UID that is no UUID.
    pub(super) uid: Option<Uid>,
    /// When it was made and since when it is as it is, if these are no whole seconds of our age.
    pub(super) times: Option<Times>,
    /// Sum of the restart counts of all containers (BKO-20).
    pub(super) restarts: i64,
    /// Highest restart count of the regular containers, then of the sidecars (DEL-5).
    pub(super) max_restarts: (i32, i32),
    /// Annotations of per-index Jobs: counted and ignored failures of the index before this pod (IDX-18).
    pub(super) index_failures: u32,
    pub(super) index_ignored_failures: u32,
    /// What a failure policy looks at.
    pub(super) evidence: Option<Evidence>,
}

impl Rare {
    /// Something to keep, if there is anything; a known one if it is the same.
    pub(super) fn kept(self, known: &[Option<&Arc<Self>>]) -> Option<Arc<Self>> {
        if self == Self::default() {
            return None;
        }
        let same = known.iter().copied().flatten().find(|known| ***known == self);
        Some(same.cloned().unwrap_or_else(|| Arc::new(self)))
    }
}

//! One look of the controller at a snapshot: what it writes, and why. Nothing else runs.
//!
//! The controller is a fresh one, as after a restart: what a running one keeps in memory (expectations, what it
//! wrote last, and unless [`Snapshot::recall`] is set the back-off after failures) it does not have. Every call is
//! answered as accepted, and nothing comes back through a watch, so there is one sync of the Job; beside it the work
//! on a finished Job's time to live and on pods that no Job tracks.
//!
//! Invariants: the core decides; here is only the host. The snapshot is not changed. Names and versions that only an
//! API server could give are not made up: a `*` stands for the random end of a pod's name, and resource versions stay
//! those of the snapshot.

mod host;
mod snapshot;

use jobwright_api::card::{self, Card};
use jobwright_api::record::v1alpha1;
use jobwright_api::write::Request;
use jobwright_api::{Catalogue, time};
use jobwright_core::record::{Record, Subject};
use jobwright_core::{Timestamp, WakeUp};
use serde::Serialize;
use serde_json::Value;

pub(crate) use host::run as look;
pub use snapshot::{Place, Snapshot, SnapshotError};

/// What follows from a snapshot.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Reconciled {
    /// The calls, in order.
    pub writes: Vec<Request>,
    /// The Kubernetes Events, in order.
    pub events: Vec<v1alpha1::Event>,
    /// When the controller looks again if nothing changes, and why; absent if it waits for a change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub next: Option<v1alpha1::Next>,
    /// Whether another sync follows at once: what was written comes back through the watch.
    pub again: bool,
    /// The decisions with their records. The first is the sync of the Job; after it those about pods that no Job
    /// tracks and about `ttlSecondsAfterFinished`, if there are any.
    pub decisions: Vec<Card>,
}

/// Lets a fresh controller look at a snapshot once.
///
/// # Errors
/// The Job is none, or something in it or in a pod has a wrong type.
pub fn reconcile(snapshot: &Snapshot) -> Result<Reconciled, SnapshotError> {
    let run = host::run(snapshot)?;
    Ok(reconciled(run.writes, &run.records, run.next.as_ref(), snapshot))
}

/// A run in the forms for people and programs.
pub(crate) fn reconciled(
    writes: Vec<Request>,
    records: &[Record],
    next: Option<&WakeUp>,
    snapshot: &Snapshot,
) -> Reconciled {
    let origin = origin(&snapshot.job, snapshot.now);
    let mut decisions = Vec::new();
    for record in records {
        let step = u32::try_from(decisions.len() + 1).unwrap_or(u32::MAX);
        decisions.push(card::build(record, step, origin, Catalogue::current()));
    }
    Reconciled {
        again: writes.iter().any(|write| write.verb != "GET"),
        writes,
        events: records.iter().flat_map(|record| &record.events).map(v1alpha1::Event::from).collect(),
        next: next.map(v1alpha1::Next::from),
        decisions,
    }
}

/// Time 0 of the cards: the creation of the Job.
pub(crate) fn origin(job: &Value, now: Timestamp) -> Timestamp {
    time::parse(crate::object::text(job, &["metadata", "creationTimestamp"])).unwrap_or(now)
}

/// Whether a decision belongs into the result: that a pod keeps its finalizer says nothing.
fn tells(record: &Record) -> bool {
    !matches!(record.subject, Subject::Pod(_)) || !record.writes.is_empty()
}

//! Why a stored Job is where it is: one sentence, what happens next, and what stands in the way.
//!
//! Invariant: the core judges. Which sentence it is follows from the rules that fired in the record of one look at
//! the dump, and its numbers are the record's; pods, their troubles and Events only fill it in.

mod blocks;
mod dump;
mod sentence;

use jobwright_api::{Diagnostic, time};
use jobwright_core::Timestamp;
use serde::Serialize;

pub use blocks::Block;
pub use dump::{Dump, Taken};

use crate::object;
use crate::reconcile::{self, Reconciled};

/// Why a Job is where it is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Explanation {
    /// Namespace and name, as `namespace/name`.
    pub job: String,
    /// The time that is taken for the present, RFC 3339.
    pub at: String,
    /// Why the Job is where it is, in one sentence.
    pub why: String,
    /// What happens next and when, in one sentence.
    pub next: String,
    /// What stands in the way.
    pub blocks: Vec<Block>,
    /// What the controller decides on what it sees.
    pub reconciled: Reconciled,
}

/// Explains a Job of a dump as of a time.
///
/// # Errors
/// A value of a pod has a wrong type.
pub fn explain(taken: &Taken, now: Timestamp) -> Result<Explanation, Vec<Diagnostic>> {
    let snapshot = taken.snapshot(now);
    let run = reconcile::look(&snapshot).map_err(|error| vec![taken.place(&error)])?;
    let reconciled = reconcile::reconciled(run.writes, &run.records, run.next.as_ref(), &snapshot);
    let teller = sentence::Teller::new(run.records.first(), run.next.as_ref(), &reconciled, taken, now);
    let namespace = object::namespace(&taken.job);
    let namespace = if namespace.is_empty() { "default" } else { namespace };
    Ok(Explanation {
        job: [namespace, "/", object::name(&taken.job)].concat(),
        at: time::format(now),
        why: teller.why(),
        next: teller.next(),
        blocks: teller.into_blocks(),
        reconciled,
    })
}

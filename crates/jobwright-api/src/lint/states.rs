//! Lints about Jobs that wait, end or go away in a way that surprises.
//!
//! Invariant: as for all lints.

use super::facts::{Facts, Hit};
use crate::names;

/// A Job that the built-in controller leaves alone (SYNC-2); whether it is one.
pub(super) fn managed_by_other(facts: &Facts<'_>, hits: &mut Vec<Hit>) -> bool {
    let spec = facts.spec();
    let Some(name) =
        spec.get("managedBy").str().filter(|name| ![names::BUILT_IN_CONTROLLER, names::MANAGED_BY].contains(name))
    else {
        return false;
    };
    hits.push(Hit::new("managed-by-other", "spec.managedBy", &[]).with("name", name));
    true
}

/// The others.
pub(super) fn check(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    let parallelism = facts.parallelism;
    match facts.completions {
        Some(0) => hits.push(Hit::new("completions-zero", "spec.completions", &[])),
        _ if parallelism == 0 => hits.push(Hit::new("parallelism-zero", "spec.parallelism", &[])),
        Some(completions) if parallelism > completions => {
            let numbers = [("parallelism", parallelism), ("completions", completions)];
            hits.push(Hit::new("parallelism-above-completions", "spec.parallelism", &numbers));
        }
        None if parallelism > 1 => {
            hits.push(Hit::new("work-queue", "spec.parallelism", &[("parallelism", parallelism)]));
        }
        _ => {}
    }
    let spec = facts.spec();
    if spec.get("ttlSecondsAfterFinished").int() == Some(0) {
        hits.push(Hit::new("deleted-at-once", "spec.ttlSecondsAfterFinished", &[]));
    }
    if spec.get("suspend").is_true() {
        hits.push(Hit::new("suspended", "spec.suspend", &[]));
    }
}

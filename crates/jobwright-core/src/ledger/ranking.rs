//! Which pods are deleted first when there are too many (DEL-2 to DEL-5).
//!
//! Invariant: the order is a strict weak order; ties that upstream leaves to chance are broken by
//! creation time and name (RACE-1).

use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};

use super::facts::PodFacts;
use crate::ordered::sort_by;

/// `Less` comes first and is deleted first (DEL-5).
pub(crate) fn deletion_order(a: &PodFacts, b: &PodFacts) -> Ordering {
    a.is_scheduled()
        .cmp(&b.is_scheduled())
        .then_with(|| a.phase().cmp(&b.phase()))
        .then_with(|| a.is_ready().cmp(&b.is_ready()))
        .then_with(|| newest_ready_first(a, b))
        .then_with(|| Reverse(a.max_restarts()).cmp(&Reverse(b.max_restarts())))
        .then_with(|| Reverse(a.created()).cmp(&Reverse(b.created())))
        // Upstream sorts by index first, and pods that are equal in all of the above stay in that order.
        .then_with(|| a.index().cmp(&b.index()))
        .then_with(|| a.name().order(&b.name()))
}

/// Of pods that are ready: a later time comes first, a missing one first of all.
fn newest_ready_first(a: &PodFacts, b: &PodFacts) -> Ordering {
    match (a.ready_since(), b.ready_since()) {
        _ if !a.is_ready() || !b.is_ready() => Ordering::Equal,
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(a), Some(b)) => b.cmp(&a),
    }
}

/// The pods to delete of a Job's active pods, at least `at_least` of them (DEL-2, DEL-3).
///
/// `completions` is given for an Indexed Job: pods that have no valid index of their own go first,
/// whether or not there are too many.
pub(crate) fn choose(mut active: Vec<&PodFacts>, at_least: usize, completions: Option<u32>) -> Vec<&PodFacts> {
    let mut chosen = Vec::new();
    if let Some(completions) = completions {
        sort_by(&mut active, |a, b| a.index().cmp(&b.index()).then_with(|| deletion_order(a, b)));
        let mut kept: Vec<&PodFacts> = Vec::with_capacity(active.len());
        let mut pods = active.into_iter().peekable();
        while let Some(pod) = pods.next() {
            // The last of a group with the same index is the one to keep.
            let is_last = pods.peek().is_none_or(|next| next.index() != pod.index());
            if is_last && pod.valid_index(completions).is_some() { kept.push(pod) } else { chosen.push(pod) }
        }
        active = kept;
    }
    if chosen.len() < at_least {
        sort_by(&mut active, |a, b| deletion_order(a, b));
        chosen.extend(active.into_iter().take(at_least - chosen.len()));
    }
    chosen
}

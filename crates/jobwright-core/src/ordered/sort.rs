//! Sorting with one compiled sort for all types.
//!
//! Invariant: stable; the comparison sees each pair a bounded number of times (O(n log n)).

use alloc::vec::Vec;
use core::cmp::Ordering;

/// Sorts by a comparison. Positions are sorted, so the code of the sort itself exists once, and not once
/// for each type and comparison.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted_positions(items.len(), &|a, b| compare(&items[a], &items[b]));
    let mut taken: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|position| taken[position].take()));
}

fn sorted_positions(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..len).collect();
    positions.sort_by(|a, b| compare(*a, *b));
    positions
}

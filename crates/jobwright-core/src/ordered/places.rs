//! A set of places, ordered by keys that are kept at those places and not here.
//!
//! Invariants: no chunk is empty, none is longer than `CHUNK_MAX`; the key of a member does not change
//! while it is a member.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::map::CHUNK_MAX;

/// By how many entries a chunk grows: doubling would leave a third of it unused.
const STEP: usize = 16;

/// See the module. Whoever asks brings the order: how the key at a place compares with the one that is sought.
#[derive(Clone, Debug)]
pub(crate) struct OrderedPlaces<P> {
    chunks: Vec<Vec<P>>,
}

impl<P> Default for OrderedPlaces<P> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<P: Copy> OrderedPlaces<P> {
    /// The first place that is not before the sought one.
    fn find(&self, order: &dyn Fn(P) -> Ordering) -> (usize, usize) {
        let is_before = |place: &P| order(*place) == Ordering::Less;
        let chunk = self.chunks.partition_point(|chunk| chunk.last().is_some_and(is_before));
        match self.chunks.get(chunk) {
            Some(places) => (chunk, places.partition_point(is_before)),
            None => (chunk.saturating_sub(1), self.chunks.last().map_or(0, Vec::len)),
        }
    }

    fn at(&self, (chunk, entry): (usize, usize), order: &dyn Fn(P) -> Ordering) -> Option<P> {
        let place = *self.chunks.get(chunk)?.get(entry)?;
        (order(place) == Ordering::Equal).then_some(place)
    }

    /// The place that has the sought key.
    pub(crate) fn get(&self, order: &dyn Fn(P) -> Ordering) -> Option<P> {
        self.at(self.find(order), order)
    }

    /// Adds the place that has the sought key, unless one with that key is a member.
    pub(crate) fn insert(&mut self, place: P, order: &dyn Fn(P) -> Ordering) {
        let (chunk, entry) = self.find(order);
        if self.at((chunk, entry), order).is_some() {
            return;
        }
        let is_last = chunk + 1 >= self.chunks.len();
        let Some(places) = self.chunks.get_mut(chunk) else {
            self.chunks.push(alloc::vec![place]);
            return;
        };
        if places.len() < CHUNK_MAX {
            grow(places);
            places.insert(entry, place);
        } else if is_last && entry == places.len() {
            // What comes in order leaves full chunks behind.
            self.chunks.push(alloc::vec![place]);
        } else {
            let half = places.len() / 2;
            let mut rest = places.split_off(half);
            places.shrink_to_fit();
            let (side, entry) = if entry <= half { (places, entry) } else { (&mut rest, entry - half) };
            grow(side);
            side.insert(entry, place);
            self.chunks.insert(chunk + 1, rest);
        }
    }

    /// Takes the place that has the sought key out.
    pub(crate) fn remove(&mut self, order: &dyn Fn(P) -> Ordering) -> Option<P> {
        let (chunk, entry) = self.find(order);
        let place = self.at((chunk, entry), order)?;
        self.chunks[chunk].remove(entry);
        if self.chunks[chunk].is_empty() {
            self.chunks.remove(chunk);
        }
        Some(place)
    }

    /// All places, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = P> {
        self.chunks.iter().flatten().copied()
    }

    /// The places that are not before the sought one, in order.
    pub(crate) fn from<'a>(&'a self, order: &dyn Fn(P) -> Ordering) -> impl Iterator<Item = P> + use<'a, P> {
        let (chunk, entry) = self.find(order);
        self.chunks.get(chunk..).unwrap_or_default().iter().flatten().skip(entry).copied()
    }
}

/// Room for one more entry, and a few.
fn grow<P>(places: &mut Vec<P>) {
    if places.len() == places.capacity() {
        places.reserve_exact(STEP);
    }
}

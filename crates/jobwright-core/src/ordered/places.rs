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

/// Where a member is, or would be: chunk and entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot(usize, usize);

impl<P> Default for OrderedPlaces<P> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<P: Copy> OrderedPlaces<P> {
    /// The member that has the sought key, or where it would be.
    pub(crate) fn find(&self, order: &dyn Fn(P) -> Ordering) -> Result<P, Spot> {
        let spot = self.spot(order);
        self.at(spot).filter(|place| order(*place) == Ordering::Equal).ok_or(spot)
    }

    /// The first place that is not before the sought one.
    fn spot(&self, order: &dyn Fn(P) -> Ordering) -> Spot {
        let is_before = |place: &P| order(*place) == Ordering::Less;
        let Some(last) = self.chunks.last() else { return Spot(0, 0) };
        // What comes in order is found with one look.
        if last.last().is_none_or(is_before) {
            return Spot(self.chunks.len() - 1, last.len());
        }
        let chunk = self.chunks.partition_point(|chunk| chunk.last().is_some_and(is_before));
        Spot(chunk, self.chunks.get(chunk).map_or(0, |places| places.partition_point(is_before)))
    }

    /// How many members there are; looks at each chunk.
    pub(crate) fn len(&self) -> usize {
        self.chunks.iter().map(Vec::len).sum()
    }

    fn at(&self, Spot(chunk, entry): Spot) -> Option<P> {
        self.chunks.get(chunk)?.get(entry).copied()
    }

    /// Adds a place where `find` said that it would be; nothing may have changed since.
    pub(crate) fn insert(&mut self, Spot(chunk, entry): Spot, place: P) {
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
        let spot = self.spot(order);
        let place = self.at(spot).filter(|place| order(*place) == Ordering::Equal)?;
        let Spot(chunk, entry) = spot;
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
        let Spot(chunk, entry) = self.spot(order);
        self.chunks.get(chunk..).unwrap_or_default().iter().flatten().skip(entry).copied()
    }
}

/// Room for one more entry, and a few.
fn grow<P>(places: &mut Vec<P>) {
    if places.len() == places.capacity() {
        places.reserve_exact(STEP);
    }
}

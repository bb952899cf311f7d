//! A set of places, ordered by keys that are kept at those places and not here.
//!
//! Invariants: no chunk is empty, none is longer than `CHUNK_MAX`, each knows its last place; the key of a
//! member does not change while it is a member.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::map::CHUNK_MAX;

/// By how many entries a chunk grows: doubling would leave a third of it unused.
const STEP: usize = 16;

/// See the module. Whoever asks brings the order: how the key at a place compares with the one that is sought.
#[derive(Clone, Debug)]
pub(crate) struct OrderedPlaces<P> {
    chunks: Vec<Chunk<P>>,
}

/// Places that follow each other.
#[derive(Clone, Debug)]
struct Chunk<P> {
    /// The last of them once more: the search for a chunk reads nothing else.
    last: P,
    places: Vec<P>,
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
    pub(crate) fn find(&self, order: &impl Fn(P) -> Ordering) -> Result<P, Spot> {
        let spot = self.spot(order);
        self.at(spot).filter(|place| order(*place) == Ordering::Equal).ok_or(spot)
    }

    /// The first place that is not before the sought one.
    fn spot(&self, order: &(impl Fn(P) -> Ordering + ?Sized)) -> Spot {
        let is_before = |place: &P| order(*place) == Ordering::Less;
        let Some(last) = self.chunks.last() else { return Spot(0, 0) };
        // What comes in order is found with one look.
        if is_before(&last.last) {
            return Spot(self.chunks.len() - 1, last.places.len());
        }
        let chunk = self.chunks.partition_point(|chunk| is_before(&chunk.last));
        Spot(chunk, self.chunks.get(chunk).map_or(0, |chunk| chunk.places.partition_point(is_before)))
    }

    /// How many members there are; looks at each chunk.
    pub(crate) fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.places.len()).sum()
    }

    fn at(&self, Spot(chunk, entry): Spot) -> Option<P> {
        self.chunks.get(chunk)?.places.get(entry).copied()
    }

    /// Adds a place where `find` said that it would be; nothing may have changed since.
    pub(crate) fn insert(&mut self, Spot(chunk, entry): Spot, place: P) {
        let is_last = chunk + 1 >= self.chunks.len();
        let Some(found) = self.chunks.get_mut(chunk) else {
            self.chunks.push(Chunk::of(place));
            return;
        };
        if found.places.len() < CHUNK_MAX {
            found.insert(entry, place);
        } else if is_last && entry == found.places.len() {
            // What comes in order leaves full chunks behind.
            self.chunks.push(Chunk::of(place));
        } else {
            let half = found.places.len() / 2;
            let mut rest = Chunk { last: found.last, places: found.places.split_off(half) };
            found.places.shrink_to_fit();
            found.last = found.places[half - 1];
            if entry <= half {
                found.insert(entry, place)
            } else {
                rest.insert(entry - half, place)
            }
            self.chunks.insert(chunk + 1, rest);
        }
    }

    /// Takes the place that has the sought key out.
    pub(crate) fn remove(&mut self, order: &dyn Fn(P) -> Ordering) -> Option<P> {
        let spot = self.spot(order);
        let place = self.at(spot).filter(|place| order(*place) == Ordering::Equal)?;
        let Spot(at, entry) = spot;
        let chunk = &mut self.chunks[at];
        chunk.places.remove(entry);
        match chunk.places.last() {
            Some(last) => chunk.last = *last,
            None => _ = self.chunks.remove(at),
        }
        Some(place)
    }

    /// All places, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = P> {
        self.chunks.iter().flat_map(|chunk| &chunk.places).copied()
    }

    /// The places that are not before the sought one, in order.
    pub(crate) fn from<'a>(&'a self, order: &dyn Fn(P) -> Ordering) -> impl Iterator<Item = P> + use<'a, P> {
        let Spot(chunk, entry) = self.spot(order);
        self.chunks.get(chunk..).unwrap_or_default().iter().flat_map(|chunk| &chunk.places).skip(entry).copied()
    }
}

impl<P: Copy> Chunk<P> {
    fn of(place: P) -> Self {
        Self { last: place, places: alloc::vec![place] }
    }

    fn insert(&mut self, entry: usize, place: P) {
        // Room for one more entry, and a few.
        if self.places.len() == self.places.capacity() {
            self.places.reserve_exact(STEP);
        }
        if entry == self.places.len() {
            self.last = place;
        }
        self.places.insert(entry, place);
    }
}

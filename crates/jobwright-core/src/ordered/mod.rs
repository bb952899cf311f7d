//! Ordered maps and sets with little code: what every crate here uses where others use a B-tree.
//!
//! The standard `BTreeMap` is compiled anew for each pair of types, 5 to 12 kB of WebAssembly each; with
//! forty pairs it was a third of the browser's module (decision 0007). Here a map is a list of sorted
//! chunks, whose code is a tenth of that.
//!
//! Invariants: iteration is by key; no chunk is empty, none is longer than `map::CHUNK_MAX`, so a change
//! moves a bounded number of entries, whatever the size of the map.

mod map;
mod places;
mod set;
mod sort;
#[cfg(test)]
mod tests;

pub use map::OrderedMap;
pub(crate) use places::{OrderedPlaces, Spot};
pub use set::OrderedSet;
pub use sort::sort_by;

//! A map from keys to values, ordered by key.
//!
//! Invariant: see the module above; keys are unique.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;

/// Entries of a chunk; a full chunk is cut in half.
pub(super) const CHUNK_MAX: usize = 128;

/// A map that iterates in the order of its keys.
#[derive(Clone, PartialEq, Eq)]
pub struct OrderedMap<K, V> {
    chunks: Vec<Vec<(K, V)>>,
    len: usize,
}

/// Where a key is, or would be.
type Place = (usize, usize);

impl<K, V> OrderedMap<K, V> {
    /// A map without entries.
    #[must_use]
    pub const fn new() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }

    /// How many entries there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entries, by key.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { chunks: self.chunks.iter(), chunk: [].iter() }
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The values, by key.
    pub fn values(&self) -> impl Iterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// The values, by key, out of the map.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.into_iter().map(|(_, value)| value)
    }

    /// The entry with the lowest key.
    #[must_use]
    pub fn first(&self) -> Option<(&K, &V)> {
        self.at((0, 0))
    }

    /// The entry with the highest key.
    #[must_use]
    pub fn last(&self) -> Option<(&K, &V)> {
        self.chunks.last()?.last().map(|(key, value)| (key, value))
    }

    /// Takes the entry with the lowest key out.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (self.len > 0).then(|| self.take((0, 0)))
    }

    /// Keeps the entries for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        for chunk in &mut self.chunks {
            chunk.retain(|(key, value)| keep(key, value));
        }
        self.chunks.retain(|chunk| !chunk.is_empty());
        self.len = self.chunks.iter().map(Vec::len).sum();
    }

    fn at(&self, (chunk, entry): Place) -> Option<(&K, &V)> {
        self.chunks.get(chunk)?.get(entry).map(|(key, value)| (key, value))
    }

    /// Takes out the entry of a place that exists.
    fn take(&mut self, (chunk, entry): Place) -> (K, V) {
        let taken = self.chunks[chunk].remove(entry);
        if self.chunks[chunk].is_empty() {
            self.chunks.remove(chunk);
        }
        self.len -= 1;
        taken
    }

    /// Puts an entry in a place; returns where it is then.
    fn put(&mut self, (chunk, entry): Place, key: K, value: V) -> Place {
        self.len += 1;
        let Some(entries) = self.chunks.get_mut(chunk) else {
            self.chunks.push(alloc::vec![(key, value)]);
            return (self.chunks.len() - 1, 0);
        };
        entries.insert(entry, (key, value));
        if entries.len() <= CHUNK_MAX {
            return (chunk, entry);
        }
        let half = entries.len() / 2;
        let rest = entries.split_off(half);
        self.chunks.insert(chunk + 1, rest);
        if entry < half { (chunk, entry) } else { (chunk + 1, entry - half) }
    }
}

impl<K: Ord, V> OrderedMap<K, V> {
    /// Where a key is (`Ok`), or would be (`Err`).
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        K: Borrow<Q>,
    {
        let after = self.chunks.partition_point(|chunk| chunk.first().is_some_and(|(first, _)| first.borrow() <= key));
        let chunk = after.saturating_sub(1);
        let Some(entries) = self.chunks.get(chunk) else { return Err((0, 0)) };
        match entries.binary_search_by(|(at, _)| at.borrow().cmp(key)) {
            Ok(entry) => Ok((chunk, entry)),
            Err(entry) => Err((chunk, entry)),
        }
    }

    /// The value of a key.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.at(self.find(key).ok()?).map(|(_, value)| value)
    }

    /// The value of a key, to change it.
    #[must_use]
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let (chunk, entry) = self.find(key).ok()?;
        Some(&mut self.chunks[chunk][entry].1)
    }

    /// Whether a key is there.
    #[must_use]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Sets the value of a key; returns the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok((chunk, entry)) => Some(core::mem::replace(&mut self.chunks[chunk][entry].1, value)),
            Err(place) => {
                self.put(place, key, value);
                None
            }
        }
    }

    /// The value of a key, put there first if the key is new.
    pub fn get_or_insert(&mut self, key: K, value: V) -> &mut V {
        let (chunk, entry) = match self.find(&key) {
            Ok(place) => place,
            Err(place) => self.put(place, key, value),
        };
        &mut self.chunks[chunk][entry].1
    }

    /// The value of a key, a default one if the key is new.
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.get_or_insert(key, V::default())
    }

    /// The same; the key is copied only if it is new.
    pub(crate) fn entry(&mut self, key: &K) -> &mut V
    where
        K: Clone,
        V: Default,
    {
        let (chunk, entry) = match self.find(key) {
            Ok(place) => place,
            Err(place) => self.put(place, key.clone(), V::default()),
        };
        &mut self.chunks[chunk][entry].1
    }

    /// The value of the key of which `order` says that it is equal to the one that is sought.
    pub(crate) fn get_by(&self, order: impl Fn(&K) -> Ordering) -> Option<&V> {
        let after = self.chunks.partition_point(|chunk| chunk.first().is_some_and(|(first, _)| order(first).is_le()));
        let entries = self.chunks.get(after.saturating_sub(1))?;
        let entry = entries.binary_search_by(|(key, _)| order(key)).ok()?;
        entries.get(entry).map(|(_, value)| value)
    }

    /// Takes a key out; returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        Some(self.take(place).1)
    }

    /// The entry with the highest key that is not above this one.
    #[must_use]
    pub fn at_or_before<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Ok(place) => self.at(place),
            // The place of a key that is not there is never the first of a later chunk.
            Err((chunk, entry)) => self.at((chunk, entry.checked_sub(1)?)),
        }
    }

    /// The entries from this key on, by key.
    pub fn from<Q: Ord + ?Sized>(&self, key: &Q) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let (Ok((chunk, entry)) | Err((chunk, entry))) = self.find(key);
        let mut chunks = self.chunks.get(chunk..).unwrap_or_default().iter();
        let first = chunks.next().and_then(|entries| entries.get(entry..)).unwrap_or_default();
        Iter { chunks, chunk: first.iter() }
    }
}

/// The entries of a map, by key.
#[derive(Debug)]
pub struct Iter<'a, K, V> {
    chunks: core::slice::Iter<'a, Vec<(K, V)>>,
    chunk: core::slice::Iter<'a, (K, V)>,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self { chunks: self.chunks.clone(), chunk: self.chunk.clone() }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.chunk.next() {
                return Some((key, value));
            }
            self.chunk = self.chunks.next()?.iter();
        }
    }
}

impl<K, V> Default for OrderedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for OrderedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K, V> IntoIterator for OrderedMap<K, V> {
    type Item = (K, V);
    type IntoIter = core::iter::Flatten<alloc::vec::IntoIter<Vec<(K, V)>>>;
    fn into_iter(self) -> Self::IntoIter {
        self.chunks.into_iter().flatten()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for OrderedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

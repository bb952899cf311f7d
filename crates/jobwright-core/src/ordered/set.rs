//! A set, ordered.
//!
//! Invariant: that of a map without values.

use core::borrow::Borrow;
use core::fmt;

use super::OrderedMap;

/// A set that iterates in order.
#[derive(Clone, PartialEq, Eq)]
pub struct OrderedSet<T>(OrderedMap<T, ()>);

impl<T> OrderedSet<T> {
    /// A set without members.
    #[must_use]
    pub const fn new() -> Self {
        Self(OrderedMap::new())
    }

    /// How many members there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.0.keys()
    }

    /// The lowest member.
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.0.first().map(|(member, ())| member)
    }
}

impl<T: Ord> OrderedSet<T> {
    /// Adds a member; whether it is new.
    pub fn insert(&mut self, member: T) -> bool {
        self.0.insert(member, ()).is_none()
    }

    /// Takes a member out; whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.remove(member).is_some()
    }

    /// Whether it is a member.
    #[must_use]
    pub fn contains<Q: Ord + ?Sized>(&self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.contains_key(member)
    }

    /// The members from this one on, in order.
    pub fn from<'a, Q: Ord + ?Sized>(&'a self, member: &Q) -> impl Iterator<Item = &'a T> + use<'a, T, Q>
    where
        T: Borrow<Q>,
    {
        self.0.from(member).map(|(member, ())| member)
    }
}

impl<T> Default for OrderedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for OrderedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<T: Ord> FromIterator<T> for OrderedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        Self(members.into_iter().map(|member| (member, ())).collect())
    }
}

impl<T: Ord> Extend<T> for OrderedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        for member in members {
            self.insert(member);
        }
    }
}

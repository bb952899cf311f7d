//! Which texts were seen, and where first.
//!
//! Invariant: one type for all such questions; each map type of its own would add 4 kB to the wasm.

use jobwright_core::OrderedMap;

/// The first place of each text.
#[derive(Debug, Default)]
pub(crate) struct Places(OrderedMap<String, usize>);

impl Places {
    /// Where a text was seen first; `None` if it is new, and then it is noted at `at`.
    pub(crate) fn first(&mut self, text: &str, at: usize) -> Option<usize> {
        let first = self.0.get(text).copied();
        if first.is_none() {
            self.0.insert(text.to_owned(), at);
        }
        first
    }

    /// Where a text was seen first; nothing is noted.
    pub(crate) fn get(&self, text: &str) -> Option<usize> {
        self.0.get(text).copied()
    }

    /// The texts, sorted.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Notes a text; whether it is new.
    pub(crate) fn is_new(&mut self, text: &str) -> bool {
        self.first(text, 0).is_none()
    }
}

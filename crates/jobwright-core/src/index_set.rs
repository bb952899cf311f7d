//! Sets of completion indexes as runs, and their text (IDX-1 to IDX-7).
//!
//! Invariant: runs are kept in order, never overlap and never touch, so equal sets have equal texts.

use alloc::string::String;
use core::fmt::Write as _;

use crate::ids::{CompletionIndex, atoi};
use crate::ordered::OrderedMap;

/// A set of indexes; memory and time grow with the number of runs, not of indexes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexSet {
    /// First index of a run to its last (both in the set).
    runs: OrderedMap<u32, u32>,
    len: u64,
}

impl IndexSet {
    /// Reads the text of a status leniently, for a Job with `completions` indexes (IDX-5, IDX-6).
    ///
    /// What cannot be read is left out; a part that begins at or above `completions` ends the reading.
    #[must_use]
    pub fn parse_lenient(text: &str, completions: u32) -> Self {
        let mut set = Self::default();
        for part in text.split(',') {
            let mut pieces = part.split('-');
            let Some(first) = pieces.next().and_then(atoi) else { continue };
            if first >= i64::from(completions) {
                break;
            }
            let last = match pieces.next() {
                None => first,
                Some(piece) => match atoi(piece) {
                    Some(last) => last.min(i64::from(completions) - 1),
                    None => continue,
                },
            };
            if let (Ok(first), Ok(last)) = (u32::try_from(first), u32::try_from(last)) {
                set.insert_run(first, last);
            }
        }
        set
    }

    /// Adds an index; whether it is new.
    pub fn insert(&mut self, index: CompletionIndex) -> bool {
        let before = self.len;
        self.insert_run(index.0, index.0);
        self.len > before
    }

    /// Adds all of `first..=last`; nothing if `first` is above `last`.
    pub fn insert_run(&mut self, first: u32, last: u32) {
        if first > last {
            return;
        }
        let (mut start, mut end) = (first, last);
        // The run before, if it overlaps or touches.
        if let Some((&s, &e)) = self.runs.at_or_before(&first)
            && u64::from(e) + 1 >= u64::from(first)
        {
            start = s;
            end = end.max(e);
        }
        while let Some((s, e)) = self.run_from(start).filter(|(s, _)| *s <= end.saturating_add(1)) {
            end = end.max(e);
            self.runs.remove(&s);
            self.len -= u64::from(e - s) + 1;
        }
        self.runs.insert(start, end);
        self.len += u64::from(end - start) + 1;
    }

    /// The first run that begins at `start` or above.
    fn run_from(&self, start: u32) -> Option<(u32, u32)> {
        self.runs.from(&start).next().map(|(first, last)| (*first, *last))
    }

    /// Takes an index out; whether it was there.
    pub fn remove(&mut self, index: CompletionIndex) -> bool {
        let at = index.0;
        let Some((&start, &end)) = self.runs.at_or_before(&at).filter(|(_, e)| **e >= at) else {
            return false;
        };
        self.runs.remove(&start);
        if start < at {
            self.runs.insert(start, at - 1);
        }
        if at < end {
            self.runs.insert(at + 1, end);
        }
        self.len -= 1;
        true
    }

    /// Adds all of another set (IDX-4).
    pub fn merge(&mut self, other: &Self) {
        for (&first, &last) in other.runs.iter() {
            self.insert_run(first, last);
        }
    }

    /// Whether an index is in the set.
    #[must_use]
    pub fn contains(&self, index: CompletionIndex) -> bool {
        self.runs.at_or_before(&index.0).is_some_and(|(_, end)| *end >= index.0)
    }

    /// How many indexes are in both sets.
    #[must_use]
    pub fn common(&self, other: &Self) -> u64 {
        self.runs().map(|(first, last)| other.within(first, last)).sum()
    }

    /// How many of `first..=last` are in the set.
    fn within(&self, first: u32, last: u32) -> u64 {
        let before = self.runs.at_or_before(&first).filter(|(start, end)| **start < first && **end >= first);
        let mut count = 0;
        for (start, end) in before.into_iter().chain(self.runs.from(&first)).take_while(|(start, _)| **start <= last) {
            count += u64::from((*end).min(last) - (*start).max(first)) + 1;
        }
        count
    }

    /// How many indexes there are.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The highest index.
    #[must_use]
    pub fn last(&self) -> Option<CompletionIndex> {
        self.runs.last().map(|(_, last)| CompletionIndex(*last))
    }

    /// The runs, first and last index of each, in increasing order.
    pub fn runs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.runs.iter().map(|(first, last)| (*first, *last))
    }
}

impl IndexSet {
    /// The indexes below `end` that are not in the set, in increasing order.
    pub fn gaps(&self, end: u32) -> impl Iterator<Item = CompletionIndex> + '_ {
        let starts = core::iter::once(0).chain(self.runs().map(|(_, last)| last.saturating_add(1)));
        let ends = self.runs().map(|(first, _)| first).chain(core::iter::once(end));
        starts.zip(ends).flat_map(move |(from, to)| from..to.min(end)).map(CompletionIndex)
    }
}

impl FromIterator<CompletionIndex> for IndexSet {
    fn from_iter<I: IntoIterator<Item = CompletionIndex>>(indexes: I) -> Self {
        let mut set = Self::default();
        for index in indexes {
            set.insert(index);
        }
        set
    }
}

/// The interval text of the API: `1,3-5,7`; runs of two are written as two numbers (IDX-1).
impl core::fmt::Display for IndexSet {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut text = String::new();
        for (first, last) in self.runs() {
            if !text.is_empty() {
                text.push(',');
            }
            match last - first {
                0 => write!(text, "{first}")?,
                1 => write!(text, "{first},{last}")?,
                _ => write!(text, "{first}-{last}")?,
            }
        }
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn set(indexes: &[u32]) -> IndexSet {
        let mut set = IndexSet::default();
        for index in indexes {
            set.insert(CompletionIndex(*index));
        }
        set
    }

    #[test]
    fn text_is_compact_idx_1() {
        for (indexes, text) in [
            (&[][..], ""),
            (&[1, 3, 4, 5, 7], "1,3-5,7"),
            (&[1, 0], "0,1"),
            (&[2, 0, 1], "0-2"),
            (&[5, 4, 9, 0], "0,4,5,9"),
        ] {
            assert_eq!(set(indexes).to_string(), text);
            assert_eq!(set(indexes).len(), indexes.len() as u64);
        }
    }

    #[test]
    fn lenient_parser_idx_5() {
        for (text, completions, read) in [
            ("0-5,8-10", 8, "0-5"),
            ("0-5,8-10", 10, "0-5,8,9"),
            ("0,1-foo,bar", 4, "0"),
            ("", 4, ""),
            ("x,2", 4, "2"),
            ("3,4", 9, "3,4"),
        ] {
            assert_eq!(IndexSet::parse_lenient(text, completions).to_string(), read, "{text}");
        }
    }

    #[test]
    fn merge_and_remove_keep_runs_apart_idx_3() {
        let mut both = set(&[0, 1, 2, 8]);
        both.merge(&set(&[3, 7, 20]));
        assert_eq!(both.to_string(), "0-3,7,8,20");
        assert!(both.remove(CompletionIndex(1)) && !both.remove(CompletionIndex(1)));
        assert_eq!((both.to_string().as_str(), both.len()), ("0,2,3,7,8,20", 6));
    }
}

//! Names as the API server makes them: a base that the pods of a Job share, and five random characters.
//!
//! Invariant: `split` takes a name apart only if `Name` puts exactly that name together again.

use alloc::string::String;
use alloc::sync::Arc;
use core::cmp::Ordering;

use crate::ids::CompletionIndex;
use crate::short::Short;

/// The characters of random parts, in the order of their bytes, so that packed suffixes sort as their texts.
const LETTERS: &[u8; 27] = b"2456789bcdfghjklmnpqrstvwxz";
/// Random characters at the end of a generated name (CRE-9).
const RANDOM: usize = 5;
/// What a generated name may have before them; the Job's name is cut to that.
const STEM_MAX: usize = 58;

/// The random part of a name, as a number of five digits in base 27.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Suffix([u8; 3]);

impl Suffix {
    /// That of a name that is kept whole.
    pub(super) const NONE: Self = Self([u8::MAX; 3]);

    fn of(text: &str) -> Option<Self> {
        let mut number = 0_u32;
        for byte in text.bytes() {
            let digit = LETTERS.iter().position(|letter| *letter == byte)?;
            number = number * 27 + u32::try_from(digit).ok()?;
        }
        let [_, a, b, c] = number.to_be_bytes();
        Some(Self([a, b, c]))
    }

    fn letters(self) -> [u8; RANDOM] {
        let [a, b, c] = self.0;
        let mut number = u32::from_be_bytes([0, a, b, c]);
        let mut letters = [0; RANDOM];
        for letter in letters.iter_mut().rev() {
            *letter = LETTERS[(number % 27) as usize];
            number /= 27;
        }
        letters
    }
}

/// A name, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split<'a> {
    /// What comes first; with an index, the whole name of the Job, even if the pod's name has only a part of it.
    pub(super) base: &'a str,
    /// Whether `-<index>-` comes next.
    pub(super) indexed: bool,
    /// What comes last.
    pub(super) suffix: Suffix,
}

/// Takes a generated name apart; `None` if it is none.
pub(super) fn split<'a>(name: &'a str, index: Option<CompletionIndex>, job: Option<&'a str>) -> Option<Split<'a>> {
    let cut = name.len().checked_sub(RANDOM)?;
    let (stem, random) = (name.get(..cut)?, name.get(cut..)?);
    let suffix = Suffix::of(random)?;
    let plain = Split { base: stem, indexed: false, suffix };
    let Some(index) = index else { return Some(plain) };
    let middle = middle(index);
    let Some(head) = stem.strip_suffix(middle.as_str()) else { return Some(plain) };
    let room = STEM_MAX - middle.len();
    let is_cut = |job: &&str| head.len() == room && job.starts_with(head);
    match job.filter(is_cut) {
        Some(job) => Some(Split { base: job, indexed: true, suffix }),
        None if head.len() <= room => Some(Split { base: head, indexed: true, suffix }),
        None => Some(plain),
    }
}

/// The index in the middle of a name.
fn middle(index: CompletionIndex) -> Short {
    let mut middle = Short::EMPTY;
    middle.extend(b"-");
    middle.extend(Short::decimal(index.0).as_bytes());
    middle.extend(b"-");
    middle
}

/// A name in its parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    head: &'a str,
    tail: Short,
}

impl<'a> Name<'a> {
    /// A name that is kept whole.
    pub(super) const fn whole(name: &'a str) -> Self {
        Self { head: name, tail: Short::EMPTY }
    }

    /// A name that was taken apart; `index` if it is in the name.
    pub(super) fn joined(base: &'a str, index: Option<CompletionIndex>, suffix: Suffix) -> Self {
        let mut tail = index.map_or(Short::EMPTY, middle);
        let head = match index {
            Some(_) => base.get(..STEM_MAX - tail.len()).unwrap_or(base),
            None => base,
        };
        tail.extend(&suffix.letters());
        Self { head, tail }
    }

    /// As texts compare.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        if self.head == other.head {
            return self.tail.as_bytes().cmp(other.tail.as_bytes());
        }
        self.head.bytes().chain(self.tail.as_str().bytes()).cmp(other.head.bytes().chain(other.tail.as_str().bytes()))
    }

    /// As one text.
    pub(crate) fn to_text(self) -> Arc<str> {
        let mut text = String::with_capacity(self.head.len() + self.tail.len());
        text.push_str(self.head);
        text.push_str(self.tail.as_str());
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use proptest::prelude::*;

    fn together(name: &str, index: Option<u32>, job: Option<&str>) -> Option<Arc<str>> {
        let index = index.map(CompletionIndex);
        let Split { base, indexed, suffix } = split(name, index, job)?;
        Some(Name::joined(base, index.filter(|_| indexed), suffix).to_text())
    }

    #[test]
    fn generated_names_are_taken_apart() {
        let long = "a".repeat(60);
        let names = [
            ("train-7-bcd24", Some(7), Some(("train", true))),
            ("train-7-bcd24", Some(8), Some(("train-7-", false))),
            ("train-bcd24", None, Some(("train-", false))),
            ("bcd24", None, Some(("", false))),
            (&format!("{}-7-zzzzz", &long[..55]), Some(7), Some((long.as_str(), true))),
            (&format!("{}-10-zzzzz", &long[..54]), Some(10), Some((long.as_str(), true))),
            (&format!("{}-10-zzzzz", &long[..57]), Some(10), Some((&format!("{}-10-", &long[..57]), false))),
            ("train-bcd20", None, None),
            ("train", None, None),
            ("abc", None, None),
        ];
        for (name, index, expected) in names {
            let found = split(name, index.map(CompletionIndex), Some(&long));
            assert_eq!(found.map(|split| (split.base, split.indexed)), expected, "{name}");
            assert_eq!(together(name, index, Some(&long)).as_deref(), expected.map(|_| name), "{name}");
        }
    }

    proptest! {
        /// What is taken apart comes together again, and parts compare as the texts do.
        #[test]
        fn parts_are_as_good_as_texts(names in prop::collection::vec(("[a-cé-]{0,60}", any::<bool>(), 0..2_000_u32, "[2-4b-d]{4,6}"), 2..6)) {
            let job = "a".repeat(60);
            let made = names.iter().map(|(head, indexed, index, random)| {
                let name = if *indexed { format!("{head}-{index}-{random}") } else { format!("{head}{random}") };
                (name, indexed.then_some(CompletionIndex(*index)))
            });
            let texts: alloc::vec::Vec<_> = made.collect();
            let parts: alloc::vec::Vec<_> = texts.iter().map(|(name, index)| match split(name, *index, Some(&job)) {
                Some(split) => Name::joined(split.base, index.filter(|_| split.indexed), split.suffix),
                None => Name::whole(name),
            }).collect();
            for (a, (left, _)) in parts.iter().zip(&texts) {
                prop_assert_eq!(&*a.to_text(), left.as_str());
                for (b, (right, _)) in parts.iter().zip(&texts) {
                    prop_assert_eq!(a.order(b), left.cmp(right));
                }
            }
        }
    }
}

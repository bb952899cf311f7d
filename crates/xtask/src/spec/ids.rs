//! Ids of rules, such as `TRK-3c`, and how to find them in a text.
//!
//! Invariant: what looks like an id but belongs to no known family (`KEP-2307`, `UTF-8`) is no id; the caller
//! says which families there are.

use std::fmt;

/// An id: a family, a number, and for parts of a rule a letter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SpecId {
    /// Capital letters, such as `TRK`.
    pub(crate) family: String,
    /// The number after the hyphen.
    pub(crate) number: u32,
    /// The letter of a part.
    pub(crate) part: Option<char>,
}

impl fmt::Display for SpecId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.family, self.number)?;
        self.part.map_or(Ok(()), |letter| write!(f, "{letter}"))
    }
}

impl SpecId {
    /// Reads exactly one id.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (id, rest) = Self::parse_start(text)?;
        rest.is_empty().then_some(id)
    }

    /// Reads an id at the start of a text and returns what follows it.
    pub(crate) fn parse_start(text: &str) -> Option<(Self, &str)> {
        let (family, rest) = text.split_at(text.find(|c: char| !c.is_ascii_uppercase())?);
        let rest = rest.strip_prefix('-')?;
        let (digits, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
        let number = digits.parse().ok()?;
        let mut after = rest.chars();
        let part = after.next().filter(char::is_ascii_lowercase);
        let rest = if part.is_some() { after.as_str() } else { rest };
        let whole = !family.is_empty() && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        whole.then(|| (Self { family: family.to_owned(), number, part }, rest))
    }

    /// The rule that this is a part of, or the id itself.
    pub(crate) fn whole(&self) -> Self {
        Self { part: None, ..self.clone() }
    }
}

/// An id in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The id.
    pub(crate) id: SpecId,
    /// False for what lies inside a range: numbers may have gaps there.
    pub(crate) is_written_out: bool,
}

/// Every id in a line of text; of a range (`VAL-24..26`, `EXP-1 to EXP-9`) each member.
pub(crate) fn ids_in(line: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut before = ' ';
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let starts_word = c.is_ascii_uppercase() && !before.is_alphanumeric() && before != '-' && before != '_';
        match SpecId::parse_start(rest).filter(|_| starts_word) {
            Some((id, after)) => {
                let last = range_end(&id, after).unwrap_or(id.number).min(id.number.saturating_add(RANGE));
                let members = (id.number + 1..=last).map(|number| (SpecId { number, ..id.whole() }, number == last));
                found.extend(members.map(|(id, is_written_out)| Mention { id, is_written_out }));
                found.push(Mention { id, is_written_out: true });
                (before, rest) = ('x', after);
            }
            None => (before, rest) = (c, &rest[c.len_utf8()..]),
        }
    }
    found
}

/// No range is longer.
const RANGE: u32 = 99;

/// The last number, if the text after an id makes it a range.
fn range_end(first: &SpecId, text: &str) -> Option<u32> {
    let end = text.strip_prefix("..").or_else(|| text.strip_prefix(" to "))?;
    if let Some((last, _)) = SpecId::parse_start(end) {
        return (last.family == first.family).then_some(last.number);
    }
    let digits = end.find(|c: char| !c.is_ascii_digit()).unwrap_or(end.len());
    end[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        let mut ids: Vec<_> = ids_in(line).into_iter().map(|mention| mention.id).collect();
        ids.sort();
        ids.iter().map(SpecId::to_string).collect()
    }

    #[test]
    fn finds_ids_in_prose_and_code() {
        assert_eq!(texts("/// Counts (AAA-2, AAA-3c); see `BB-10`."), ["AAA-2", "AAA-3c", "BB-10"]);
        assert_eq!(texts("[\"AAA-1\", \"AAA-10\"]"), ["AAA-1", "AAA-10"]);
        assert_eq!(texts("fn AAA_1() {} X-AAA-1 aAAA-1 AAA-1x2"), Vec::<String>::new());
    }

    #[test]
    fn a_range_stands_for_its_members() {
        assert_eq!(texts("VAL-24..26"), ["VAL-24", "VAL-25", "VAL-26"]);
        assert_eq!(texts("(EXP-1 to EXP-3)"), ["EXP-1", "EXP-2", "EXP-3", "EXP-3"]);
        let written_out: Vec<_> = ids_in("EXP-1..3").iter().map(|mention| mention.is_written_out).collect();
        assert_eq!(written_out, [false, true, true]);
        assert_eq!(texts("EXP-1 to 2"), ["EXP-1", "EXP-2"]);
        assert_eq!(texts("from EXP-1 to VAL-3"), ["EXP-1", "VAL-3"]);
        assert_eq!(texts("VAL-24...").len(), 1);
        assert_eq!(texts("VAL-1..4000000000").len(), 100);
    }

    #[test]
    fn prints_what_it_reads() {
        for text in ["TRK-3c", "TRK-10"] {
            assert_eq!(SpecId::parse(text).expect("an id").to_string(), text);
        }
        assert_eq!(SpecId::parse("TRK-"), None);
        assert_eq!(SpecId::parse("TRK-3 "), None);
    }
}

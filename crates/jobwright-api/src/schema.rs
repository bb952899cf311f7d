//! The fields that a Job may have, with their types: a table that is read once.
//!
//! Invariant: every type that a line names is a letter or another line; a test checks it.

use std::sync::OnceLock;

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// A text.
    String,
    /// A 32-bit integer.
    Int32,
    /// A 64-bit integer.
    Int64,
    /// `true` or `false`.
    Bool,
    /// An RFC 3339 time.
    Time,
    /// A quantity: a number, or a text with a suffix.
    Quantity,
    /// A port: a 32-bit integer or a name.
    Port,
    /// Whatever is there.
    Any,
    /// An object with these fields.
    Object(&'static str),
    /// A list; the type of its elements as it is written.
    List(&'static str),
    /// An object with any names; the type of its values as it is written.
    Map(&'static str),
}

impl Type {
    /// Reads a type as the table writes it.
    pub(crate) fn parse(text: &'static str) -> Self {
        match text {
            "s" => Self::String,
            "i" => Self::Int32,
            "l" => Self::Int64,
            "b" => Self::Bool,
            "t" => Self::Time,
            "q" => Self::Quantity,
            "p" => Self::Port,
            "*" => Self::Any,
            _ => match (text.strip_prefix("[]"), text.strip_prefix("{}")) {
                (Some(of), _) => Self::List(of),
                (_, Some(of)) => Self::Map(of),
                _ => Self::Object(text),
            },
        }
    }
}

/// The fields of an object, as `name:type` between spaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields(&'static str);

impl Fields {
    /// The fields of an object of the table; an object that is not there has none.
    pub(crate) fn of(object: &str) -> Self {
        let before = |line: &&str| line.split(' ').next().unwrap_or_default() < object;
        let at = table().partition_point(before);
        let line = table().get(at).copied().unwrap_or_default();
        Self(line.strip_prefix(object).filter(|rest| rest.starts_with(' ')).unwrap_or_default())
    }

    /// All fields.
    pub(crate) fn all(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.split(' ').filter_map(|field| field.split_once(':'))
    }

    /// The type of a field.
    pub(crate) fn get(self, name: &str) -> Option<Type> {
        self.all().find(|(known, _)| *known == name).map(|(_, of)| Type::parse(of))
    }

    /// The field that a person may have meant: the same but for case, or at most two letters away.
    pub(crate) fn similar(self, name: &str) -> Option<&'static str> {
        nearest(name, self.all().map(|(known, _)| known))
    }
}

/// The name that a person may have meant: the same but for case, or at most two letters away.
pub(crate) fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let distance = |known: &str| if known.eq_ignore_ascii_case(name) { 0 } else { edits(known, name) };
    let near = known.map(|known| (distance(known), known)).min()?;
    (near.0 <= 2 && near.0 < name.len()).then_some(near.1)
}

/// The lines of the table, sorted by their objects.
fn table() -> &'static [&'static str] {
    static TABLE: OnceLock<Vec<&'static str>> = OnceLock::new();
    TABLE.get_or_init(|| include_str!("../schema/v1.37.txt").lines().filter(|line| !line.starts_with('#')).collect())
}

/// How many letters must be put in, taken out or replaced to get from one word to the other.
fn edits(one: &str, other: &str) -> usize {
    if one.len().abs_diff(other.len()) > 2 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.bytes().enumerate() {
            let cost = (corner + usize::from(a != b)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_the_table_is_known() {
        let objects: Vec<&str> = table().iter().filter_map(|line| line.split(' ').next()).collect();
        assert!(objects.is_sorted() && objects.len() > 100);
        for object in &objects {
            assert!(Fields::of(object).all().next().is_some(), "{object}");
            for (field, of) in Fields::of(object).all() {
                let mut of = Type::parse(of);
                while let Type::List(inner) | Type::Map(inner) = of {
                    of = Type::parse(inner);
                }
                if let Type::Object(name) = of {
                    assert!(name == "-" || objects.contains(&name), "{object}.{field}: {name}");
                }
            }
        }
    }

    #[test]
    fn a_slip_of_the_pen_finds_its_field() {
        for (object, name, meant) in [
            ("JobSpec", "paralelism", Some("parallelism")),
            ("JobSpec", "Parallelism", Some("parallelism")),
            ("Container", "imgae", Some("image")),
            ("JobSpec", "replicas", None),
            ("Container", "x", None),
        ] {
            assert_eq!(Fields::of(object).similar(name), meant, "{name}");
        }
    }
}

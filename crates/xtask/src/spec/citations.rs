//! Where code cites rules.
//!
//! Code is every Rust file of `crates/` and `tests/` except this command's own, whose tests make ids up.

use std::collections::BTreeMap;

use super::catalogue::Catalogue;
use super::ids::{SpecId, ids_in};
use crate::source::Source;

/// One mention of an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Citation {
    /// The rule.
    pub(crate) id: SpecId,
    /// The line, counted from 1.
    pub(crate) line: usize,
}

/// The ids of known families in a file; inside a range only those that there are.
pub(crate) fn citations(source: &Source, catalogue: &Catalogue) -> Vec<Citation> {
    let families = catalogue.families();
    let lines = source.text.lines().enumerate();
    let mentions = lines.flat_map(|(number, line)| ids_in(line).into_iter().map(move |mention| (mention, number + 1)));
    let known = mentions.filter(|(mention, _)| {
        families.contains(mention.id.family.as_str()) && (mention.is_written_out || catalogue.has(&mention.id))
    });
    known.map(|(mention, line)| Citation { id: mention.id, line }).collect()
}

/// True if a file may speak for the code.
pub(crate) fn is_code(source: &Source) -> bool {
    let product = source.path.starts_with("crates/") && !source.path.starts_with("crates/xtask/");
    source.is("rs") && (product || source.path.starts_with("tests/"))
}

/// For each cited rule the first place in the code (`file:line`).
pub(crate) fn places(sources: &[Source], catalogue: &Catalogue) -> BTreeMap<SpecId, String> {
    let mut places = BTreeMap::new();
    for source in sources.iter().filter(|source| is_code(source)) {
        for citation in citations(source, catalogue) {
            places.entry(citation.id).or_insert_with(|| format!("{}:{}", source.path, citation.line));
        }
    }
    places
}

//! Rule ids that are cited exist in `docs/spec`.

use super::finding::Finding;
use crate::source::Source;
use crate::spec::{Catalogue, citations};

/// Ids that no page of the spec defines. This command's own files, whose tests make ids up, are left out.
pub(super) fn check(source: &Source, catalogue: &Catalogue) -> Vec<Finding> {
    if !may_cite(source) {
        return Vec::new();
    }
    let cited = citations::citations(source, catalogue).into_iter();
    let unknown = cited.filter(|citation| !catalogue.has(&citation.id));
    unknown
        .map(|citation| Finding::of(source, citation.line, format!("docs/spec defines no rule {}", citation.id)))
        .collect()
}

fn may_cite(source: &Source) -> bool {
    let text = ["rs", "ts", "md", "toml", "yaml"].iter().any(|extension| source.is(extension));
    text && !source.path.starts_with("crates/xtask/") && !source.path.starts_with("docs/spec/")
}

#[cfg(test)]
mod tests {
    use super::super::finding::{lines, planted};
    use super::*;

    #[test]
    fn an_unknown_rule_of_a_known_family_is_found() {
        let mut catalogue = Catalogue::default();
        catalogue.add("p.md", "- AA-1: one");
        let source = planted("crates/a/src/b.rs", "//! AA-1\n//! AA-2, KEP-3");
        assert_eq!(lines(check(&source, &catalogue)), ["crates/a/src/b.rs:2: docs/spec defines no rule AA-2"]);
        assert_eq!(check(&planted("docs/spec/x.md", "AA-2"), &catalogue), []);
    }
}

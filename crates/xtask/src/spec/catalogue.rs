//! Which rules `docs/spec` defines.
//!
//! A rule is defined where a list item or a table row begins with its id; elsewhere the id is a reference.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, ensure};

use super::ids::SpecId;
use crate::repo::Repo;

/// The rules with the place of the first definition of each (`file:line`).
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    places: BTreeMap<SpecId, String>,
}

impl Catalogue {
    /// Reads every page of `docs/spec`.
    pub(crate) fn read(repo: &Repo) -> Result<Self> {
        let mut catalogue = Self::default();
        let mut pages: Vec<_> = fs::read_dir(repo.path("docs/spec"))
            .context("cannot read docs/spec")?
            .collect::<Result<_, _>>()
            .context("cannot read docs/spec")?;
        pages.sort_by_key(fs::DirEntry::file_name);
        for page in pages {
            let name = format!("docs/spec/{}", page.file_name().to_string_lossy());
            catalogue.add(&name, &repo.read(&name)?);
        }
        ensure!(!catalogue.places.is_empty(), "docs/spec defines no rule");
        Ok(catalogue)
    }

    /// Adds the definitions of one page.
    pub(crate) fn add(&mut self, page: &str, text: &str) {
        for (number, line) in text.lines().enumerate() {
            let item = line.trim_start();
            let Some(entry) = item.strip_prefix("- ").or_else(|| item.strip_prefix("| ")) else { continue };
            if let Some((id, _)) = SpecId::parse_start(entry) {
                self.places.entry(id).or_insert_with(|| format!("{page}:{}", number + 1));
            }
        }
    }

    /// All ids, in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &SpecId> {
        self.places.keys()
    }

    /// True if the rule is defined.
    pub(crate) fn has(&self, id: &SpecId) -> bool {
        self.places.contains_key(id)
    }

    /// The families that there are.
    pub(crate) fn families(&self) -> BTreeSet<&str> {
        self.places.keys().map(|id| id.family.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_tables_define_and_prose_refers() {
        let mut catalogue = Catalogue::default();
        catalogue.add("p.md", "- AA-1: one\n  - AA-1b: part\n| AA-2 | two |\nsee AA-3\n| Id | x |\n- CC-4 (only): x");
        let ids: Vec<_> = catalogue.ids().map(SpecId::to_string).collect();
        assert_eq!(ids, ["AA-1", "AA-1b", "AA-2", "CC-4"]);
        assert_eq!(catalogue.families().into_iter().collect::<Vec<_>>(), ["AA", "CC"]);
    }

    #[test]
    fn the_spec_of_this_repository_is_found() {
        let catalogue = Catalogue::read(&Repo::find().expect("a checkout")).expect("readable");
        assert!(catalogue.ids().count() > 500, "{} rules", catalogue.ids().count());
        assert!(catalogue.has(&SpecId::parse("TRK-3c").expect("an id")));
    }
}

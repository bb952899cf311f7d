//! Rules that are not ours, with the reason: `docs/spec-coverage.toml`.
//!
//! Invariant: a rule is in one place only. One that fires or is cited in code is ours, whatever the file says
//! about its family; a rule that is neither must be in the file.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::catalogue::Catalogue;
use super::ids::{SpecId, ids_in};
use crate::repo::Repo;

/// The file's name, below the root.
pub(crate) const FILE: &str = "docs/spec-coverage.toml";

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    not_ours: Vec<Entry>,
}

/// Rules that are not ours for one reason.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Entry {
    reason: String,
    /// Ids (`TRK-35`), ranges (`TRK-30..33`) or whole families (`HIST`).
    rules: Vec<String>,
}

/// How a rule is covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// It can fire: the slugs of the rules that carry it.
    Fires(Vec<&'static str>),
    /// Code defines its words, types or limits and cites it there.
    Defines(String),
    /// It is somebody else's, or comes later: why.
    NotOurs(String),
}

/// Reasons by rule.
pub(crate) fn reasons(repo: &Repo, catalogue: &Catalogue) -> Result<BTreeMap<SpecId, String>> {
    parse(&repo.read(FILE)?, catalogue)
}

fn parse(text: &str, catalogue: &Catalogue) -> Result<BTreeMap<SpecId, String>> {
    let file: File = toml::from_str(text).with_context(|| format!("{FILE} is not as expected"))?;
    let mut reasons = BTreeMap::new();
    for entry in file.not_ours {
        for pattern in &entry.rules {
            for id in members(pattern, catalogue)? {
                if let Some(other) = reasons.insert(id.clone(), entry.reason.clone()) {
                    bail!("{FILE} gives two reasons for {id}: \"{other}\" and \"{}\"", entry.reason);
                }
            }
        }
    }
    Ok(reasons)
}

fn members(pattern: &str, catalogue: &Catalogue) -> Result<Vec<SpecId>> {
    let is_family = catalogue.families().contains(pattern);
    let ids: Vec<_> = match is_family {
        true => catalogue.ids().filter(|id| id.family == pattern).cloned().collect(),
        false => ids_in(pattern),
    };
    match ids.iter().find(|id| !catalogue.has(id)) {
        Some(unknown) => bail!("{FILE} names {unknown}, which docs/spec does not define"),
        None if ids.is_empty() => bail!("{FILE}: \"{pattern}\" is neither an id, a range nor a family"),
        None => Ok(ids),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> Catalogue {
        let mut catalogue = Catalogue::default();
        catalogue.add("p.md", "- AA-1: x\n- AA-2: x\n- BB-1: x");
        catalogue
    }

    fn read(rules: &str) -> Result<BTreeMap<SpecId, String>> {
        parse(&format!("[[not-ours]]\nreason = \"later\"\nrules = [{rules}]\n"), &catalogue())
    }

    #[test]
    fn ids_ranges_and_families_are_understood() {
        let reasons = read("\"AA-1..2\", \"BB\"").expect("fine");
        assert_eq!(reasons.keys().map(SpecId::to_string).collect::<Vec<_>>(), ["AA-1", "AA-2", "BB-1"]);
    }

    #[test]
    fn unknown_rules_and_second_reasons_are_errors() {
        for (rules, complaint) in [("\"AA-9\"", "AA-9"), ("\"CC\"", "CC"), ("\"AA-1\", \"AA\"", "two reasons")] {
            let error = read(rules).expect_err("must fail").to_string();
            assert!(error.contains(complaint), "{error}");
        }
    }
}

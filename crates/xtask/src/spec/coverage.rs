//! What code does not say itself about the rules: `docs/spec-coverage.toml`.
//!
//! Invariant: each rule is in that file at most once. One that fires or is cited in code needs no entry, and an
//! entry for it plays no part; a rule that is neither must have one.

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
    #[serde(default)]
    ours: Vec<Ours>,
    #[serde(default)]
    not_ours: Vec<NotOurs>,
}

/// Rules that a file carries out without naming each of them.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Ours {
    at: String,
    rules: Vec<String>,
}

/// Rules that are not ours for one reason.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct NotOurs {
    reason: String,
    /// Ids (`TRK-35`), ranges (`TRK-30..33`) or whole families (`HIST`), here and above.
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

/// The file's entries by rule.
pub(crate) fn read(repo: &Repo, catalogue: &Catalogue) -> Result<BTreeMap<SpecId, Coverage>> {
    let covered = parse(&repo.read(FILE)?, catalogue)?;
    for coverage in covered.values() {
        if let Coverage::Defines(place) = coverage
            && !repo.path(place).is_file()
        {
            bail!("{FILE} names {place}, which is not there");
        }
    }
    Ok(covered)
}

fn parse(text: &str, catalogue: &Catalogue) -> Result<BTreeMap<SpecId, Coverage>> {
    let file: File = toml::from_str(text).with_context(|| format!("{FILE} is not as expected"))?;
    let ours = file.ours.into_iter().map(|entry| (Coverage::Defines(entry.at), entry.rules));
    let not_ours = file.not_ours.into_iter().map(|entry| (Coverage::NotOurs(entry.reason), entry.rules));
    let mut covered = BTreeMap::new();
    for (coverage, rules) in ours.chain(not_ours) {
        for pattern in &rules {
            for id in members(pattern, catalogue)? {
                if covered.insert(id.clone(), coverage.clone()).is_some() {
                    bail!("{FILE} has {id} twice");
                }
            }
        }
    }
    Ok(covered)
}

fn members(pattern: &str, catalogue: &Catalogue) -> Result<Vec<SpecId>> {
    let is_family = catalogue.families().contains(pattern);
    let ids: Vec<_> = match is_family {
        true => catalogue.ids().filter(|id| id.family == pattern).cloned().collect(),
        false => {
            let written =
                ids_in(pattern).into_iter().filter(|mention| mention.is_written_out || catalogue.has(&mention.id));
            written.map(|mention| mention.id).collect()
        }
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

    fn read(rules: &str) -> Result<BTreeMap<SpecId, Coverage>> {
        parse(&format!("[[not-ours]]\nreason = \"later\"\nrules = [{rules}]\n"), &catalogue())
    }

    #[test]
    fn ids_ranges_and_families_are_understood() {
        let reasons = read("\"AA-1..2\", \"BB\"").expect("fine");
        assert_eq!(reasons.keys().map(SpecId::to_string).collect::<Vec<_>>(), ["AA-1", "AA-2", "BB-1"]);
    }

    #[test]
    fn a_file_can_stand_for_its_rules() {
        let text =
            "[[ours]]\nat = \"a.rs\"\nrules = [\"AA-1\"]\n[[not-ours]]\nreason = \"later\"\nrules = [\"BB-1\"]\n";
        let covered: Vec<_> = parse(text, &catalogue()).expect("fine").into_values().collect();
        assert_eq!(covered, [Coverage::Defines("a.rs".to_owned()), Coverage::NotOurs("later".to_owned())]);
    }

    #[test]
    fn unknown_and_repeated_rules_are_errors() {
        for (rules, complaint) in [("\"AA-9\"", "AA-9"), ("\"CC\"", "CC"), ("\"AA-1\", \"AA\"", "twice")] {
            let error = read(rules).expect_err("must fail").to_string();
            assert!(error.contains(complaint), "{error}");
        }
    }
}

//! `cargo xtask rules`: each rule of `docs/spec` as *fires*, *defines* or *not ours*.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use jobwright_core::Rule;

use super::catalogue::Catalogue;
use super::citations;
use super::coverage::{self, Coverage};
use super::ids::SpecId;
use crate::repo::Repo;
use crate::source::Source;

/// Prints the coverage of every rule and fails if one has none.
pub(crate) fn print(repo: &Repo) -> Result<()> {
    let covered = cover(repo)?;
    let mut counts = [0_usize; 3];
    for (id, coverage) in &covered {
        let (kind, column, text) = match coverage {
            Coverage::Fires(slugs) => (0, "fires", slugs.join(", ")),
            Coverage::Defines(place) => (1, "defines", place.clone()),
            Coverage::NotOurs(reason) => (2, "not ours", reason.clone()),
        };
        counts[kind] += 1;
        println!("{:<9} {column:<9} {text}", id.to_string());
    }
    let [fires, defines, not_ours] = counts;
    println!("{} rules: {fires} fire, {defines} define, {not_ours} are not ours", covered.len());
    Ok(())
}

/// The coverage of every rule; an error names those that have none and those that are cited but not defined.
pub(crate) fn cover(repo: &Repo) -> Result<BTreeMap<SpecId, Coverage>> {
    let catalogue = Catalogue::read(repo)?;
    let places = citations::places(&Source::all(repo)?, &catalogue);
    let entries = coverage::read(repo, &catalogue)?;
    let fired = fired();
    let mut covered = BTreeMap::new();
    let mut without = Vec::new();
    for id in catalogue.ids() {
        let ours =
            fired.get(id).cloned().map(Coverage::Fires).or_else(|| places.get(id).cloned().map(Coverage::Defines));
        match ours.or_else(|| entries.get(id).cloned()) {
            Some(coverage) => drop(covered.insert(id.clone(), coverage)),
            None => without.push(id.to_string()),
        }
    }
    let unknown: Vec<_> = fired.keys().filter(|id| !catalogue.has(id)).map(SpecId::to_string).collect();
    if !unknown.is_empty() {
        bail!("docs/spec does not define these rules, which jobwright_core::Rule names: {}", unknown.join(" "));
    }
    if !without.is_empty() {
        bail!("no code cites these rules, and {} does not name them: {}", coverage::FILE, without.join(" "));
    }
    Ok(covered)
}

/// The rules that can fire, with the slugs that carry them.
fn fired() -> BTreeMap<SpecId, Vec<&'static str>> {
    let mut fired: BTreeMap<SpecId, Vec<&'static str>> = BTreeMap::new();
    for rule in Rule::ALL {
        for id in rule.spec_ids().iter().filter_map(|id| SpecId::parse(id)) {
            fired.entry(id).or_default().push(rule.slug());
        }
    }
    fired
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_spec_is_covered() {
        let covered = cover(&Repo::find().expect("a checkout")).expect("complete");
        assert!(covered.values().any(|coverage| matches!(coverage, Coverage::Fires(_))));
    }

    #[test]
    fn every_id_of_a_rule_is_an_id() {
        for rule in Rule::ALL {
            for id in rule.spec_ids() {
                assert!(SpecId::parse(id).is_some(), "{}: {id}", rule.slug());
            }
        }
    }
}

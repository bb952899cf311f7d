//! The message catalogue and the code agree: every id that is used has a text, and every text is used.
#![allow(clippy::unwrap_used, reason = "every file is a part of the repository")]

use std::collections::BTreeSet;
use std::path::Path;

use jobwright_api::lint::LINTS;
use jobwright_api::record::slugs;
use jobwright_api::{Catalogue, Code};
use jobwright_core::Rule;

/// Ids that are put together from the names of enumerations.
fn composed() -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for rule in Rule::ALL {
        for part in ["title", "why", "short"] {
            ids.insert(format!("rule.{}.{part}", rule.slug()));
        }
    }
    ids.extend(["title", "why", "short"].map(|part| format!("rule.none.{part}")));
    ids.extend(slugs::STAGES.iter().map(|stage| format!("stage.{}", slugs::stage(*stage))));
    ids.extend(slugs::FACTS.iter().map(|fact| format!("fact.{}", slugs::fact(*fact))));
    ids.extend(slugs::FAILURES.iter().map(|kind| format!("failure.{}", slugs::failure(*kind))));
    ids.extend(slugs::TRIGGERS.iter().map(|name| format!("trigger.{name}")));
    for wake in slugs::WAKES {
        ids.insert(format!("wake.{}", slugs::wake(*wake)));
        ids.insert(format!("trigger.timer.{}", slugs::wake(*wake)));
    }
    for effect in slugs::EFFECTS {
        ids.insert(format!("write.{effect}"));
        if !matches!(*effect, "get-job" | "delete-job") {
            ids.insert(format!("write.{effect}.name"));
        }
    }
    ids.extend(["active", "succeeded", "failed", "terminating", "uncounted"].map(|name| format!("counter.{name}")));
    ids.extend(LINTS.iter().flat_map(|lint| [format!("lint.{}", lint.id), format!("lint.{}.help", lint.id)]));
    ids.extend(Code::ALL.iter().map(|code| format!("hint.{}", code.slug())));
    ids
}

/// Texts in quotes in the source that look like an id.
fn literals(folder: &Path, prefixes: &BTreeSet<&str>, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            literals(&path, prefixes, found);
            continue;
        }
        if path.ends_with("tests.rs") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        for text in code.split('"') {
            let is_id = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'-');
            if is_id && text.split_once('.').is_some_and(|(first, _)| prefixes.contains(first)) {
                found.insert(text.to_owned());
            }
        }
    }
}

#[test]
fn every_id_has_a_text_and_every_text_is_used() {
    let catalogue = Catalogue::english();
    let prefixes: BTreeSet<&str> = catalogue.ids().filter_map(|id| id.split('.').next()).collect();
    let mut used = composed();
    literals(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &prefixes, &mut used);
    let known: BTreeSet<String> = catalogue.ids().map(str::to_owned).collect();
    let missing: Vec<_> = used.difference(&known).collect();
    // Those of the page, the simulator and the command line are checked there.
    let elsewhere = |id: &&String| ["ui.", "sim.", "cli."].iter().any(|prefix| id.starts_with(prefix));
    let unused: Vec<_> = known.difference(&used).filter(|id| !elsewhere(id)).collect();
    assert!(missing.is_empty(), "without a text: {missing:?}");
    assert!(unused.is_empty(), "never used: {unused:?}");
}

#[test]
fn every_text_is_a_text_and_is_closed() {
    let catalogue = Catalogue::english();
    assert!(catalogue.ids().count() > 200);
    for id in catalogue.ids() {
        let text = catalogue.text(id, &[]);
        assert!(!text.trim().is_empty() && text == text.trim(), "{id}");
        assert!(!text.contains(['{', '}']) || text.matches('{').count() == text.matches('}').count(), "{id}: {text}");
    }
}

//! The simulator and the message catalogue agree: every text under `sim.` is used, and every id that is
//! used has a text.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use std::collections::BTreeSet;
use std::path::Path;

use jobwright_api::Catalogue;
use jobwright_core::Rule;
use jobwright_sim::session::PodEvent;

/// Ids in quotes, and the ends that the scenario reader puts behind `sim.scenario.`.
fn used(folder: &Path, whole: &mut BTreeSet<String>, ends: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            used(&path, whole, ends);
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        for text in code.split('"') {
            if text.starts_with("sim.") && !text.ends_with('.') && !text.contains(['{', ' ']) {
                whole.insert(text.to_owned());
            }
            if path.parent().is_some_and(|folder| folder.ends_with("scenario")) {
                ends.insert(format!("sim.scenario.{text}"));
            }
        }
    }
}

/// The ids that explanations put together: a rule or a reason may have a text, a kind of trouble must.
fn explained(known: &BTreeSet<String>) -> BTreeSet<String> {
    const REASONS: [&str; 7] = [
        "BackoffLimitExceeded",
        "CompletionsReached",
        "DeadlineExceeded",
        "FailedIndexes",
        "MaxFailedIndexesExceeded",
        "PodFailurePolicy",
        "SuccessPolicy",
    ];
    let mut ids: BTreeSet<String> = ["why", "held"]
        .into_iter()
        .flat_map(|what| Rule::ALL.iter().map(move |rule| format!("sim.explain.{what}.{}", rule.slug())))
        .filter(|id| known.contains(id))
        .collect();
    ids.insert("sim.explain.held.refused".to_owned());
    ids.insert("sim.explain.block.refused".to_owned());
    ids.extend(REASONS.map(|reason| format!("sim.explain.end.{reason}")));
    for what in ["block", "short"] {
        ids.extend(["pending", "crashing", "finalizer", "overdue"].map(|kind| format!("sim.explain.{what}.{kind}")));
        ids.extend(["pending", "overdue"].map(|kind| format!("sim.explain.{what}.{kind}.unnamed")));
    }
    ids
}

#[test]
fn every_text_is_used_and_every_id_has_a_text() {
    let (mut whole, mut ends) = (BTreeSet::new(), BTreeSet::new());
    used(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut whole, &mut ends);
    whole.extend(PodEvent::ALL.iter().map(|event| format!("sim.action.{}", event.as_str())));
    whole.extend(["complete", "failed", "deleted", "waiting"].map(|kind| format!("sim.end.{kind}")));
    whole.extend(["deadline", "backoff", "ttl", "retry"].map(|kind| format!("sim.mark.{kind}")));
    let known: BTreeSet<String> =
        Catalogue::english().ids().filter(|id| id.starts_with("sim.")).map(str::to_owned).collect();
    whole.extend(explained(&known));
    let missing: Vec<_> = whole.difference(&known).collect();
    assert!(missing.is_empty(), "without a text: {missing:?}");
    let unused: Vec<_> = known.iter().filter(|id| !whole.contains(*id) && !ends.contains(*id)).collect();
    assert!(unused.is_empty(), "never used: {unused:?}");
}

//! Eleven controllers with a planted bug, each of which the model checker has to find.
//!
//! The bugs are in the core, behind its feature `mutants`, which only this package asks for. One is
//! planted at a time for the whole process, so this file holds one test.

use jobwright_core::Gates;
use jobwright_core::mutant::{Mutant, plant};
use jobwright_sim::explore::{self, Report};
use jobwright_tests::checker::Checker;
use jobwright_tests::observer::Breach;
use jobwright_tests::scopes::{Walk, job, walk};
use serde_json::{Value, json};

/// A walk in which a bug shows, and how the law begins that finds it.
type Row = (Mutant, fn() -> Value, &'static str, [u8; 4], &'static str);

fn plain() -> Value {
    job(json!({"completions": 2, "parallelism": 2, "backoffLimit": 1}), "Never")
}

fn single() -> Value {
    job(json!({"completions": 1, "parallelism": 1, "backoffLimit": 1}), "Never")
}

fn terminating() -> Value {
    job(json!({"completions": 2, "parallelism": 2, "backoffLimit": 0}), "Never")
}

fn per_index() -> Value {
    let spec = json!({"completions": 3, "parallelism": 1, "completionMode": "Indexed", "backoffLimitPerIndex": 1});
    job(spec, "Never")
}

const ROWS: [Row; 11] = [
    (Mutant::ReleaseFirst, plain, "0,1", [0; 4], "the law of storing first"),
    (Mutant::LimitAtEqual, plain, "0,1", [0; 4], "OUT"),
    (Mutant::SlotGivenAway, per_index, "0,1", [0; 4], "INV-18"),
    (Mutant::CountedTwice, plain, "0,1", [1, 0, 0, 0], "INV-22"),
    (Mutant::CountedEarly, plain, "0,1", [1, 0, 0, 0], "the law of counting"),
    (Mutant::ImpatientCreation, single, "0", [0, 0, 1, 0], "INV-13"),
    (Mutant::NoBackoff, plain, "0,1", [0; 4], "INV-16"),
    (Mutant::HastyFinish, terminating, "0,1", [0; 4], "INV-22"),
    (Mutant::ConflictIsStored, plain, "0,1", [0, 1, 0, 0], "the law of storing first"),
    (Mutant::NoInterim, plain, "0,1", [0; 4], "INV-22"),
    (Mutant::FailuresForgotten, per_index, "1", [0; 4], "INV-17"),
];

fn explore(walk: &Walk) -> Result<Report<Breach>, String> {
    explore::walk(&walk.subject, &walk.scope, Checker::default(), &mut |_| {}).map_err(|error| error.message)
}

#[test]
fn every_planted_bug_is_found() -> Result<(), String> {
    assert_eq!(ROWS.map(|row| row.0), Mutant::ALL);
    let mut missed = Vec::new();
    for (mutant, job, any_of, faults, law) in ROWS {
        let mut walk = walk(&format!("{mutant:?}"), job(), any_of, faults, 5_000)?;
        // Without the freshness check expectations alone stand against an old cache.
        walk.subject.gates =
            Gates { stale_controller_consistency: mutant != Mutant::ImpatientCreation, ..Gates::default() };
        let sound = explore(&walk)?;
        plant(Some(mutant));
        let report = explore(&walk);
        plant(None);
        let report = report?;
        if let Some((breach, _)) = sound.broken {
            missed.push(format!("{mutant:?}: broken without it: {breach}"));
        }
        match report.broken {
            Some((breach, Some(_))) if breach.to_string().starts_with(law) => {}
            Some((breach, witness)) => missed.push(format!("{mutant:?}: {breach}, witness {}", witness.is_some())),
            None => missed.push(format!("{mutant:?}: not found in {} states", report.walked.states)),
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    Ok(())
}

//! Public reports about Jobs, each as a scenario and what has to be seen at which second.
//!
//! The scenarios are in `tests/scenarios/reports`; the comment of each names its report. A row may leave facts out.

mod counting;
mod ends;
mod manifests;
mod policies;
mod retries;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use jobwright_core::{Millis, Timestamp};
use jobwright_sim::scenario::Scenario;
use jobwright_sim::world::{ORIGIN, World};
use jobwright_tests::state;

use counting::COUNTING;
use ends::ENDS;
use policies::POLICIES;
use retries::RETRIES;

/// Seconds from the start, and some facts of that moment.
type Row = (f64, &'static str);

/// Runs a scenario and compares each row at its time.
fn check(scenario: &Scenario, rows: &[Row]) -> Result<Vec<String>, String> {
    let (mut world, created) = World::begin(scenario, 1);
    created.map_err(|error| error.to_string())?;
    let moment = |seconds: f64| -> Timestamp { ORIGIN + Millis((seconds * 1_000.0).round() as i64) };
    let mut steps = scenario.later_steps().iter().peekable();
    let mut wrong = Vec::new();
    for (seconds, line) in rows {
        while let Some(step) = steps.next_if(|step| ORIGIN + step.at <= moment(*seconds)) {
            world.run_to(ORIGIN + step.at);
            if let Some(refused) = step.action.as_ref().and_then(|action| world.perform(action).refused) {
                wrong.push(format!("at {:?}: refused: {refused}", step.at));
            }
        }
        world.run_to(moment(*seconds));
        let differences = state::differences(line, &world)?;
        wrong.extend(differences.into_iter().map(|difference| format!("at {seconds} s: {difference}")));
    }
    Ok(wrong)
}

fn check_table(table: &[(&str, &[Row])]) -> Result<(), Box<dyn Error>> {
    let mut wrong = BTreeMap::new();
    for (name, rows) in table {
        let text = fs::read_to_string(jobwright_tests::reports().join(format!("{name}.yaml")))?;
        let document = jobwright_sim::scenario::read(&text).map_err(|errors| format!("{name}: {errors:?}"))?;
        let found = check(&document.scenario, rows)?;
        if !found.is_empty() {
            wrong.insert(*name, found);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[test]
fn every_report_is_in_a_table() -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(jobwright_tests::reports())? {
        files.push(entry?.file_name().to_string_lossy().trim_end_matches(".yaml").to_owned());
    }
    files.sort();
    let mut rows: Vec<&str> = [COUNTING, RETRIES, ENDS, POLICIES].concat().iter().map(|(name, _)| *name).collect();
    rows.sort_unstable();
    assert_eq!(files, rows);
    Ok(())
}

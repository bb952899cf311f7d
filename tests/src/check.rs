//! Walks that must not break a law.
//!
//! Invariant: a walk that stops at its bound is said to be bounded; what it saw still counts.

use jobwright_sim::explore::{self, End, Report, Stay};

use crate::checker::Checker;
use crate::observer::Breach;
use crate::scopes::Walk;

/// Walks through one Job with the checker.
///
/// # Errors
/// The API server refuses the Job.
pub fn explore(walk: &Walk) -> Result<Report<Breach>, String> {
    explore::walk(&walk.subject, &walk.scope, Checker::default(), &mut |_| {}).map_err(|error| error.message)
}

/// Walks through all of them and prints what was seen.
///
/// # Errors
/// A law is broken, or a Job does not end that is not suspended; with the witness as a scenario.
pub fn check(walks: &[Walk]) -> Result<(), String> {
    let (mut states, mut moves, mut depth) = (0, 0, 0);
    for walk in walks {
        let report = explore(walk)?;
        if let Some((breach, witness)) = &report.broken {
            let scenario = witness.as_ref().map(|witness| witness.scenario(&walk.subject, &breach.to_string()));
            return Err(format!("{}: {breach}\n{}", walk.name, scenario.unwrap_or_default()));
        }
        if let Some(end) =
            report.ends.iter().find(|end| !end.end.is_finished() && end.end != End::Stays(Stay::Suspended))
        {
            let scenario = end.witness.as_ref().map(|witness| witness.scenario(&walk.subject, "INV-31"));
            return Err(format!(
                "{}: the Job does not end: {:?}\n{}",
                walk.name,
                end.end,
                scenario.unwrap_or_default()
            ));
        }
        let complete = if report.complete { "complete" } else { "bounded" };
        println!(
            "{}: {} states, {} moves, depth {}, {complete}",
            walk.name, report.walked.states, report.walked.moves, report.walked.depth
        );
        states += report.walked.states;
        moves += report.walked.moves;
        depth = depth.max(report.walked.depth);
    }
    println!("{states} states, {moves} moves, depth {depth}");
    Ok(())
}

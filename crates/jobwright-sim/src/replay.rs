//! Replays a recorded scenario and compares what is seen.
//!
//! Invariant: whether a scenario is supported follows from what it asks for, never from its name.

use jobwright_api::Diagnostic;
use serde_json::Value;

use crate::scenario::{self, Document};
use crate::text::say;
use crate::trace::{Difference, compare, trace};

/// What came of a replay.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The traces are equal, as far as they have to be.
    Matched,
    /// They are not.
    Differs(Vec<Difference>),
    /// The scenario asks for something that this version does not act on; one sentence each.
    NotSupported(Vec<String>),
}

/// Uids and names do not show in traces, so any seed will do.
pub(crate) const SEED: u64 = 1;

/// Replays a scenario against its recorded trace.
///
/// # Errors
/// The scenario cannot be read.
pub fn replay(scenario: &str, recorded: &Value) -> Result<Verdict, Vec<Diagnostic>> {
    let document = scenario::read(scenario)?;
    let reasons = not_supported(&document);
    if !reasons.is_empty() {
        return Ok(Verdict::NotSupported(reasons));
    }
    let differences = compare(recorded, &trace(&document.scenario, SEED));
    Ok(if differences.is_empty() { Verdict::Matched } else { Verdict::Differs(differences) })
}

/// What a scenario asks for and this version does not act on.
#[must_use]
pub fn not_supported(document: &Document) -> Vec<String> {
    let mut reasons: Vec<String> = document.notices.iter().map(|notice| say(notice.text_id, &[])).collect();
    for (gate, on) in document.scenario.unknown_gates() {
        reasons.push(say("sim.replay.gate", &[("gate", gate), ("value", &on.to_string())]));
    }
    reasons
}

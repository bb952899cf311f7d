//! Replays a recorded scenario and compares what is seen.
//!
//! Invariant: whether a scenario is supported follows from what it asks for, never from its name.

use jobwright_api::Diagnostic;
use serde_json::Value;

use crate::scenario::{self, Action, Document, JobAct};
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
const SEED: u64 = 1;

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
    for (gate, on) in document.scenario.feature_gates.iter() {
        reasons.push(say("sim.replay.gate", &[("gate", gate), ("value", &on.to_string())]));
    }
    for step in &document.scenario.steps {
        match &step.action {
            Some(Action::CreatePod(extra)) if !extra.owned => {
                reasons.push(say("sim.replay.adoption", &[]));
            }
            Some(Action::Job(JobAct::Patch(change))) => patch_reasons(change, &mut reasons),
            Some(Action::Pods(_, scenario::PodAct::Patch(change)))
                if change.pointer("/metadata/ownerReferences").is_some()
                    || change.pointer("/metadata/labels").is_some() =>
            {
                reasons.push(say("sim.replay.pod-owner", &[]));
            }
            _ => {}
        }
    }
    reasons.sort();
    reasons.dedup();
    reasons
}

/// A patch may bring in a field that the manifest did not have.
fn patch_reasons(change: &Value, reasons: &mut Vec<String>) {
    let fields = [
        "template",
        "ttlSecondsAfterFinished",
        "podReplacementPolicy",
        "completions",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
        "podFailurePolicy",
        "successPolicy",
        "managedBy",
    ];
    let spec = change.get("spec").and_then(Value::as_object);
    for field in fields.into_iter().filter(|field| spec.is_some_and(|spec| spec.contains_key(*field))) {
        reasons.push(say("sim.replay.patched", &[("field", field)]));
    }
}

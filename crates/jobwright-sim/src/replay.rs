//! Replays a recorded scenario and compares what is seen.
//!
//! Invariant: whether a scenario is supported follows from what it asks for, never from its name.

use jobwright_api::Diagnostic;
use jobwright_api::catalogue::Catalogue;
use serde_json::Value;

use crate::scenario::{self, Action, Document, JobAct};
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
    let mut reasons: Vec<String> =
        document.notices.iter().map(|notice| Catalogue::english().text(notice.text_id, &[])).collect();
    for (gate, on) in &document.scenario.feature_gates {
        reasons.push(format!("The feature gate {gate} is set to {on}; gates keep their default here."));
    }
    for step in &document.scenario.steps {
        match &step.action {
            Some(Action::CreatePod(extra)) if !extra.owned => {
                reasons.push("A pod without owner is created; adoption is not acted on.".to_owned());
            }
            Some(Action::Job(JobAct::Patch(change))) => patch_reasons(change, &mut reasons),
            Some(Action::Pods(_, scenario::PodAct::Patch(change)))
                if change.pointer("/metadata/ownerReferences").is_some()
                    || change.pointer("/metadata/labels").is_some() =>
            {
                reasons
                    .push("The owner or the labels of a pod change; adoption and release are not acted on.".to_owned());
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
        ("/spec/template", "The pod template of a Job is changed; that is not acted on."),
        ("/spec/ttlSecondsAfterFinished", "`ttlSecondsAfterFinished` is set; that is not acted on."),
        ("/spec/podReplacementPolicy", "`podReplacementPolicy` is changed; that is not acted on."),
        ("/spec/completions", "`completions` of a Job are changed; elastic Jobs are not acted on."),
        ("/spec/backoffLimitPerIndex", "`backoffLimitPerIndex` is set; that is not acted on."),
        ("/spec/maxFailedIndexes", "`maxFailedIndexes` is set; that is not acted on."),
        ("/spec/podFailurePolicy", "`podFailurePolicy` is set; that is not acted on."),
        ("/spec/successPolicy", "`successPolicy` is set; that is not acted on."),
        ("/spec/managedBy", "`managedBy` is set; that is not acted on."),
    ];
    for (path, reason) in fields {
        if change.pointer(path).is_some() {
            reasons.push(reason.to_owned());
        }
    }
}

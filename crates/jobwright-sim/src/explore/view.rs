//! A report as plain data, with each witness as a scenario: what the page draws.
//!
//! Invariant: the numbers of the report, nothing else.

use jobwright_core::Millis;
use serde::Serialize;

use super::{Extreme, Judge, Report, Scope, Subject, Watchdog, Witness, walk};
use crate::scenario;
use crate::text::say;
use jobwright_api::Diagnostic;

/// What may happen while a Job is explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// How pods may end: `0,1,evict`.
    pub any_of: String,
    /// Crashes of the controller.
    pub crashes: u8,
    /// Calls that are answered with 409.
    pub conflicts: u8,
    /// States after which the walk stops.
    pub states_max: usize,
}

/// All ends of a Job.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Explored {
    /// Whether everything was seen; else the numbers are bounds.
    pub complete: bool,
    /// Different moments that were found.
    pub states: usize,
    /// All ends, the easiest to reach first.
    pub ends: Vec<ExploredEnd>,
    /// The most pods that can be made; absent: there is no limit.
    pub most_pods: Option<u64>,
    /// A way to it.
    pub most_pods_scenario: Option<String>,
    /// The longest time to an end in milliseconds; absent: there is no limit.
    pub longest_ms: Option<u64>,
    /// A way to it.
    pub longest_scenario: Option<String>,
}

/// One end.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct ExploredEnd {
    /// `Complete`, `Failed`, `Gone` or `Active`.
    pub condition: String,
    /// The condition's reason, or why the Job stays active.
    pub reason: String,
    /// Ways to it; absent: there is no limit.
    pub ways: Option<u64>,
    /// The least pods that are made on the way.
    pub least_pods: u64,
    /// The most; absent: there is no limit.
    pub most_pods: Option<u64>,
    /// The shortest time in milliseconds.
    pub least_ms: i64,
    /// The longest; absent: there is no limit.
    pub most_ms: Option<i64>,
    /// The easiest way as a scenario.
    pub scenario: Option<String>,
}

/// Walks the Job of a text.
///
/// # Errors
/// All that is wrong with the text or the outcomes.
pub fn explore(text: &str, wish: &Wish, progress: &mut dyn FnMut(usize)) -> Result<Explored, Vec<Diagnostic>> {
    use jobwright_api::diagnostic::Code;
    use jobwright_api::yaml::Span;
    let refuse = |message: &str| vec![Diagnostic::error(Code::Invalid, Span::START, message)];
    let document = scenario::read(text)?;
    if document.scenario.job.is_null() {
        return Err(refuse(&say("sim.explore.from", &[])));
    }
    let subject = Subject::of(&document.scenario);
    let scope = Scope::any_of(&wish.any_of).map_err(|error| refuse(&error.message))?;
    let scope = Scope { crashes: wish.crashes, conflicts: wish.conflicts, states_max: wish.states_max, ..scope };
    let report = walk(&subject, &scope, Watchdog::default(), &mut |walked| progress(walked.states))
        .map_err(|error| crate::session::refusal(&error))?;
    Ok(view::<Watchdog>(&report, &subject))
}

fn view<J: Judge>(report: &Report<J::Broken>, subject: &Subject) -> Explored {
    let scenario = |witness: Option<&Witness>, comment: &str| witness.map(|w| w.scenario(subject, comment));
    let of = |extreme: Option<&Extreme>, id: &str| {
        (extreme.and_then(|e| e.value), scenario(extreme.and_then(|e| e.witness.as_ref()), &say(id, &[])))
    };
    let (most_pods, most_pods_scenario) = of(report.most_pods.as_ref(), "sim.explore.most-pods");
    let (longest_ms, longest_scenario) = of(report.longest.as_ref(), "sim.explore.longest");
    let ends = report.ends.iter().map(|end| {
        let (condition, reason) = end.end.words();
        let comment = say("sim.explore.way", &[("condition", condition), ("reason", reason)]);
        ExploredEnd {
            condition: condition.to_owned(),
            reason: reason.to_owned(),
            ways: end.ways,
            least_pods: end.pods.0,
            most_pods: end.pods.1,
            least_ms: end.time.0.0,
            most_ms: end.time.1.map(|Millis(most)| most),
            scenario: scenario(end.witness.as_ref(), &comment),
        }
    });
    Explored {
        complete: report.complete,
        states: report.walked.states,
        ends: ends.collect(),
        most_pods,
        most_pods_scenario,
        longest_ms,
        longest_scenario,
    }
}

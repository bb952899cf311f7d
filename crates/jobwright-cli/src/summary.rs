//! The end of a run in a few lines.
//!
//! Invariant: everything comes from the last frame.

use jobwright_sim::view::{Frame, JobFrame, PodFrame, PodState};
use serde_json::{Value, json};

use crate::layout::{block, list, say, seconds, table};

/// As many pods as are listed.
const PODS_SHOWN: usize = 40;

/// The summary as text.
pub(crate) fn show(frame: &Frame, calls: u64, note: Option<&str>) -> String {
    let mut out = String::from("\n");
    match &frame.job {
        None => out.push_str(&block("JOB", &say("cli.summary.gone", &[]))),
        Some(job) => job_lines(job, frame, &mut out),
    }
    out.push_str(&pods(&frame.pods));
    let (decisions, calls) = (frame.step.to_string(), calls.to_string());
    let effort = [("time", &*seconds(frame.at_ms)), ("decisions", &decisions), ("calls", &calls)];
    out.push_str(&block("TOOK", &say("cli.summary.effort", &effort)));
    if let Some(end) = &frame.ended {
        out.push_str(&block("END", &end.text));
    }
    if let Some(note) = note {
        out.push_str(&block("NOTE", note));
    }
    out
}

fn job_lines(job: &JobFrame, frame: &Frame, out: &mut String) {
    let name = format!("{}/{}", job.namespace, job.name);
    let values = [("job", &*name), ("phase", &job.phase), ("completions", &job.completions_column)];
    out.push_str(&block("JOB", &say("cli.summary.job", &values)));
    let mut conditions: Vec<String> = Vec::new();
    for condition in &job.conditions {
        let time = seconds(condition.at_ms);
        let values =
            [("type", &*condition.kind), ("status", &condition.status), ("time", &time), ("reason", &condition.reason)];
        conditions.push(format!("{} ({})", say("cli.summary.condition", &values), condition.message));
    }
    if conditions.is_empty() {
        conditions.push(say("cli.summary.no-conditions", &[]));
    }
    out.push_str(&list("STATUS", &conditions));
    let ledger = &frame.ledger;
    let counts =
        [ledger.succeeded, ledger.failed, ledger.active, ledger.ready, ledger.terminating].map(|n| n.to_string());
    let names = ["succeeded", "failed", "active", "ready", "terminating"];
    let values: Vec<(&str, &str)> = names.into_iter().zip(counts.iter().map(String::as_str)).collect();
    out.push_str(&block("COUNTERS", &say("cli.summary.counters", &values)));
    if ledger.succeeded_uncounted + ledger.failed_uncounted > 0 {
        let (succeeded, failed) = (ledger.succeeded_uncounted.to_string(), ledger.failed_uncounted.to_string());
        let values = [("succeeded", &*succeeded), ("failed", &failed)];
        out.push_str(&block("", &say("cli.summary.uncounted", &values)));
    }
}

fn pods(pods: &[PodFrame]) -> String {
    let mut lines = vec![say("cli.summary.pods", &[("count", &pods.len().to_string())])];
    let rows: Vec<Vec<String>> = pods.iter().take(PODS_SHOWN).map(pod).collect();
    lines.extend(table(&rows));
    if pods.len() > PODS_SHOWN {
        lines.push(say("cli.summary.more", &[("count", &(pods.len() - PODS_SHOWN).to_string())]));
    }
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        // A table must not be wrapped.
        out.push_str(&if number == 0 { block("PODS", line) } else { format!("{:9}{line}\n", "") });
    }
    out
}

fn pod(pod: &PodFrame) -> Vec<String> {
    let index = pod.index.map_or_else(String::new, |index| say("cli.pod.index", &[("index", &index.to_string())]));
    let code = pod.exit_code.filter(|_| pod.state == PodState::Failed);
    let exit = code.map_or_else(String::new, |code| say("cli.pod.exit", &[("code", &code.to_string())]));
    let life = match (pod.ended_ms, pod.gone_ms) {
        (Some(end), _) | (None, Some(end)) => format!("{} – {}", seconds(pod.created_ms), seconds(end)),
        (None, None) => format!("{} –", seconds(pod.created_ms)),
    };
    let gone = if pod.gone_ms.is_some() { say("cli.pod.gone", &[]) } else { String::new() };
    vec![pod.name.clone(), index, state(pod.state).to_owned(), exit, life, gone]
}

/// The word of the API, or of `kubectl`.
const fn state(state: PodState) -> &'static str {
    match state {
        PodState::Pending => "Pending",
        PodState::Running => "Running",
        PodState::Ready => "Ready",
        PodState::Terminating => "Terminating",
        PodState::Succeeded => "Succeeded",
        PodState::Failed => "Failed",
    }
}

/// The summary for programs.
pub(crate) fn to_json(frame: &Frame, calls: u64, note: Option<&str>) -> Value {
    json!({
        "job": frame.job.as_ref().map(job_json),
        "ledger": frame.ledger,
        "pods": frame.pods,
        "events": frame.events,
        "atMs": frame.at_ms,
        "decisions": frame.step,
        "calls": calls,
        "ended": frame.ended,
        "note": note,
    })
}

/// A Job without the whole object, which only a page shows.
fn job_json(job: &JobFrame) -> Value {
    let mut value = json!(job);
    if let Some(map) = value.as_object_mut() {
        map.remove("object");
    }
    value
}

//! What keeps pods from running, or from going: what scheduler and kubelet wrote into their status, finalizers of
//! others, and Events.
//!
//! Invariant: nothing about Jobs; pods with the same trouble are told together, in the order of the dump.

use jobwright_api::{names, time};
use jobwright_core::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::object;
use crate::text::say;

/// Something that stands in the way.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Block {
    /// `pending`, `crashing`, `finalizer`, `overdue` or `refused`; else the slug of the rule that waits.
    pub kind: String,
    /// One word of the API, for example `ImagePullBackOff`; empty if there is none.
    pub reason: String,
    /// The pods concerned.
    pub pods: Vec<String>,
    /// One sentence.
    pub text: String,
}

/// What is wrong with one pod: kind, reason, message.
type Trouble = (&'static str, String, String);

/// What stands in the way of pods.
pub(super) fn of_pods(pods: &[Value], events: &[Value], now: Timestamp) -> Vec<Block> {
    let mut found: Vec<(Trouble, Vec<String>)> = Vec::new();
    for pod in pods {
        let Some(trouble) = trouble(pod, events, now) else { continue };
        let name = object::name(pod).to_owned();
        match found.iter_mut().find(|(other, _)| (other.0, &other.1) == (trouble.0, &trouble.1)) {
            Some((_, names)) => names.push(name),
            None => found.push((trouble, vec![name])),
        }
    }
    found.into_iter().map(|((kind, reason, message), pods)| block(kind, reason, &message, pods)).collect()
}

/// The newest refusal of a pod's creation that the Events show.
pub(super) fn refused(job: &Value, events: &[Value]) -> Option<Block> {
    let event = newest(events, "Job", object::name(job), |event| object::text(event, &["reason"]) == "FailedCreate")?;
    let reason = "FailedCreate".to_owned();
    Some(block("refused", reason, object::text(event, &["message"]), Vec::new()))
}

fn block(kind: &str, reason: String, message: &str, pods: Vec<String>) -> Block {
    let more = pods.len().saturating_sub(1).to_string();
    let between = if reason.is_empty() || message.is_empty() { "" } else { ": " };
    let detail = [&*reason, between, message.trim_end_matches('.')].concat();
    let values = [
        ("pod", pods.first().map_or("", String::as_str)),
        ("more", &*more),
        ("reason", &*reason),
        ("message", message.trim_end_matches('.')),
        ("detail", &*detail),
    ];
    let silent = if kind == "overdue" { reason.is_empty() } else { detail.is_empty() };
    let text = say(&["sim.explain.block.", kind, if silent { ".unnamed" } else { "" }].concat(), &values);
    Block { kind: kind.to_owned(), reason, pods, text }
}

fn trouble(pod: &Value, events: &[Value], now: Timestamp) -> Option<Trouble> {
    let phase = object::text(pod, &["status", "phase"]);
    if object::is_terminating(pod) {
        let foreign: Vec<&str> =
            object::finalizers(pod).into_iter().filter(|name| *name != names::TRACKING_FINALIZER).collect();
        if !foreign.is_empty() {
            return Some(("finalizer", foreign.join(", "), String::new()));
        }
        let until = time::parse(object::text(pod, &["metadata", "deletionTimestamp"]))?;
        let ended = ["Succeeded", "Failed"].contains(&phase);
        let node = object::text(pod, &["spec", "nodeName"]);
        return (!ended && until < now).then(|| ("overdue", node.to_owned(), time::format(until)));
    }
    match phase {
        "Pending" | "" => {
            let (reason, message) = pending(pod, events);
            Some(("pending", reason, message))
        }
        "Running" => waiting(pod, true).map(|(reason, message)| ("crashing", reason, message)),
        _ => None,
    }
}

/// Why a pod does not start: its containers, its scheduling, its own reason, its Events; the first that says one.
fn pending(pod: &Value, events: &[Value]) -> (String, String) {
    let unscheduled = || {
        let conditions = object::list(pod, &["status", "conditions"]).iter();
        let mut conditions = conditions.filter(|it| object::text(it, &["type"]) == "PodScheduled");
        conditions.find(|it| object::text(it, &["status"]) == "False").and_then(said)
    };
    let warning = |event: &Value| object::text(event, &["type"]) == "Warning";
    waiting(pod, true)
        .or_else(unscheduled)
        .or_else(|| object::at(pod, &["status"]).and_then(said))
        .or_else(|| newest(events, "Pod", object::name(pod), warning).and_then(said))
        // A part of every start is no reason, but better than nothing.
        .or_else(|| waiting(pod, false).map(|(reason, _)| (String::new(), reason)))
        .unwrap_or_default()
}

/// What a container waits for; with `stuck` only what is not a part of every start.
fn waiting(pod: &Value, stuck: bool) -> Option<(String, String)> {
    let lists = ["initContainerStatuses", "containerStatuses"].into_iter();
    let states = lists.flat_map(|list| object::list(pod, &["status", list]));
    let mut reasons = states.filter_map(|status| said(object::at(status, &["state", "waiting"])?));
    reasons.find(|(reason, _)| !stuck || !["ContainerCreating", "PodInitializing"].contains(&reason.as_str()))
}

/// Reason and message of an object that has a reason.
fn said(object: &Value) -> Option<(String, String)> {
    let text = |field: &str| object::text(object, &[field]).to_owned();
    Some((text("reason"), text("message"))).filter(|(reason, _)| !reason.is_empty())
}

/// The newest Event about an object that a test picks; of equally old ones the last.
fn newest<'a>(events: &'a [Value], kind: &str, name: &str, picks: impl Fn(&Value) -> bool) -> Option<&'a Value> {
    let about = |event: &&Value| {
        let object = |field: &str| {
            let old = object::text(event, &["involvedObject", field]);
            if old.is_empty() { object::text(event, &["regarding", field]) } else { old }
        };
        object("kind") == kind && object("name") == name && picks(event)
    };
    let at = |event: &&Value| {
        let fields = ["lastTimestamp", "eventTime", "firstTimestamp"];
        fields.into_iter().find_map(|field| time::parse(object::text(event, &[field])))
    };
    events.iter().filter(about).max_by_key(at)
}

//! What is seen of a world at a moment, in the form of a trace.
//!
//! Invariant: times are seconds from the start; a uid shows as `$uid` or `$other`, the random end of a
//! pod name as `*****`.

use std::collections::{BTreeMap, BTreeSet};

use jobwright_api::names::{COMPLETION_INDEX, COMPLETION_INDEX_VARIABLE, TRACKING_FINALIZER};
use jobwright_core::{Millis, Resource, Timestamp};
use serde_json::{Map, Value, json};

use crate::object;
use crate::world::World;

/// Seconds, cut to hundredths; whole ones as whole numbers.
pub(super) fn seconds(time: Millis) -> Value {
    let hundredths = time.0.div_euclid(10);
    if hundredths % 100 == 0 { (hundredths / 100).into() } else { (hundredths as f64 / 100.0).into() }
}

/// A stored time as seconds from the start.
fn stored(text: &str, start: Timestamp) -> Value {
    jobwright_api::time::parse(text).map_or(Value::Null, |at| (at - start.on_wire()).0.div_euclid(1_000).into())
}

/// The followed Job, or null.
pub(super) fn job(world: &World, start: Timestamp) -> Value {
    let Some(job) = world.job() else { return Value::Null };
    let spec = |field: &str| object::at(&job, &["spec", field]).cloned().unwrap_or_default();
    let mut finalizers = object::finalizers(&job);
    finalizers.sort_unstable();
    let mut shown = json!({
        "generation": object::integer(&job, &["metadata", "generation"]),
        "suspend": spec("suspend") == Value::Bool(true),
        "parallelism": spec("parallelism"),
        "completions": spec("completions"),
        "finalizers": finalizers,
        "status": status(job.get("status").unwrap_or(&Value::Null), &generated_names(world), start),
    });
    if object::is_terminating(&job) {
        let at = object::text(&job, &["metadata", "deletionTimestamp"]);
        object::set(&mut shown, &["deletionTimestamp"], stored(at, start));
    }
    if let Some(selector) = object::at(&job, &["spec", "template", "spec", "nodeSelector"]) {
        object::set(&mut shown, &["templateNodeSelector"], selector.clone());
    }
    hide_job_name(world, &mut shown);
    shown
}

fn status(status: &Value, names: &BTreeSet<&str>, start: Timestamp) -> Value {
    let mut shown = Map::new();
    for (field, value) in status.as_object().into_iter().flatten() {
        let value = match field.as_str() {
            // Absent and zero look the same in the API's JSON.
            "active" | "succeeded" | "failed" if value.as_i64() == Some(0) => continue,
            "completedIndexes" if value.as_str() == Some("") => continue,
            _ if value.is_null() => continue,
            "startTime" | "completionTime" => stored(value.as_str().unwrap_or_default(), start),
            "uncountedTerminatedPods" => json!({
                "succeeded": object::list(value, &["succeeded"]).len(),
                "failed": object::list(value, &["failed"]).len(),
            }),
            "conditions" => {
                let list = value.as_array().map_or(&[][..], Vec::as_slice);
                if list.is_empty() {
                    continue;
                }
                list.iter().map(|one| condition(one, names, start)).collect()
            }
            _ => value.clone(),
        };
        shown.insert(field.clone(), value);
    }
    Value::Object(shown)
}

fn condition(condition: &Value, names: &BTreeSet<&str>, start: Timestamp) -> Value {
    let mut shown = condition.clone();
    object::unset(&mut shown, &["lastProbeTime"]);
    let message = without_suffixes(object::text(condition, &["message"]), names);
    if !message.is_empty() {
        object::set(&mut shown, &["message"], message);
    }
    let at = object::text(condition, &["lastTransitionTime"]);
    if !at.is_empty() {
        object::set(&mut shown, &["lastTransitionTime"], stored(at, start));
    }
    shown
}

/// Every pod of the namespace; equal ones are folded.
pub(super) fn pods(world: &World, start: Timestamp) -> Value {
    let uid = world.job_uid();
    let namespace = world.namespace();
    let mut folded: BTreeMap<(i64, i64, String), (Value, u64)> = BTreeMap::new();
    for pod in world.api().list(Resource::Pods).filter(|pod| object::namespace(pod) == namespace) {
        let mut shown = self::pod(pod, &uid, start);
        hide_job_name(world, &mut shown);
        let index = shown.get("index").and_then(Value::as_i64).unwrap_or(-1);
        let created = shown.get("createdAt").and_then(Value::as_i64).unwrap_or(0);
        folded.entry((index, created, shown.to_string())).or_insert((shown, 0)).1 += 1;
    }
    let with_count = |(mut shown, count): (Value, u64)| {
        object::set(&mut shown, &["count"], count);
        shown
    };
    folded.into_values().map(with_count).collect()
}

fn pod(pod: &Value, job_uid: &str, start: Timestamp) -> Value {
    let owner = object::controller_uid(pod);
    let mut shown = json!({
        "index": written_index(pod),
        "phase": object::text(pod, &["status", "phase"]),
        "ready": object::condition_is_true(pod, "Ready"),
        "terminating": object::is_terminating(pod),
        "trackingFinalizer": object::finalizers(pod).contains(&TRACKING_FINALIZER),
        "owned": !job_uid.is_empty() && owner == job_uid,
        "createdAt": stored(object::text(pod, &["metadata", "creationTimestamp"]), start),
        "restartCount": crate::world::restarts(pod),
        "labels": texts(pod, "labels", job_uid),
        "annotations": texts(pod, "annotations", job_uid),
        "hostname": object::text(pod, &["spec", "hostname"]),
        "completionIndexEnv": index_variable(pod),
        "generateName": object::text(pod, &["metadata", "generateName"]),
    });
    let reason = object::text(pod, &["status", "reason"]);
    if !reason.is_empty() {
        object::set(&mut shown, &["reason"], reason);
    }
    for field in ["nodeSelector", "tolerations"] {
        if let Some(value) = object::at(pod, &["spec", field]) {
            object::set(&mut shown, &[field], value.clone());
        }
    }
    let gates: Vec<&str> =
        object::list(pod, &["spec", "schedulingGates"]).iter().map(|gate| object::text(gate, &["name"])).collect();
    if !gates.is_empty() {
        object::set(&mut shown, &["schedulingGates"], gates);
    }
    shown
}

/// The number in the index annotation, also one that is no valid index.
fn written_index(pod: &Value) -> Option<i64> {
    object::text(pod, &["metadata", "annotations", COMPLETION_INDEX]).parse().ok()
}

/// The labels or annotations that Jobs set.
fn texts(pod: &Value, field: &str, job_uid: &str) -> Value {
    let all = object::at(pod, &["metadata", field]).and_then(Value::as_object);
    let ours = |key: &str| key.starts_with("batch.kubernetes.io/") || key == "job-name" || key == "controller-uid";
    let mut shown = Map::new();
    for (key, value) in all.into_iter().flatten().filter(|(key, _)| ours(key)) {
        let value = match key.ends_with("controller-uid") {
            true if value.as_str() == Some(job_uid) => "$uid".into(),
            true => "$other".into(),
            false => value.clone(),
        };
        shown.insert(key.clone(), value);
    }
    Value::Object(shown)
}

/// How many of the containers have the variable with the index.
fn index_variable(pod: &Value) -> &'static str {
    let containers = ["initContainers", "containers"].into_iter().flat_map(|field| object::list(pod, &["spec", field]));
    let has = |container: &Value| {
        object::list(container, &["env"]).iter().any(|v| object::text(v, &["name"]) == COMPLETION_INDEX_VARIABLE)
    };
    let (with, without): (Vec<_>, Vec<_>) = containers.partition(|container| has(container));
    match (with.is_empty(), without.is_empty()) {
        (true, _) => "none",
        (false, true) => "all",
        (false, false) => "some",
    }
}

/// Names of pods that the API server gave; their random ends are hidden in messages.
fn generated_names(world: &World) -> BTreeSet<&str> {
    let pods = world.history().lives().iter().map(|life| &life.object);
    let generated = pods.filter(|pod| !object::text(pod, &["metadata", "generateName"]).is_empty());
    generated.map(|pod| object::name(pod)).collect()
}

/// The events behind the first `skip`; equal ones are folded.
pub(super) fn events(world: &World, skip: usize, start: Timestamp) -> Value {
    let names = generated_names(world);
    let mut folded: BTreeMap<(i64, String, String, String), u64> = BTreeMap::new();
    for timed in world.events().iter().skip(skip) {
        let event = &timed.event;
        let mut message = Value::String(without_suffixes(&event.message, &names));
        hide_job_name(world, &mut message);
        let message = message.as_str().unwrap_or_default().to_owned();
        let key = ((timed.at - start).0, event.kind.as_str().to_owned(), event.reason.to_string(), message);
        *folded.entry(key).or_default() += 1;
    }
    let show = |((at, kind, reason, message), count): ((i64, String, String, String), u64)| json!({"at": seconds(Millis(at)), "type": kind, "reason": reason, "message": message, "count": count});
    folded.into_iter().map(show).collect()
}

/// Puts `*****` for the random end of a generated name of the Job, wherever the name stands.
fn hide_job_name(world: &World, shown: &mut Value) {
    let (name, generated) = world.job_name();
    let Some(stem) = name.len().checked_sub(5).filter(|_| generated) else { return };
    match shown {
        Value::String(text) => *text = text.replace(name, &format!("{}*****", &name[..stem])),
        Value::Array(items) => items.iter_mut().for_each(|item| hide_job_name(world, item)),
        Value::Object(map) => map.values_mut().for_each(|item| hide_job_name(world, item)),
        _ => {}
    }
}

/// Puts `*****` for the random end of each pod name in a text.
fn without_suffixes(text: &str, names: &BTreeSet<&str>) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(|c| !is_name(c)) {
        let word = piece.trim_end_matches(|c| !is_name(c));
        match word.len().checked_sub(5).filter(|_| names.contains(word)) {
            Some(stem) => {
                out.push_str(&word[..stem]);
                out.push_str("*****");
                out.push_str(&piece[word.len()..]);
            }
            None => out.push_str(piece),
        }
    }
    out
}

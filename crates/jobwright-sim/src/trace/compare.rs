//! Compares a trace with a recorded one, by the rules of `tests/recorded/FORMAT.md`, section 0.
//!
//! Invariant: an empty list of differences means that a client of the API server could not tell the two
//! apart, reads and needless status writes left out.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use crate::object;

/// One place where two traces differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Number of the step, from 0.
    pub step: usize,
    /// Its time in seconds.
    pub at: Value,
    /// Its action.
    pub action: String,
    /// Where in the step.
    pub field: String,
    /// What was recorded; null for "nothing".
    pub recorded: Value,
    /// What came out; null for "nothing".
    pub got: Value,
}

/// All differences, in order.
#[must_use]
pub fn compare(recorded: &Value, got: &Value) -> Vec<Difference> {
    let (recorded, got) = (object::list(recorded, &["steps"]), object::list(got, &["steps"]));
    let mut out = Vec::new();
    if recorded.len() != got.len() {
        let mut notes = Notes::new(0, &Value::Null, &mut out);
        notes.add("steps", &recorded.len().into(), &got.len().into());
    }
    for (number, (recorded, got)) in recorded.iter().zip(got).enumerate() {
        let mut notes = Notes::new(number, recorded, &mut out);
        for field in ["at", "action", "matched"] {
            notes.check(field, field_of(recorded, field), field_of(got, field));
        }
        refusals(&mut notes, recorded, got);
        notes.deep("job", field_of(recorded, "job"), field_of(got, "job"));
        pods(&mut notes, object::list(recorded, &["pods"]), object::list(got, &["pods"]));
        events(&mut notes, object::list(recorded, &["events"]), object::list(got, &["events"]));
        writes(&mut notes, field_of(recorded, "writes"), field_of(got, "writes"));
        let refused = object::list(recorded, &["rejections"]).len() as u64;
        notes.check("rejections", &refused.into(), field_of(got, "rejections"));
    }
    out
}

fn field_of<'a>(value: &'a Value, field: &str) -> &'a Value {
    value.get(field).unwrap_or(&Value::Null)
}

/// Collects differences of one step.
struct Notes<'a> {
    number: usize,
    step: &'a Value,
    out: &'a mut Vec<Difference>,
}

impl<'a> Notes<'a> {
    const fn new(number: usize, step: &'a Value, out: &'a mut Vec<Difference>) -> Self {
        Self { number, step, out }
    }

    fn add(&mut self, field: &str, recorded: &Value, got: &Value) {
        self.out.push(Difference {
            step: self.number,
            at: field_of(self.step, "at").clone(),
            action: object::text(self.step, &["action"]).to_owned(),
            field: field.to_owned(),
            recorded: recorded.clone(),
            got: got.clone(),
        });
    }

    fn check(&mut self, field: &str, recorded: &Value, got: &Value) {
        if !same(recorded, got) {
            self.add(field, recorded, got);
        }
    }

    /// Goes into objects and lists, so that a difference is as small as possible.
    fn deep(&mut self, path: &str, recorded: &Value, got: &Value) {
        match (recorded, got) {
            (Value::Object(one), Value::Object(other)) => {
                let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
                for key in keys {
                    self.deep(&format!("{path}.{key}"), field_of(recorded, key), field_of(got, key));
                }
            }
            (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
                for (at, (recorded, got)) in one.iter().zip(other).enumerate() {
                    self.deep(&format!("{path}[{at}]"), recorded, got);
                }
            }
            _ => self.check(path, recorded, got),
        }
    }
}

/// Equal; numbers by value, whatever their form.
fn same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => (one - other).abs() < 1e-9,
        _ => one == other,
    }
}

/// The reason of a refusal and the set of its causes.
fn refusals(notes: &mut Notes<'_>, recorded: &Value, got: &Value) {
    let (recorded, got) = (field_of(recorded, "action_error"), field_of(got, "action_error"));
    notes.check("action_error.reason", field_of(recorded, "reason"), field_of(got, "reason"));
    let causes = |error| object::list(error, &["causes"]).iter().map(|cause| (cause.to_string(), 1)).collect();
    bags(notes, "action_error.causes", &causes(recorded), &causes(got));
}

/// A multiset of texts.
type Bag = BTreeMap<String, i64>;

fn bags(notes: &mut Notes<'_>, field: &str, recorded: &Bag, got: &Bag) {
    let keys: BTreeSet<&String> = recorded.keys().chain(got.keys()).collect();
    for key in keys {
        let (one, other) = (recorded.get(key).copied().unwrap_or(0), got.get(key).copied().unwrap_or(0));
        if one != other {
            notes.add(&format!("{field} {key}"), &one.into(), &other.into());
        }
    }
}

/// Pods as a multiset; those that have no equal are paired in order and told apart by field.
fn pods(notes: &mut Notes<'_>, recorded: &[Value], got: &[Value]) {
    let bag = |pods: &[Value]| {
        let mut bag: BTreeMap<String, (Value, i64)> = BTreeMap::new();
        for pod in pods {
            let mut plain = pod.clone();
            object::unset(&mut plain, &["count"]);
            bag.entry(plain.to_string()).or_insert((plain, 0)).1 += object::integer(pod, &["count"]).unwrap_or(1);
        }
        bag
    };
    let (recorded, got) = (bag(recorded), bag(got));
    let rest = |one: &BTreeMap<String, (Value, i64)>, other: &BTreeMap<String, (Value, i64)>| {
        let left = |key: &String, count: i64| count - other.get(key).map_or(0, |(_, count)| *count);
        let over: Vec<(Value, i64)> =
            one.iter().map(|(key, (pod, count))| (pod.clone(), left(key, *count))).filter(|(_, n)| *n > 0).collect();
        over
    };
    let (missing, extra) = (rest(&recorded, &got), rest(&got, &recorded));
    for at in 0..missing.len().max(extra.len()) {
        match (missing.get(at), extra.get(at)) {
            (Some((one, count)), Some((other, other_count))) => {
                notes.deep("pods", one, other);
                notes.check("pods.count", &(*count).into(), &(*other_count).into());
            }
            (Some((one, count)), None) => notes.add(&format!("pods ({count} of)"), one, &Value::Null),
            (None, Some((other, count))) => notes.add(&format!("pods ({count} of)"), &Value::Null, other),
            (None, None) => {}
        }
    }
}

/// Events as a multiset; their times count to the second.
fn events(notes: &mut Notes<'_>, recorded: &[Value], got: &[Value]) {
    let bag = |events: &[Value]| {
        let mut bag = Bag::new();
        for event in events {
            let at = object::at(event, &["at"]).and_then(Value::as_f64).unwrap_or(-1.0).floor();
            let text = |field: &str| object::text(event, &[field]);
            let message = without_cut_suffix(text("message"));
            let key = format!("{at}s {} {}: {message}", text("type"), text("reason"));
            *bag.entry(key).or_default() += object::integer(event, &["count"]).unwrap_or(1);
        }
        bag
    };
    bags(notes, "events", &bag(recorded), &bag(got));
}

/// Puts `*****` for the random end of a pod name whose prefix was cut to make room for it (CST-10). The
/// recorder knows a random end by what is in front of it, the whole prefix, and so misses these.
fn without_cut_suffix(message: &str) -> String {
    let Some((start, name)) = message.rsplit_once(' ') else { return message.to_owned() };
    let random = |end: &str| end.bytes().all(|b| b"bcdfghjklmnpqrstvwxz2456789".contains(&b));
    match name.split_at_checked(58) {
        Some((stem, end)) if end.len() == 5 && random(end) => format!("{start} {stem}*****"),
        _ => message.to_owned(),
    }
}

/// Calls: reads may differ, and there may be fewer status writes.
fn writes(notes: &mut Notes<'_>, recorded: &Value, got: &Value) {
    let keys = |calls: &Value| calls.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default();
    let all: BTreeSet<String> = BTreeSet::union(&keys(recorded), &keys(got)).cloned().collect();
    for key in all {
        let count = |calls: &Value| calls.get(&key).and_then(Value::as_i64).unwrap_or(0);
        let (one, other) = (count(recorded), count(got));
        let fits = match key.as_str() {
            "get jobs" => true,
            "update jobs/status" => other <= one,
            _ => one == other,
        };
        if !fits {
            notes.add(&format!("writes {key}"), &one.into(), &other.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(recorded: Value, got: Value) -> Vec<String> {
        let steps = |step: Value| json!({"steps": [step]});
        compare(&steps(recorded), &steps(got)).into_iter().map(|d| d.field).collect()
    }

    #[test]
    fn what_may_differ_is_no_difference() {
        let recorded = json!({
            "at": 2.5, "rejections": [],
            "events": [{"at": 1.23, "type": "Normal", "reason": "A", "message": "m", "count": 2}],
            "writes": {"get jobs": 3, "update jobs/status": 2, "patch pods": 1},
            "controller_errors": [{"at": 1}],
            "pods": [{"phase": "Running", "count": 2}],
        });
        let got = json!({
            "at": 2.5, "rejections": 0,
            "events": [{"at": 1.99, "type": "Normal", "reason": "A", "message": "m", "count": 2}],
            "writes": {"update jobs/status": 1, "patch pods": 1},
            "pods": [{"phase": "Running", "count": 1}, {"phase": "Running", "count": 1}],
        });
        assert_eq!(fields(recorded, got), Vec::<String>::new());
    }

    #[test]
    fn differences_are_small() {
        let rejections = json!([]);
        let step = |extra: Value| {
            let mut step = json!({"rejections": rejections});
            jobwright_api::patch::merge(&mut step, &extra);
            step
        };
        for (recorded, got, field) in [
            (json!({"job": {"status": {"active": 1}}}), json!({"job": {"status": {"active": 2}}}), "job.status.active"),
            (json!({"job": null}), json!({"job": {}}), "job"),
            (json!({"matched": 1}), json!({"matched": 2}), "matched"),
            (json!({"pods": [{"phase": "A"}]}), json!({"pods": [{"phase": "B"}]}), "pods.phase"),
            (json!({"pods": [{"phase": "A"}]}), json!({"pods": []}), "pods (1 of)"),
            (
                json!({"writes": {"update jobs/status": 1}}),
                json!({"writes": {"update jobs/status": 2}}),
                "writes update jobs/status",
            ),
            (json!({"writes": {}}), json!({"writes": {"patch pods": 1}}), "writes patch pods"),
            (
                json!({"events": []}),
                json!({"events": [{"at": 1, "type": "N", "reason": "R", "message": "m"}]}),
                "events 1s N R: m",
            ),
        ] {
            let mut got = step(got);
            got["rejections"] = json!(0);
            assert_eq!(fields(step(recorded), got), [field]);
        }
    }

    #[test]
    fn causes_are_a_set() {
        let error = |causes: Value| json!({"action_error": {"reason": "Invalid", "causes": causes}, "rejections": []});
        let (a, b) =
            (json!({"type": "T", "field": "a", "detail": "d"}), json!({"type": "T", "field": "b", "detail": "d"}));
        let mut got = error(json!([b, a]));
        got["rejections"] = json!(0);
        assert_eq!(fields(error(json!([a, b])), got.clone()), Vec::<String>::new());
        assert_eq!(fields(error(json!([a])), got).len(), 1);
    }
}

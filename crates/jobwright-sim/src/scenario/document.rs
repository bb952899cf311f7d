//! Reads a text as a scenario, as a dump of stored objects, or as a plain Job manifest; the last two are scenarios
//! with the default kubelet.
//!
//! Invariant: everything that is wrong is reported at its place; a text with errors gives no scenario.

use std::sync::Arc;

use jobwright_api::diagnostic::Code;
use jobwright_api::manifest::{self, Manifest};
use jobwright_api::yaml::{self, Kind, Mode, Node};
use jobwright_api::{Diagnostic, Notice};
use jobwright_core::{Millis, Timestamp};
use serde_json::Value;

use super::reader::{Reader, named, present};
use super::{Action, From, JobAct, Scenario, actions};
use crate::explain::{self, Dump, Explanation};
use crate::kubelet::Outcomes;

const KNOWN: [&str; 9] = ["name", "comment", "featureGates", "countOnce", "job", "from", "steps", "settle", "outcomes"];

/// What a text holds.
#[derive(Clone, Debug)]
pub struct Document {
    /// The scenario.
    pub scenario: Scenario,
    /// Whether the text is a scenario and not a plain manifest.
    pub is_scenario: bool,
    /// What its Jobs ask for and this version does not act on.
    pub notices: Vec<Notice>,
    /// What is good to know.
    pub warnings: Vec<Diagnostic>,
    /// About a plain manifest: what the API server warns of, what is not acted on, and what lints find.
    pub advice: Vec<Diagnostic>,
    /// Of a dump: why its Job is where it is.
    pub explanation: Option<Arc<Explanation>>,
    /// The text of a scenario as a value; `null` of other texts.
    pub root: Arc<Value>,
}

/// All that an editor shows about a text: what is wrong or, if nothing is, warnings and advice.
#[must_use]
pub fn diagnose(text: &str) -> Vec<Diagnostic> {
    let mut document = match read(text) {
        Ok(document) => document,
        Err(errors) => return errors,
    };
    document.warnings.append(&mut document.advice);
    document.warnings
}

/// Reads a text.
///
/// # Errors
/// All that is wrong with it.
pub fn read(text: &str) -> Result<Document, Vec<Diagnostic>> {
    let stream = yaml::read(text).map_err(|error| vec![error])?;
    match stream.documents.as_slice() {
        [node, ..] if is_scenario(node) => {
            if stream.duplicates.is_empty() {
                scenario(node)
            } else {
                Err(stream.duplicates)
            }
        }
        _ if Dump::is_one(&stream) => dump(stream),
        _ => plain(manifest::read_job(text)?, text),
    }
}

fn is_scenario(node: &Node) -> bool {
    named(node, "kind").is_none() && ["job", "steps", "from"].into_iter().any(|field| named(node, field).is_some())
}

/// Stored objects: the session starts from them, at the newest time that they show.
fn dump(stream: yaml::Stream) -> Result<Document, Vec<Diagnostic>> {
    let dump = Dump::of(stream)?;
    let time = dump.newest();
    let taken = dump.choose(None, None)?;
    let explanation = explain::explain(&taken, time.unwrap_or(crate::world::ORIGIN))?;
    let from = From { time, job: taken.job, pods: taken.pods, recall: true };
    let document = only(Value::Null, Some(from));
    Ok(Document { explanation: Some(Arc::new(explanation)), ..document })
}

/// A scenario in which the default kubelet moves the pods and nothing else happens.
fn only(job: Value, from: Option<From>) -> Document {
    let scenario = Scenario {
        name: String::new(),
        feature_gates: jobwright_core::OrderedMap::new(),
        count_once: false,
        job,
        from,
        steps: Vec::new(),
        settle: Millis::from_seconds(5),
        outcomes: Some(Outcomes::default()),
    };
    let (notices, warnings, advice) = (Vec::new(), Vec::new(), Vec::new());
    Document { scenario, is_scenario: false, notices, warnings, advice, explanation: None, root: Arc::new(Value::Null) }
}

/// A Job manifest: it runs with the default kubelet, and nothing else happens. What the API server would
/// refuse is reported here, where the places are known.
fn plain(manifest: Manifest, text: &str) -> Result<Document, Vec<Diagnostic>> {
    let refusals = manifest.refusals();
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let advice = manifest.advice(text);
    let document = only(manifest.value, None);
    Ok(Document { notices: manifest.notices, warnings: manifest.warnings, advice, ..document })
}

fn scenario(root: &Node) -> Result<Document, Vec<Diagnostic>> {
    let mut reader = Reader::default();
    reader.fields(root, "", &KNOWN);
    let (mut notices, mut warnings, advice) = (Vec::new(), Vec::new(), Vec::new());
    let mut take = |reader: &mut Reader, node: &Node| match manifest::from_node(node.clone(), Mode::Lenient) {
        Ok(manifest) => {
            notices.extend(manifest.notices);
            warnings.extend(manifest.warnings);
            manifest.value
        }
        Err(errors) => {
            reader.errors.extend(errors);
            Value::Null
        }
    };
    let job = present(root, "job").map(|node| take(&mut reader, node));
    let from = from(&mut reader, root, &mut take);
    match (&job, &from) {
        (None, None) => reader.error(Code::Invalid, root, "job", "no-job", &[]),
        (Some(_), Some(_)) => {
            let node = present(root, "from").unwrap_or(root);
            reader.error(Code::Invalid, node, "from", "job-and-from", &[]);
        }
        _ => {}
    }
    let steps = actions::steps(&mut reader, root);
    for (number, step) in steps.iter().enumerate() {
        if let Some(Action::Job(JobAct::Create(_))) = step.action
            && let Some(node) = root.get(&format!("steps[{number}].job.create"))
        {
            take(&mut reader, node);
        }
    }
    let outcomes = outcomes(&mut reader, root);
    let scenario = Scenario {
        name: reader.text(root, "", "name").unwrap_or_default(),
        feature_gates: gates(&mut reader, root),
        count_once: reader.flag(root, "", "countOnce").unwrap_or(false),
        job: job.unwrap_or_default(),
        from,
        settle: reader.seconds(root, "", "settle").unwrap_or(Millis::from_seconds(5)),
        // Without steps nobody else would move the pods.
        outcomes: outcomes.or_else(|| steps.is_empty().then(Outcomes::default)),
        steps,
    };
    reader.text(root, "", "comment");
    if reader.errors.is_empty() {
        let root = Arc::new(root.to_value());
        Ok(Document { scenario, is_scenario: true, notices, warnings, advice, explanation: None, root })
    } else {
        reader.errors.sort_by_key(|error| (error.line, error.column));
        Err(reader.errors)
    }
}

fn from(reader: &mut Reader, root: &Node, take: &mut impl FnMut(&mut Reader, &Node) -> Value) -> Option<From> {
    let node = present(root, "from")?;
    reader.fields(node, "from", &["time", "job", "pods", "recall"]);
    let Some(job) = present(node, "job") else {
        reader.error(Code::Invalid, node, "from", "from-job", &[]);
        return None;
    };
    let job = take(reader, job);
    let pods = reader.items(node, "from", "pods").iter().map(Node::to_value).collect();
    let recall = reader.flag(node, "from", "recall").unwrap_or(false);
    Some(From { time: time(reader, node), job, pods, recall })
}

/// A time of day in RFC 3339, or seconds after time 0.
fn time(reader: &mut Reader, node: &Node) -> Option<Timestamp> {
    let written = present(node, "time")?;
    if let Kind::String(text) = &written.value {
        let time = jobwright_api::time::parse(text);
        if time.is_none() {
            reader.wrong(written, "from.time", "time");
        }
        return time;
    }
    reader.seconds(node, "from", "time").map(|after| crate::world::ORIGIN + after)
}

fn gates(reader: &mut Reader, root: &Node) -> jobwright_core::OrderedMap<String, bool> {
    let mut gates = jobwright_core::OrderedMap::new();
    if let Some(node) = present(root, "featureGates") {
        let names: Vec<&str> = match &node.value {
            Kind::Mapping(members) => members.iter().map(|(key, _)| key.text()).collect(),
            _ => Vec::new(),
        };
        reader.fields(node, "featureGates", &names);
        for name in names {
            if let Some(on) = reader.flag(node, "featureGates", name) {
                gates.insert(name.to_owned(), on);
            }
        }
    }
    gates
}

/// One script as a string or a number, a list of scripts, or a map from `idx3` (or `default`) to scripts.
fn outcomes(reader: &mut Reader, root: &Node) -> Option<Outcomes> {
    let node = present(root, "outcomes")?;
    let mut outcomes = Outcomes::default();
    let mut add = |reader: &mut Reader, node: &Node, head: &str| {
        let script = match &node.value {
            Kind::String(text) => text.clone(),
            Kind::Int(code) => code.to_string(),
            _ => {
                reader.wrong(node, "outcomes", "script");
                return;
            }
        };
        let clause = if head.is_empty() { script } else { format!("{head}: {script}") };
        if let Err(error) = outcomes.add(&clause) {
            let diagnostic = Diagnostic::error(Code::Invalid, node.span, error.message);
            reader.errors.push(diagnostic.at_field("outcomes"));
        }
    };
    match &node.value {
        Kind::Sequence(items) => items.iter().for_each(|item| add(reader, item, "")),
        Kind::Mapping(members) => members.iter().for_each(|(key, value)| {
            let head = if key.text() == "default" { "" } else { key.text() };
            add(reader, value, head);
        }),
        _ => add(reader, node, ""),
    }
    Some(outcomes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: &str = "job:\n  metadata: {name: job}\n  spec:\n    template:\n      spec:\n        restartPolicy: Never\n        containers:\n        - {name: main, image: busybox}\n";

    fn errors(rest: &str) -> Vec<(u32, u32, String)> {
        let text = format!("{JOB}{rest}");
        let errors = read(&text).err().unwrap_or_default();
        errors.into_iter().map(|e| (e.line - 8, e.column, e.message)).collect()
    }

    #[test]
    fn a_manifest_is_a_scenario_with_the_default_kubelet() {
        let manifest = JOB.replacen("job:", "apiVersion: batch/v1\nkind: Job", 1).replace("\n  ", "\n");
        let document = read(&manifest).expect("a Job");
        assert!(!document.is_scenario);
        assert!(document.scenario.outcomes.is_some());
    }

    #[test]
    fn steps_decide_who_moves_the_pods() {
        let with = |rest: &str| read(&format!("{JOB}{rest}")).expect(rest).scenario.outcomes;
        assert!(with("").is_some());
        assert!(with("steps:\n- {at: 1, pods: {run: {}}}\n").is_none());
        assert_eq!(with("outcomes: 1x2\nsteps:\n- {at: 1}\n"), Some(Outcomes::parse("1x2").expect("a script")));
        let map = with("outcomes: {default: '1', idx2: [0]}\nsteps: []\n".replace("[0]", "0").as_str());
        assert_eq!(map, Some(Outcomes::parse("1; idx2: 0").expect("a script")));
    }

    #[test]
    fn mistakes_are_found_where_they_stand() {
        for (rest, line, column, part) in [
            ("stepz: []\n", 1, 1, "no field `stepz`"),
            ("steps:\n- {pods: {run: {}}}\n", 2, 3, "needs `at`"),
            ("steps:\n- {at: 2}\n- {at: 1}\n", 3, 8, "after that of the step before"),
            ("steps:\n- {at: 1, pods: {rum: {}}}\n", 2, 18, "no field `rum`"),
            ("steps:\n- {at: 1, pods: {run: {}}, controller: stop}\n", 2, 40, "stand in one step"),
            ("steps:\n- {at: 1, controller: pause}\n", 2, 23, "One of stop, start, restart"),
            ("steps:\n- {at: 1, fault: {verb: patch, resource: jobs, error: internal}}\n", 2, 18, "no such call"),
            ("steps:\n- {at: 1, crash: {afterWrites: 0}}\n", 2, 18, "counts from 1"),
            ("steps:\n- {at: 1, watch: {hold: nodes}}\n", 2, 25, "One of jobs, pods"),
            ("outcomes: 1,boom\n", 1, 11, "no outcome"),
            ("settle: -1\n", 1, 9, "A number of seconds"),
        ] {
            let errors = errors(rest);
            assert!(
                errors.iter().any(|(l, c, message)| (*l, *c) == (line, column) && message.contains(part)),
                "{rest}: {errors:?}"
            );
        }
    }
}

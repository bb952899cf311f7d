//! A way through a walk, as a scenario that `jobwright run` takes.
//!
//! Invariant: a witness is written down while its way is gone again, move by move; if that leads
//! elsewhere than the walk did, there is no witness.

use jobwright_core::{Millis, OrderedMap, Timestamp};
use serde_json::{Value, json};

use super::moves::fan;
use super::node::{Disturbance, Move, Node, PodDoes};
use super::{Judge, Scope, Subject};
use crate::fault::CallKind;
use crate::kubelet::Ending;
use crate::kubelet::outcome::DEFAULT_RUN;
use crate::object;
use crate::scenario::WatchAct;
use crate::world::{LivePod, ORIGIN};
use crate::yaml_text::{seconds, yaml};

/// A scenario and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// How pods end: scripts as `jobwright run --outcomes` takes them.
    pub outcomes: Vec<String>,
    /// The steps of the scenario, one line of YAML each.
    pub steps: Vec<String>,
    /// Pods that are made.
    pub pods: u32,
    /// When it has got there, from the creation of the Job.
    pub elapsed: Millis,
}

impl Witness {
    /// The scenario as YAML. `comment` says what it shows.
    #[must_use]
    pub fn scenario(&self, subject: &Subject, comment: &str) -> String {
        let mut text = String::new();
        for line in comment.lines() {
            text.push_str(&format!("# {line}\n"));
        }
        let gates: Vec<String> =
            crate::scenario::changed_gates(subject.gates).map(|(gate, on)| format!("{gate}: {on}")).collect();
        if !gates.is_empty() {
            text.push_str(&format!("featureGates: {{{}}}\n", gates.join(", ")));
        }
        let outcomes: Vec<Value> = self.outcomes.iter().map(|script| json!(script)).collect();
        text.push_str(&format!("outcomes: {}\n", Value::Array(outcomes)));
        if !self.steps.is_empty() {
            text.push_str("steps:\n");
        }
        for step in &self.steps {
            text.push_str(&format!("- {step}\n"));
        }
        text.push_str(&format!("settle: {}\n", seconds(Millis(self.elapsed.0 + 1_000))));
        text.push_str("job:");
        yaml(&subject.job, 2, &mut text);
        text.push('\n');
        text
    }

    /// All in one line: the arguments of `jobwright run`, and the steps.
    #[must_use]
    pub fn line(&self) -> String {
        let mut parts = vec![self.outcomes.join("; ")];
        parts.extend(self.steps.iter().cloned());
        parts.retain(|part| !part.is_empty());
        parts.join("  ")
    }
}

/// Notes what has to be written down of each move.
#[derive(Default)]
pub(super) struct Notes {
    /// Entries by index and attempt.
    entries: OrderedMap<(Option<u32>, u32), (PodDoes, Millis)>,
    steps: Vec<String>,
    pods: u32,
}

impl Notes {
    pub(super) fn note<J: Judge>(&mut self, node: &Node<J>, pods: &[LivePod], go: &Move) {
        if let Some(disturbance) = go.disturbance {
            self.steps.push(format!(
                "{{at: {}, {}}}",
                seconds(node.world.elapsed()),
                words(disturbance, node.next_patch())
            ));
        }
        for (place, does) in &go.pods {
            let planned = pods.get(*place).and_then(|pod| pod.planned);
            if let Some(planned) = planned {
                let after = planned.started.map_or(Millis::ZERO, |started| go.at - started);
                self.entries.insert((planned.index, planned.attempt), (*does, after));
            }
        }
        let held = match go.disturbance {
            Some(Disturbance::Hold(held)) => Some(held),
            _ => node.held,
        };
        if let (true, Some(held)) = (go.goes_on, held) {
            let word = if held.end == WatchAct::Drop { "drop" } else { "release" };
            let resource = object::resource_word(held.resource);
            self.steps.push(format!("{{at: {}, watch: {{{word}: {resource}}}}}", seconds(go.at - ORIGIN)));
        }
    }

    pub(super) fn pods(&mut self, made: u32) {
        self.pods += made;
    }

    /// The witness. `made` says how many pods there were, by index; all others run for ever.
    pub(super) fn finish(self, made: &[(Option<u32>, u32)], at: Timestamp) -> Witness {
        let mut outcomes = Vec::new();
        for (index, count) in made {
            let script = self.script(*index, *count);
            // Where nothing is said pods succeed after 5 s.
            if !script.is_empty() && script != "0" {
                outcomes.push(index.map_or(script.clone(), |index| format!("idx{index}: {script}")));
            }
        }
        Witness { outcomes, steps: self.steps, pods: self.pods, elapsed: at - ORIGIN }
    }

    fn script(&self, index: Option<u32>, count: u32) -> String {
        let mut parts: Vec<(String, u32)> = Vec::new();
        for attempt in 0..count {
            let entry =
                self.entries.get(&(index, attempt)).map_or("hang".to_owned(), |(does, after)| entry(*does, *after));
            match parts.last_mut() {
                Some((last, times)) if *last == entry => *times += 1,
                _ => parts.push((entry, 1)),
            }
        }
        let part = |(entry, times): (String, u32)| if times == 1 { entry } else { format!("{entry}x{times}") };
        let parts: Vec<String> = parts.into_iter().map(part).collect();
        parts.join(",")
    }
}

fn entry(does: PodDoes, after: Millis) -> String {
    let word = match does {
        PodDoes::NeverStarts => return "pending".to_owned(),
        PodDoes::End(Ending::Exit(code)) => code.to_string(),
        PodDoes::End(Ending::Evict) => "evict".to_owned(),
        PodDoes::End(Ending::Delete) => "delete".to_owned(),
        PodDoes::End(Ending::Hang | Ending::Pending) => "hang".to_owned(),
    };
    if after == DEFAULT_RUN { word } else { format!("{word}@{}s", seconds(after)) }
}

fn words(disturbance: Disturbance, patch: &Value) -> String {
    match disturbance {
        Disturbance::Patch => format!("job: {{patch: {patch}}}"),
        Disturbance::Crash(writes) => format!("crash: {{afterWrites: {writes}}}"),
        Disturbance::Hold(held) => format!("watch: {{hold: {}}}", object::resource_word(held.resource)),
        Disturbance::Conflict(call, skip) => {
            let (verb, resource, subresource) = CallKind::words(call);
            let sub = if subresource.is_empty() { String::new() } else { format!(", subresource: {subresource}") };
            format!("fault: {{verb: {verb}, resource: {resource}{sub}, skip: {skip}, error: conflict}}")
        }
    }
}

/// Goes a way again, given by the places of its moves; the last one may be a move that breaks a law.
pub(super) fn retrace<J: Judge>(first: &Node<J>, way: &[(u32, u64)], scope: &Scope, broken: bool) -> Option<Witness> {
    let mut notes = Notes::default();
    let mut node = first.clone();
    for (ordinal, digest) in way {
        let sight = node.sight(scope);
        let mut steps = fan(&node, &sight.pods, scope).steps;
        if steps.len() <= *ordinal as usize {
            return None;
        }
        let (go, next, done) = steps.swap_remove(*ordinal as usize);
        notes.note(&node, &sight.pods, &go);
        notes.pods(done.pods);
        node = next;
        if node.sight(scope).digest != *digest {
            return None;
        }
    }
    let made = node.world.pods_made();
    let mut at = node.world.now();
    if broken {
        let sight = node.sight(scope);
        if let Some((go, _)) = fan(&node, &sight.pods, scope).broken {
            notes.note(&node, &sight.pods, &go);
            at = go.at;
        }
    }
    Some(notes.finish(&made, at))
}

//! Reads what `kubectl get job,pods,events -o yaml` prints: a `List`, several documents, JSON, or one Job.
//!
//! Invariants: unknown fields and objects of other kinds are fine; a value of the wrong type is told at its place.

use jobwright_api::diagnostic::Code;
use jobwright_api::yaml::{self, Kind, Mode, Node, Span, Stream};
use jobwright_api::{Diagnostic, Manifest, manifest, names, time};
use jobwright_core::Timestamp;
use serde_json::Value;

use crate::object;
use crate::reconcile::{Place, Snapshot, SnapshotError};
use crate::text::say;

/// The objects of a dump that matter.
#[derive(Debug, Default)]
pub struct Dump {
    jobs: Vec<Node>,
    pods: Vec<Node>,
    events: Vec<Value>,
}

/// One Job of a dump with what belongs to it.
#[derive(Debug)]
pub struct Taken {
    /// The Job as the API's decoder reads it.
    pub job: Value,
    /// Its pods, and those that nobody controls.
    pub pods: Vec<Value>,
    /// Every Event of the dump.
    pub events: Vec<Value>,
    nodes: (Node, Vec<Node>),
}

impl Dump {
    /// Reads a text.
    ///
    /// # Errors
    /// It is neither YAML nor JSON, or there is no Job in it.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        Self::of(yaml::read(text).map_err(|error| vec![error])?)
    }

    /// Takes a list as an API server gives it, of any size.
    ///
    /// # Errors
    /// There is no Job in it.
    pub fn of_list(list: Value) -> Result<Self, Vec<Diagnostic>> {
        Self::of(Stream { documents: vec![Node::from(list)], ..Stream::default() })
    }

    /// Takes the documents of a text.
    ///
    /// # Errors
    /// There is no Job among them.
    pub fn of(stream: Stream) -> Result<Self, Vec<Diagnostic>> {
        let mut dump = Self::default();
        for document in stream.documents {
            dump.take(document, "");
        }
        if dump.jobs.is_empty() {
            return Err(vec![Diagnostic::error(Code::Empty, Span::START, say("sim.dump.no-job", &[]))]);
        }
        Ok(dump)
    }

    /// Whether a text holds stored objects: a list, or a Job that an API server has given a UID.
    #[must_use]
    pub fn is_one(stream: &Stream) -> bool {
        let stored = |node: &Node| kind(node, "") == names::JOB && node.get("metadata.uid").is_some();
        stream.documents.iter().any(|node| items(node).is_some() || stored(node))
    }

    /// Takes a list apart. Items of a `JobList` or `PodList` need not say their kind.
    fn take(&mut self, mut node: Node, list: &str) {
        let of = kind(&node, list).to_owned();
        if let Kind::Mapping(members) = &mut node.value
            && let Some(at) = members.iter().position(|(key, value)| is_items(key, value))
            && let Kind::Sequence(items) = members.swap_remove(at).1.value
        {
            let of = of.strip_suffix("List").unwrap_or_default();
            items.into_iter().for_each(|item| self.take(item, of));
            return;
        }
        match of.as_str() {
            names::JOB => self.jobs.push(node),
            "Pod" => self.pods.push(node),
            "Event" => self.events.push(node.to_value()),
            _ => {}
        }
    }

    /// The newest time that the dump shows; it was taken then or later.
    #[must_use]
    pub fn newest(&self) -> Option<Timestamp> {
        let mut newest = None;
        for node in self.jobs.iter().chain(&self.pods) {
            for path in ["metadata.creationTimestamp", "metadata.managedFields", "status"] {
                if let Some(part) = node.get(path) {
                    see(&part.to_value(), &mut newest);
                }
            }
        }
        self.events.iter().for_each(|event| see(event, &mut newest));
        newest
    }

    /// Takes one Job out, by name and namespace if they are given.
    ///
    /// # Errors
    /// There is none, or more than one; a value of the Job has a wrong type.
    pub fn choose(mut self, namespace: Option<&str>, name: Option<&str>) -> Result<Taken, Vec<Diagnostic>> {
        let fits = |node: &&Node, field: &str, wanted: Option<&str>| wanted.is_none_or(|it| text(node, field) == it);
        let fits = |node: &&Node| fits(node, "metadata.name", name) && fits(node, "metadata.namespace", namespace);
        let first = self.jobs.iter().position(|job| fits(&job));
        let second = self.jobs.iter().skip(first.map_or(0, |at| at + 1)).find(fits);
        let (id, at) = match (first, second) {
            (Some(job), None) => {
                let job = self.jobs.swap_remove(job);
                return self.with_pods(job);
            }
            (Some(_), Some(second)) => ("sim.dump.several", second),
            (None, _) => ("sim.dump.no-such-job", self.jobs.first().unwrap_or(&NOTHING)),
        };
        let names: Vec<String> = self.jobs.iter().map(full_name).collect();
        let values = [("count", &*names.len().to_string()), ("names", &names.join(", "))];
        let place = at.get("kind").map_or(at.span, |kind| kind.span);
        Err(vec![Diagnostic::error(Code::SeveralJobs, place, say(id, &values))])
    }

    fn with_pods(self, job: Node) -> Result<Taken, Vec<Diagnostic>> {
        let Manifest { value: job, node, .. } = manifest::from_node(job, Mode::Lenient)?;
        let mut taken = Taken { job, pods: Vec::new(), events: self.events, nodes: (node, Vec::new()) };
        for pod in self.pods {
            let value = pod.to_value();
            if ["", object::uid(&taken.job)].contains(&object::controller_uid(&value)) {
                taken.pods.push(value);
                taken.nodes.1.push(pod);
            }
        }
        Ok(taken)
    }
}

impl Taken {
    /// The Job and its pods at a time, for a controller that has run all the time.
    #[must_use]
    pub fn snapshot(&self, now: Timestamp) -> Snapshot {
        Snapshot { job: self.job.clone(), pods: self.pods.clone(), now, recall: true }
    }

    /// What is wrong with the snapshot, where it stands in the text.
    #[must_use]
    pub fn place(&self, error: &SnapshotError) -> Diagnostic {
        let (node, path) = match error {
            SnapshotError::WrongType(Place::Pod(at), error) => (self.nodes.1.get(*at), &*error.field),
            SnapshotError::WrongType(Place::Job, error) => (Some(&self.nodes.0), &*error.field),
            _ => (Some(&self.nodes.0), ""),
        };
        let span = node.map_or(Span::START, |node| node.locate(path));
        Diagnostic::error(Code::WrongType, span, error.message()).at_field(path)
    }
}

/// Stands for a node that is not there.
const NOTHING: Node = Node { span: Span::START, value: Kind::Null };

fn is_items(key: &Node, value: &Node) -> bool {
    key.text() == "items" && matches!(value.value, Kind::Sequence(_))
}

fn items(node: &Node) -> Option<&Node> {
    node.member("items").filter(|items| matches!(items.value, Kind::Sequence(_)))
}

/// `kind`, or what the list says; a Job of another API is none.
fn kind<'a>(node: &'a Node, list: &'a str) -> &'a str {
    let kind = node.member("kind").map_or(list, Node::text);
    let other = kind == names::JOB && !["", names::BATCH_V1].contains(&text(node, "apiVersion"));
    if other { "" } else { kind }
}

fn text<'a>(node: &'a Node, path: &str) -> &'a str {
    node.get(path).map_or("", Node::text)
}

fn full_name(job: &Node) -> String {
    let (namespace, name) = (text(job, "metadata.namespace"), text(job, "metadata.name"));
    [if namespace.is_empty() { "default" } else { namespace }, "/", name].concat()
}

/// Keeps the newest of all times in a value.
fn see(value: &Value, newest: &mut Option<Timestamp>) {
    match value {
        Value::String(text) => *newest = time::parse(text).max(*newest),
        Value::Array(items) => items.iter().for_each(|item| see(item, newest)),
        Value::Object(map) => map.values().for_each(|item| see(item, newest)),
        _ => {}
    }
}

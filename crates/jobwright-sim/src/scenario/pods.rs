//! The step actions `pods` and `createPod`.
//!
//! Invariant: exactly one thing is done to the selected pods.

use jobwright_api::diagnostic::Code;
use jobwright_api::yaml::{Kind, Node};

use super::reader::{Reader, join, named, present};
use super::{Action, ExtraPod, PodAct, Selection};
use crate::kubelet::transition::{Failure, PodCondition, Restarts};

const PHASES: [&str; 4] = ["Pending", "Running", "Succeeded", "Failed"];
const SELECTORS: [&str; 6] = ["index", "phase", "terminating", "count", "order", "made"];
const ACTS: [&str; 10] =
    ["run", "ready", "succeed", "fail", "restart", "condition", "delete", "terminated", "vanish", "patch"];

/// `pods: {…}`
pub(super) fn action(reader: &mut Reader, node: &Node, path: &str) -> Option<Action> {
    let known: Vec<&str> = SELECTORS.into_iter().chain(ACTS).collect();
    reader.fields(node, path, &known);
    let selection = selection(reader, node, path);
    let mut acts = ACTS.into_iter().filter_map(|name| named(node, name).map(|act| (name, act)));
    let Some((name, node)) = acts.next() else {
        reader.error(Code::Invalid, node, path, "no-act", &[("known", &ACTS.join(", "))]);
        return None;
    };
    if let Some((other, second)) = acts.next() {
        reader.two(second, path, (name, other));
    }
    Some(Action::Pods(selection, act(reader, node, path, name)?))
}

fn selection(reader: &mut Reader, node: &Node, path: &str) -> Selection {
    let any = present(node, "index").is_some_and(|index| index.text() == "any");
    Selection {
        index: if any { None } else { reader.count(node, path, "index") },
        phase: reader.word(node, path, "phase", &PHASES),
        terminating: reader.flag(node, path, "terminating"),
        count: reader.count(node, path, "count").map(|count| count as usize),
        newest: reader.word(node, path, "order", &["oldest", "newest"]).as_deref() == Some("newest"),
        made: reader.count(node, path, "made"),
    }
}

fn act(reader: &mut Reader, node: &Node, path: &str, name: &str) -> Option<PodAct> {
    let path = &join(path, name);
    Some(match name {
        "run" => {
            reader.fields(node, path, &["ready"]);
            PodAct::Run { ready: reader.flag(node, path, "ready").unwrap_or(false) }
        }
        "ready" => match node.value {
            Kind::Bool(ready) => PodAct::Ready(ready),
            _ => {
                reader.wrong(node, path, "flag");
                return None;
            }
        },
        "succeed" => {
            reader.fields(node, path, &[]);
            PodAct::Succeed
        }
        "fail" => PodAct::Fail(failure(reader, node, path)),
        "restart" => PodAct::Restart(restarts(reader, node, path)),
        "condition" => PodAct::Condition(condition(reader, node, path)),
        "delete" => {
            reader.fields(node, path, &["grace"]);
            PodAct::Delete { grace: reader.integer(node, path, "grace") }
        }
        "terminated" => {
            reader.fields(node, path, &["phase", "exitCode"]);
            let phase = reader.word(node, path, "phase", &["Failed", "Succeeded"]);
            PodAct::Terminated {
                succeeded: phase.as_deref() == Some("Succeeded"),
                exit_code: reader.integer(node, path, "exitCode"),
            }
        }
        "vanish" => {
            reader.fields(node, path, &[]);
            PodAct::Vanish
        }
        _ => PodAct::Patch(node.to_value()),
    })
}

fn failure(reader: &mut Reader, node: &Node, path: &str) -> Failure {
    let known = ["exitCode", "container", "initContainer", "reason", "message", "conditions", "noStatuses"];
    reader.fields(node, path, &known);
    let list = reader.items(node, path, "conditions");
    let conditions = list
        .iter()
        .enumerate()
        .map(|(at, item)| condition(reader, item, &format!("{path}.conditions[{at}]")))
        .collect();
    Failure {
        exit_code: reader.integer(node, path, "exitCode"),
        container: reader.text(node, path, "container"),
        init_container: reader.text(node, path, "initContainer"),
        reason: reader.text(node, path, "reason"),
        message: reader.text(node, path, "message"),
        conditions,
        no_statuses: reader.flag(node, path, "noStatuses").unwrap_or(false),
    }
}

fn restarts(reader: &mut Reader, node: &Node, path: &str) -> Restarts {
    reader.fields(node, path, &["times", "exitCode", "container", "initContainer"]);
    Restarts {
        times: reader.count(node, path, "times").map_or(1, i64::from),
        exit_code: reader.integer(node, path, "exitCode").unwrap_or(1),
        container: reader.text(node, path, "container"),
        init_container: reader.text(node, path, "initContainer"),
    }
}

fn condition(reader: &mut Reader, node: &Node, path: &str) -> PodCondition {
    reader.fields(node, path, &["type", "status", "reason", "message"]);
    let kind = reader.text(node, path, "type");
    if kind.is_none() {
        reader.error(Code::Invalid, node, path, "condition-type", &[]);
    }
    let status = match present(node, "status").map(|status| &status.value) {
        // Unquoted, YAML reads `True` as a boolean.
        Some(Kind::Bool(true)) => Some("True".to_owned()),
        Some(Kind::Bool(false)) => Some("False".to_owned()),
        _ => reader.word(node, path, "status", &["True", "False", "Unknown"]),
    };
    PodCondition {
        kind: kind.unwrap_or_default(),
        status: status.unwrap_or_else(|| "True".to_owned()),
        reason: reader.text(node, path, "reason"),
        message: reader.text(node, path, "message"),
    }
}

/// `createPod: {…}`
pub(super) fn extra_pod(reader: &mut Reader, node: &Node, path: &str) -> Action {
    let known = ["name", "index", "owned", "finalizer", "matchLabels", "labels", "annotations", "phase"];
    reader.fields(node, path, &known);
    Action::CreatePod(Box::new(ExtraPod {
        name: reader.text(node, path, "name"),
        index: reader.count(node, path, "index"),
        owned: reader.flag(node, path, "owned").unwrap_or(false),
        finalizer: reader.flag(node, path, "finalizer").unwrap_or(false),
        match_labels: reader.flag(node, path, "matchLabels").unwrap_or(true),
        labels: reader.texts(node, path, "labels"),
        annotations: reader.texts(node, path, "annotations"),
        phase: reader.word(node, path, "phase", &PHASES),
    }))
}

//! The step actions `job`, `controller`, `fault`, `watch` and `crash`.
//!
//! Invariant: a step has at most one action.

use super::pods;
use super::reader::{Reader, join, named, present};
use super::{Action, After, ControllerAct, JobAct, Step, WatchAct};
use crate::api_server::Propagation;
use crate::fault::{CallKind, Fault, FaultError};
use jobwright_api::Diagnostic;
use jobwright_api::diagnostic::Code;
use jobwright_api::yaml::{self, Mode, Node};
use jobwright_core::Resource;

const ACTIONS: [&str; 7] = ["pods", "createPod", "job", "controller", "fault", "watch", "crash"];

/// Reads one action, as it stands in a step: `crash: {afterWrites: 2}`.
///
/// # Errors
/// All that is wrong with it.
pub fn read_action(text: &str) -> Result<Action, Vec<Diagnostic>> {
    let nodes = yaml::parse(text, Mode::Strict).map_err(|error| vec![error])?;
    let mut reader = Reader::default();
    let action = nodes.first().and_then(|node| {
        reader.fields(node, "", &ACTIONS);
        let action = action(&mut reader, node, "");
        if action.is_none() && reader.errors.is_empty() {
            reader.error(Code::Invalid, node, "", "no-act", &[("known", &ACTIONS.join(", "))]);
        }
        action
    });
    match action {
        Some(action) if reader.errors.is_empty() => Ok(action),
        _ => Err(reader.errors),
    }
}

/// The list of steps, at strictly increasing times; a first one at 0 comes before the Job, and needs one to create.
/// Steps with a place within their instant may share it.
pub(super) fn steps(reader: &mut Reader, root: &Node) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (number, node) in reader.items(root, "", "steps").iter().enumerate() {
        let path = format!("steps[{number}]");
        let known: Vec<&str> = ["at", "calls", "decisions", "comment"].into_iter().chain(ACTIONS).collect();
        reader.fields(node, &path, &known);
        let Some(at) = reader.seconds(node, &path, "at") else {
            if present(node, "at").is_none() {
                reader.error(Code::Invalid, node, &path, "at", &[]);
            }
            continue;
        };
        let after = after(reader, node, &path);
        let first = if present(root, "from").is_some() { 0 } else { -1 };
        let before = steps.last().map_or(first, |step| step.at.0);
        if at.0 < before || at.0 == before && after == After::Rest {
            let place = present(node, "at").unwrap_or(node);
            reader.error(Code::Invalid, place, &join(&path, "at"), "order", &[]);
        }
        let action = action(reader, node, &path);
        steps.push(Step { at, after, action });
    }
    steps
}

fn after(reader: &mut Reader, step: &Node, path: &str) -> After {
    let (calls, decisions) = (reader.count(step, path, "calls"), reader.count(step, path, "decisions"));
    match (calls, decisions) {
        (Some(_), Some(_)) => {
            reader.two(present(step, "decisions").unwrap_or(step), path, ("calls", "decisions"));
            After::Rest
        }
        (Some(calls), None) => After::Calls(calls),
        (None, Some(decisions)) => After::Decisions(decisions),
        (None, None) => After::Rest,
    }
}

fn action(reader: &mut Reader, step: &Node, path: &str) -> Option<Action> {
    let mut found = ACTIONS.into_iter().filter_map(|name| named(step, name).map(|node| (name, node)));
    let (name, node) = found.next()?;
    if let Some((other, second)) = found.next() {
        reader.two(second, path, (name, other));
    }
    let inner = join(path, name);
    match name {
        "pods" => pods::action(reader, node, &inner),
        "createPod" => Some(pods::extra_pod(reader, node, &inner)),
        "job" => job(reader, node, &inner).map(Action::Job),
        "controller" => controller(reader, step, path).map(Action::Controller),
        "fault" => fault(reader, node, &inner).map(Action::Fault),
        "watch" => watch(reader, node, &inner),
        _ => crash(reader, node, &inner),
    }
}

fn job(reader: &mut Reader, node: &Node, path: &str) -> Option<JobAct> {
    let known = ["patch", "statusPatch", "delete", "recreate", "create"];
    reader.fields(node, path, &known);
    let mut found = known.into_iter().filter_map(|name| named(node, name).map(|inner| (name, inner)));
    let Some((name, inner)) = found.next() else {
        reader.error(Code::Invalid, node, path, "no-act", &[("known", &known.join(", "))]);
        return None;
    };
    if let Some((other, second)) = found.next() {
        reader.two(second, path, (name, other));
    }
    Some(match name {
        "patch" => JobAct::Patch(inner.to_value()),
        "statusPatch" => JobAct::StatusPatch(inner.to_value()),
        "delete" => JobAct::Delete(propagation(reader, inner, &join(path, name))),
        "recreate" => JobAct::Recreate,
        _ => JobAct::Create(inner.to_value()),
    })
}

fn propagation(reader: &mut Reader, node: &Node, path: &str) -> Option<Propagation> {
    reader.fields(node, path, &["propagation"]);
    match reader.word(node, path, "propagation", &["background", "foreground", "orphan"])?.as_str() {
        "background" => Some(Propagation::Background),
        "foreground" => Some(Propagation::Foreground),
        _ => Some(Propagation::Orphan),
    }
}

fn controller(reader: &mut Reader, step: &Node, path: &str) -> Option<ControllerAct> {
    match reader.word(step, path, "controller", &["stop", "start", "restart"])?.as_str() {
        "stop" => Some(ControllerAct::Stop),
        "start" => Some(ControllerAct::Start),
        _ => Some(ControllerAct::Restart),
    }
}

fn fault(reader: &mut Reader, node: &Node, path: &str) -> Option<Fault> {
    reader.fields(node, path, &["verb", "resource", "subresource", "skip", "count", "error", "applied"]);
    let mut word = |name| reader.text(node, path, name).unwrap_or_default();
    let (verb, resource, subresource) = (word("verb"), word("resource"), word("subresource"));
    let words: Vec<&str> = FaultError::ALL.iter().map(|error| error.as_str()).collect();
    let error = reader.word(node, path, "error", &words);
    let skip = reader.count(node, path, "skip").unwrap_or(0);
    let count = reader.count(node, path, "count").unwrap_or(1);
    let applied = reader.flag(node, path, "applied").unwrap_or(false);
    let call = CallKind::from_words(&verb, &resource, &subresource);
    if call.is_none() {
        let kinds: Vec<String> = CallKind::ALL.iter().map(ToString::to_string).collect();
        reader.error(Code::Invalid, node, path, "call", &[("known", &kinds.join(", "))]);
    }
    let error = FaultError::ALL.into_iter().find(|e| Some(e.as_str()) == error.as_deref());
    if error.is_none() && present(node, "error").is_none() {
        reader.error(Code::Invalid, node, path, "error", &[("known", &words.join(", "))]);
    }
    Some(Fault { call: call?, skip, count, error: error?, applied })
}

fn watch(reader: &mut Reader, node: &Node, path: &str) -> Option<Action> {
    let acts = [("hold", WatchAct::Hold), ("release", WatchAct::Release), ("drop", WatchAct::Drop)];
    reader.fields(node, path, &acts.map(|(name, _)| name));
    let Some((name, act)) = acts.into_iter().find(|(name, _)| present(node, name).is_some()) else {
        reader.error(Code::Invalid, node, path, "watch", &[]);
        return None;
    };
    let resource = match reader.word(node, path, name, &["jobs", "pods"])?.as_str() {
        "jobs" => Resource::Jobs,
        _ => Resource::Pods,
    };
    Some(Action::Watch(act, resource))
}

fn crash(reader: &mut Reader, node: &Node, path: &str) -> Option<Action> {
    reader.fields(node, path, &["afterWrites"]);
    let after_writes = reader.count(node, path, "afterWrites").unwrap_or(1);
    if after_writes == 0 {
        reader.error(Code::Invalid, node, path, "crash", &[]);
        return None;
    }
    Some(Action::Crash { after_writes })
}

//! The writes of a decision as lines, with equal ones folded.
//!
//! Invariant: lines keep the order of the writes; only neighbours are folded, so no answer moves.

use jobwright_core::output::Effect;
use jobwright_core::record::WriteRecord;
use jobwright_core::{JobStatus, Rule};

use super::WriteLine;
use crate::Catalogue;
use crate::record::slugs;

/// The lines of the writes of one decision.
pub(super) fn lines(writes: &[WriteRecord], catalogue: &Catalogue) -> Vec<WriteLine> {
    let mut lines = Vec::new();
    let mut rest = writes;
    while let Some(first) = rest.first() {
        let same = rest.iter().take_while(|write| key(write) == key(first)).count();
        let (group, others) = rest.split_at(same);
        lines.push(line(group, first, catalogue));
        rest = others;
    }
    lines
}

/// What neighbours must have in common: call, rule and outcome.
fn key(write: &WriteRecord) -> (&'static str, Rule, Option<Option<(&'static str, &str)>>) {
    let outcome = write
        .answer
        .as_ref()
        .map(|answer| answer.as_ref().err().map(|failure| (slugs::failure(failure.kind), failure.message.as_ref())));
    (slugs::effect(&write.effect).0, write.why, outcome)
}

fn line(group: &[WriteRecord], first: &WriteRecord, catalogue: &Catalogue) -> WriteLine {
    let (kind, verb) = slugs::effect(&first.effect);
    let what = match group {
        [one] => one_write(one, kind, catalogue),
        _ => catalogue.text(&format!("write.{kind}"), &[]),
    };
    WriteLine {
        verb: verb.to_owned(),
        what,
        rule: first.why.slug().to_owned(),
        count: u32::try_from(group.len()).unwrap_or(u32::MAX),
        accepted: first.answer.as_ref().map(Result::is_ok),
        answer: answer(group, first, catalogue),
    }
}

/// A write that stands alone names what it goes to.
fn one_write(write: &WriteRecord, kind: &str, catalogue: &Catalogue) -> String {
    let named = |id: &str, name: &str| catalogue.text(&format!("write.{id}"), &[("name", name)]);
    match &write.effect {
        Effect::CreatePod(new) => match new.index {
            Some(index) => named("create-pod.name", &index.0.to_string()),
            None => catalogue.text("write.create-pod", &[]),
        },
        Effect::DeletePod(pod) | Effect::RemoveFinalizer(pod) => named(&format!("{kind}.name"), &pod.key.name),
        Effect::AdoptPod(pod, ..) | Effect::ReleasePod(pod, ..) => named(&format!("{kind}.name"), &pod.key.name),
        Effect::UpdateStatus { status, .. } => named("update-status.name", &summary(status, catalogue)),
        Effect::GetJob(_) | Effect::DeleteJob(..) => catalogue.text(&format!("write.{kind}"), &[]),
    }
}

/// A status in few words: counters that are not zero, and conditions that are true.
fn summary(status: &JobStatus, catalogue: &Catalogue) -> String {
    let uncounted = status.uncounted.as_ref().map_or(0, |pods| pods.len());
    let counters = [
        ("active", i64::from(status.active)),
        ("succeeded", i64::from(status.succeeded)),
        ("failed", i64::from(status.failed)),
        ("terminating", i64::from(status.terminating.unwrap_or(0))),
        ("uncounted", i64::try_from(uncounted).unwrap_or(i64::MAX)),
    ];
    let mut parts: Vec<String> = counters
        .iter()
        .filter(|(_, count)| *count != 0)
        .map(|(name, count)| catalogue.text(&format!("counter.{name}"), &[("count", &count.to_string())]))
        .collect();
    parts.extend(status.conditions.iter().filter(|c| c.is_true()).map(|c| c.kind.as_str().to_owned()));
    if parts.is_empty() { catalogue.text("counter.nothing", &[]) } else { parts.join(", ") }
}

fn answer(group: &[WriteRecord], first: &WriteRecord, catalogue: &Catalogue) -> String {
    match (&first.answer, group) {
        (None, _) => catalogue.text("answer.none", &[]),
        (Some(Ok(Some(pod))), [_]) => catalogue.text("answer.pod", &[("name", &pod.name)]),
        (Some(Ok(_)), _) => catalogue.text("answer.done", &[]),
        (Some(Err(failure)), _) => {
            let kind = catalogue.text(&format!("failure.{}", slugs::failure(failure.kind)), &[]);
            catalogue.text("answer.refused", &[("kind", &kind), ("message", &failure.message)])
        }
    }
}

//! From the core's records to this version.
//!
//! Invariant: nothing is decided or worded here; each field is the core's, under its public name.

use jobwright_core::output::{Effect, PodRef};
use jobwright_core::record as core;
use jobwright_core::{ApiFailure, JobEvent, JobKey, PodKey, Timestamp, WakeUp};

use super::{Answer, Event, Fact, Next, Object, Record, Tried, Trigger, Write};
use crate::record::slugs;
use crate::{names, time, write};

impl From<&core::Record> for Record {
    fn from(record: &core::Record) -> Self {
        let uid = record.job_uid.as_ref().map(ToString::to_string);
        let subject = match &record.subject {
            core::Subject::Job(key) | core::Subject::TimeToLive(key) => job(key, uid),
            core::Subject::Pod(key) => pod(key, None),
        };
        Self {
            api_version: format!("{}/{}", names::API_GROUP, names::FORMAT_VERSION),
            kind: "DecisionRecord".to_owned(),
            subject,
            at: stamp(record.at),
            rule: record.rule().map(|rule| rule.slug().to_owned()),
            triggers: record.triggers.iter().map(Trigger::from).collect(),
            tried: record.tried.iter().map(Tried::from).collect(),
            writes: record.writes.iter().map(Write::from).collect(),
            events: record.events.iter().map(Event::from).collect(),
            next: record.next.as_ref().map(Next::from),
            error: record.error.as_ref().map(ToString::to_string),
        }
    }
}

impl From<&core::Trigger> for Trigger {
    fn from(trigger: &core::Trigger) -> Self {
        let mut out = Self { kind: slugs::trigger(trigger).to_owned(), ..Self::default() };
        match trigger {
            core::Trigger::PodAdded(pod) | core::Trigger::PodGone(pod) => out.pod = Some(pod.name.to_string()),
            core::Trigger::PodChanged(pod, from, to, deleting) => {
                out.pod = Some(pod.name.to_string());
                out.from = Some(slugs::phase(*from).to_owned());
                out.to = Some(slugs::phase(*to).to_owned());
                out.deleting = *deleting;
            }
            core::Trigger::Timer(reason) => out.timer = Some(slugs::wake(*reason).to_owned()),
            _ => {}
        }
        out
    }
}

impl From<&core::Tried> for Tried {
    fn from(tried: &core::Tried) -> Self {
        Self {
            rule: tried.rule.slug().to_owned(),
            spec: tried.rule.spec_ids().iter().map(|id| (*id).to_owned()).collect(),
            fired: tried.fired,
            facts: tried.facts.iter().map(Fact::from).collect(),
        }
    }
}

impl From<&core::Fact> for Fact {
    fn from((name, value): &core::Fact) -> Self {
        let mut fact = Self { name: slugs::fact(*name).to_owned(), ..Self::default() };
        match value {
            core::FactValue::Count(count) => fact.count = Some(*count),
            core::FactValue::Time(at) => fact.time = Some(stamp(*at)),
            core::FactValue::Length(length) => fact.milliseconds = Some(length.0),
            core::FactValue::Text(text) => fact.text = Some(text.to_string()),
        }
        fact
    }
}

impl From<&core::WriteRecord> for Write {
    fn from(record: &core::WriteRecord) -> Self {
        let (kind, verb) = slugs::effect(&record.effect);
        let (mut index, mut status) = (None, None);
        let object = match &record.effect {
            Effect::CreatePod(new) => {
                index = new.index.map(|index| index.0);
                Object { kind: "Pod".to_owned(), namespace: new.job.namespace.to_string(), name: None, uid: None }
            }
            Effect::DeletePod(pod) | Effect::RemoveFinalizer(pod) => pod_ref(pod),
            Effect::AdoptPod(pod, ..) | Effect::ReleasePod(pod, ..) => pod_ref(pod),
            Effect::UpdateStatus { job: key, uid, status: new, .. } => {
                status = Some(write::status(new));
                job(key, Some(uid.to_string()))
            }
            Effect::GetJob(key) => job(key, None),
            Effect::DeleteJob(key, uid) => job(key, Some(uid.to_string())),
        };
        Self {
            kind: kind.to_owned(),
            verb: verb.to_owned(),
            object,
            index,
            status,
            rule: record.why.slug().to_owned(),
            answer: record.answer.as_ref().map(Answer::from),
        }
    }
}

impl From<&Result<Option<PodKey>, ApiFailure>> for Answer {
    fn from(answer: &Result<Option<PodKey>, jobwright_core::ApiFailure>) -> Self {
        match answer {
            Ok(pod) => {
                Self { accepted: true, pod: pod.as_ref().map(|key| key.name.to_string()), failure: None, message: None }
            }
            Err(failure) => Self {
                accepted: false,
                pod: None,
                failure: Some(slugs::failure(failure.kind).to_owned()),
                message: Some(failure.message.to_string()),
            },
        }
    }
}

impl From<&WakeUp> for Next {
    fn from(next: &WakeUp) -> Self {
        Self { at: stamp(next.at), reason: slugs::wake(next.why).to_owned() }
    }
}

impl From<&JobEvent> for Event {
    fn from(event: &JobEvent) -> Self {
        Self {
            kind: event.kind.as_str().to_owned(),
            reason: event.reason.to_string(),
            message: event.message.to_string(),
        }
    }
}

fn job(key: &JobKey, uid: Option<String>) -> Object {
    Object { kind: names::JOB.to_owned(), namespace: key.namespace.to_string(), name: Some(key.name.to_string()), uid }
}

fn pod(key: &PodKey, uid: Option<String>) -> Object {
    Object { kind: "Pod".to_owned(), namespace: key.namespace.to_string(), name: Some(key.name.to_string()), uid }
}

fn pod_ref(of: &PodRef) -> Object {
    pod(&of.key, Some(of.uid.to_string()))
}

/// RFC 3339 with milliseconds.
fn stamp(at: Timestamp) -> String {
    let text = time::format(at);
    format!("{}.{:03}Z", text.trim_end_matches('Z'), at.0.rem_euclid(1_000))
}

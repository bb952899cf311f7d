//! Version `v1alpha1` of decision records.
//!
//! Invariant: a field that is absent is `None` or empty in the core; times are RFC 3339 in UTC with
//! milliseconds; lengths are milliseconds.

mod convert;

use serde::{Deserialize, Serialize};

/// One decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export, rename = "DecisionRecord"))]
pub struct Record {
    /// `jobwright.dev/v1alpha1`
    pub api_version: String,
    /// `DecisionRecord`
    pub kind: String,
    /// What it is about.
    pub subject: Object,
    /// When it was made.
    pub at: String,
    /// The slug of the rule that says most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub rule: Option<String>,
    /// What led to it, in order.
    pub triggers: Vec<Trigger>,
    /// The rules that were looked at, in the order of evaluation.
    pub tried: Vec<Tried>,
    /// The writes, in order.
    pub writes: Vec<Write>,
    /// The Kubernetes Events, in order.
    pub events: Vec<Event>,
    /// When it looks again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub next: Option<Next>,
    /// The error with which the sync ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub error: Option<String>,
}

/// A Job or a Pod.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export, rename = "RecordObject"))]
pub struct Object {
    /// `Job` or `Pod`.
    pub kind: String,
    /// `metadata.namespace`
    pub namespace: String,
    /// `metadata.name`; absent for a pod that is yet to be created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub name: Option<String>,
    /// `metadata.uid`
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub uid: Option<String>,
}

/// What led to a decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export, rename = "RecordTrigger"))]
pub struct Trigger {
    /// For example `pod-changed` or `timer`.
    pub kind: String,
    /// The name of the pod.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub pod: Option<String>,
    /// The phase of the pod before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub from: Option<String>,
    /// The phase of the pod now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub to: Option<String>,
    /// Whether the pod is being deleted now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleting: bool,
    /// Which wait is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub timer: Option<String>,
}

/// A rule that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export, rename = "RecordTried"))]
pub struct Tried {
    /// Its slug.
    pub rule: String,
    /// The rules of the spec that it carries out.
    pub spec: Vec<String>,
    /// Whether it fired.
    pub fired: bool,
    /// The numbers that it looked at.
    pub facts: Vec<Fact>,
}

/// A named value; one of the values is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export, rename = "RecordFact"))]
pub struct Fact {
    /// For example `backoffLimit`.
    pub name: String,
    /// How many.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
    pub count: Option<i64>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub time: Option<String>,
    /// How long.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
    pub milliseconds: Option<i64>,
    /// A text of the API.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub text: Option<String>,
}

/// A write and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export, rename = "RecordWrite"))]
pub struct Write {
    /// For example `create-pod`.
    pub kind: String,
    /// `POST`, `PUT`, `PATCH`, `DELETE` or `GET`.
    pub verb: String,
    /// What it goes to.
    pub object: Object,
    /// The completion index of a pod that is created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub index: Option<u32>,
    /// The status that is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub status: Option<serde_json::Value>,
    /// The slug of the rule that asked for it.
    pub rule: String,
    /// What the API server said; absent while there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub answer: Option<Answer>,
}

/// An answer of the API server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export, rename = "RecordAnswer"))]
pub struct Answer {
    /// Whether it was carried out.
    pub accepted: bool,
    /// The name of the pod that was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub pod: Option<String>,
    /// The kind of refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub failure: Option<String>,
    /// The API's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub message: Option<String>,
}

/// A Kubernetes Event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export, rename = "RecordEvent"))]
pub struct Event {
    /// `Normal` or `Warning`.
    #[serde(rename = "type")]
    pub kind: String,
    /// One word.
    pub reason: String,
    /// One sentence.
    pub message: String,
}

/// The next look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export, rename = "RecordNext"))]
pub struct Next {
    /// When.
    pub at: String,
    /// Why, for example `pod-backoff`.
    pub reason: String,
}

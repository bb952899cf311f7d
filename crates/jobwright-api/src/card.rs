//! A decision record in the words of the message catalogue, ready to be drawn or printed.
//!
//! Invariant: plain data; every text comes from the catalogue; times are milliseconds since the
//! creation of the Job.

mod build;
mod writes;

pub use build::{build, tell};

use serde::Serialize;

/// One decision, told.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Card {
    /// Its number, from 1.
    pub step: u32,
    /// When it was made.
    pub at_ms: i64,
    /// The slug of the rule that says most.
    pub rule: String,
    /// One sentence: what was decided.
    pub title: String,
    /// One sentence: what led to it.
    pub trigger: String,
    /// One sentence: the numbers behind the rule.
    pub why: String,
    /// The rules that were looked at, in the order of evaluation.
    pub tried: Vec<TriedLine>,
    /// The numbers of the decision, as label and value.
    pub inputs: Vec<InputLine>,
    /// The fields of the manifest that the rules which fired look at.
    pub fields: Vec<String>,
    /// The writes, in order, each with its answer.
    pub writes: Vec<WriteLine>,
    /// The Kubernetes Events that it emitted: type, reason, message.
    pub events: Vec<[String; 3]>,
    /// When it looks again, and why.
    pub next: Option<NextLine>,
    /// The error with which the sync ended.
    pub error: Option<String>,
    /// The record itself, version `v1alpha1`.
    pub record: crate::record::v1alpha1::Record,
}

/// A rung of the ladder.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct TriedLine {
    /// The slug.
    pub rule: String,
    /// The heading that it stands under, as a question.
    pub stage: String,
    /// Whether it fired.
    pub fired: bool,
    /// The numbers in few words.
    pub text: String,
    /// The statements of `docs/spec` that it carries out.
    pub spec_ids: Vec<String>,
    /// The fields of the manifest that it looks at.
    pub fields: Vec<String>,
}

/// A number of the decision.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct InputLine {
    /// What it is.
    pub label: String,
    /// The value, with units.
    pub value: String,
}

/// A write.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct WriteLine {
    /// `POST`, `PUT`, `PATCH`, `DELETE` or `GET`.
    pub verb: String,
    /// What it does to what.
    pub what: String,
    /// The slug of the rule that asked for it.
    pub rule: String,
    /// How often the same line follows (pods of a batch are folded).
    pub count: u32,
    /// Whether the API server took it; absent while there is no answer.
    pub accepted: Option<bool>,
    /// The answer in words.
    pub answer: String,
}

/// The next look.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct NextLine {
    /// When.
    pub at_ms: i64,
    /// Why.
    pub text: String,
}

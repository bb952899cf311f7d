//! What a Job may ask for and this version does not act on: said plainly, never silently dropped.
//!
//! Invariant: a field that has no effect upstream either (its default, `null`) gives no notice.

use serde_json::Value;

use crate::at::At;
use crate::yaml::Node;

/// Something that a Job asks for and this version does not act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The field, for example `spec.backoffLimitPerIndex`.
    pub field: &'static str,
    /// Its line, from 1.
    pub line: u32,
    /// The id of the sentence in the catalogue.
    pub text_id: &'static str,
}

/// The fields with the ids of their sentences.
pub(crate) const FIELDS: &[(&str, &str)] = &[("spec.scheduling", "notice.scheduling")];

/// Of a `CronJob` only the Job is run that it would make.
const CRON_JOB: (&str, &str) = ("kind", "notice.cron-job");

/// The notices about a Job, or about the Job that a `CronJob` would make.
pub(super) fn notices(job: &Value, node: &Node, is_cron_job: bool) -> Vec<Notice> {
    let job = At::root(job);
    let spec = job.get("spec");
    let asks = |field: &str| spec.get(field.trim_start_matches("spec.")).is_set();
    let notice = |(field, text_id): &(&'static str, &'static str)| {
        let place = if is_cron_job { node.get(super::cron_job::TEMPLATE) } else { None };
        asks(field).then(|| Notice { field, line: place.unwrap_or(node).locate(field).line, text_id })
    };
    let of_kind = is_cron_job.then(|| {
        let (field, text_id) = CRON_JOB;
        Notice { field, line: node.locate(field).line, text_id }
    });
    of_kind.into_iter().chain(FIELDS.iter().filter_map(notice)).collect()
}

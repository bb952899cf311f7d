//! The frame of a session: everything that a person sees of the present moment.
//!
//! Invariant: only what a client of the API server can see, and the decisions that were shown.

use jobwright_core::Timestamp;
use serde_json::Value;

use super::Session;
use super::ahead::Future;
use super::pod_frame;
use crate::object;
use crate::text::say;
use crate::view::{ConditionFrame, EventFrame, Frame, JobFrame, LedgerFrame, NoticeFrame, PastDecision};

impl Session {
    /// The present moment.
    #[must_use]
    pub fn frame(&self) -> Frame {
        let world = &self.stage.world;
        let start = self.stage.start;
        let job = world.job();
        let status = job.as_ref().and_then(|job| job.get("status"));
        let (ahead, ended) = match self.look_ahead() {
            Future::Next(ahead) => (Some(ahead), None),
            Future::Nothing(end) => (None, Some(end)),
        };
        Frame {
            step: self.decisions(),
            at_ms: self.elapsed().0,
            job: job.as_ref().map(|job| job_frame(job, start)),
            pods: pod_frame::all(world, status, start),
            ledger: job.as_ref().map(|job| ledger(job)).unwrap_or_default(),
            decision: self.card(self.decisions()),
            open: self.open_card(),
            past: self.past(),
            ahead,
            marks: self.marks(),
            ended,
            events: self.events(start),
            notices: self.notices(),
        }
    }

    fn past(&self) -> Vec<PastDecision> {
        let line = |(number, shown): (usize, &super::Shown)| PastDecision {
            step: u32::try_from(number + 1).unwrap_or(u32::MAX),
            at_ms: (shown.record.at - self.stage.start).0,
            rule: shown.rule.clone(),
            title: shown.title.clone(),
            wrote: !shown.record.writes.is_empty(),
            backoff_until_ms: shown.backoff_until.map(|at| (at - self.stage.start).0),
            fields: shown.fields.clone(),
        };
        self.shown().iter().enumerate().map(line).collect()
    }

    fn events(&self, start: Timestamp) -> Vec<EventFrame> {
        let frame = |timed: &crate::world::TimedEvent| EventFrame {
            at_ms: (timed.at - start).0,
            kind: timed.event.kind.as_str().to_owned(),
            reason: timed.event.reason.to_string(),
            message: timed.event.message.to_string(),
        };
        self.stage.world.events().iter().map(frame).collect()
    }

    /// What the text asks for and this version does not act on.
    #[must_use]
    pub fn notices(&self) -> Vec<NoticeFrame> {
        let frame = |notice: &jobwright_api::Notice| NoticeFrame {
            field: notice.field.to_owned(),
            line: notice.line,
            text: say(notice.text_id, &[]),
        };
        self.document.notices.iter().map(frame).collect()
    }
}

fn job_frame(job: &Value, start: Timestamp) -> JobFrame {
    let spec = |field: &str| object::integer(job, &["spec", field]);
    let number = |field: &str| spec(field).and_then(|n| i32::try_from(n).ok());
    JobFrame {
        name: object::name(job).to_owned(),
        namespace: object::namespace(job).to_owned(),
        phase: phase(job).to_owned(),
        completions_column: completions_column(job),
        indexed: object::text(job, &["spec", "completionMode"]) == "Indexed",
        completions: number("completions"),
        parallelism: number("parallelism").unwrap_or(0),
        suspend: object::at(job, &["spec", "suspend"]) == Some(&Value::Bool(true)),
        conditions: object::list(job, &["status", "conditions"]).iter().map(|c| condition(c, start)).collect(),
        status: job.get("status").cloned().unwrap_or_else(|| Value::Object(serde_json::Map::new())),
        object: job.clone(),
    }
}

fn condition(condition: &Value, start: Timestamp) -> ConditionFrame {
    let text = |field: &str| object::text(condition, &[field]).to_owned();
    let changed = jobwright_api::time::parse(object::text(condition, &["lastTransitionTime"]));
    ConditionFrame {
        kind: text("type"),
        status: text("status"),
        reason: text("reason"),
        message: text("message"),
        at_ms: changed.map_or(0, |at| (at - start).0),
    }
}

/// PRN-1: the first that holds.
fn phase(job: &Value) -> &'static str {
    let holds = |kind: &str| object::condition_is_true(job, kind);
    if holds("Complete") {
        "Complete"
    } else if holds("Failed") {
        "Failed"
    } else if object::is_terminating(job) {
        "Terminating"
    } else if holds("Suspended") {
        "Suspended"
    } else if holds("FailureTarget") {
        "FailureTarget"
    } else if holds("SuccessCriteriaMet") {
        "SuccessCriteriaMet"
    } else {
        "Running"
    }
}

/// PRN-2
fn completions_column(job: &Value) -> String {
    let succeeded = object::integer(job, &["status", "succeeded"]).unwrap_or(0);
    let parallelism = object::integer(job, &["spec", "parallelism"]).unwrap_or(0);
    match object::integer(job, &["spec", "completions"]) {
        Some(completions) => format!("{succeeded}/{completions}"),
        None if parallelism > 1 => format!("{succeeded}/1 of {parallelism}"),
        None => format!("{succeeded}/1"),
    }
}

fn ledger(job: &Value) -> LedgerFrame {
    let status = |field: &str| object::integer(job, &["status", field]).unwrap_or(0);
    let uncounted = |field: &str| {
        i64::try_from(object::list(job, &["status", "uncountedTerminatedPods", field]).len()).unwrap_or(i64::MAX)
    };
    LedgerFrame {
        succeeded: status("succeeded"),
        succeeded_uncounted: uncounted("succeeded"),
        failed: status("failed"),
        failed_uncounted: uncounted("failed"),
        active: status("active"),
        ready: status("ready"),
        terminating: status("terminating"),
        // The default beside a limit for each index is no limit.
        backoff_limit: object::integer(job, &["spec", "backoffLimit"]).filter(|limit| *limit < i32::MAX.into()),
    }
}

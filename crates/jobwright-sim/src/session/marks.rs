//! Moments to come that are known already: what the controller waits for, and the deadline of the Job.
//!
//! Invariant: each kind stands once at most, in order of time.

use jobwright_core::{Millis, WakeReason};

use super::Session;
use crate::object;
use crate::text::say;
use crate::view::MarkFrame;

impl Session {
    /// The marks of the present moment.
    pub(super) fn marks(&self) -> Vec<MarkFrame> {
        let mut marks: Vec<MarkFrame> = self.deadline().into_iter().collect();
        // Other wake-ups may come before its end.
        let now = self.stage.world.now();
        let backoff = self.shown().iter().rev().find_map(|shown| shown.backoff_until).filter(|until| *until > now);
        marks.extend(backoff.map(|until| mark("backoff", (until - self.stage.start).0)));
        if let Some(wake) = self.stage.world.controller_wake() {
            let kind = match wake.why {
                WakeReason::TimeToLive => "ttl",
                WakeReason::Retry => "retry",
                WakeReason::Batch | WakeReason::PodBackoff | WakeReason::ActiveDeadline => "",
            };
            if !kind.is_empty() {
                marks.push(mark(kind, (wake.at - self.stage.start).0));
            }
        }
        jobwright_core::ordered::sort_by(&mut marks, |a, b| a.at_ms.cmp(&b.at_ms));
        marks
    }

    /// `activeDeadlineSeconds` counts from the start, and not while the Job is suspended (SYNC-25).
    fn deadline(&self) -> Option<MarkFrame> {
        let job = self.stage.world.job()?;
        let ended = ["Complete", "Failed"].into_iter().any(|kind| object::condition_is_true(&job, kind));
        let seconds = object::integer(&job, &["spec", "activeDeadlineSeconds"])?;
        let start = jobwright_api::time::parse(object::text(&job, &["status", "startTime"]))?;
        let at = start + Millis(seconds.saturating_mul(1_000));
        (!ended).then(|| mark("deadline", (at - self.stage.start).0))
    }
}

fn mark(kind: &str, at_ms: i64) -> MarkFrame {
    MarkFrame { kind: kind.to_owned(), at_ms, text: say(&format!("sim.mark.{kind}"), &[]) }
}

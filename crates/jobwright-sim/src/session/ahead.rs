//! What comes next if nobody acts, and whether anything does.
//!
//! Invariant: looking ahead is done on a copy; it changes nothing.

use jobwright_api::record::slugs;

use super::Session;
use super::stage::{Moved, Stage};
use crate::kubelet::KubeletAct;
use crate::object;
use crate::text::say;
use crate::view::{Ahead, End};
use crate::world::Cause;

/// What lies ahead.
pub(super) enum Future {
    /// Something happens.
    Next(Ahead),
    /// Nothing does, and why.
    Nothing(End),
}

impl Session {
    /// Looks until the clock would move or the controller would write.
    pub(super) fn look_ahead(&self) -> Future {
        let decides = |at_ms| Future::Next(Ahead { at_ms, text: say("sim.ahead.decides", &[]) });
        if !self.waiting.is_empty() {
            return decides(self.stage.elapsed().0);
        }
        let mut copy = self.stage.clone();
        loop {
            let now = copy.world.now();
            let cause = upcoming(&copy);
            let moved = copy.advance(None);
            if moved == Moved::Wrote || !copy.world.take_records().is_empty() {
                return decides((now - copy.start).0);
            }
            if moved == Moved::Ended {
                return Future::Nothing(self.end());
            }
            if copy.world.now() > now {
                return Future::Next(Ahead { at_ms: copy.elapsed().0, text: cause });
            }
        }
    }

    /// Why nothing more happens.
    fn end(&self) -> End {
        if self.stage.is_full() {
            return End {
                kind: "waiting".to_owned(),
                text: say("sim.end.full", &[("count", &self.stage.pods_limit.to_string())]),
            };
        }
        let Some(job) = self.stage.world.job() else { return end("deleted") };
        let holds = |kind: &str| object::condition_is_true(&job, kind);
        match (holds("Complete"), holds("Failed")) {
            (true, _) => end("complete"),
            (_, true) => end("failed"),
            _ => end("waiting"),
        }
    }
}

fn end(kind: &str) -> End {
    End { kind: kind.to_owned(), text: say(&format!("sim.end.{kind}"), &[]) }
}

/// What happens when the clock moves next.
fn upcoming(stage: &Stage) -> String {
    let cause = stage.world.next_cause();
    if let Some(step) = stage.next_step_at()
        && cause.as_ref().is_none_or(|(at, _)| *at > step)
    {
        return say("sim.ahead.step", &[]);
    }
    match cause {
        Some((_, Cause::Kubelet(pod, act))) => {
            let id = match act {
                KubeletAct::Start => "sim.ahead.start",
                KubeletAct::End => "sim.ahead.end",
                KubeletAct::Stop(_) => "sim.ahead.stop",
                KubeletAct::Restart(_) => "sim.ahead.restart",
                KubeletAct::Deadline => "sim.ahead.deadline",
                KubeletAct::Terminate => "sim.ahead.terminate",
            };
            say(id, &[("pod", &pod)])
        }
        Some((_, Cause::Controller(why))) => say(&format!("wake.{}", slugs::wake(why)), &[]),
        Some((_, Cause::PodCollector)) => say("sim.ahead.pod-collector", &[]),
        Some((_, Cause::Collector)) | None => say("sim.ahead.collector", &[]),
    }
}

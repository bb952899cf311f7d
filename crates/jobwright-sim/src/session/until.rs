//! Running on until something holds.
//!
//! Invariant: a run ends: with what was asked for, with the end of the session, or at the limit of decisions.

use jobwright_core::{ConditionType, Millis};
use serde_json::Value;

use super::Session;
use crate::kubelet::outcome::parse_duration;
use crate::object;

/// When a run is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Until {
    /// When nothing more happens by itself.
    End,
    /// At a virtual time since the start.
    Time(Millis),
    /// When the Job has a condition of this type with status True.
    Condition(String),
}

impl Until {
    /// Reads `end`, a length of time such as `90s`, or the type of a Job's condition.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let known = ["Suspended", "Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"];
        if text.eq_ignore_ascii_case("end") {
            return Some(Self::End);
        }
        let condition = known.into_iter().find(|known| known.eq_ignore_ascii_case(text));
        match condition {
            Some(known) => Some(Self::Condition(ConditionType::parse(known).as_str().to_owned())),
            None => parse_duration(text).map(Self::Time),
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// With what was asked for.
    Reached,
    /// Nothing more happens, and what was asked for does not hold.
    Ended,
    /// After as many decisions as were allowed.
    Limit,
}

impl Session {
    /// Steps on until something holds, but makes no more than `limit` decisions.
    pub fn run_until(&mut self, until: &Until, limit: u32) -> RunEnd {
        let time = match until {
            Until::Time(after) => Some(self.stage.start + *after),
            _ => None,
        };
        let mut made = 0;
        loop {
            if let Until::Condition(kind) = until
                && self.has_condition(kind)
            {
                return RunEnd::Reached;
            }
            if made >= limit {
                return RunEnd::Limit;
            }
            if !self.step_within(time) {
                if let Some(time) = time {
                    self.stage.world.set_time(time);
                }
                return match until {
                    Until::End | Until::Time(_) => RunEnd::Reached,
                    Until::Condition(_) => RunEnd::Ended,
                };
            }
            made += 1;
        }
    }

    fn has_condition(&self, kind: &str) -> bool {
        let Some(job) = self.stage.world.job() else { return false };
        let holds = |c: &Value| object::text(c, &["type"]) == kind && object::text(c, &["status"]) == "True";
        object::list(&job, &["status", "conditions"]).iter().any(holds)
    }
}

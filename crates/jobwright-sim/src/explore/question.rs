//! Questions that have a shortest answer: what lints of a manifest point at.
//!
//! Invariant: an answer is a witness, so it was seen; no answer means that the walk did not find one
//! within its bound.

use serde_json::Value;

use super::report::{End, Stay};
use super::space::Space;
use super::{Scope, Subject, Watchdog, Witness};
use crate::object;

/// States of a walk that answers a question: a small Job has its answer early.
const STATES_MAX: usize = 20_000;

/// What is asked about a Job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// How many pods fail at most (`parallelism` and the back-off limit)?
    FailedPodsAboveLimit,
    /// `OnFailure`: how is the pod deleted, with its logs, when the limit is hit?
    LogsDeleted,
    /// How does a pod that never starts keep the Job active for ever?
    NoDeadline,
    /// A work queue: how does the first success stop new pods?
    WorkQueue,
}

/// A question and what has to happen for its answer.
struct Row {
    question: Question,
    id: &'static str,
    any_of: &'static str,
}

const QUESTIONS: [Row; 4] = [
    Row { question: Question::FailedPodsAboveLimit, id: "failed-pods-above-limit", any_of: "1" },
    Row { question: Question::LogsDeleted, id: "logs-deleted", any_of: "1" },
    Row { question: Question::NoDeadline, id: "no-deadline", any_of: "pending" },
    Row { question: Question::WorkQueue, id: "work-queue", any_of: "0" },
];

impl Question {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::FailedPodsAboveLimit, Self::LogsDeleted, Self::NoDeadline, Self::WorkQueue];

    fn row(self) -> &'static Row {
        QUESTIONS.iter().find(|row| row.question == self).unwrap_or(&QUESTIONS[0])
    }

    /// The id of the lint that asks it.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// The question of a lint.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        QUESTIONS.iter().find(|row| row.id == id).map(|row| row.question)
    }
}

/// The shortest scenario that shows what a lint says of this Job: for
/// [`Question::FailedPodsAboveLimit`] the one with the most failed pods, and only if these are more than
/// the limit and one. Nothing if the Job is refused, or it cannot happen.
///
/// The answer runs as it is: [`Witness::scenario`] with [`Subject::of`] the same manifest.
#[must_use]
pub fn witness(subject: &Subject, question: Question) -> Option<Witness> {
    let spec = |field: &str| object::integer(&subject.job, &["spec", field]);
    let states_max = STATES_MAX;
    let scope = Scope { states_max, ..Scope::any_of(question.row().any_of).ok()? };
    let mut space = Space::new(subject, &scope, Watchdog::default()).ok()?;
    space.explore(&mut |_| {});
    let ended = |fits: &dyn Fn(&End) -> bool| {
        (0..).zip(&space.states).find(|(_, state)| state.end.as_ref().is_some_and(fits)).map(|(number, _)| number)
    };
    let state = match question {
        Question::FailedPodsAboveLimit => {
            let limit = spec("backoffLimit").unwrap_or(6);
            let ends = (0_u32..).zip(&space.states).filter(|(_, state)| state.end.is_some());
            // Of equals the first one found is the nearest.
            let (most, failed) = ends.fold(
                (0, 0),
                |most, (number, state)| {
                    if state.failed > most.1 { (number, state.failed) } else { most }
                },
            );
            (failed > limit.saturating_add(1)).then_some(most)?
        }
        Question::LogsDeleted => {
            let on_failure = object::text(&subject.job, &["spec", "template", "spec", "restartPolicy"]) == "OnFailure";
            ended(&|end| on_failure && end.words() == ("Failed", "BackoffLimitExceeded"))?
        }
        Question::NoDeadline => ended(&|end| *end == End::Stays(Stay::PodsPending))?,
        Question::WorkQueue => {
            let queue = object::at(&subject.job, &["spec", "completions"]).is_none_or(Value::is_null);
            ended(&|end| queue && end.words().0 == "Complete")?
        }
    };
    space.witness(&space.edges, &space.shortest(state), false)
}

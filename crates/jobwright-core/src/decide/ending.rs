//! Does the Job end? The rules of SYNC-20 to SYNC-29, in the order in which they win.
//!
//! Invariant: the first rule that fires decides; a decision is data, and becomes a condition only when
//! the tracking pass stores it (TRK-6, TRK-7).

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

use super::facts::{Indexes, NewlyEnded, count, number};
use super::{Scene, Tally, Trail};
use crate::ids::{Text, text};
use crate::index_set::IndexSet;
use crate::mutant::{Mutant, is_planted};
use crate::record::FactName as F;
use crate::record::FactValue::{Count, Length, Text as Words, Time};
use crate::record::{Fact, Trace};
use crate::rule::Rule;
use crate::spec::RestartPolicy;
use crate::status::{Condition, ConditionType, JobStatus, UncountedTerminatedPods};
use crate::success_policy;
use crate::time::{Millis, Timestamp};

/// The condition that a sync carries and that says the Job is ending (GLO-18).
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    /// `FailureTarget`, `Failed`, `SuccessCriteriaMet`, later `Complete`.
    pub(crate) kind: ConditionType,
    pub(crate) reason: Text,
    pub(crate) message: Text,
    pub(crate) at: Timestamp,
}

impl Ending {
    fn failure(reason: &'static str, message: impl Into<Text>, now: Timestamp) -> Self {
        let kind = ConditionType::FailureTarget;
        Self { kind, reason: Cow::Borrowed(reason), message: message.into(), at: now }
    }

    fn success(reason: &'static str, message: impl Into<Text>, now: Timestamp) -> Self {
        let kind = ConditionType::SuccessCriteriaMet;
        Self { kind, reason: Cow::Borrowed(reason), message: message.into(), at: now }
    }

    /// Enough successes (SYNC-32).
    pub(crate) fn completions_reached(now: Timestamp) -> Self {
        Self::success("CompletionsReached", "Reached expected number of succeeded pods", now)
    }

    /// A stored condition that is carried on.
    fn stored(condition: &Condition, kind: ConditionType, now: Timestamp) -> Self {
        Self { kind, reason: condition.reason.clone(), message: condition.message.clone(), at: now }
    }
}

/// The result of the ladder.
#[derive(Default)]
pub(crate) struct Verdict {
    pub(crate) ending: Option<Ending>,
    pub(crate) deadline_in: Option<Millis>,
}

impl From<Ending> for Verdict {
    fn from(ending: Ending) -> Self {
        Self { ending: Some(ending), deadline_in: None }
    }
}

/// Walks down the ladder. `status` has its `startTime` filled in.
pub(crate) fn ending<T: Trace>(
    scene: &Scene<'_>,
    status: &JobStatus,
    tally: &Tally,
    ended: &NewlyEnded<'_>,
    uncounted: &UncountedTerminatedPods,
    trail: &mut Trail<'_, T>,
) -> Verdict {
    let now = scene.now;
    let success = status.condition(&ConditionType::SuccessCriteriaMet).filter(|c| c.is_true());
    if trail.tried(Rule::SuccessCriteriaMet, success.is_some(), || stored_facts(success))
        && let Some(condition) = success
    {
        return Ending::stored(condition, ConditionType::SuccessCriteriaMet, now).into();
    }
    let failure = status.condition(&ConditionType::FailureTarget).filter(|c| c.is_true());
    if trail.tried(Rule::FailureTarget, failure.is_some(), || stored_facts(failure))
        && let Some(condition) = failure
    {
        return Ending::stored(condition, ConditionType::Failed, now).into();
    }
    if scene.job.spec.pod_failure_policy.is_some()
        && let Some(ending) = failure_policy(scene, trail)
    {
        return ending.into();
    }
    let limit = i64::from(scene.job.spec.backoff_limit.unwrap_or(i32::MAX));
    let failed_facts = || {
        vec![
            (F::Failed, Count(scene.job.status.failed.into())),
            (F::FailedUncounted, Count(count(&uncounted.failed))),
            (F::FailedNew, Count(super::facts::counted(ended))),
            (F::BackoffLimit, Count(limit)),
        ]
    };
    let exceeded = tally.failed > limit || (tally.failed == limit && is_planted(Mutant::LimitAtEqual));
    if trail.tried(Rule::BackoffLimitExceeded, exceeded, failed_facts) {
        return backoff_limit(now).into();
    }
    if scene.job.spec.template.restart_policy == RestartPolicy::OnFailure {
        let restarts = scene.ledger.counts().restarts;
        let reached = if limit == 0 { restarts > 0 } else { restarts >= limit };
        let facts = || vec![(F::Restarts, Count(restarts)), (F::BackoffLimit, Count(limit))];
        if trail.tried(Rule::RestartLimitReached, reached, facts) {
            return backoff_limit(now).into();
        }
    }
    deadline(scene, status, trail)
}

/// SYNC-22: some failed pod, counted or not, matches a rule that fails the Job.
fn failure_policy<T: Trace>(scene: &Scene<'_>, trail: &mut Trail<'_, T>) -> Option<Ending> {
    let found = scene.ledger.fail_job().and_then(|pod| Some((pod, pod.verdict?)));
    let message = found.map(|(pod, verdict)| verdict.message(&scene.job.key, &pod.name().to_text()));
    trail.tried(Rule::PodFailurePolicy, message.is_some(), || match (&message, found) {
        (Some(message), Some((_, verdict))) => {
            vec![(F::RuleIndex, Count(number(verdict.rule))), (F::Condition, Words(message.clone()))]
        }
        _ => Vec::new(),
    });
    message.map(|message| Ending::failure("PodFailurePolicy", message, scene.now))
}

/// SYNC-27, SYNC-29: what decided indexes mean for the Job.
pub(crate) fn of_indexes<T: Trace>(scene: &Scene<'_>, indexes: &Indexes, trail: &mut Trail<'_, T>) -> Option<Ending> {
    if let Some(failed) = &indexes.failed
        && let Some(ending) = failed_indexes(scene, failed, &indexes.succeeded, trail)
    {
        return Some(ending);
    }
    let policy = scene.job.spec.success_policy.as_ref()?;
    let met = success_policy::met(policy, &indexes.succeeded, scene.completions());
    trail.tried(Rule::SuccessPolicy, met.is_some(), || {
        let rule = met.map(|rule| (F::RuleIndex, Count(number(rule))));
        let indexes = (F::Indexes, Words(text(format_args!("{}", indexes.succeeded))));
        rule.into_iter().chain([indexes]).collect()
    });
    let message = text(format_args!("Matched rules at index {}", met?));
    Some(Ending::success("SuccessPolicy", message, scene.now))
}

fn failed_indexes<T: Trace>(
    scene: &Scene<'_>,
    failed: &IndexSet,
    succeeded: &IndexSet,
    trail: &mut Trail<'_, T>,
) -> Option<Ending> {
    let failed_facts = || {
        let mut facts = vec![(F::Count, Count(number(failed.len())))];
        if !failed.is_empty() {
            facts.push((F::FailedIndexes, Words(text(format_args!("{failed}")))));
        }
        facts
    };
    if let Some(most) = scene.job.spec.max_failed_indexes {
        let exceeded = u64::try_from(most).is_ok_and(|most| failed.len() > most);
        let facts = || failed_facts().into_iter().chain([(F::Limit, Count(most.into()))]).collect();
        if trail.tried(Rule::MaxFailedIndexesExceeded, exceeded, facts) {
            let message = "Job has exceeded the specified maximal number of failed indexes";
            return Some(Ending::failure("MaxFailedIndexesExceeded", message, scene.now));
        }
    }
    // An index in both sets counts twice, as upstream's does (IDX-35).
    let decided = failed.len() + succeeded.len() >= u64::from(scene.completions());
    let facts = || {
        let completions = (F::Completions, Count(scene.completions().into()));
        let succeeded = (F::Succeeded, Count(number(succeeded.len())));
        failed_facts().into_iter().chain([succeeded, completions]).collect()
    };
    trail
        .tried(Rule::FailedIndexes, !failed.is_empty() && decided, facts)
        .then(|| Ending::failure("FailedIndexes", "Job has failed indexes", scene.now))
}

fn backoff_limit(now: Timestamp) -> Ending {
    Ending::failure("BackoffLimitExceeded", "Job has reached the specified backoff limit", now)
}

/// SYNC-24, SYNC-25.
fn deadline<T: Trace>(scene: &Scene<'_>, status: &JobStatus, trail: &mut Trail<'_, T>) -> Verdict {
    let Some(seconds) = scene.job.spec.active_deadline_seconds else { return Verdict::default() };
    if scene.job.spec.suspend {
        return Verdict::default();
    }
    let Some(start) = status.start_time else { return Verdict::default() };
    let remaining = Millis::from_seconds(seconds) - (scene.now - start);
    let facts = || {
        vec![
            (F::StartTime, Time(start)),
            (F::Deadline, Length(Millis::from_seconds(seconds))),
            (F::Elapsed, Length(scene.now - start)),
        ]
    };
    if trail.tried(Rule::DeadlineExceeded, remaining <= Millis::ZERO, facts) {
        let message = "Job was active longer than specified deadline";
        return Ending::failure("DeadlineExceeded", message, scene.now).into();
    }
    Verdict { ending: None, deadline_in: Some(remaining) }
}

fn stored_facts(condition: Option<&Condition>) -> Vec<Fact> {
    condition.map(|c| (F::Reason, Words(c.reason.clone()))).into_iter().collect()
}

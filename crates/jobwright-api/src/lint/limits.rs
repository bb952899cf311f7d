//! Lints about the limits of a Job: failures, retries, time.
//!
//! Invariant: a number in a text is a bound that no history exceeds; where none holds the lint is silent.

use super::facts::{Facts, Hit};
use crate::diagnostic::Severity;

const PARALLELISM: &str = "spec.parallelism";
const RESTART_POLICY: &str = "spec.template.spec.restartPolicy";
/// Delays after failures double from 10 s this often (BKO-7).
const DOUBLINGS: u32 = 6;

/// All of them.
pub(super) fn check(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    if facts.slots < 1 {
        return;
    }
    failed_pods(facts, hits);
    on_failure(facts, hits);
    per_index(facts, hits);
    never_reached(facts, hits);
    deadline(facts, hits);
}

/// Pods that run when the limit is exceeded are deleted and counted as failed (SYNC-23, BKO-9).
fn failed_pods(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    let (Some(limit), slots) = (facts.limit, facts.slots) else { return };
    let at_most = facts.failures_of_indexes().unwrap_or(i64::MAX).min(limit.saturating_add(slots));
    if facts.on_failure || slots < 2 || at_most <= limit + 1 {
        return;
    }
    let numbers = [("limit", limit), ("slots", slots), ("atMost", at_most), ("last", limit + 1)];
    let mut hit = Hit::new("failed-pods-above-limit", PARALLELISM, &numbers);
    // One wave of failures that goes far beyond the limit is graver than a few pods more.
    hit.severity = (slots <= limit).then_some(Severity::Info);
    hits.push(hit);
}

/// BKO-20 to BKO-22
fn on_failure(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    if !facts.on_failure {
        return;
    }
    if let Some(limit) = facts.limit {
        let numbers = [("restarts", limit.max(1)), ("slots", facts.slots)];
        hits.push(Hit::new("logs-deleted", RESTART_POLICY, &numbers));
    } else if let Some(limit) = facts.per_index {
        hits.push(Hit::new("per-index-on-failure", RESTART_POLICY, &[("limit", limit)]));
    }
}

/// BKO-34 to BKO-37
fn per_index(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    let (Some(limit), Some(completions), Some(most)) =
        (facts.per_index, facts.completions, facts.failures_of_indexes())
    else {
        return;
    };
    let field = "spec.backoffLimitPerIndex";
    let global = facts.limit.is_some_and(|limit| limit < most);
    if facts.max_failed.is_none() && !facts.on_failure && completions > 1 && !global {
        let numbers = [("completions", completions), ("tries", limit.saturating_add(1)), ("most", most)];
        hits.push(Hit::new("failed-indexes-unbounded", field, &numbers));
    }
    if limit > 0 && !facts.on_failure && completions > facts.slots {
        hits.push(Hit::new("waiting-indexes-block", field, &[("slots", facts.slots)]));
    }
}

/// Limits are exceeded, not reached (BKO-9, BKO-35).
fn never_reached(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    let id = "limit-never-reached";
    let (Some(completions), Some(most)) = (facts.completions, facts.failures_of_indexes()) else { return };
    if let Some(max) = facts.max_failed.filter(|max| *max >= completions) {
        let hit = Hit::new(id, "spec.maxFailedIndexes", &[("limit", max), ("most", completions)]);
        hits.push(hit.with("field", "maxFailedIndexes").with("what", "indexes"));
    }
    if let Some(limit) = facts.limit.filter(|limit| *limit >= most && !facts.on_failure) {
        let hit = Hit::new(id, "spec.backoffLimit", &[("limit", limit), ("most", most)]);
        hits.push(hit.with("field", "backoffLimit").with("what", "pods"));
    }
}

/// Section 13, and the delays of BKO-7.
fn deadline(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    let field = "spec.activeDeadlineSeconds";
    let Some(deadline) = facts.deadline else {
        let (name, limit) = match facts.per_index {
            Some(limit) => ("backoffLimitPerIndex", limit),
            None => ("backoffLimit", facts.limit.unwrap_or(i64::from(i32::MAX))),
        };
        hits.push(Hit::new("no-deadline", field, &[("limit", limit)]).with("field", name));
        return;
    };
    if deadline == 0 {
        hits.push(Hit::new("deadline-zero", field, &[]));
        return;
    }
    // With more pods or completions successes may reset the delay in between (BKO-2).
    if let (Some(limit), Some(1), None, false) = (facts.limit, facts.completions, facts.per_index, facts.on_failure) {
        let made = retries_before(deadline);
        if made < limit {
            let numbers = [("deadline", deadline), ("made", made), ("limit", limit)];
            hits.push(Hit::new("deadline-before-limit", field, &numbers));
        }
    }
}

/// As many retries begin before a deadline at most, when pods fail as soon as they start. A delay may be 1 s
/// shorter than its number (BKO-10).
fn retries_before(deadline: i64) -> i64 {
    let mut waited = 0;
    for doubling in 0..DOUBLINGS {
        waited += (10 << doubling) - 1;
        if waited >= deadline {
            return i64::from(doubling);
        }
    }
    i64::from(DOUBLINGS) + (deadline - 1 - waited) / 599
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_wait_10_20_40_s_up_to_10_minutes_bko_7() {
        for (deadline, retries) in
            [(1, 0), (9, 0), (10, 1), (28, 1), (29, 2), (624, 5), (625, 6), (1_223, 6), (1_224, 7), (i64::MAX, 0)]
        {
            let made = retries_before(deadline);
            assert!(deadline == i64::MAX || made == retries, "{deadline}: {made}");
        }
    }
}

//! A stored status, read by the observer's own means, and the laws that hold for each one
//! (INV-3 to INV-9, INV-11).
//!
//! Invariant: nothing of the core's reading of a status is used here.

use std::collections::BTreeSet;

use jobwright_sim::object;
use serde_json::Value;

/// What laws read of a status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// `status.active`
    pub active: i64,
    /// `status.ready`
    pub ready: i64,
    /// `status.terminating`
    pub terminating: i64,
    /// `status.succeeded`
    pub succeeded: i64,
    /// `status.failed`
    pub failed: i64,
    /// `status.startTime`, empty if unset.
    pub start: String,
    /// `status.completionTime`, empty if unset.
    pub completion: String,
    /// UIDs that wait to be counted as succeeded.
    pub waiting_succeeded: Vec<String>,
    /// UIDs that wait to be counted as failed.
    pub waiting_failed: Vec<String>,
    /// `status.completedIndexes` as it is written.
    pub index_text: String,
    /// The indexes of that text.
    pub indexes: BTreeSet<i64>,
    /// The indexes of `status.failedIndexes`.
    pub failed_indexes: BTreeSet<i64>,
    /// Conditions in their order.
    pub conditions: Vec<Condition>,
}

/// What laws read of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// `type`
    pub kind: String,
    /// Whether `status` is `True`.
    pub holds: bool,
    /// `reason`
    pub reason: String,
    /// `message`
    pub message: String,
}

impl Status {
    /// The status of a stored Job.
    #[must_use]
    pub fn of(job: &Value) -> Self {
        let number = |field| object::integer(job, &["status", field]).unwrap_or(0);
        let text = |field| object::text(job, &["status", field]).to_owned();
        let uids = |field| {
            let list = object::list(job, &["status", "uncountedTerminatedPods", field]);
            list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let index_text = text("completedIndexes");
        let conditions = object::list(job, &["status", "conditions"]).iter().map(|c| Condition {
            kind: object::text(c, &["type"]).to_owned(),
            holds: object::text(c, &["status"]) == "True",
            reason: object::text(c, &["reason"]).to_owned(),
            message: object::text(c, &["message"]).to_owned(),
        });
        Self {
            active: number("active"),
            ready: number("ready"),
            terminating: number("terminating"),
            succeeded: number("succeeded"),
            failed: number("failed"),
            start: text("startTime"),
            completion: text("completionTime"),
            waiting_succeeded: uids("succeeded"),
            waiting_failed: uids("failed"),
            indexes: indexes(&index_text),
            failed_indexes: indexes(&text("failedIndexes")),
            index_text,
            conditions: conditions.collect(),
        }
    }

    /// Whether a condition of this type is `True`.
    #[must_use]
    pub fn is(&self, kind: &str) -> bool {
        self.conditions.iter().any(|c| c.kind == kind && c.holds)
    }

    /// Whether the Job is complete or failed (GLO-11).
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.is("Complete") || self.is("Failed")
    }

    /// Whether the end is decided: an interim or a terminal condition is `True`.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.is_finished() || self.is("SuccessCriteriaMet") || self.is("FailureTarget")
    }

    /// Whether this UID waits in one of the lists.
    #[must_use]
    pub fn waits(&self, uid: &str) -> bool {
        self.waiting_succeeded.iter().chain(&self.waiting_failed).any(|waiting| waiting == uid)
    }

    fn find(&self, kind: &str) -> Option<(usize, &Condition)> {
        self.conditions.iter().enumerate().find(|(_, c)| c.kind == kind && c.holds)
    }
}

/// The numbers of an interval text (IDX-1); what is no number is left out.
fn indexes(text: &str) -> BTreeSet<i64> {
    text.split(',')
        .filter_map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            Some(first.parse::<i64>().ok()?..=last.parse::<i64>().ok()?)
        })
        .flatten()
        .collect()
}

/// The canonical text of a set of indexes (IDX-1).
fn canonical(set: &BTreeSet<i64>) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = set.iter().copied().peekable();
    while let Some(first) = rest.next() {
        let mut last = first;
        while rest.next_if_eq(&(last + 1)).is_some() {
            last += 1;
        }
        match last - first {
            0 => parts.push(first.to_string()),
            1 => parts.extend([first.to_string(), last.to_string()]),
            _ => parts.push(format!("{first}-{last}")),
        }
    }
    parts.join(",")
}

/// Judges a status that the controller stored; the id of the rule that it breaks, and how.
///
/// # Errors
/// The first rule that is broken.
pub(super) fn judge(job: &Value, old: &Status, new: &Status) -> Result<(), (&'static str, String)> {
    let check = |id, holds: bool, what: &str| if holds { Ok(()) } else { Err((id, what.to_owned())) };
    let indexed = object::text(job, &["spec", "completionMode"]) == "Indexed";
    check("INV-3", new.failed >= old.failed, "`failed` went down")?;
    let completions = object::integer(job, &["spec", "completions"]).unwrap_or(0);
    let lowered = indexed && old.indexes.iter().any(|index| *index >= completions);
    check("INV-3", new.succeeded >= old.succeeded || lowered, "`succeeded` went down")?;
    check("INV-4", 0 <= new.ready && new.ready <= new.active, "`ready` is not between 0 and `active`")?;
    check("INV-4", new.terminating >= 0, "`terminating` is negative")?;
    for kind in ["FailureTarget", "SuccessCriteriaMet", "Failed", "Complete"] {
        check("INV-9", new.is(kind) || !old.is(kind), "a condition of the end was taken back")?;
    }
    if new.is_finished() {
        let idle = new.active == 0 && new.terminating == 0;
        check("INV-6", idle, "finished with pods that are active or terminating")?;
        let counted = new.waiting_succeeded.is_empty() && new.waiting_failed.is_empty();
        check("INV-6", counted, "finished with pods that are not counted")?;
        let never_started = object::integer(job, &["spec", "completions"]) == Some(0);
        check("INV-6", !new.start.is_empty() || never_started, "finished without `startTime`")?;
        ends(old, new)?;
    }
    if indexed {
        let count = i64::try_from(new.indexes.len()).unwrap_or(i64::MAX);
        check("INV-11", new.succeeded == count, "`succeeded` is not the number of completed indexes")?;
        check("INV-11", canonical(&new.indexes) == new.index_text, "`completedIndexes` is not canonical")?;
        let completions = object::integer(job, &["spec", "completions"]).unwrap_or(0);
        check("INV-11", new.indexes.iter().all(|i| *i < completions), "an index is out of range")?;
    }
    Ok(())
}

/// INV-7, INV-8: the terminal condition and the interim one before it.
fn ends(old: &Status, new: &Status) -> Result<(), (&'static str, String)> {
    let check = |id, holds: bool, what: &str| if holds { Ok(()) } else { Err((id, what.to_owned())) };
    let complete = new.is("Complete");
    check("INV-7", complete != new.is("Failed"), "Complete and Failed at once")?;
    let (interim, terminal, other) = if complete {
        ("SuccessCriteriaMet", "Complete", "FailureTarget")
    } else {
        ("FailureTarget", "Failed", "SuccessCriteriaMet")
    };
    check("INV-7", !new.is(other), "the outcome has both sides")?;
    check("INV-7", complete != new.completion.is_empty(), "`completionTime` is set exactly on a complete Job")?;
    let late = new.completion.is_empty() || new.start.is_empty() || new.completion >= new.start;
    check("INV-7", late, "`completionTime` is before `startTime`")?;
    let before = old.is(terminal) || old.is(interim);
    check("INV-8", before, "the interim condition was not stored before the terminal one")?;
    match (new.find(interim), new.find(terminal)) {
        (Some((first, a)), Some((second, b))) => {
            check("INV-8", first < second, "the interim condition is behind the terminal one")?;
            let same = a.reason == b.reason && a.message == b.message;
            check("INV-8", same, "interim and terminal condition give different reasons")
        }
        _ => check("INV-7", false, "a terminal condition without its interim one"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_texts_are_read_and_written_idx_1() {
        for text in ["", "0", "1,2", "1,3-5,7", "0-499"] {
            assert_eq!(canonical(&indexes(text)), text);
        }
        assert_eq!(indexes("1,3-5"), BTreeSet::from([1, 3, 4, 5]));
    }
}

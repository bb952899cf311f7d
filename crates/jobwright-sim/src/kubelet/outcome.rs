//! How pods end: scripts such as `1x3,0`, `idx3: 1,0` and `0@30s`.
//!
//! A script is a list of entries, one for each pod of the Job (or of its index) in order of creation.
//! An entry is an exit code or one of `oom` (137), `evict`, `hang`, `delete`, `pending`; `@30s` says how long the pod
//! runs, `x3` that the entry stands for 3 pods, `x*` for all that follow. A script after `idx3:` is for
//! index 3, and `;` or a new line ends a script.
//!
//! Invariant: where a script has no entry left, pods end with exit code 0.

use jobwright_core::OrderedMap;

use jobwright_api::yaml::decimal;
use jobwright_core::Millis;

use super::transition::{Failure, PodCondition};
use crate::text::say;

/// How long a pod runs if its script does not say.
pub(crate) const DEFAULT_RUN: Millis = Millis::from_seconds(5);

/// The longest time that a script may name: 100 years.
const LONGEST_SECONDS: f64 = 3_155_760_000.0;

/// How a pod ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its first container ends with this code.
    Exit(i32),
    /// The node throws it out.
    Evict,
    /// Somebody deletes it.
    Delete,
    /// It runs for ever.
    Hang,
    /// It never starts.
    Pending,
}

/// What becomes of one pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ends.
    pub ending: Ending,
    /// How long it runs before.
    pub after: Millis,
}

/// What is wrong with a script, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OutcomeError {
    /// A sentence.
    pub message: String,
    /// Characters before the place.
    pub at: usize,
}

/// One entry of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    outcome: Outcome,
    /// For how many pods; `None` for all that follow.
    times: Option<u32>,
}

/// The scripts of a Job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    script: Vec<Entry>,
    by_index: OrderedMap<u32, Vec<Entry>>,
}

impl Outcomes {
    /// Reads scripts.
    ///
    /// # Errors
    /// The first entry that is none, or a second script for the same pods.
    pub fn parse(text: &str) -> Result<Self, OutcomeError> {
        let mut outcomes = Self::default();
        outcomes.add(text)?;
        Ok(outcomes)
    }

    /// One and the same for all pods.
    #[must_use]
    pub(crate) fn always(ending: Ending) -> Self {
        let entry = Entry { outcome: Outcome { ending, after: DEFAULT_RUN }, times: None };
        Self { script: vec![entry], by_index: OrderedMap::new() }
    }

    /// Reads further scripts.
    ///
    /// # Errors
    /// The first entry that is none, or a second script for the same pods.
    pub fn add(&mut self, text: &str) -> Result<(), OutcomeError> {
        let mut at = 0;
        for clause in text.split([';', '\n']) {
            self.add_clause(clause, at)?;
            at += clause.chars().count() + 1;
        }
        Ok(())
    }

    fn add_clause(&mut self, clause: &str, at: usize) -> Result<(), OutcomeError> {
        if clause.trim().is_empty() {
            return Ok(());
        }
        let (script, slot) = match clause.split_once(':') {
            None => (parse_script(clause, at)?, &mut self.script),
            Some((head, rest)) => {
                let index = parse_index(head.trim())
                    .ok_or_else(|| OutcomeError { message: say("sim.outcome.index", &[("text", head.trim())]), at })?;
                let script = parse_script(rest, at + head.chars().count() + 1)?;
                (script, self.by_index.get_or_default(index))
            }
        };
        if !slot.is_empty() {
            return Err(OutcomeError { message: say("sim.outcome.twice", &[]), at });
        }
        *slot = script;
        Ok(())
    }

    /// What becomes of the pod that was created as number `attempt` (from 0) of its index, or of its Job.
    #[must_use]
    pub fn of(&self, index: Option<u32>, attempt: u32) -> Outcome {
        let own = index.and_then(|index| self.by_index.get(&index));
        let mut left = attempt;
        for entry in own.unwrap_or(&self.script) {
            match entry.times {
                Some(times) if times <= left => left -= times,
                _ => return entry.outcome,
            }
        }
        Outcome { ending: Ending::Exit(0), after: DEFAULT_RUN }
    }
}

/// `idx3` or `3`.
fn parse_index(head: &str) -> Option<u32> {
    let digits = head.strip_prefix("idx").unwrap_or(head).trim();
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

fn parse_script(text: &str, mut at: usize) -> Result<Vec<Entry>, OutcomeError> {
    let mut entries = Vec::new();
    for part in text.split(',') {
        entries.push(parse_entry(part, at)?);
        at += part.chars().count() + 1;
    }
    Ok(entries)
}

fn parse_entry(part: &str, at: usize) -> Result<Entry, OutcomeError> {
    let at = at + part.chars().take_while(|c| c.is_whitespace()).count();
    let part = part.trim();
    let bad = |id: &str, text: &str| OutcomeError { message: say(id, &[("text", text)]), at };
    let head_end = part.find(['@', 'x']).unwrap_or(part.len());
    let (head, mut rest) = part.split_at(head_end);
    let ending = parse_ending(head.trim()).ok_or_else(|| bad("sim.outcome.ending", part))?;
    let mut entry = Entry { outcome: Outcome { ending, after: DEFAULT_RUN }, times: Some(1) };
    while let Some(mark) = rest.chars().next() {
        let tail = rest.get(1..).unwrap_or_default();
        let end = tail.find(['@', 'x']).unwrap_or(tail.len());
        let (value, next) = tail.split_at(end);
        match mark {
            '@' => {
                entry.outcome.after = parse_duration(value.trim()).ok_or_else(|| bad("sim.outcome.time", value))?;
            }
            _ => {
                entry.times = match value.trim() {
                    "*" => None,
                    digits => {
                        let times = digits.parse().ok().filter(|n| *n > 0);
                        Some(times.ok_or_else(|| bad("sim.outcome.times", value))?)
                    }
                };
            }
        }
        rest = next;
    }
    Ok(entry)
}

/// Reads one entry that stands for one pod.
///
/// # Errors
/// It is no entry, or one for several pods.
pub fn parse_outcome(text: &str) -> Result<Outcome, OutcomeError> {
    let entry = parse_entry(text, 0)?;
    match entry.times {
        Some(1) => Ok(entry.outcome),
        _ => Err(OutcomeError { message: say("sim.outcome.several", &[("text", text.trim())]), at: 0 }),
    }
}

fn parse_ending(word: &str) -> Option<Ending> {
    match word {
        "evict" => Some(Ending::Evict),
        "delete" => Some(Ending::Delete),
        "hang" => Some(Ending::Hang),
        "pending" => Some(Ending::Pending),
        "oom" => Some(Ending::Exit(137)),
        code => code.parse::<u8>().ok().map(|code| Ending::Exit(code.into())),
    }
}

/// `30s`, `1.5s`, `200ms`, `5m`, `2h`, `1d`; a number alone is seconds.
#[must_use]
pub fn parse_duration(text: &str) -> Option<Millis> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit.trim() {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    let seconds = decimal::parse(number)? * scale;
    (seconds.is_finite() && seconds <= LONGEST_SECONDS).then(|| Millis((seconds * 1_000.0).round() as i64))
}

/// How a pod looks that its node threw out (ENV-6).
#[must_use]
pub fn eviction() -> Failure {
    Failure {
        exit_code: Some(137),
        reason: Some("Evicted".to_owned()),
        message: Some("The node was low on resource: memory.".to_owned()),
        conditions: vec![PodCondition {
            kind: "DisruptionTarget".to_owned(),
            status: "True".to_owned(),
            reason: Some("TerminationByKubelet".to_owned()),
            message: Some("The node was low on resource: memory.".to_owned()),
        }],
        ..Failure::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endings(text: &str, index: Option<u32>, pods: u32) -> Vec<Ending> {
        let outcomes = Outcomes::parse(text).expect(text);
        (0..pods).map(|attempt| outcomes.of(index, attempt).ending).collect()
    }

    #[test]
    fn scripts_are_read() {
        use Ending::{Evict, Exit, Hang};
        assert_eq!(endings("", None, 2), [Exit(0), Exit(0)]);
        assert_eq!(endings("1x3,0", None, 5), [Exit(1), Exit(1), Exit(1), Exit(0), Exit(0)]);
        assert_eq!(endings("42 x *", None, 3), [Exit(42), Exit(42), Exit(42)]);
        assert_eq!(endings("evict, hang", None, 3), [Evict, Hang, Exit(0)]);
        assert_eq!(endings("idx3: 1,0; 7x*", Some(3), 2), [Exit(1), Exit(0)]);
        assert_eq!(endings("idx3: 1,0; 7x*", Some(2), 1), [Exit(7)]);
        assert_eq!(endings("idx3: 1\nidx4: 2", Some(4), 1), [Exit(2)]);
    }

    #[test]
    fn times_are_read() {
        let outcomes = Outcomes::parse("0@30sx2, 1x1@1.5m, 2@200ms").expect("a script");
        let after: Vec<i64> = (0..5).map(|attempt| outcomes.of(None, attempt).after.0).collect();
        assert_eq!(after, [30_000, 30_000, 90_000, 200, 5_000]);
    }

    #[test]
    fn what_is_no_script_says_where() {
        for (text, at) in
            [("1,boom", 2), ("256", 0), ("1x0", 0), ("0@soon", 0), ("1; 2", 2), ("pod3: 1", 0), ("idx1: 1,,", 8)]
        {
            let error = Outcomes::parse(text).expect_err(text);
            assert_eq!(error.at, at, "{text}: {error}");
        }
        assert!(Outcomes::parse("0@99999999999d").is_err());
        assert!(Outcomes::parse("x").is_err());
    }
}

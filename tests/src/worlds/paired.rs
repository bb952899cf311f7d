//! Worlds whose outcome does not depend on timing, each with restarts to try it with (INV-32).
//!
//! A restart may shift when things happen: back-off delays are forgotten, a call is made again, a wait
//! ends early. So two runs can be compared only where the end follows from the scripts alone:
//!
//! - **all succeed in the end**: the limit allows every scripted failure. The script has exactly as many
//!   successes as are wanted and ends with one, so every run makes each pod of it and no other.
//!   With the restart policy OnFailure the Job fails as soon as its limit is reached, so the limit is one more there.
//! - **one at a time**: with `parallelism: 1` pods come in the order of the script, whatever the timing. Not with OnFailure:
//!   whether a container that restarts ends well before the controller sees its restart is a matter of timing.
//! - **all fail**: the Job fails by its limit. How many pods run at that moment is a matter of timing, so
//!   `failed` is compared with its bounds only; with OnFailure these are wide, for restarts are not pods that failed.
//! - **held up**: all pods succeed while people suspend, resume and scale. Pods that were deleted for
//!   that count as nothing. Whether a change comes before the end is a matter of timing, so the
//!   condition `Suspended` is not compared.
//! - **work queue**: failures come early and successes very late, so every failure is replaced.
//! - **deleted**: any of these; compared is only that the Job is gone and no pod keeps its finalizer.
//!
//! Left out are deadlines (time decides), deletions of pods by people (time decides which pod it hits),
//! held watches (a lost answer to a creation that is not seen makes a twin), and "not found" for pods that
//! are there (the controller counts such a pod twice, in both runs but not in the same ones).

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::acts;
use super::jobs::{JobPlan, Mode};
use super::plan::{Plan, Step};

/// Pokes at the end, each later than an expectation lives (INV-34).
const POKES: u32 = 16;

/// What two runs of a world have to agree in: counters, indexes and conditions, except as this says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// `failed` only has to be between these.
    pub failed_between: Option<(i64, i64)>,
    /// The condition `Suspended` may differ.
    pub suspended_differs: bool,
    /// The Job is gone, and nothing else is compared.
    pub gone: bool,
}

/// A world, and restarts that must not change its end.
#[derive(Clone)]
pub struct Pair {
    /// The world without them.
    pub plan: Plan,
    /// Crashes and restarts, at milliseconds from the start.
    pub restarts: Vec<(u32, Value)>,
    /// What must stay the same.
    pub agreement: Agreement,
}

impl Pair {
    /// The world with the restarts.
    #[must_use]
    pub fn restarted(&self) -> Plan {
        Plan { extra: self.restarts.clone(), ..self.plan.clone() }
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agreement = &self.agreement;
        write!(f, "# to agree in: {agreement:?}\n# without restarts:\n{:?}\n# with them:\n", self.plan)?;
        write!(f, "{:?}", self.restarted())
    }
}

/// The part of a pair that depends on its kind.
#[derive(Clone, Debug)]
struct Kind {
    job: JobPlan,
    outcomes: String,
    steps: Vec<Step>,
    agreement: Agreement,
}

/// Pairs of every kind.
pub fn paired() -> impl Strategy<Value = Pair> {
    let kind = prop_oneof![
        4 => all_succeed(),
        3 => one_at_a_time(),
        2 => all_fail(),
        3 => held_up(),
        2 => work_queue(),
        2 => deleted(),
    ];
    let faults = vec((0_u32..20_000, acts::fault(false)), 0..=3);
    (0_u64..1_000, kind, faults, restarts(), prop::bool::weighted(0.4)).prop_map(
        |(seed, mut kind, faults, restarts, late)| {
            let mut job = kind.job;
            let mut steps: Vec<Step> =
                faults.into_iter().map(|(gap, action)| Step { gap: 1 + gap / 3, action }).collect();
            steps.extend(kind.steps);
            let mut closing = closing();
            if late {
                // The first creations then come after the first steps, within reach of faults and crashes.
                job.suspend = true;
                kind.agreement.suspended_differs = true;
                closing.insert(0, resume());
            }
            let outcomes = Some(kind.outcomes);
            let plan = Plan { seed, job: job.manifest(), outcomes, steps, closing, extra: Vec::new(), settle: 400_000 };
            Pair { plan, restarts, agreement: kind.agreement }
        },
    )
}

fn restarts() -> impl Strategy<Value = Vec<(u32, Value)>> {
    let when = prop_oneof![4 => 1_u32..15_000, 3 => 15_000_u32..120_000, 1 => 120_000_u32..1_300_000];
    let what = prop_oneof![4 => acts::crash(), 1 => Just(json!({"controller": "restart"}))];
    vec((when, what), 1..=6)
}

fn job(mode: Mode, parallelism: u32, limit: u32, flags: u8) -> JobPlan {
    let on_failure = flags & 1 == 1;
    JobPlan {
        mode,
        parallelism,
        backoff_limit: Some(limit + u32::from(on_failure)),
        deadline: None,
        suspend: false,
        on_failure,
        many_containers: flags & 2 == 2,
    }
}

fn ends_badly() -> impl Strategy<Value = String> {
    let ending = prop_oneof![
        4 => (1_u32..=3).prop_map(|code| code.to_string()),
        1 => Just("evict".to_owned()),
        1 => Just("delete".to_owned()),
    ];
    (ending, 0_u32..20).prop_map(|(ending, seconds)| format!("{ending}@{seconds}s"))
}

fn ends_well() -> impl Strategy<Value = String> {
    (0_u32..30).prop_map(|seconds| format!("0@{seconds}s"))
}

fn counted_or_indexed(most: u32) -> impl Strategy<Value = Mode> {
    prop_oneof![(1..=most).prop_map(Mode::Counted), (1..=most).prop_map(Mode::Indexed)]
}

fn all_succeed() -> impl Strategy<Value = Kind> {
    let counted = (vec(ends_well(), 1..=5), vec(ends_badly(), 0..=4)).prop_flat_map(|(good, bad)| {
        let wanted = u32::try_from(good.len()).unwrap_or(1);
        let failures = u32::try_from(bad.len()).unwrap_or(0);
        let (last, first) = (good.last().cloned().unwrap_or_default(), good[..good.len() - 1].to_vec());
        let before: Vec<String> = first.into_iter().chain(bad).collect();
        Just(before).prop_shuffle().prop_map(move |mut script| {
            script.push(last.clone());
            (Mode::Counted(wanted), failures, script.join(","))
        })
    });
    let indexed = vec((vec(ends_badly(), 0..=2), ends_well()), 1..=4).prop_map(|indexes| {
        let failures: usize = indexes.iter().map(|(bad, _)| bad.len()).sum();
        let scripts = indexes.iter().enumerate().map(|(index, (bad, good))| {
            let script: Vec<&str> = bad.iter().chain([good]).map(String::as_str).collect();
            format!("idx{index}: {}", script.join(","))
        });
        let text: Vec<String> = scripts.collect();
        let completions = u32::try_from(indexes.len()).unwrap_or(1);
        (Mode::Indexed(completions), u32::try_from(failures).unwrap_or(0), text.join("; "))
    });
    let world = prop_oneof![counted, indexed];
    (world, 1_u32..=4, 0_u32..=3, any::<u8>()).prop_map(|((mode, failures, outcomes), parallelism, spare, flags)| {
        Kind {
            job: job(mode, parallelism, failures + spare, flags),
            outcomes,
            steps: Vec::new(),
            agreement: Agreement::default(),
        }
    })
}

fn one_at_a_time() -> impl Strategy<Value = Kind> {
    let entry = prop_oneof![ends_well(), ends_badly()];
    (counted_or_indexed(4), vec(entry, 1..=8), 0_u32..=3, any::<u8>()).prop_map(|(mode, script, limit, flags)| Kind {
        job: job(mode, 1, limit, flags & !1),
        outcomes: script.join(","),
        steps: Vec::new(),
        agreement: Agreement::default(),
    })
}

fn all_fail() -> impl Strategy<Value = Kind> {
    let mode = prop_oneof![1 => Just(Mode::WorkQueue), 3 => counted_or_indexed(5)];
    (mode, ends_badly(), 1_u32..=4, 0_u32..=4, any::<u8>()).prop_map(|(mode, bad, parallelism, limit, flags)| {
        let job = job(mode, parallelism, limit, flags);
        let (least, most) = (i64::from(limit) + 1, i64::from(limit + parallelism));
        let bounds = if job.on_failure { (1, most + 1) } else { (least, most) };
        Kind {
            job,
            outcomes: format!("{bad}x*"),
            steps: Vec::new(),
            agreement: Agreement { failed_between: Some(bounds), ..Agreement::default() },
        }
    })
}

fn held_up() -> impl Strategy<Value = Kind> {
    let patch = prop_oneof![
        any::<bool>().prop_map(|suspend| json!({"suspend": suspend})),
        (0_u32..=5).prop_map(|parallelism| json!({"parallelism": parallelism})),
    ];
    let steps = vec((100_u32..20_000, patch), 1..=6);
    (counted_or_indexed(5), ends_well(), 0_u32..=4, any::<u8>(), steps).prop_map(
        |(mode, good, parallelism, flags, steps)| {
            let change = |(gap, spec)| Step { gap, action: json!({"job": {"patch": {"spec": spec}}}) };
            let mut steps: Vec<Step> = steps.into_iter().map(change).collect();
            steps.push(change((20_000, json!({"suspend": false, "parallelism": 2}))));
            let outcomes = format!("{good}x*");
            let agreement = Agreement { suspended_differs: true, ..Agreement::default() };
            Kind { job: job(mode, parallelism, 6, flags), outcomes, steps, agreement }
        },
    )
}

fn work_queue() -> impl Strategy<Value = Kind> {
    (vec(ends_badly(), 0..=4), 1_u32..=4, 0_u32..=2, any::<u8>()).prop_map(|(bad, parallelism, spare, flags)| {
        let failures = u32::try_from(bad.len()).unwrap_or(0);
        let mut script = bad;
        script.push("0@100000sx*".to_owned());
        Kind {
            job: job(Mode::WorkQueue, parallelism, failures + spare, flags),
            outcomes: script.join(","),
            steps: Vec::new(),
            agreement: Agreement::default(),
        }
    })
}

fn deleted() -> impl Strategy<Value = Kind> {
    let world = prop_oneof![all_succeed(), one_at_a_time(), all_fail(), work_queue()];
    (world, 100_u32..40_000, acts::job_deletion()).prop_map(|(mut kind, gap, action)| {
        kind.steps.push(Step { gap, action });
        kind.agreement.gone = true;
        kind
    })
}

fn resume() -> Step {
    Step { gap: 1_000, action: json!({"job": {"patch": {"spec": {"suspend": false}}}}) }
}

fn closing() -> Vec<Step> {
    let poke = |n: u32| json!({"job": {"patch": {"metadata": {"annotations": {"poke": n.to_string()}}}}});
    (0..POKES).map(|n| Step { gap: 640_000, action: poke(n) }).collect()
}

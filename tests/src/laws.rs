//! The laws, each as a check of one generated world, and the loop that checks many.
//!
//! Invariant: the worlds follow from a fixed seed, so a law holds or fails the same way on every run.

use jobwright_core::Effect;
use jobwright_core::record::Record;
use jobwright_sim::world::{ORIGIN, Tamper};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::observer::{Breach, Condition, Law};
use crate::run::Run;
use crate::worlds::Plan;
use crate::worlds::paired::{Agreement, Pair};

/// Worlds for each law.
pub const WORLDS: u32 = 1_000;

/// What broke a law, and the smallest world found in which it does, as a scenario.
#[derive(Clone, PartialEq, Eq)]
pub struct Broken(pub String);

impl std::fmt::Debug for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks a law in many worlds.
///
/// # Errors
/// A world breaks the law.
pub fn hold<W: std::fmt::Debug>(
    worlds: &impl Strategy<Value = W>,
    shrink: bool,
    law: impl Fn(&W) -> Result<(), Breach>,
) -> Result<(), Broken> {
    let config = Config {
        cases: WORLDS,
        failure_persistence: None,
        max_shrink_iters: if shrink { 4_000 } else { 0 },
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let result = runner.run(worlds, |world| law(&world).map_err(|breach| TestCaseError::fail(breach.to_string())));
    result.map_err(|error| match error {
        TestError::Fail(reason, world) => Broken(format!("{reason}\n{world:?}")),
        TestError::Abort(reason) => Broken(format!("no world could be made: {reason}")),
    })
}

/// Whether one of the worlds breaks this law, and no matter which others: for controllers with a planted bug.
pub fn caught<W: std::fmt::Debug>(
    worlds: &impl Strategy<Value = W>,
    law: Law,
    check: impl Fn(&W) -> Result<(), Breach>,
) -> bool {
    let only = |world: &W| match check(world) {
        Err(breach) if breach.law == law => Err(breach),
        _ => Ok(()),
    };
    hold(worlds, false, only).is_err()
}

/// A world that cannot be run is a fault of the generator.
fn unusable(what: String) -> Breach {
    Breach { law: Law::Invariant("generator"), at: jobwright_core::Millis::ZERO, what }
}

/// No pod is counted twice, none is lost, none released before it is stored, and the invariants of
/// every stored status and every creation hold.
///
/// # Errors
/// The first law that is broken.
pub fn single(plan: &Plan, tamper: Option<Tamper>) -> Result<(), Breach> {
    let scenario = plan.scenario().map_err(unusable)?;
    let mut run = Run::new(&scenario, plan.seed, tamper).map_err(unusable)?;
    run.to_end()?;
    run.observer.settled()?;
    match run.records.iter().find(|record| status_writes(record) > 2) {
        None => Ok(()),
        Some(record) => {
            let what = format!("{} status writes in one sync", status_writes(record));
            Err(Breach { law: Law::Invariant("INV-24"), at: record.at - ORIGIN, what })
        }
    }
}

fn status_writes(record: &Record) -> usize {
    record.writes.iter().filter(|write| matches!(write.effect, Effect::UpdateStatus { .. })).count()
}

/// Two runs of one world with one seed are the same in every object, event and decision.
///
/// # Errors
/// The first line in which they differ.
pub fn same_trace(plan: &Plan, tamper: Option<Tamper>) -> Result<(), Breach> {
    let scenario = plan.scenario().map_err(unusable)?;
    let trace = || -> Result<Vec<String>, Breach> {
        let mut run = Run::new(&scenario, plan.seed, tamper).map_err(unusable)?.with_trace();
        // What breaks another law may still be told twice in the same way.
        let _ = run.to_end();
        Ok(run.trace())
    };
    let (one, two) = (trace()?, trace()?);
    if one == two {
        return Ok(());
    }
    let first = one.iter().zip(&two).find(|(a, b)| a != b);
    let what = first.map_or("one trace is longer".to_owned(), |(a, b)| format!("\n  {a}\n  {b}"));
    Err(Breach { law: Law::SameTrace, at: jobwright_core::Millis::ZERO, what })
}

/// What a run ended with, as far as INV-32 fixes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outcome {
    /// Counters, indexes and conditions of the Job; `None` if it is gone.
    job: Option<(i64, i64, String, Vec<Condition>)>,
    /// Pods that still carry the tracking finalizer.
    tracked_pods: usize,
}

/// Crashes and restarts change nothing in the end but what INV-32 allows.
///
/// # Errors
/// The two ends, if they differ, or the law that one of the runs breaks.
pub fn restart(pair: &Pair, tamper: Option<Tamper>) -> Result<(), Breach> {
    let end = |plan: &Plan| -> Result<Outcome, Breach> {
        let scenario = plan.scenario().map_err(unusable)?;
        let mut run = Run::new(&scenario, plan.seed, tamper).map_err(unusable)?;
        run.to_end()?;
        run.observer.settled()?;
        Ok(outcome(&run, &pair.agreement))
    };
    let (plain, restarted) = (end(&pair.plan)?, end(&pair.restarted())?);
    let broken = |what| Err(Breach { law: Law::Restart, at: jobwright_core::Millis::ZERO, what });
    if plain != restarted {
        return broken(format!("without restarts {plain:?}, with them {restarted:?}"));
    }
    if pair.agreement.gone && plain.job.is_some() {
        return broken("the Job is not gone".to_owned());
    }
    Ok(())
}

/// The end of a run, without what two runs may differ in.
fn outcome(run: &Run<'_>, agreement: &Agreement) -> Outcome {
    let job = run.observer.statuses().next().map(|(_, status)| {
        let failed = agreement.failed_between.map_or(status.failed, |(least, most)| {
            // Within the bounds all are equal; outside of them none is.
            if (least..=most).contains(&status.failed) { least } else { status.failed }
        });
        let compared = |condition: &Condition| !(agreement.suspended_differs && condition.kind == "Suspended");
        let conditions = status.conditions.into_iter().filter(compared).collect();
        (status.succeeded, failed, status.index_text, conditions)
    });
    Outcome { job, tracked_pods: run.observer.tracked_pods() }
}

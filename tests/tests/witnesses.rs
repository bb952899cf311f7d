//! A witness is a scenario: run as `jobwright run` does, it ends where the walk said.

use jobwright_core::Resource;
use jobwright_sim::explore::{self, End, Question, Subject, Watchdog, Witness};
use jobwright_sim::object;
use jobwright_sim::scenario;
use jobwright_tests::observer::Status;
use jobwright_tests::run::Run;
use jobwright_tests::scopes::{job, walk, walks};
use serde_json::{Value, json};

/// Runs a witness; the status of the Job at the end, and the pods that were made.
fn run(witness: &Witness, subject: &Subject) -> Result<(Option<Status>, usize), String> {
    let text = witness.scenario(subject, "a witness");
    let document = scenario::read(&text).map_err(|errors| format!("{errors:?}\n{text}"))?;
    let mut run = Run::new(&document.scenario, explore::SEED, None)?;
    run.to_end().map_err(|breach| format!("{breach}\n{text}"))?;
    Ok((run.world.job().map(|job| Status::of(&job)), run.world.history().lives().len()))
}

fn agrees(end: &End, status: Option<&Status>) -> bool {
    match (end, status) {
        (End::Gone, None) => true,
        (End::Stays(_), Some(status)) => !status.is_finished(),
        (End::Finished { condition, reason }, Some(status)) => {
            status.conditions.iter().any(|c| c.holds && c.kind == *condition && c.reason == *reason)
        }
        _ => false,
    }
}

#[test]
fn every_witness_ends_where_it_says() -> Result<(), String> {
    let mut all = walks((2, 2, 1), false, 1_000)?;
    all.push(walk(
        "pending",
        job(json!({"completions": 2, "parallelism": 2}), "Never"),
        "0,pending,hang",
        [0; 4],
        500,
    )?);
    let per_index = json!({"completions": 2, "parallelism": 2, "completionMode": "Indexed", "backoffLimitPerIndex": 1});
    all.push(walk("per index", job(per_index, "Never"), "0,1", [1, 0, 0, 0], 1_000)?);
    let mut ran = 0;
    for walk in all {
        let report = explore::walk(&walk.subject, &walk.scope, Watchdog::default(), &mut |_| {})
            .map_err(|error| error.message)?;
        assert!(report.broken.is_none() && !report.ends.is_empty(), "{}", walk.name);
        for end in &report.ends {
            let witness = end.witness.as_ref().ok_or(format!("{}: no witness of {:?}", walk.name, end.end))?;
            let (status, pods) = run(witness, &walk.subject)?;
            assert!(
                agrees(&end.end, status.as_ref()),
                "{}: {:?} and {status:?}\n{}",
                walk.name,
                end.end,
                witness.line()
            );
            assert_eq!(u32::try_from(pods), Ok(witness.pods), "{}: {}", walk.name, witness.line());
            ran += 1;
        }
        for extreme in [&report.most_pods, &report.most_failed].into_iter().flatten() {
            let witness = extreme.witness.as_ref().ok_or(format!("{}: no witness of a worst case", walk.name))?;
            let (status, pods) = run(witness, &walk.subject)?;
            assert_eq!(u32::try_from(pods), Ok(witness.pods), "{}: {}", walk.name, witness.line());
            assert!(status.is_some());
            ran += 1;
        }
    }
    assert!(ran > 40, "{ran}");
    Ok(())
}

#[test]
fn lints_have_a_witness_where_they_are_right() -> Result<(), String> {
    let never = |spec: Value| job(spec, "Never");
    let rows = [
        (Question::FailedPodsAboveLimit, never(json!({"completions": 3, "parallelism": 3, "backoffLimit": 1})), true),
        (Question::FailedPodsAboveLimit, never(json!({"completions": 3, "parallelism": 1, "backoffLimit": 1})), false),
        (Question::LogsDeleted, job(json!({"backoffLimit": 1}), "OnFailure"), true),
        (Question::LogsDeleted, never(json!({"backoffLimit": 1})), false),
        (Question::NoDeadline, never(json!({})), true),
        (Question::NoDeadline, never(json!({"activeDeadlineSeconds": 60})), false),
        (Question::WorkQueue, never(json!({"parallelism": 2})), true),
        (Question::WorkQueue, never(json!({"parallelism": 2, "completions": 2})), false),
    ];
    for (question, job, holds) in rows {
        assert_eq!(Question::parse(question.id()), Some(question));
        let subject = Subject { job, gates: jobwright_core::Gates::default(), tamper: None };
        let witness = explore::witness(&subject, question);
        assert_eq!(witness.is_some(), holds, "{question:?} {}", subject.job["spec"]);
        let Some(witness) = witness else { continue };
        let (status, _) = run(&witness, &subject)?;
        let status = status.ok_or("the Job is gone")?;
        match question {
            Question::FailedPodsAboveLimit => assert_eq!(status.failed, 4),
            Question::LogsDeleted => assert!(status.is("Failed")),
            Question::NoDeadline => assert!(status.active > 0 && !status.is_finished()),
            Question::WorkQueue => assert!(status.is("Complete")),
        }
    }
    Ok(())
}

/// RACE entries of `docs/spec` that this scope reaches, each with what shows it.
#[test]
fn races_of_the_spec_are_found_with_a_witness() -> Result<(), String> {
    // RACE-3: a pod that is first seen while it is being deleted (here after a lost watch) does not meet its expectation, and nothing
    // wakes the controller when that expires (INV-34).
    let single = job(json!({"completions": 1}), "Never");
    let mut race_3 = walk("RACE-3", single, "0,delete@0s", [0, 0, 0, 1], 3_000)?;
    race_3.scope.held_max = 4;
    let report =
        explore::walk(&race_3.subject, &race_3.scope, Watchdog::default(), &mut |_| {}).map_err(|e| e.message)?;
    let stuck = report.ends.iter().find(|end| !end.end.is_finished()).ok_or("RACE-3 is not reached")?;
    let witness = stuck.witness.as_ref().ok_or("RACE-3 has no witness")?;
    println!("RACE-3: {}", witness.line());
    let (status, pods) = run(witness, &race_3.subject)?;
    assert!(status.is_some_and(|status| !status.is_finished()) && pods == 1, "{}", witness.line());

    // RACE-17: an index that waits for its back-off keeps its slot, though another could run.
    let spec = json!({"completions": 2, "parallelism": 1, "completionMode": "Indexed", "backoffLimitPerIndex": 1});
    let race_17 = walk("RACE-17", job(spec, "Never"), "0,1", [0; 4], 1_000)?;
    let report =
        explore::walk(&race_17.subject, &race_17.scope, Idle::default(), &mut |_| {}).map_err(|e| e.message)?;
    let (idle, witness) = report.broken.ok_or("RACE-17 is not reached")?;
    let line = witness.ok_or("RACE-17 has no witness")?.line();
    println!("RACE-17: {idle}: {line}");
    assert!(line.starts_with("idx0: 1"), "{line}");
    Ok(())
}

/// Finds a Job that could run a pod and does not for longer than a batch of changes takes.
#[derive(Clone, Debug, Default)]
struct Idle {
    since: Option<jobwright_core::Timestamp>,
}

impl explore::Judge for Idle {
    type Broken = String;

    fn ticked(&mut self, world: &jobwright_sim::world::World, _: jobwright_sim::world::Tick) -> Result<(), String> {
        let active = world.api().list(Resource::Pods).any(|pod| !object::phase(pod).is_terminal());
        let idle = !active && world.job().is_some_and(|job| !Status::of(&job).is_decided());
        if idle {
            self.since.get_or_insert(world.now());
            return Ok(());
        }
        let Some(since) = self.since.take() else { return Ok(()) };
        let never_ran = !world.api().list(Resource::Pods).any(|pod| object::completion_index(pod) == Some(1));
        match (world.now() - since).0 {
            0..5_000 => Ok(()),
            _ if never_ran => Err("no pod ran for a while, though index 1 waited for nothing".to_owned()),
            _ => Ok(()),
        }
    }

    fn acted(&mut self, _: &jobwright_sim::world::World, _: &jobwright_sim::scenario::Action) -> Result<(), String> {
        Ok(())
    }

    fn ended(&self, _: &jobwright_sim::world::World) -> Result<(), String> {
        Ok(())
    }
}

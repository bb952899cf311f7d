//! A witness is a scenario: run as `jobwright run` does, it ends where the walk said.

use jobwright_sim::explore::{self, End, Question, Subject, Watchdog, Witness};
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

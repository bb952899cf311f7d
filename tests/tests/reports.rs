//! Public reports about Jobs, each as a scenario and what has to be seen at which second.
//!
//! The scenarios are in `tests/reports`; the comment of each names its report. A row may leave facts out.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use jobwright_core::{Millis, Timestamp};
use jobwright_sim::kubelet::Kubelet;
use jobwright_sim::scenario::Scenario;
use jobwright_sim::world::{ORIGIN, World};
use jobwright_tests::state;

/// Seconds from the start, and some facts of that moment.
type Row = (f64, &'static str);

const COUNTING: &[(&str, &[Row])] = &[
    (
        "a1-counted-once",
        &[
            (4.2, "succeeded 0, tracked 2"),
            (5.5, "succeeded 1, waiting 0, tracked 1"),
            (6.5, "succeeded 1, waiting 0"),
            (7.5, "succeeded 1, waiting 0"),
            (9.5, "active 1, succeeded 1, failed 0, waiting 0, made 2"),
            (13.0, "active 1, ready 1, succeeded 1, failed 0, waiting 0, made 2, tracked 1, conditions none"),
        ],
    ),
    (
        "a2-crash-before-release",
        &[(5.2, "succeeded 0, waiting 1, tracked 2"), (5.7, "succeeded 1, waiting 0, tracked 1")],
    ),
    (
        "a2-crash-before-count",
        &[(5.2, "succeeded 0, waiting 1, tracked 1"), (5.4, "succeeded 0, pods 1"), (5.7, "succeeded 1, waiting 0")],
    ),
    (
        "a3-deleted-while-running",
        &[
            (4.2, "gone no, tracked 0, failed 0"),
            (10.0, "gone no, failed 0, made 1"),
            (16.0, "gone yes, pods 0, made 1"),
        ],
    ),
    (
        "a4-killed-pods-exit-zero",
        &[
            (
                5.5,
                "active 0, ready 0, terminating 3, succeeded 0, failed 4, conditions FailureTarget:BackoffLimitExceeded",
            ),
            (
                12.0,
                "terminating 0, succeeded 0, failed 4, made 4, \
                 conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded",
            ),
        ],
    ),
    (
        "a5-collected-successes",
        &[
            (5.0, "succeeded 1"),
            (7.0, "succeeded 1, pods 1"),
            (11.0, "succeeded 2"),
            (13.0, "succeeded 2, pods 1"),
            (18.0, "succeeded 3, made 3, conditions SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"),
        ],
    ),
    (
        "a5-collected-failures",
        &[
            (460.0, "failed 6, pods 0, conditions none"),
            (
                700.0,
                "failed 7, made 7, pods 1, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded",
            ),
        ],
    ),
    (
        "a6-ready-while-waiting",
        &[(5.5, "active 1, ready 1, failed 1, waiting 0"), (13.5, "made 2"), (15.5, "made 3, active 2, indexes none")],
    ),
    (
        "a7-end-before-all-was-seen",
        &[
            (5.5, "made 2, conditions none"),
            (7.5, "active 0, terminating 1, failed 1, conditions none"),
            (9.5, "failed 2, conditions none"),
            (300.0, "failed 2, terminating 0, conditions none"),
            (313.0, "failed 2, made 2, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded"),
        ],
    ),
    ("f2-not-found-counted-once", &[(160.0, "failed 2, waiting 0")]),
    (
        "o1-twelve-hundred",
        &[
            (0.5, "made 500"),
            (1.5, "made 1000"),
            (2.5, "made 1200, active 1200"),
            (21.5, "succeeded 1200, indexes 0-1199, tracked 700, conditions SuccessCriteriaMet:CompletionsReached"),
            (24.0, "tracked 0, conditions SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"),
        ],
    ),
];

const RETRIES: &[(&str, &[Row])] = &[
    (
        "b1-two-waves",
        &[
            (3.5, "failed 2, made 2"),
            (21.5, "made 2"),
            (23.5, "made 4, active 2"),
            (27.0, "failed 4, made 4, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded"),
        ],
    ),
    (
        "b1-ten-at-once",
        &[
            (6.0, "failed 10, active 0, conditions none"),
            (602.0, "made 10"),
            (606.0, "made 20, active 10"),
            (614.0, "failed 20, terminating 9, conditions FailureTarget:BackoffLimitExceeded"),
            (624.0, "failed 20, made 20, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded"),
        ],
    ),
    (
        "b2-limit-zero",
        &[(9.0, "failed 1, made 1, pods 1, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded")],
    ),
    (
        "b2-on-failure",
        &[
            (5.5, "failed 1, terminating 1, conditions FailureTarget:BackoffLimitExceeded"),
            (12.0, "failed 1, pods 0, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded"),
        ],
    ),
    (
        "b2-on-failure-sum",
        &[
            (6.5, "active 3, failed 0, conditions none"),
            (8.5, "active 0, failed 3, terminating 3, conditions FailureTarget:BackoffLimitExceeded"),
            (16.0, "failed 3, pods 0, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded"),
        ],
    ),
    (
        "b3-delays",
        &[
            (10.5, "made 1"),
            (11.5, "made 2"),
            (31.5, "made 2"),
            (32.5, "made 3"),
            (72.5, "made 3"),
            (73.5, "made 4"),
            (153.5, "made 4"),
            (154.5, "made 5"),
            (314.5, "made 5"),
            (315.5, "made 6"),
            (635.5, "made 6"),
            (636.5, "made 7"),
            (1236.5, "made 7"),
            (1237.5, "made 8"),
            (1837.5, "made 8"),
            (1838.5, "made 9"),
        ],
    ),
    ("b4-restart-forgets-the-delay", &[(5.4, "failed 1, made 1"), (5.7, "failed 1, made 2, active 1")]),
    (
        "b5-success-resets-the-delay-only",
        &[(
            60.0,
            "succeeded 2, failed 3, made 5, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded",
        )],
    ),
    (
        "b6-never-starts",
        &[
            (599.5, "active 1, ready 0, failed 0, conditions none"),
            (604.0, "active 0, failed 1, pods 0, conditions FailureTarget:DeadlineExceeded Failed:DeadlineExceeded"),
        ],
    ),
    (
        "h1-deleted-pod-is-replaced",
        &[
            (5.5, "active 0, terminating 1, failed 1, tracked 0, made 1"),
            (13.5, "made 1"),
            (15.5, "made 2, active 1, terminating 1"),
            (24.0, "active 1, terminating 0, succeeded 0, failed 1, conditions none"),
        ],
    ),
    (
        "n2-failure-then-success",
        &[(
            30.0,
            "succeeded 1, failed 1, conditions SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached",
        )],
    ),
    ("n3-no-statuses", &[(60.5, "made 1"), (61.5, "failed 1, made 2")]),
    ("n3-ready-went", &[(62.0, "failed 1, made 1"), (69.5, "made 1"), (71.5, "made 2")]),
];

const ENDS: &[(&str, &[Row])] = &[
    (
        "g1-deadline",
        &[
            (9.9, "active 2, succeeded 1, failed 0, conditions none"),
            (10.1, "active 0, terminating 2, succeeded 1, failed 2, conditions FailureTarget:DeadlineExceeded"),
            (29.0, "conditions FailureTarget:DeadlineExceeded"),
            (
                33.0,
                "gone no, terminating 0, started 0, completed never, \
                 conditions FailureTarget:DeadlineExceeded Failed:DeadlineExceeded",
            ),
        ],
    ),
    (
        "g1-deadline-zero",
        &[(0.5, "made 0, failed 0, conditions FailureTarget:DeadlineExceeded Failed:DeadlineExceeded")],
    ),
    (
        "g2-done-at-the-deadline",
        &[(
            13.0,
            "succeeded 1, failed 0, completed never, conditions FailureTarget:DeadlineExceeded Failed:DeadlineExceeded",
        )],
    ),
    (
        "g2-failure-and-success",
        &[(8.0, "succeeded 1, failed 1, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded")],
    ),
    (
        "g3-suspend-and-resume",
        &[
            (50.0, "made 0, started never, conditions Suspended:JobSuspended"),
            (101.0, "active 2, made 2, started 100, conditions not Suspended:JobResumed"),
            (123.0, "active 0, succeeded 1, failed 0, started never, conditions Suspended:JobSuspended"),
            (135.0, "active 0, terminating 0, succeeded 1, failed 0, made 3"),
            (621.0, "active 2, made 5, started 620, conditions not Suspended:JobResumed"),
            (679.0, "active 2, failed 0"),
            (
                681.0,
                "failed 2, conditions not Suspended:JobResumed FailureTarget:DeadlineExceeded Failed:DeadlineExceeded",
            ),
        ],
    ),
    (
        "h2-end-waits-for-terminating-pods",
        &[
            (22.0, "succeeded 1, failed 1, terminating 1, conditions SuccessCriteriaMet:CompletionsReached"),
            (74.0, "completed never, conditions SuccessCriteriaMet:CompletionsReached"),
            (
                78.0,
                "succeeded 1, failed 1, completed 76, \
                 conditions SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached",
            ),
        ],
    ),
    (
        "k6-work-queue",
        &[
            (6.0, "active 2, succeeded 1, made 3, conditions none"),
            (10.0, "active 1, succeeded 1, failed 1, made 3, conditions none"),
            (
                15.0,
                "succeeded 1, failed 2, made 3, conditions SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached",
            ),
        ],
    ),
    ("k6-parallelism-zero", &[(4.0, "made 0, started 0, conditions none"), (7.0, "made 2, active 2")]),
    ("k6-parallelism-above", &[(5.0, "made 2, active 2")]),
    (
        "k6-completions-zero",
        &[(0.5, "made 0, conditions SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached")],
    ),
    (
        "n1-scale-down-in-one-sync",
        &[(5.2, "active 1, ready 1, terminating 1, failed 0"), (12.0, "active 1, ready 1, terminating 0, failed 0")],
    ),
    ("c1-twins", &[(5.5, "active 2, terminating 1, failed 0, made 3"), (8.0, "succeeded 0, failed 0")]),
    ("c1-twins-succeed", &[(6.0, "succeeded 1, indexes 0, failed 0, active 1, conditions none")]),
];

/// Runs a scenario and compares each row at its time.
fn check(scenario: &Scenario, rows: &[Row]) -> Result<Vec<String>, String> {
    let mut world = World::new(1, scenario.outcomes.clone().map(Kubelet::new)).with_gates(scenario.gates());
    world.create_job(&scenario.job).map_err(|error| error.to_string())?;
    let moment = |seconds: f64| -> Timestamp { ORIGIN + Millis((seconds * 1_000.0).round() as i64) };
    let mut steps = scenario.steps.iter().peekable();
    let mut wrong = Vec::new();
    for (seconds, line) in rows {
        while let Some(step) = steps.next_if(|step| ORIGIN + step.at <= moment(*seconds)) {
            world.run_to(ORIGIN + step.at);
            if let Some(refused) = step.action.as_ref().and_then(|action| world.perform(action).refused) {
                wrong.push(format!("at {:?}: refused: {refused}", step.at));
            }
        }
        world.run_to(moment(*seconds));
        let differences = state::differences(line, &world)?;
        wrong.extend(differences.into_iter().map(|difference| format!("at {seconds} s: {difference}")));
    }
    Ok(wrong)
}

fn check_table(table: &[(&str, &[Row])]) -> Result<(), Box<dyn Error>> {
    let mut wrong = BTreeMap::new();
    for (name, rows) in table {
        let text = fs::read_to_string(jobwright_tests::reports().join(format!("{name}.yaml")))?;
        let document = jobwright_sim::scenario::read(&text).map_err(|errors| format!("{name}: {errors:?}"))?;
        let found = check(&document.scenario, rows)?;
        if !found.is_empty() {
            wrong.insert(*name, found);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[test]
fn pods_are_counted_once_whatever_happens_a1_to_a7_o1() -> Result<(), Box<dyn Error>> {
    check_table(COUNTING)
}

#[test]
fn retries_wait_and_add_up_b1_to_b6_h1_n2_n3() -> Result<(), Box<dyn Error>> {
    check_table(RETRIES)
}

#[test]
fn jobs_end_and_wait_as_they_should_c1_g1_to_g3_h2_k6_n1() -> Result<(), Box<dyn Error>> {
    check_table(ENDS)
}

#[test]
fn every_report_is_in_a_table() -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(jobwright_tests::reports())? {
        files.push(entry?.file_name().to_string_lossy().trim_end_matches(".yaml").to_owned());
    }
    files.sort();
    let mut rows: Vec<&str> = [COUNTING, RETRIES, ENDS].concat().iter().map(|(name, _)| *name).collect();
    rows.sort_unstable();
    assert_eq!(files, rows);
    Ok(())
}

//! Reports about how Jobs end, wait, and scale.
//!
//! Invariant: a report is in one table only.

use crate::Row;

pub(crate) const ENDS: &[(&str, &[Row])] = &[
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

#[test]
fn jobs_end_and_wait_as_they_should_c1_g1_to_g3_h2_k6_n1() -> Result<(), Box<dyn std::error::Error>> {
    crate::check_table(ENDS)
}

//! Reports about limits, retries and their delays.
//!
//! Invariant: a report is in one table only.

use crate::Row;

pub(crate) const RETRIES: &[(&str, &[Row])] = &[
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

#[test]
fn retries_wait_and_add_up_b1_to_b6_h1_n2_n3() -> Result<(), Box<dyn std::error::Error>> {
    crate::check_table(RETRIES)
}

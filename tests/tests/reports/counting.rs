//! Reports about pods that are counted twice, late, or never.
//!
//! Invariant: a report is in one table only.

use crate::Row;

pub(crate) const COUNTING: &[(&str, &[Row])] = &[
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
    ("not-found-counted-once", &[(160.0, "failed 2, waiting 0")]),
    ("not-found-counted-again", &[(160.0, "failed 30, waiting 0")]),
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

#[test]
fn pods_are_counted_once_whatever_happens_a1_to_a7_o1() -> Result<(), Box<dyn std::error::Error>> {
    crate::check_table(COUNTING)
}

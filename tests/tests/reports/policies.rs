//! Reports about policies, scaling, time to live, other controllers and sidecars.
//!
//! Invariant: a report is in one table only.

use crate::Row;

pub(crate) const POLICIES: &[(&str, &[Row])] = &[
    (
        "c2-scaled-down-and-up",
        &[
            (7.0, "succeeded 1, indexes 2"),
            (11.0, "succeeded 0, indexes none"),
            (15.0, "succeeded 0, made 4, active 3"),
            (18.0, "active 0, terminating 2, failed 0, conditions SuccessCriteriaMet:CompletionsReached"),
            (22.0, "failed 0, conditions SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"),
        ],
    ),
    (
        "c2-failures-stay",
        &[
            (11.0, "failed 1, active 2, conditions none"),
            (22.0, "failed 3, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded"),
        ],
    ),
    (
        "d1-evicted-and-still-running",
        &[
            (60.0, "active 0, terminating 1, failed 0, made 1, conditions none"),
            (72.0, "active 0, terminating 0, failed 0, made 1, conditions none"),
            (76.0, "active 1, failed 0, made 2, conditions none"),
        ],
    ),
    (
        "d1-deleted-without-condition",
        &[
            (60.0, "terminating 1, failed 0, conditions none"),
            (68.0, "failed 1, made 1, conditions FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded"),
        ],
    ),
    (
        "d1-evicted-and-done",
        &[(
            68.0,
            "succeeded 1, failed 0, conditions SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached",
        )],
    ),
    (
        "d2-ignored-failures-wait",
        &[
            (11.5, "failed 0, made 1"),
            (12.5, "failed 0, made 2"),
            (39.5, "made 2"),
            (40.5, "made 3"),
            (99.5, "made 3"),
            (100.5, "made 4"),
            (199.5, "made 4"),
            (200.5, "made 5, failed 0, conditions none"),
        ],
    ),
    (
        "d2-ignored-beside-a-failed-index",
        &[
            (6.0, "failed-indexes 0, failed 1"),
            (22.0, "succeeded 1, failed 1, made 3, conditions FailureTarget:FailedIndexes Failed:FailedIndexes"),
        ],
    ),
    (
        "d3-not-in",
        &[
            (11.0, "failed 1, conditions none"),
            (
                22.0,
                "failed 2, made 2, conditions FailureTarget:PodFailurePolicy Failed:PodFailurePolicy, \
                message Container main for pod default/POD failed with exit code 7 matching FailJob rule at index 0",
            ),
        ],
    ),
    ("d3-code-zero-never-matches", &[(18.0, "failed 1, active 1, made 2, conditions none")]),
    ("d3-no-statuses-never-match", &[(18.0, "failed 1, active 1, made 2, conditions none")]),
    (
        "e1-leader-done",
        &[
            (
                6.0,
                "succeeded 1, indexes 0, active 0, terminating 2, failed 0, conditions SuccessCriteriaMet:SuccessPolicy, \
               message Matched rules at index 0",
            ),
            (12.0, "failed 0, conditions SuccessCriteriaMet:SuccessPolicy Complete:SuccessPolicy, completed 11"),
        ],
    ),
    (
        "e1-workers-fail-after-the-leader",
        &[(12.0, "failed 0, conditions SuccessCriteriaMet:SuccessPolicy Complete:SuccessPolicy")],
    ),
    (
        "f1-one-bad-index",
        &[
            (13.5, "failed 0, made 3"),
            (15.0, "failed 1, made 4"),
            (22.0, "failed 2, failed-indexes 0, active 2, made 5"),
            (
                32.0,
                "succeeded 3, indexes 1-3, failed 2, made 5, conditions FailureTarget:FailedIndexes Failed:FailedIndexes, \
                message Job has failed indexes",
            ),
        ],
    ),
    (
        "f1-no-failed-index-allowed",
        &[
            (
                22.0,
                "failed 3, active 0, terminating 1, conditions FailureTarget:MaxFailedIndexesExceeded, \
                message Job has exceeded the specified maximal number of failed indexes",
            ),
            (32.0, "failed 3, conditions FailureTarget:MaxFailedIndexesExceeded Failed:MaxFailedIndexesExceeded"),
        ],
    ),
    ("f2-waiting-indexes-keep-their-slots", &[(13.5, "active 0, made 2"), (15.0, "active 2, failed 2, made 4")]),
    (
        "f2-one-waits-one-goes-on",
        &[(8.5, "active 1, succeeded 1, made 3"), (13.5, "active 1, made 3"), (15.0, "active 2, made 4")],
    ),
    ("i1-ttl-zero", &[(4.9, "gone no, conditions none"), (8.0, "gone yes, pods 0")]),
    ("j1-managed-by-another", &[(10.0, "started never, made 0, conditions none")]),
    ("k3-what-may-change", &[(3.5, "active 2"), (10.5, "active 0, conditions Suspended:JobSuspended")]),
    ("l1-suspended-sample", &[(3.0, "made 0, started never, conditions Suspended:JobSuspended")]),
    ("m1-helper-container-runs-on", &[(300.0, "active 1, ready 0, conditions none")]),
    (
        "m1-sidecar-stops-with-the-pod",
        &[
            (6.5, "active 1, succeeded 0"),
            (8.5, "succeeded 1, conditions SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"),
        ],
    ),
    (
        "m1-sidecar-delays-the-failure",
        &[(6.5, "active 1, failed 0"), (8.5, "active 0, failed 1, made 1"), (16.5, "made 1"), (17.5, "made 2")],
    ),
    (
        "m2-kill-code-of-a-sidecar",
        &[(
            12.0,
            "failed 1, conditions FailureTarget:PodFailurePolicy Failed:PodFailurePolicy, \
                message Container side for pod default/POD failed with exit code 137 matching FailJob rule at index 0",
        )],
    ),
    ("m2-rule-for-the-main-container", &[(18.5, "failed 1, made 1"), (20.0, "failed 1, made 2, conditions none")]),
];

#[test]
fn policies_act_as_they_should_c2_d1_to_f2_i1_to_m2() -> Result<(), Box<dyn std::error::Error>> {
    crate::check_table(POLICIES)
}

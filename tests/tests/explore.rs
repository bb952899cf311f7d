//! The model checker: every state of small Jobs, with each thing that may go wrong, judged at every step.
//!
//! A law that is broken is printed with its witness as a scenario: save it and give it to `jobwright run`.
//! `cargo xtask soak` does the same for larger Jobs, and says how many states it sees in a second.

use jobwright_tests::check::check;
use jobwright_tests::scopes::{changes, policies, walks};

#[test]
fn nothing_is_broken_by_one_disturbance() -> Result<(), String> {
    check(&walks((3, 2, 2), false, 500)?)
}

#[test]
fn nothing_is_broken_with_a_pod_failure_policy() -> Result<(), String> {
    check(&policies(700)?)
}

#[test]
fn nothing_is_broken_when_a_person_changes_the_job() -> Result<(), String> {
    check(&changes(500)?)
}

#[test]
fn nothing_is_broken_by_all_disturbances_at_once() -> Result<(), String> {
    check(&walks((2, 2, 1), true, 1_000)?)
}

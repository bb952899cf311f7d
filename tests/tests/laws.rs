//! The laws over generated worlds, judged by the observer in the simulated API server.
//!
//! A world that breaks a law is printed as a scenario: save it and give it to `jobwright run`, with the
//! seed of its first line.

use jobwright_tests::laws::{self, Broken};
use jobwright_tests::worlds;

#[test]
fn no_pod_is_counted_twice_or_lost_or_released_before_it_is_stored_inv_1_inv_2() -> Result<(), Broken> {
    laws::hold(&worlds::general(), true, |plan| laws::single(plan, None))
}

#[test]
fn restarts_change_nothing_in_the_end_inv_32() -> Result<(), Broken> {
    laws::hold(&worlds::paired::paired(), true, |pair| laws::restart(pair, None))
}

#[test]
fn the_same_seed_gives_the_same_trace() -> Result<(), Broken> {
    laws::hold(&worlds::general(), true, |plan| laws::same_trace(plan, None))
}

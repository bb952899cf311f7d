//! `cargo xtask soak`: the walks of the model checker for the whole scope, all disturbances at once too.
//!
//! Invariant: the last line is the sum; its first word is the number of states.

use std::process::ExitCode;

use jobwright_tests::check::check;
use jobwright_tests::scopes::{changes, policies, walks};

fn main() -> ExitCode {
    let states = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let all = walks((3, 2, 2), false, states).and_then(|mut all| {
        all.extend(walks((3, 2, 2), true, states)?);
        all.extend(policies(states)?);
        all.extend(changes(states)?);
        Ok(all)
    });
    match all.and_then(|all| check(&all)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

//! What the tests of this package share: where the recorded data is, and generated worlds with an
//! observer that judges the controller in them.
//!
//! Invariant: tests read the copies in this folder, `recorded` and `validation`, and nothing outside the
//! repository.

pub mod laws;
pub mod observer;
pub mod run;
pub mod state;
pub mod worlds;

use std::path::{Path, PathBuf};

/// The folder of the recorded traces; `FORMAT.md` in it says what they are and how to compare.
#[must_use]
pub fn recorded() -> PathBuf {
    here().join("recorded")
}

/// The folder of manifests with the reference's verdict on each.
#[must_use]
pub fn validation() -> PathBuf {
    here().join("validation")
}

/// The folder of scenarios made for single rules.
#[must_use]
pub fn rule_scenarios() -> PathBuf {
    here().join("scenarios/rules")
}

/// The folder of public reports as scenarios.
#[must_use]
pub fn reports() -> PathBuf {
    here().join("scenarios/reports")
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_data_is_there() {
        assert!(recorded().join("FORMAT.md").is_file());
        assert!(validation().join("001-ok-minimal.result.json").is_file());
    }
}

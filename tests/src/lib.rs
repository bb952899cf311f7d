//! What the tests of this package share: where the recorded data is, and generated worlds with an
//! observer that judges the controller in them.
//!
//! Invariant: tests read the copies in this folder, `recorded` and `validation`, and nothing outside the
//! repository.

pub mod check;
pub mod checker;
pub mod fuzz;
pub mod laws;
pub mod observer;
pub mod run;
pub mod scopes;
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

/// The folder of the fuzz targets' inputs, one folder for each target.
#[must_use]
pub fn corpus() -> PathBuf {
    here().join("../fuzz/corpus")
}

/// The page of what differs from the reference.
#[must_use]
pub fn parity() -> PathBuf {
    here().join("../docs/parity.md")
}

/// The core's modules, as `sync::claim`, and their texts, without tests in files of their own and without what
/// only writes decisions down.
///
/// # Errors
/// A file cannot be read.
pub fn core_sources() -> std::io::Result<Vec<(String, String)>> {
    let root = here().join("../crates/jobwright-core/src");
    let (mut folders, mut sources) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let module = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
            let module = module.to_string_lossy().replace(['/', '\\'], "::");
            let module = module.strip_suffix("::mod").unwrap_or(&module).to_owned();
            if !module.ends_with("tests") && module != "record" {
                sources.push((module, std::fs::read_to_string(path)?));
            }
        }
    }
    sources.sort();
    Ok(sources)
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

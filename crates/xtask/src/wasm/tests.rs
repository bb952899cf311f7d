//! The tests of the wasm crate, in Node and in headless Chromium.

use anyhow::Result;

use super::facts::Facts;
use crate::repo::Repo;
use crate::run::Run;
use crate::setup::{Chromium, rust, tools};

const RUNNER: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER";

/// Runs them in Node.
pub(crate) fn in_node(repo: &Repo) -> Result<()> {
    cargo_test(repo)?.go()
}

/// Runs them in headless Chromium. The browser's own options are in the crate's `webdriver.json`.
pub(crate) fn in_chromium(repo: &Repo, chromium: &Chromium) -> Result<()> {
    cargo_test(repo)?.env("WASM_BINDGEN_USE_BROWSER", "1").env("CHROMEDRIVER", &chromium.driver).go()
}

fn cargo_test(repo: &Repo) -> Result<Run> {
    let facts = Facts::read(repo)?;
    let runner = tools::wasm_bindgen(repo)?.join("wasm-bindgen-test-runner");
    let run = Run::cargo().args(["test", "--package", facts.package(), "--target", rust::WASM_TARGET]);
    Ok(run.dir(repo.root()).env(RUNNER, runner))
}

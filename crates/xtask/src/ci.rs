//! `cargo xtask test`, which is what CI runs, and `cargo xtask ready`, its quick part.

use anyhow::Result;

use crate::repo::Repo;
use crate::run::Run;
use crate::setup::{Chromium, Packages, node, npm, rust, tools};
use crate::steps::Steps;
use crate::{bench, cluster, fuzz, readme, soak, tidy, types, wasm, web};

/// Scenarios beside what the reference did with them.
const RECORDED: &str = "tests/recorded";
/// States of each walk of the model checker; `cargo xtask soak` goes further.
const MODEL_STATES: usize = 1_500;

/// Format, Clippy, tidy, unit tests: a minute or two once everything was built.
pub(crate) fn ready(repo: &Repo) -> Result<()> {
    let mut steps = Steps::start();
    steps.step("Rust components", rust::components)?;
    quick(repo, &mut steps)?;
    steps.summary();
    Ok(())
}

/// Everything that CI runs, in its order. `full` adds the benchmarks.
pub(crate) fn test(repo: &Repo, packages: Packages, full: bool) -> Result<()> {
    let mut steps = Steps::start();
    let mut chromium = None;
    steps.step("prerequisites", || {
        rust::components()?;
        rust::wasm_target()?;
        node::set_up(packages)?;
        chromium = Some(Chromium::set_up(packages)?);
        npm::set_up(repo)
    })?;
    steps.step("tools", || tools::wasm_bindgen(repo).and(tools::cargo_deny()).map(drop))?;
    quick(repo, &mut steps)?;
    steps.step("dependencies (cargo deny)", || deny(repo))?;
    steps.step("recorded traces", || replay(repo))?;
    steps.step("model checking, bounded", || soak::soak(repo, MODEL_STATES))?;
    steps.step("tests on a real API server", || cluster::test(repo, packages))?;
    steps.step("documentation", || documentation(repo))?;
    steps.step("output in the README", || readme::check(repo))?;
    steps.step("TypeScript types", || types::types(repo, true))?;
    steps.step("wasm package and its size", || wasm::build(repo, wasm::TooHeavy::Fails))?;
    steps.step("wasm tests in Node", || wasm::in_node(repo))?;
    steps.step("page: types, lint, unit tests", || web::check(repo))?;
    steps.step("page: build", || web::build(repo))?;
    steps.step("page: sizes", || web::sizes(repo))?;
    if let Some(chromium) = &chromium {
        steps.step("wasm tests in Chromium", || wasm::in_chromium(repo, chromium))?;
        steps.step("page: end to end in Chromium", || web::end_to_end(repo, chromium))?;
    }
    steps.step("fuzzing, bounded", || fuzz::fuzz(repo, packages, &fuzz::Wish { target: None, runs: None }))?;
    if full {
        steps.step("benchmarks", || bench::bench(repo, None))?;
    }
    steps.summary();
    Ok(())
}

fn quick(repo: &Repo, steps: &mut Steps) -> Result<()> {
    let cargo = |arguments: &[&str]| Run::cargo().args(arguments).dir(repo.root());
    steps.step("format", || cargo(&["fmt", "--all", "--check"]).go())?;
    steps.step("Clippy", || {
        cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"]).go()
    })?;
    steps.step("tidy", || tidy::tidy(repo))?;
    steps.step("cargo test", || cargo(&["test", "--workspace", "--exclude", "jobwright-cluster", "--quiet"]).go())
}

fn deny(repo: &Repo) -> Result<()> {
    let program = tools::cargo_deny()?.join("cargo-deny");
    Run::new(program).args(["check", "bans", "licenses", "sources"]).dir(repo.root()).go()
}

fn replay(repo: &Repo) -> Result<()> {
    jobwright(repo).args(["replay", RECORDED]).go()
}

fn jobwright(repo: &Repo) -> Run {
    Run::cargo().args(["run", "--quiet", "--package", "jobwright-cli", "--"]).dir(repo.root())
}

fn documentation(repo: &Repo) -> Result<()> {
    Run::cargo()
        .args(["doc", "--workspace", "--no-deps", "--quiet"])
        .env("RUSTDOCFLAGS", "-D warnings")
        .dir(repo.root())
        .go()
}

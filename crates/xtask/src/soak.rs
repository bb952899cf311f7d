//! The model checker on a scope that is too large for every run of the tests.
//!
//! How fast it is is for people to read; only a broken law fails.

use anyhow::{Context, Result};

use crate::repo::Repo;
use crate::run::Run;
use crate::stopwatch::Stopwatch;

/// Builds and runs it, with so many states for each walk.
pub(crate) fn soak(repo: &Repo, states: usize) -> Result<()> {
    let arguments = ["--release", "--package", "jobwright-tests", "--bin", "soak"];
    Run::cargo().arg("build").args(arguments).dir(repo.root()).go()?;
    let watch = Stopwatch::start();
    let text = Run::cargo()
        .args(["run", "--quiet"])
        .args(arguments)
        .args(["--", &states.to_string()])
        .dir(repo.root())
        .output()?;
    let seconds = watch.elapsed().as_secs_f64();
    println!("{}", text.trim_end());
    let all: f64 = text
        .lines()
        .last()
        .and_then(|line| line.split(' ').next())
        .and_then(|word| word.parse().ok())
        .context("the model checker printed no sum")?;
    println!("{:.0} states per second", all / seconds);
    Ok(())
}

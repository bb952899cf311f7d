//! `cargo xtask cluster`, and the tests on a real API server.

use anyhow::Result;

use crate::repo::Repo;
use crate::run::Run;
use crate::setup::{Packages, go};

/// Builds what is missing and starts a cluster on this machine, until Ctrl-C.
pub(crate) fn cluster(repo: &Repo, packages: Packages, arguments: &[String]) -> Result<()> {
    let program = go::control_plane_or_fail(repo, packages)?;
    let cargo = || Run::cargo().dir(repo.root());
    cargo().args(["build", "--quiet", "--package", "jobwright-controller", "--package", "jobwright-cluster"]).go()?;
    let run = cargo()
        .args(["run", "--quiet", "--package", "jobwright-cluster", "--bin", "jobwright-cluster", "--"])
        .env(go::VARIABLE, program);
    if arguments.is_empty() { run.become_it() } else { run.arg("--").args(arguments).become_it() }
}

/// Runs this controller and Kubernetes' own on the same loads and prints one table.
pub(crate) fn bench(repo: &Repo, packages: Packages, arguments: &[String]) -> Result<()> {
    let program = go::control_plane_or_fail(repo, packages)?;
    let cargo = || Run::cargo().dir(repo.root());
    cargo()
        .args(["build", "--quiet", "--release", "--package", "jobwright-controller", "--package", "jobwright-cluster"])
        .go()?;
    let run = ["run", "--quiet", "--release", "--package", "jobwright-cluster", "--bin", "bench-cluster", "--"];
    cargo().args(run).args(arguments).env(go::VARIABLE, program).go()
}

/// Runs the tests; says so where they cannot run.
pub(crate) fn test(repo: &Repo, packages: Packages) -> Result<()> {
    let Some(program) = go::control_plane(repo, packages)? else {
        println!("skipped: the tests on a real API server need Go");
        return Ok(());
    };
    let cargo = || Run::cargo().dir(repo.root());
    cargo().args(["build", "--quiet", "--package", "jobwright-controller", "--package", "jobwright-cli"]).go()?;
    let test = cargo().args(["test", "--quiet", "--package", "jobwright-cluster"]).env(go::VARIABLE, program);
    match go::helm(packages)? {
        Some(helm) => test.env(go::HELM_VARIABLE, helm).go(),
        None => test.go(),
    }
}

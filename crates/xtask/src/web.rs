//! The page: built and checked by the npm scripts of `web/package.json`.

use anyhow::Result;

use crate::repo::Repo;
use crate::run::Run;
use crate::setup::Chromium;

/// Builds the static page into `web/dist`.
pub(crate) fn build(repo: &Repo) -> Result<()> {
    npm(repo, "build").go()
}

/// Types, lint and unit tests.
pub(crate) fn check(repo: &Repo) -> Result<()> {
    npm(repo, "check").go()
}

/// Tests of the built page in a real browser.
pub(crate) fn end_to_end(repo: &Repo, chromium: &Chromium) -> Result<()> {
    npm(repo, "e2e").env("CHROMIUM", &chromium.browser).go()
}

/// What the built page weighs; above a ceiling of `web/budgets.json` it fails.
pub(crate) fn sizes(repo: &Repo) -> Result<()> {
    npm(repo, "budgets").args(["--", "--sizes"]).go()
}

/// The same, and how fast it is in a real browser; times are only told.
pub(crate) fn budgets(repo: &Repo, chromium: &Chromium) -> Result<()> {
    build(repo)?;
    npm(repo, "budgets").env("CHROMIUM", &chromium.browser).go()
}

/// Pictures of the built page, to be looked at.
pub(crate) fn screenshots(repo: &Repo, chromium: &Chromium) -> Result<()> {
    build(repo)?;
    npm(repo, "screenshots").env("CHROMIUM", &chromium.browser).go()
}

fn npm(repo: &Repo, script: &str) -> Run {
    Run::new("npm").args(["run", "--silent", script]).dir(&repo.web())
}

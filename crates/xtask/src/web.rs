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

fn npm(repo: &Repo, script: &str) -> Run {
    Run::new("npm").args(["run", "--silent", script]).dir(&repo.web())
}

//! Accepts what is there now: snapshots of tests and generated files. Review the diff before committing it.

use anyhow::Result;

use crate::repo::Repo;
use crate::run::Run;
use crate::types;

/// Rewrites every insta snapshot and every generated file.
pub(crate) fn bless(repo: &Repo) -> Result<()> {
    Run::cargo().args(["test", "--workspace", "--quiet"]).env("INSTA_UPDATE", "always").dir(repo.root()).go()?;
    types::types(repo, false)
}

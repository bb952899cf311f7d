//! Accepts what is there now: snapshots of tests and generated files. Review the diff before committing it.

use anyhow::Result;

use crate::repo::Repo;
use crate::run::Run;
use crate::{readme, types};

/// Rewrites every generated file and every insta snapshot.
pub(crate) fn bless(repo: &Repo) -> Result<()> {
    types::types(repo, false)?;
    readme::write(repo)?;
    Run::cargo()
        .args(["test", "--workspace", "--quiet", "--no-fail-fast"])
        .env("INSTA_UPDATE", "always")
        .dir(repo.root())
        .go()
}

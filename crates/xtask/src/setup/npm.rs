//! The page's npm packages, exactly as the lock file says.
//!
//! Invariant: `npm ci` runs if and only if `package-lock.json` differs from the one that the installed packages
//! came from; a copy of that one lies beside them.

use std::fs;

use anyhow::{Context, Result};

use crate::repo::Repo;
use crate::run::Run;

/// Installs the packages of `web/` unless they are there.
pub(crate) fn set_up(repo: &Repo) -> Result<()> {
    let lock = fs::read(repo.web().join("package-lock.json")).context("cannot read web/package-lock.json")?;
    let stamp = repo.web().join("node_modules").join(".installed-from-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        println!("npm packages are there");
        return Ok(());
    }
    Run::new("npm").args(["ci", "--no-audit", "--no-fund"]).dir(&repo.web()).go()?;
    fs::write(&stamp, lock).with_context(|| format!("cannot write {}", stamp.display()))
}

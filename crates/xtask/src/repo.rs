//! Where things are in the repository.
//!
//! Invariant: every path that a command uses is built here, from the folder of the workspace manifest;
//! the folder from which a command was called plays no part.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The checkout that this command works on.
#[derive(Clone, Debug)]
pub(crate) struct Repo {
    root: PathBuf,
}

impl Repo {
    /// The workspace that `xtask` was started from (cargo says so), else the one that it was built in.
    pub(crate) fn find() -> Result<Self> {
        let manifest_dir =
            std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
        let root = Path::new(&manifest_dir)
            .ancestors()
            .find(|folder| folder.join("wasm-pack.toml").is_file())
            .with_context(|| format!("no workspace above {manifest_dir}"))?;
        Ok(Self { root: root.to_owned() })
    }

    /// The folder of the workspace manifest.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the root.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The npm project of the page.
    pub(crate) fn web(&self) -> PathBuf {
        self.path("web")
    }

    /// A program that npm installed for the page.
    pub(crate) fn node_bin(&self, name: &str) -> PathBuf {
        self.web().join("node_modules").join(".bin").join(name)
    }

    /// Reads a text file below the root.
    pub(crate) fn read(&self, relative: &str) -> Result<String> {
        std::fs::read_to_string(self.path(relative)).with_context(|| format!("cannot read {relative}"))
    }
}

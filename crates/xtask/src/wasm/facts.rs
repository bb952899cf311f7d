//! The facts of the WebAssembly build, from `wasm-pack.toml`.
//!
//! Invariant: they are written down there and nowhere else. The crate's own `[package.metadata.wasm-pack]`, which
//! the tool `wasm-pack` reads, repeats some of them; a test below compares the two.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::repo::Repo;

/// The file's name, below the root.
pub(crate) const FILE: &str = "wasm-pack.toml";

/// All of the file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Facts {
    /// Folder of the crate, below the root.
    pub(crate) crate_dir: String,
    /// Cargo profile.
    pub(crate) profile: String,
    /// Arguments of `wasm-opt` besides input and output.
    pub(crate) wasm_opt: Vec<String>,
    /// What is made of the wasm, one for each place that loads it.
    pub(crate) target: Vec<Target>,
    /// What it may weigh.
    pub(crate) budget: Budget,
}

/// One package made of the wasm.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Target {
    /// `--target` of wasm-bindgen.
    pub(crate) kind: String,
    /// Folder of the package, below the root.
    pub(crate) out_dir: String,
}

/// The budget for each package.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Budget {
    /// Most bytes of the wasm and its JavaScript together, each compressed with gzip -9.
    pub(crate) gzip_bytes: usize,
    /// What fails the build while the package is above its budget; the budget itself if absent.
    pub(crate) ceiling_gzip_bytes: Option<usize>,
}

impl Facts {
    /// Reads the file.
    pub(crate) fn read(repo: &Repo) -> Result<Self> {
        Self::parse(&repo.read(FILE)?)
    }

    fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).with_context(|| format!("{FILE} is not as expected"))
    }

    /// The crate's package name: the name of its folder.
    pub(crate) fn package(&self) -> &str {
        self.crate_dir.rsplit('/').next().unwrap_or(&self.crate_dir)
    }

    /// The name that cargo and wasm-bindgen give to files.
    pub(crate) fn file_stem(&self) -> String {
        self.package().replace('-', "_")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_fact_is_an_error() {
        let error = Facts::parse("crate-dir = \"x\"\ncolour = \"red\"\n").expect_err("must fail");
        assert!(format!("{error:#}").contains("colour"), "{error:#}");
    }

    #[test]
    fn the_crate_tells_wasm_pack_the_same() {
        let repo = Repo::find().expect("a checkout");
        let facts = Facts::read(&repo).expect("readable");
        let manifest = repo.read(&format!("{}/Cargo.toml", facts.crate_dir)).expect("the crate is there");
        let manifest: toml::Table = toml::from_str(&manifest).expect("TOML");
        assert_eq!(manifest["package"]["name"].as_str(), Some(facts.package()));
        let settings = &manifest["package"]["metadata"]["wasm-pack"]["profile"][&facts.profile];
        let flags: Vec<_> =
            settings["wasm-opt"].as_array().expect("a list").iter().filter_map(|f| f.as_str()).collect();
        assert_eq!(flags, facts.wasm_opt, "wasm-opt flags of {} and {FILE} differ", facts.crate_dir);
    }

    #[test]
    fn the_profile_is_one_of_the_workspace() {
        let repo = Repo::find().expect("a checkout");
        let facts = Facts::read(&repo).expect("readable");
        let workspace: toml::Table = toml::from_str(&repo.read("Cargo.toml").expect("there")).expect("TOML");
        assert!(workspace["profile"].get(&facts.profile).is_some(), "no profile {}", facts.profile);
    }
}

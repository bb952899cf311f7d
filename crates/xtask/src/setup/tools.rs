//! Cargo tools in the user's cache folder, one folder for each tool and version.
//!
//! Invariant: nothing is installed into the user's own cargo folder, and two checkouts that need different
//! versions do not disturb each other.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::repo::Repo;
use crate::run::Run;

/// A tool that `cargo install` builds.
#[derive(Clone, Copy, Debug)]
struct Tool<'a> {
    package: &'a str,
    folder: &'a str,
    program: &'a str,
    version: &'a str,
    options: &'a [&'a str],
}

/// The version of cargo-deny that the checks were written for.
const CARGO_DENY: &str = "0.20.2";

/// The folder with `wasm-bindgen` and `wasm-bindgen-test-runner`, of the version that Cargo.lock has.
///
/// The library and the tool must be of one version. Without `--locked`, because the tool's own lock file can
/// name a version that is no longer to be had.
pub(crate) fn wasm_bindgen(repo: &Repo) -> Result<PathBuf> {
    let version = locked_version(&repo.read("Cargo.lock")?, "wasm-bindgen")?;
    let tool = Tool {
        package: "wasm-bindgen-cli",
        folder: "wasm-bindgen",
        program: "wasm-bindgen",
        version: &version,
        options: &[],
    };
    set_up(tool)
}

/// The folder with `cargo-deny`. Without default features: what they add, the checks used here do not need.
pub(crate) fn cargo_deny() -> Result<PathBuf> {
    set_up(Tool {
        package: "cargo-deny",
        folder: "cargo-deny",
        program: "cargo-deny",
        version: CARGO_DENY,
        options: &["--locked", "--no-default-features"],
    })
}

fn set_up(tool: Tool<'_>) -> Result<PathBuf> {
    let root = cache()?.join(format!("{}-{}", tool.folder, tool.version));
    let programs = root.join("bin");
    if is_there(&programs, tool) {
        println!("{} {} is there: {}", tool.folder, tool.version, programs.display());
        return Ok(programs);
    }
    println!("{} {} is missing and will be built once; that takes some minutes", tool.folder, tool.version);
    Run::cargo()
        .args(["install", tool.package, "--version", tool.version, "--root"])
        .arg(&root)
        .args(tool.options)
        .go()?;
    Ok(programs)
}

fn is_there(programs: &Path, tool: Tool<'_>) -> bool {
    let answer = Run::new(programs.join(tool.program)).arg("--version").output();
    answer.is_ok_and(|text| text.split_whitespace().nth(1) == Some(tool.version))
}

/// The folder of everything that is kept between runs.
pub(crate) fn cache() -> Result<PathBuf> {
    let given = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = match given {
        Some(folder) => folder,
        None => std::env::home_dir().context("no home folder for the cache of tools")?.join(".cache"),
    };
    Ok(folder.join("jobwright").join("tools"))
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
}

fn locked_version(lock: &str, name: &str) -> Result<String> {
    let lock: Lock = toml::from_str(lock).context("Cargo.lock cannot be read")?;
    let found = lock.package.into_iter().find(|package| package.name == name);
    Ok(found.with_context(|| format!("Cargo.lock has no {name}"))?.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tool_has_the_version_of_the_library() {
        let lock = "version = 4\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.1\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").expect("there"), "0.2.1");
        assert!(locked_version(lock, "other").is_err());
    }
}

//! `cargo xtask fuzz`: builds the fuzz targets on stable Rust with coverage counters, and runs them.
//!
//! Invariant: a run is bounded by a number of inputs and starts from the committed corpus with a fixed seed. What it finds
//! that is new goes to the target folder; what breaks a promise goes to `fuzz/artifacts`, and the command fails.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::repo::Repo;
use crate::run::{Run, find_program};
use crate::setup::{Packages, debian};

/// The targets, and how many inputs CI tries on each.
const TARGETS: [(&str, u32); 3] = [("manifest", 20_000), ("inputs", 1_500), ("index_text", 200_000)];

/// Counters for libFuzzer, without a sanitizer, so that no nightly compiler is needed.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing";

/// What to fuzz.
pub(crate) struct Wish<'a> {
    /// One target; all if absent.
    pub(crate) target: Option<&'a str>,
    /// Inputs for each target; what CI tries if absent.
    pub(crate) runs: Option<u32>,
}

/// Builds and runs.
pub(crate) fn fuzz(repo: &Repo, packages: Packages, wish: &Wish<'_>) -> Result<()> {
    let chosen = TARGETS.into_iter().filter(|(name, _)| wish.target.is_none_or(|wanted| wanted == *name));
    let chosen: Vec<_> = chosen.collect();
    if chosen.is_empty() {
        bail!("there is no such fuzz target; there are {}", TARGETS.map(|(name, _)| name).join(", "));
    }
    cpp_compiler(packages)?;
    let triple = host()?;
    let build = repo.path("target/fuzz");
    let cargo =
        Run::cargo().args(["build", "--quiet", "--release", "--locked", "--target", &triple]).dir(&repo.path("fuzz"));
    cargo.env("RUSTFLAGS", FLAGS).env("CARGO_TARGET_DIR", &build).go()?;
    for (name, runs) in chosen {
        let (found, artifacts) = (build.join("found").join(name), repo.path("fuzz/artifacts"));
        for folder in [&found, &artifacts] {
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        Run::new(build.join(&triple).join("release").join(name))
            .arg(format!("-runs={}", wish.runs.unwrap_or(runs)))
            .args(["-seed=1", "-max_len=4096", "-timeout=30", "-verbosity=0", "-print_final_stats=1"])
            .arg(format!("-artifact_prefix={}/{name}-", artifacts.display()))
            .args([found, repo.path("fuzz/corpus").join(name)])
            .go()
            .with_context(|| format!("fuzz target {name}: what it fell over is in fuzz/artifacts"))?;
    }
    Ok(())
}

/// libFuzzer is C++.
fn cpp_compiler(packages: Packages) -> Result<()> {
    if find_program("c++").is_some() {
        return Ok(());
    }
    if packages.can_install() {
        return debian::install(&["g++"]);
    }
    bail!("fuzzing needs a C++ compiler: `apt-get install g++` on Debian (or run `cargo xtask test --install`)")
}

/// The target that this machine's compiler makes programs for.
fn host() -> Result<String> {
    let about = Run::new("rustc").arg("-vV").output()?;
    let line = about.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).context("`rustc -vV` names no host")
}

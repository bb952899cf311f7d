//! Makes the wasm packages: cargo, then wasm-bindgen, then wasm-opt, then the scales.
//!
//! Invariant: a package is made anew unless it came from the same wasm and the same facts; it is weighed each time.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::facts::{self, Facts, Target};
use super::size::{self, TooHeavy};
use crate::repo::Repo;
use crate::run::Run;
use crate::setup::{npm, rust, tools};

/// Sets up what is missing and makes every package of `wasm-pack.toml`.
pub(crate) fn build(repo: &Repo, too_heavy: TooHeavy) -> Result<()> {
    rust::wasm_target()?;
    npm::set_up(repo)?;
    let programs = tools::wasm_bindgen(repo)?;
    let facts = Facts::read(repo)?;
    let wasm = compile(repo, &facts)?;
    for target in &facts.target {
        pack(repo, &facts, target, &wasm, &programs)?;
        let stem = facts.file_stem();
        size::check(
            &repo.path(&target.out_dir),
            &[format!("{stem}_bg.wasm"), format!("{stem}.js")],
            &facts.budget,
            too_heavy,
        )?;
    }
    Ok(())
}

fn compile(repo: &Repo, facts: &Facts) -> Result<PathBuf> {
    Run::cargo()
        .args(["build", "--package", facts.package(), "--lib", "--target", rust::WASM_TARGET])
        .args(["--profile", &facts.profile])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", short_paths(repo)?)
        .dir(repo.root())
        .go()?;
    let metadata = cargo_metadata::MetadataCommand::new().current_dir(repo.root()).no_deps().exec()?;
    let folder = metadata.target_directory.join(rust::WASM_TARGET).join(&facts.profile);
    Ok(folder.join(format!("{}.wasm", facts.file_stem())).into_std_path_buf())
}

/// Panics name the file that they come from: with paths that are short and the same on every machine.
fn short_paths(repo: &Repo) -> Result<String> {
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let registry = cargo_home.context("no home folder")?.join("registry").join("src");
    let sysroot = Run::new("rustc").args(["--print", "sysroot"]).output()?;
    let version = Run::new("rustc").arg("-vV").output()?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or_default().to_owned();
    let sources = fs::read_dir(&registry).into_iter().flatten().flatten().map(|index| index.path());
    let long = sources.chain([repo.root().to_owned(), PathBuf::from(sysroot), Path::new("/rustc").join(commit)]);
    Ok(long.map(|path| format!("--remap-path-prefix={}=", path.display())).collect::<Vec<_>>().join(" "))
}

fn pack(repo: &Repo, facts: &Facts, target: &Target, wasm: &Path, programs: &Path) -> Result<()> {
    let folder = repo.path(&target.out_dir);
    let source =
        [fs::read(wasm).with_context(|| format!("cannot read {}", wasm.display()))?, facts_bytes(repo)?].concat();
    let stamp = wasm.with_file_name(format!("{}.packed-from", target.kind));
    let packed = folder.join(format!("{}_bg.wasm", facts.file_stem()));
    if packed.is_file() && fs::read(&stamp).is_ok_and(|last| last == source) {
        println!("{} is up to date", target.out_dir);
        return Ok(());
    }
    Run::new(programs.join("wasm-bindgen"))
        .args(["--target", &target.kind, "--out-dir"])
        .arg(&folder)
        .arg(wasm)
        .go()?;
    optimize(repo, facts, &packed)?;
    fs::write(&stamp, source).with_context(|| format!("cannot write {}", stamp.display()))
}

fn facts_bytes(repo: &Repo) -> Result<Vec<u8>> {
    Ok(repo.read(facts::FILE)?.into_bytes())
}

fn optimize(repo: &Repo, facts: &Facts, packed: &Path) -> Result<()> {
    let smaller = packed.with_extension("wasm.smaller");
    Run::new(repo.node_bin("wasm-opt")).args(&facts.wasm_opt).arg(packed).arg("-o").arg(&smaller).go()?;
    fs::rename(&smaller, packed).with_context(|| format!("cannot replace {}", packed.display()))
}

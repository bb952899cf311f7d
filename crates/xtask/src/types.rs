//! TypeScript types of what the engine hands to the page, generated from the Rust types.
//!
//! Invariant: the committed files are exactly what the Rust types give; `--check` changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use walkdir::WalkDir;

use crate::repo::Repo;
use crate::run::Run;
use crate::source::relative;

/// Where the generated files are committed, below the root.
const COMMITTED: &str = "web/src/gen";

/// The crates whose feature `ts` exports types.
const CRATES: [&str; 2] = ["jobwright-api", "jobwright-sim"];

/// File name to text.
type Files = BTreeMap<String, String>;

/// Writes the types anew, or with `check` only compares.
pub(crate) fn types(repo: &Repo, check: bool) -> Result<()> {
    let fresh = generate(repo)?;
    let committed = read(&repo.path(COMMITTED))?;
    let stale = differing(&fresh, &committed);
    if stale.is_empty() {
        println!("the TypeScript types are fresh: {} files in {COMMITTED}", fresh.len());
        return Ok(());
    }
    if check {
        bail!("TypeScript types differ from the Rust types: {} (`cargo xtask types` writes them)", stale.join(", "));
    }
    for name in &stale {
        let path = repo.path(COMMITTED).join(name);
        write(&path, fresh.get(name)).with_context(|| format!("cannot write {}", path.display()))?;
        println!("wrote {COMMITTED}/{name}");
    }
    Ok(())
}

/// Lets the crates export their types into a folder of their own.
fn generate(repo: &Repo) -> Result<Files> {
    let metadata = cargo_metadata::MetadataCommand::new().current_dir(repo.root()).no_deps().exec()?;
    let folder = metadata.target_directory.join("typescript").into_std_path_buf();
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    let run = CRATES
        .iter()
        .fold(Run::cargo().arg("test"), |run, name| run.args(["--package", name, "--features", &format!("{name}/ts")]));
    run.args(["--lib", "--quiet", "export_bindings"])
        .env("TS_RS_EXPORT_DIR", &folder)
        .env("TS_RS_IMPORT_EXTENSION", "ts")
        .env("TS_RS_LARGE_INT", "number")
        .dir(repo.root())
        .go()?;
    let files = read(&folder)?;
    if files.is_empty() {
        bail!("no crate exported a type");
    }
    Ok(files)
}

/// The TypeScript files below a folder by relative path, without what wasm-bindgen makes there.
fn read(folder: &Path) -> Result<Files> {
    let mut files = Files::new();
    for entry in WalkDir::new(folder).into_iter().filter_entry(|entry| entry.file_name() != "wasm") {
        let entry = entry.with_context(|| format!("cannot list {}", folder.display()))?;
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "ts") {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            files.insert(relative(folder, path), text);
        }
    }
    Ok(files)
}

fn write(path: &Path, text: Option<&String>) -> std::io::Result<()> {
    let Some(text) = text else { return fs::remove_file(path) };
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

fn differing(fresh: &Files, committed: &Files) -> Vec<String> {
    let mut names: Vec<_> = fresh.keys().chain(committed.keys()).cloned().collect();
    names.sort();
    names.dedup();
    names.retain(|name| fresh.get(name) != committed.get(name));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_new_and_left_over_files_differ() {
        let files = |pairs: &[(&str, &str)]| pairs.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
        let fresh: Files = files(&[("a.ts", "1"), ("b.ts", "1"), ("c.ts", "1")]);
        let committed: Files = files(&[("a.ts", "1"), ("b.ts", "2"), ("d.ts", "1")]);
        assert_eq!(differing(&fresh, &committed), ["b.ts", "c.ts", "d.ts"]);
    }
}

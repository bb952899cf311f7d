//! The files of the repository that people write.
//!
//! Invariant: left out are what tools make (`target`, `node_modules`, `dist`, generated code) and the recorded
//! data (`tests/recorded`, `tests/validation`); paths are relative to the root, with `/`.

use std::path::Path;

use anyhow::{Context, Result};
use walkdir::{DirEntry, WalkDir};

use crate::repo::Repo;

/// A text file.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Below the root.
    pub(crate) path: String,
    /// All of it.
    pub(crate) text: String,
}

const LEFT_OUT: [&str; 10] = [
    ".git",
    "target",
    "node_modules",
    "dist",
    ".out",
    "test-results",
    "web/src/gen",
    "tests/recorded",
    "tests/validation",
    ".vite",
];

const TEXT: [&str; 14] =
    ["rs", "ts", "js", "mjs", "css", "html", "toml", "json", "md", "yaml", "yml", "sh", "run", "snap"];

impl Source {
    /// All files, in the order of their paths.
    pub(crate) fn all(repo: &Repo) -> Result<Vec<Self>> {
        let root = repo.root();
        let keep = |entry: &DirEntry| !left_out(&relative(root, entry.path()));
        let mut sources = Vec::new();
        for entry in WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(keep) {
            let entry = entry.context("cannot list the repository")?;
            let path = relative(root, entry.path());
            if entry.file_type().is_file() && is_text(&path) {
                let text = std::fs::read_to_string(entry.path()).with_context(|| format!("cannot read {path}"))?;
                sources.push(Self { path, text });
            }
        }
        Ok(sources)
    }

    /// True if the file's name has this extension.
    pub(crate) fn is(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }
}

/// A path below a folder, with `/` on every system.
pub(crate) fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn left_out(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    LEFT_OUT.contains(&name) || LEFT_OUT.contains(&path)
}

fn is_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    TEXT.contains(&name.rsplit('.').next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_people_write_and_nothing_else() {
        let sources = Source::all(&Repo::find().expect("a checkout")).expect("readable");
        let has = |path: &str| sources.iter().any(|source| source.path == path);
        assert!(has("crates/xtask/src/source.rs") && has(".ci/run") && has("docs/spec/job-semantics.md"));
        assert!(
            !sources.iter().any(|source| source.path.starts_with("tests/recorded") || source.path.contains("/target/"))
        );
    }
}

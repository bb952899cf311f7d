//! Which files are looked at, and their texts.
//!
//! Invariant: what cannot be read stops nothing else; folders are walked in the order of names, without hidden
//! entries and without following links.

use std::io::Read;
use std::path::{Path, PathBuf};

use jobwright_api::verdict::{self, Content, Document};

use crate::files::{self, CommandError};

/// A text with its documents.
#[derive(Debug)]
pub(super) struct Input {
    /// Its file, as it is shown.
    pub(super) file: String,
    /// What the command line would name it by.
    pub(super) argument: String,
    /// The text.
    pub(super) text: String,
    /// Its documents.
    pub(super) documents: Vec<Document>,
}

/// All that can be read, and why the rest cannot.
pub(super) fn read(paths: &[PathBuf]) -> (Vec<Input>, Vec<CommandError>) {
    let (mut inputs, mut errors) = (Vec::new(), Vec::new());
    for path in paths {
        if path.is_dir() {
            let mut found = Vec::new();
            match walk(path, &mut found) {
                Err(error) => errors.push(error),
                Ok(()) if found.is_empty() => errors.push(CommandError::Input(format!(
                    "{}: no *.yaml, *.yml or *.json file is in this folder",
                    path.display()
                ))),
                Ok(()) => {}
            }
            for file in found {
                match text(&file) {
                    Ok(text) => inputs.push(input(&file, text)),
                    Err(error) => errors.push(error),
                }
            }
        } else {
            match text(path).map(|text| input(path, text)) {
                Ok(input) if is_something(&input) => inputs.push(input),
                Ok(input) => errors.push(CommandError::Input(format!(
                    "{}: there is no Job in it: a document with apiVersion: batch/v1 and kind: Job is needed",
                    input.file
                ))),
                Err(error) => errors.push(error),
            }
        }
    }
    (inputs, errors)
}

/// Whether a file that somebody named holds a Job or at least other objects.
fn is_something(input: &Input) -> bool {
    let is = |document: &Document| !matches!(&document.content, Content::Other(kind) if kind.is_empty());
    input.documents.iter().any(is)
}

fn input(path: &Path, text: String) -> Input {
    let argument = path.display().to_string();
    let file = if argument == "-" { "<stdin>".to_owned() } else { argument.clone() };
    Input { file, argument, documents: verdict::documents(&text), text }
}

fn text(path: &Path) -> Result<String, CommandError> {
    if path.as_os_str() != "-" {
        return files::read(path);
    }
    let name = Path::new("<stdin>");
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(|source| CommandError::Read { path: name.to_owned(), source })?;
    files::utf8(name, bytes)
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), CommandError> {
    let fail = |source| CommandError::Read { path: folder.to_owned(), source };
    let mut entries = std::fs::read_dir(folder).map_err(fail)?.collect::<Result<Vec<_>, _>>().map_err(fail)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type().map_err(fail)?);
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if kind.is_dir() {
            walk(&path, found)?;
        } else if path.extension().is_some_and(|ext| ["yaml", "yml", "json"].iter().any(|known| ext == *known)) {
            found.push(path);
        }
    }
    Ok(())
}

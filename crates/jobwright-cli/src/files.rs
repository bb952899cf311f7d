//! Finds and reads files.
//!
//! Invariant: folders are walked in the order of names, so that output does not depend on the disk.

use std::path::{Path, PathBuf};

/// Why a command cannot go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is no UTF-8.
    #[error("{}: this is no UTF-8: {found}", path.display())]
    NotUtf8 {
        /// Which.
        path: PathBuf,
        /// What it is instead, and the way out.
        found: String,
    },
    /// The output cannot be written.
    #[error("the output cannot be written: {0}")]
    Write(#[from] std::io::Error),
    /// A text cannot be used; the message shows where.
    #[error("{0}")]
    Input(String),
    /// A recorded trace is no JSON.
    #[error("{}: {source}", path.display())]
    Trace {
        /// Which.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
}

/// The text of a file.
///
/// # Errors
/// It cannot be read, or is not UTF-8.
pub(crate) fn read(path: &Path) -> Result<String, CommandError> {
    let bytes = std::fs::read(path).map_err(|source| CommandError::Read { path: path.to_owned(), source })?;
    utf8(path, bytes)
}

/// The text in the bytes of a file.
///
/// # Errors
/// It is not UTF-8.
pub(crate) fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, CommandError> {
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    String::from_utf8(bytes).map_err(|error| {
        let found = if is_utf16 {
            "it is UTF-16, as an old PowerShell's `>` writes it. Save it as UTF-8.".to_owned()
        } else {
            format!("byte {} does not fit. Save it as UTF-8.", error.utf8_error().valid_up_to() + 1)
        };
        CommandError::NotUtf8 { path: path.to_owned(), found }
    })
}

/// Name and text of an input; `-` is standard input.
///
/// # Errors
/// It cannot be read, or is not UTF-8.
pub(crate) fn input(file: &Path) -> Result<(String, String), CommandError> {
    if file.as_os_str() == "-" {
        let name = "<stdin>";
        let text = std::io::read_to_string(std::io::stdin())
            .map_err(|source| CommandError::Read { path: name.into(), source })?;
        return Ok((name.to_owned(), text));
    }
    Ok((file.display().to_string(), read(file)?))
}

/// A scenario and its recorded trace.
#[derive(Debug)]
pub(crate) struct Recording {
    /// The name that both files share.
    pub(crate) name: String,
    /// The scenario.
    pub(crate) scenario: PathBuf,
    /// The trace.
    pub(crate) trace: PathBuf,
}

/// All recordings under some paths.
///
/// # Errors
/// A folder cannot be read, or a scenario has no trace beside it.
pub(crate) fn recordings(paths: &[PathBuf]) -> Result<Vec<Recording>, CommandError> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut found)?;
        } else {
            let recording = recording(path).ok_or_else(|| {
                CommandError::Input(format!("{}: no recorded trace (NAME.trace.json) stands beside it", path.display()))
            })?;
            found.push(recording);
        }
    }
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<Recording>) -> Result<(), CommandError> {
    let fail = |source| CommandError::Read { path: folder.to_owned(), source };
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(fail)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(fail)?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            walk(&entry, found)?;
        } else {
            found.extend(recording(&entry));
        }
    }
    Ok(())
}

/// The recording whose scenario this file is; nothing if it is none.
fn recording(scenario: &Path) -> Option<Recording> {
    let name = scenario.file_name()?.to_str()?;
    let name = [".yaml", ".yml", ".json"].into_iter().find_map(|end| name.strip_suffix(end))?;
    let trace = scenario.with_file_name(format!("{name}.trace.json"));
    let is_one = trace.is_file() && scenario != trace;
    is_one.then(|| Recording { name: name.to_owned(), scenario: scenario.to_owned(), trace })
}

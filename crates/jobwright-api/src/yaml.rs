//! The one reader of YAML and JSON in this project: manifests and scenarios, native and wasm alike.
//!
//! Values are read as Kubernetes reads them: plain scalars by YAML 1.1 (`yes` is a boolean, `010` is
//! 8), a text that begins with `{` as JSON. Each node knows where it stands.
//!
//! Invariant: work and memory are bounded by [`MAX_BYTES`], [`MAX_DEPTH`] and [`ALIAS_BUDGET`].

mod build;
pub mod decimal;
mod escape;
mod json;
mod node;
mod scalar;

pub use decimal::parse as decimal;
pub use node::{Kind, Node, Span};

use crate::catalogue::say;
use crate::diagnostic::{Code, Diagnostic};
use crate::places::Places;

/// Longer texts are refused; the API server's own limit for a request.
pub const MAX_BYTES: usize = 3 * 1024 * 1024;
/// Collections may stand in each other this deeply.
pub const MAX_DEPTH: usize = 128;
/// Nodes plus bytes of text that aliases may add.
pub const ALIAS_BUDGET: usize = 1_000_000;

/// As many duplicate keys are collected.
pub const DUPLICATES_MAX: usize = 50;

/// What becomes of a key that stands twice in a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The last one wins.
    Lenient,
    /// It is an error.
    Strict,
}

/// What a text holds.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    /// The documents, in order; of keys that stand twice the last one is kept.
    pub documents: Vec<Node>,
    /// One error for each key that stood in its mapping already, at most [`DUPLICATES_MAX`].
    pub duplicates: Vec<Diagnostic>,
}

impl Stream {
    /// Adds a member to a mapping; the last one of a name wins, and the others are noted.
    fn add(&mut self, members: &mut Members, key: Node, value: Node) {
        let Some(at) = members.places.first(key.text(), members.list.len()) else {
            members.list.push((key, value));
            return;
        };
        let first = &mut members.list[at];
        if self.duplicates.len() < DUPLICATES_MAX {
            let line = first.0.span.line.to_string();
            let message = say("error.duplicate-key", &[("key", key.text()), ("line", &line)]);
            self.duplicates.push(Diagnostic::error(Code::DuplicateKey, key.span, message));
        }
        *first = (key, value);
    }
}

/// The members of a mapping under construction.
#[derive(Default)]
struct Members {
    list: Vec<(Node, Node)>,
    places: Places,
}

/// Reads all documents of a text.
///
/// # Errors
/// The first thing that is wrong; in [`Mode::Strict`] a duplicate key too.
pub fn parse(text: &str, mode: Mode) -> Result<Vec<Node>, Diagnostic> {
    let stream = read(text)?;
    match stream.duplicates.into_iter().next() {
        Some(duplicate) if mode == Mode::Strict => Err(duplicate),
        _ => Ok(stream.documents),
    }
}

/// Reads all documents of a text and collects duplicate keys.
///
/// # Errors
/// The first thing that is wrong.
pub fn read(text: &str) -> Result<Stream, Diagnostic> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MAX_BYTES {
        let cut = (0..=MAX_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let (size, max, mega) = (text.len().to_string(), MAX_BYTES.to_string(), (MAX_BYTES >> 20).to_string());
        let message = say("error.too-large", &[("size", &size), ("max", &max), ("mega", &mega)]);
        return Err(Diagnostic::error(Code::TooLarge, end_of(&text[..cut]), message));
    }
    if text.trim_start().starts_with('{') {
        // A flow mapping of YAML begins in the same way. If the text is neither, the error of the reader
        // that came further helps more.
        json::read(text).or_else(|error| {
            let further = |other: &Diagnostic| (other.line, other.column) > (error.line, error.column);
            build::read(text).map_err(
                |other| {
                    if error.code == Code::Syntax && further(&other) { other } else { error.clone() }
                },
            )
        })
    } else {
        build::read(text)
    }
    .map_err(|error| {
        // The parser puts what is missing at the end on a line of its own.
        let end = end_of(text);
        if error.line > end.line { Diagnostic::error(error.code, end, error.message) } else { error }
    })
}

/// The place after the last character of a text.
fn end_of(text: &str) -> Span {
    let last = text.rsplit('\n').next().unwrap_or_default();
    Span::point(text.matches('\n').count() + 1, last.chars().count() + 1)
}

#[cfg(test)]
mod tests;

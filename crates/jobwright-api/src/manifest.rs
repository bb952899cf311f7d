//! A Job as a person wrote it.
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::yaml::{self, Node};

/// A Job read from a text.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The Job as the API's decoder leaves it: without `null` and without unknown fields.
    pub value: Value,
    /// The same with places.
    pub node: Node,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// What it asks for and this version does not act on.
    pub notices: Vec<Notice>,
}

/// Something that a Job asks for and this version does not act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The field, for example `spec.backoffLimitPerIndex`.
    pub field: &'static str,
    /// Its line, from 1.
    pub line: u32,
    /// The id of the sentence in the catalogue.
    pub text_id: &'static str,
}

/// Reads all Jobs of a text.
///
/// # Errors
/// All that is wrong.
pub fn read_jobs(text: &str) -> Result<Vec<Manifest>, Vec<Diagnostic>> {
    let stream = yaml::read(text).map_err(|error| vec![error])?;
    let manifest = |node: Node| Manifest { value: node.to_value(), node, warnings: vec![], notices: vec![] };
    Ok(stream.documents.into_iter().map(manifest).collect())
}

/// Reads the one Job of a text.
///
/// # Errors
/// All that is wrong.
pub fn read_job(text: &str) -> Result<Manifest, Vec<Diagnostic>> {
    read_jobs(text)?.into_iter().next().ok_or_else(Vec::new)
}

/// All that an editor shows about a text.
#[must_use]
pub fn validate(text: &str) -> Vec<Diagnostic> {
    read_job(text).err().unwrap_or_default()
}

//! What is wrong with a text that a person wrote, and where.
//!
//! Invariant: lines and columns count from 1 in characters; a place that is not known is line 1,
//! column 1, never 0.

use serde::Serialize;

use crate::catalogue::Catalogue;
use crate::yaml::Span;

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Diagnostic {
    /// Whether it stands in the way.
    pub severity: Severity,
    /// What kind of finding; the catalogue has a way out for each.
    pub code: Code,
    /// The field, for example `spec.template.spec.containers[0].image`.
    pub field: Option<String>,
    /// Of an unknown field: the one that is probably meant.
    pub meant: Option<&'static str>,
    /// Of a lint: its id.
    pub lint: Option<&'static str>,
    /// One sentence.
    pub message: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The line where it ends.
    pub end_line: u32,
    /// The column after its last character.
    pub end_column: u32,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// It can be used; there is something to know.
    Warning,
    /// It can be used; this is what it leads to.
    Info,
}

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub enum Code {
    /// More input than is read.
    TooLarge,
    /// Collections stand in each other too deeply.
    TooDeep,
    /// Aliases unfold to more than is read.
    TooManyAliases,
    /// Not YAML, or not JSON.
    Syntax,
    /// A key stands twice in a mapping.
    DuplicateKey,
    /// Nothing is there to read.
    Empty,
    /// Another kind of object, or no object.
    NotAJob,
    /// More than one Job.
    SeveralJobs,
    /// A value of the wrong type or out of range.
    WrongType,
    /// A field that the API does not know.
    UnknownField,
    /// The API server would refuse the value.
    Invalid,
    /// The API server takes it, and this version does not act on it.
    NotActedOn,
    /// A lint: what the controller would do with the numbers of the Job.
    Lint,
    /// Something else that is good to know.
    Warning,
}

impl Code {
    /// Every kind.
    pub const ALL: &'static [Self] = &[
        Self::TooLarge,
        Self::TooDeep,
        Self::TooManyAliases,
        Self::Syntax,
        Self::DuplicateKey,
        Self::Empty,
        Self::NotAJob,
        Self::SeveralJobs,
        Self::WrongType,
        Self::UnknownField,
        Self::Invalid,
        Self::NotActedOn,
        Self::Lint,
        Self::Warning,
    ];

    /// The public name; the hint in the catalogue is `hint.<slug>`.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::TooLarge => "too-large",
            Self::TooDeep => "too-deep",
            Self::TooManyAliases => "too-many-aliases",
            Self::Syntax => "syntax",
            Self::DuplicateKey => "duplicate-key",
            Self::Empty => "empty",
            Self::NotAJob => "not-a-job",
            Self::SeveralJobs => "several-jobs",
            Self::WrongType => "wrong-type",
            Self::UnknownField => "unknown-field",
            Self::Invalid => "invalid",
            Self::NotActedOn => "not-acted-on",
            Self::Lint => "lint",
            Self::Warning => "warning",
        }
    }
}

impl Code {
    /// The way out, as a sentence.
    #[must_use]
    pub fn hint(self, catalogue: &Catalogue) -> String {
        catalogue.text(&format!("hint.{}", self.slug()), &[])
    }
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            field: None,
            meant: None,
            lint: None,
            message: message.into(),
            line: span.line,
            column: span.column,
            end_line: span.end_line,
            end_column: span.end_column,
        }
    }

    /// Where it is.
    #[must_use]
    pub const fn span(&self) -> Span {
        Span { line: self.line, column: self.column, end_line: self.end_line, end_column: self.end_column }
    }

    /// The same, about a field.
    #[must_use]
    pub fn at_field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// The same, as a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }
}

/// Sorts findings by severity and place. There are few, so that inserting one by one is quick, and it
/// needs a tenth of the code of a general sort.
pub(crate) fn sort(findings: &mut [Diagnostic]) {
    let key = |finding: &Diagnostic| (finding.severity, finding.line, finding.column);
    for at in 1..findings.len() {
        let to = findings[..at].partition_point(|before| key(before) <= key(&findings[at]));
        findings[to..=at].rotate_right(1);
    }
}

/// `line 3, column 5: spec.parallelism: message`
impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        if let Some(field) = &self.field {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

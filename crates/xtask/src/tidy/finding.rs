//! What a check has to say, and where.

use std::fmt;

use crate::source::Source;

/// One complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    text: String,
}

impl Finding {
    /// A complaint about a line, counted from 1.
    pub(crate) fn at(path: &str, line: usize, text: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, text: text.into() }
    }

    /// A complaint about a line of a file.
    pub(crate) fn of(source: &Source, line: usize, text: impl Into<String>) -> Self {
        Self::at(&source.path, line, text)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.text)
    }
}

/// A file made up for a test.
#[cfg(test)]
pub(crate) fn planted(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned() }
}

/// The findings as a person reads them.
#[cfg(test)]
pub(crate) fn lines(findings: Vec<Finding>) -> Vec<String> {
    findings.iter().map(Finding::to_string).collect()
}

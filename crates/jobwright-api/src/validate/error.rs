//! One thing that the API server refuses, and how it says so.
//!
//! Invariant: texts are the API server's, word for word (VAL-2, VAL-3).

use serde_json::Value;

/// One cause in an answer of the API server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// What kind of error.
    pub kind: ErrorKind,
    /// The path, for example `spec.parallelism`.
    pub field: String,
    /// The value as it is printed, if it is (VAL-2).
    pub value: Option<String>,
    /// What is wrong; may be empty.
    pub detail: String,
}

/// The kinds of errors (VAL-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A value is missing.
    Required,
    /// A value breaks a rule.
    Invalid,
    /// A value is none of those that are known.
    NotSupported,
    /// A value stands twice.
    Duplicate,
    /// A text has too many bytes.
    TooLong,
    /// A list has too many elements.
    TooMany,
    /// Something that a value names is not there.
    NotFound,
    /// A field must not be set here.
    Forbidden,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[
        Self::Required,
        Self::Invalid,
        Self::NotSupported,
        Self::Duplicate,
        Self::TooLong,
        Self::TooMany,
        Self::NotFound,
        Self::Forbidden,
    ];

    /// The `reason` of a cause in a Status object.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::Invalid => "FieldValueInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::Duplicate => "FieldValueDuplicate",
            Self::TooLong => "FieldValueTooLong",
            Self::TooMany => "FieldValueTooMany",
            Self::NotFound => "FieldValueNotFound",
            Self::Forbidden => "FieldValueForbidden",
        }
    }

    /// The words that error texts begin with (VAL-2).
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Required => "Required value",
            Self::Invalid => "Invalid value",
            Self::NotSupported => "Unsupported value",
            Self::Duplicate => "Duplicate value",
            Self::TooLong => "Too long",
            Self::TooMany => "Too many",
            Self::NotFound => "Not found",
            Self::Forbidden => "Forbidden",
        }
    }
}

impl FieldError {
    /// `Invalid` with the value printed: an object as `{...}`, no value as `null`.
    #[must_use]
    pub fn invalid(field: impl Into<String>, value: Option<&Value>, detail: impl Into<String>) -> Self {
        let value = match value {
            None => "null".to_owned(),
            Some(value) => print(value),
        };
        Self { kind: ErrorKind::Invalid, field: field.into(), value: Some(value), detail: detail.into() }
    }

    /// The text of the cause in a Status object: the whole error without the path.
    #[must_use]
    pub fn cause(&self) -> String {
        let mut text = self.kind.words().to_owned();
        for part in [self.value.as_deref().unwrap_or_default(), &self.detail] {
            if !part.is_empty() {
                text.push_str(": ");
                text.push_str(part);
            }
        }
        text
    }
}

/// A value as error texts show it: texts in quotes, an object as `{...}`, a list with its elements.
///
/// Not by way of the JSON writer, whose tables for floats weigh 10 kB of wasm; no float gets here.
pub(super) fn print(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(is) => is.to_string(),
        Value::Number(number) => number.as_i64().map_or_else(|| "...".to_owned(), |number| number.to_string()),
        Value::String(text) => quote(text),
        Value::Array(items) => format!("[{}]", items.iter().map(print).collect::<Vec<_>>().join(",")),
        Value::Object(_) => "{...}".to_owned(),
    }
}

/// A text in quotes.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// `spec.parallelism: Invalid value: -1: must be …` (VAL-2)
impl std::fmt::Display for FieldError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.cause())
    }
}

impl std::error::Error for FieldError {}

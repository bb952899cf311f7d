//! What is said about all documents: one list of messages for each, which every format shows.
//!
//! Invariant: `--deny` and `--allow` are applied here and nowhere else.

use jobwright_api::Severity;
use jobwright_api::verdict::{Content, Verdict};
use jobwright_api::yaml::Span;

use super::inputs::Input;
use super::{WARNINGS, help};

/// The rule of the API server's warnings.
pub(super) const API_WARNING: &str = "ApiWarning";

/// All of it.
#[derive(Debug)]
pub(super) struct Report {
    /// The texts, in order.
    pub(super) files: Vec<File>,
}

/// A text.
#[derive(Debug)]
pub(super) struct File {
    /// Its name, as it is shown.
    pub(super) name: String,
    /// The text.
    pub(super) text: String,
    /// Its documents that are or claim to be Jobs.
    pub(super) jobs: Vec<Job>,
    /// The others: line and kind.
    pub(super) others: Vec<(u32, String)>,
}

/// A document that is or claims to be a Job.
#[derive(Debug)]
pub(super) struct Job {
    /// Its first line.
    pub(super) line: u32,
    /// What the API server would say.
    pub(super) verdict: Verdict,
    /// Errors, warnings and lints, by their places.
    pub(super) messages: Vec<Message>,
}

/// One thing that is said.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// How grave it is, after `--deny`.
    pub(super) severity: Severity,
    /// The type of the error, [`API_WARNING`], or the id of the lint.
    pub(super) rule: &'static str,
    /// The field; may be empty.
    pub(super) field: String,
    /// The sentence.
    pub(super) text: String,
    /// The way out, if there is one to say.
    pub(super) help: Option<String>,
    /// The command that shows it happen.
    pub(super) witness: Option<String>,
    /// Whether it is a lint.
    pub(super) is_lint: bool,
    /// Where it is.
    pub(super) place: Span,
}

impl Report {
    /// About some texts; some lints are denied, others are not looked for.
    pub(super) fn of(inputs: Vec<Input>, deny: &[String], allow: &[String]) -> Self {
        let options = Options { deny, allow };
        Self { files: inputs.into_iter().map(|input| file(input, &options)).collect() }
    }

    /// Every Job with its file.
    pub(super) fn jobs(&self) -> impl Iterator<Item = (&File, &Job)> {
        self.files.iter().flat_map(|file| file.jobs.iter().map(move |job| (file, job)))
    }

    /// Every message with its file.
    pub(super) fn messages(&self) -> impl Iterator<Item = (&File, &Message)> {
        self.jobs().flat_map(|(file, job)| job.messages.iter().map(move |message| (file, message)))
    }

    /// Whether there is no error.
    pub(super) fn is_well(&self) -> bool {
        self.messages().all(|(_, message)| message.severity != Severity::Error)
    }
}

struct Options<'a> {
    deny: &'a [String],
    allow: &'a [String],
}

impl Options<'_> {
    /// How grave something is after `--deny`.
    fn severity(&self, rule: &str, severity: Severity) -> Severity {
        let denies = |name: &str| self.deny.iter().any(|denied| denied == name);
        if denies(rule) || severity == Severity::Warning && denies(WARNINGS) { Severity::Error } else { severity }
    }
}

fn file(input: Input, options: &Options<'_>) -> File {
    let mut file = File { name: input.file, text: input.text, jobs: Vec::new(), others: Vec::new() };
    for document in input.documents {
        match document.content {
            Content::Other(kind) => file.others.push((document.line, kind)),
            Content::Judged(verdict) => {
                let messages = messages(&verdict, &input.argument, options);
                file.jobs.push(Job { line: document.line, verdict: *verdict, messages });
            }
        }
    }
    file
}

fn messages(verdict: &Verdict, argument: &str, options: &Options<'_>) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    messages.extend(verdict.errors.iter().map(|error| Message {
        severity: Severity::Error,
        rule: error.kind,
        field: error.field.clone(),
        text: error.detail.clone(),
        help: help::way_out(error),
        witness: None,
        is_lint: false,
        place: error.span,
    }));
    messages.extend(verdict.warnings.iter().map(|(warning, place)| Message {
        severity: options.severity(API_WARNING, Severity::Warning),
        rule: API_WARNING,
        field: warning.field.clone(),
        text: warning.text.clone(),
        help: None,
        witness: None,
        is_lint: false,
        place: *place,
    }));
    let lints = verdict.lints.iter().filter(|finding| options.allow.iter().all(|id| *id != finding.lint.id));
    messages.extend(lints.map(|finding| Message {
        severity: options.severity(finding.lint.id, finding.severity),
        rule: finding.lint.id,
        field: finding.field.clone(),
        text: finding.message.clone(),
        help: Some(finding.help.clone()),
        witness: finding.lint.has_witness.then(|| witness(argument, finding.lint.id)),
        is_lint: true,
        place: finding.span,
    }));
    messages.sort_by_key(|message| (message.place.line, message.place.column));
    messages
}

/// The command that shows a lint happen; the name of a file is quoted for a shell where it has to be.
fn witness(argument: &str, id: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@%+,=".contains(&byte);
    let file = if argument.bytes().all(is_plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    };
    format!("jobwright explore {file} --lint {id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_witness_can_be_pasted_into_a_shell() {
        for (file, shown) in
            [("a/b-1.yaml", "a/b-1.yaml"), ("-", "-"), ("my job.yaml", "'my job.yaml'"), ("a'b", r"'a'\''b'")]
        {
            assert_eq!(witness(file, "work-queue"), format!("jobwright explore {shown} --lint work-queue"));
        }
    }
}

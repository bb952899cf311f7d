//! `jobwright validate`: what the API server would say to Jobs, and what the controller would do with them.
//!
//! Invariant: the four formats show the same [`report::Report`]; no cluster, no network.

mod explain;
mod github;
mod help;
mod inputs;
mod json;
mod report;
mod sarif;
mod text;

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use jobwright_api::lint;

use crate::files::CommandError;
use report::Report;

const HELP: &str = "\
Examples:
  jobwright validate job.yaml                        errors, warnings and lints, each at its line
  jobwright validate k8s/ --deny warnings            every *.yaml, *.yml and *.json; for CI
  jobwright validate k8s/ --format github            annotations in a pull request
  jobwright validate k8s/ --format sarif > jobs.sarif
  helm template chart | jobwright validate -
  jobwright validate job.yaml --allow no-deadline --deny work-queue
  jobwright validate --explain no-deadline           what a lint means; `list` shows all

Lints say what the controller would do with the numbers of a Job that the API server takes.
A comment silences one: on its line, on the line above, or at the top of the document:
  parallelism: 3   # jobwright: allow(work-queue)

Exit codes: 0 every Job is valid; 1 a Job is invalid, or a finding is denied; 2 something
could not be read. Documents that are no Jobs are skipped.";

/// Arguments of `validate`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct ValidateArgs {
    /// Manifests, or folders that hold them (*.yaml, *.yml, *.json); `-` reads from standard input.
    #[arg(value_name = "FILE", required_unless_present = "explain")]
    files: Vec<PathBuf>,

    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Make a lint an error, or with `warnings` every warning. May be given several times.
    #[arg(long, value_name = "ID", value_parser = lint_or_warnings)]
    deny: Vec<String>,

    /// Do not look for a lint. May be given several times.
    #[arg(long, value_name = "ID", value_parser = lint_id)]
    allow: Vec<String>,

    /// Say what a lint means; `list` names all of them.
    #[arg(long, value_name = "ID", value_parser = lint_or_list)]
    explain: Option<String>,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs: a list with one entry for each Job.
    Json,
    /// Workflow commands of GitHub Actions.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

/// What `--deny` takes beside ids.
const WARNINGS: &str = "warnings";
/// What `--explain` takes beside ids.
const LIST: &str = "list";

fn lint_or_warnings(text: &str) -> Result<String, String> {
    if text == WARNINGS { Ok(text.to_owned()) } else { lint_id(text) }
}

fn lint_or_list(text: &str) -> Result<String, String> {
    if text == LIST { Ok(text.to_owned()) } else { lint_id(text) }
}

fn lint_id(text: &str) -> Result<String, String> {
    if lint::find(text).is_some() {
        return Ok(text.to_owned());
    }
    let similar = lint::similar(text).map(|similar| format!(" Is `{similar}` meant?")).unwrap_or_default();
    Err(format!("there is no such lint.{similar} `jobwright validate --explain {LIST}` names all of them"))
}

/// Validates; true if every Job is valid and nothing is denied.
///
/// # Errors
/// Something cannot be read; what can be is printed before.
pub(crate) fn validate(args: &ValidateArgs, out: &mut dyn Write) -> Result<bool, CommandError> {
    if let Some(id) = &args.explain {
        write!(out, "{}", if id == LIST { explain::list() } else { explain::one(id) })?;
        return Ok(true);
    }
    let (inputs, unreadable) = inputs::read(&args.files);
    let report = Report::of(inputs, &args.deny, &args.allow);
    match args.format {
        Format::Text => write!(out, "{}", text::show(&report))?,
        Format::Json => writeln!(out, "{:#}", json::show(&report))?,
        Format::Github => write!(out, "{}", github::show(&report))?,
        Format::Sarif => writeln!(out, "{:#}", sarif::show(&report, &unreadable))?,
    }
    if unreadable.is_empty() {
        return Ok(report.is_well());
    }
    let messages: Vec<String> = unreadable.iter().map(ToString::to_string).collect();
    Err(CommandError::Input(messages.join("\n")))
}

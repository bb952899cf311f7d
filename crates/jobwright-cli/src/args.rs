//! The command line.
//!
//! Invariant: every option is explained here, with examples.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Shows what the Kubernetes Job controller decides, and why.
#[derive(Debug, Parser)]
#[command(name = "jobwright", version, about, after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done (run: the run ended as asked; replay: every trace matches)
  1  run: it did not get to --until; replay: a trace differs or is not supported
  2  the input or the command line could not be used";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Replay recorded traces and compare.
    Replay(ReplayArgs),
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

const REPLAY_HELP: &str = "\
Examples:
  jobwright replay tests/recorded                     every trace in the folder
  jobwright replay tests/recorded/hand/deadline.yaml  one of them
  jobwright replay tests/recorded --only tests/recorded/first.txt";

/// Arguments of `replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct ReplayArgs {
    /// Scenario files (NAME.yaml beside NAME.trace.json), or folders that hold them.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Replay only the traces whose names stand in this file, one a line.
    #[arg(long, value_name = "FILE")]
    pub(crate) only: Option<PathBuf>,

    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

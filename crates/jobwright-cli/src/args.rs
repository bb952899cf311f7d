//! The command line.
//!
//! Invariant: every option is explained here, with examples.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::explain::ExplainArgs;
use crate::shell::{CompletionsArgs, ManArgs};
use crate::validate::ValidateArgs;
use crate::watch::WatchArgs;

/// Shows what the Kubernetes Job controller decides, and why.
#[derive(Debug, Parser)]
#[command(name = "jobwright", version, about, after_help = MAIN_HELP)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const MAIN_HELP: &str = "\
Examples:
  jobwright validate job.yaml                        is it valid, and what does it lead to?
  jobwright run job.yaml --outcomes 1x3,0            what happens if the first three pods fail?
  jobwright replay tests/recorded                    does this program do what Kubernetes does?
  jobwright help run                                 options and examples of a command

Exit codes:
  0  done (run: the run ended as asked; replay: every trace matches; validate: every Job is valid;
     explore: everything was seen)
  1  watch: the Job failed; run: it did not get to --until; replay: a trace differs or is not supported; validate: a Job is
     invalid, or a finding is denied; explore: a law of the controller is broken, or --lint shows nothing
  2  the input or the command line could not be used
  3  explore: stopped at --max-states";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a Job in a simulated cluster and show every decision.
    Run(RunArgs),
    /// Check manifests as the API server does, and say what the Jobs lead to.
    Validate(ValidateArgs),
    /// Say why a Job of a cluster, or of a dump, is where it is, and what happens next.
    Explain(ExplainArgs),
    /// Follow a Job of a cluster: a line each time what it waits for changes.
    Watch(WatchArgs),
    /// Replay recorded traces and compare.
    Replay(ReplayArgs),
    /// Walk through everything that can happen to a small Job: all its ends, and the worst cases.
    Explore(ExploreArgs),
    /// Print a script that completes this command in a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command into a folder.
    Man(ManArgs),
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

const RUN_HELP: &str = "\
Examples:
  jobwright run job.yaml                           every pod succeeds after 5 s
  jobwright run job.yaml --outcomes 1x3,0          the first three pods fail
  jobwright run job.yaml --outcomes 'idx3: 1,0'    the first pod of index 3 fails
  jobwright run job.yaml --until Failed --outcomes '1x*'
  jobwright run job.yaml --until 90s --format json
  kubectl create job x --image=busybox --dry-run=client -o yaml | jobwright run -

Outcomes are a list, one entry for each pod in order of creation: an exit code, or
evict, delete, hang (runs for ever), pending (never starts). @30s says how long the pod
runs, x3 repeats an entry, x* repeats it for ever; ; ends a script. Without an entry a
pod succeeds.

A scenario file (steps, faults, crashes) runs in the same way; see docs/scenarios.md.";

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
#[command(after_help = RUN_HELP)]
pub(crate) struct RunArgs {
    /// A Job manifest or a scenario; `-` reads from standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// How pods end. May be given several times.
    #[arg(long, value_name = "SCRIPT")]
    pub(crate) outcomes: Vec<String>,

    /// Stop at a virtual time (90s, 5m, 2h), at a condition of the Job (Complete, Failed,
    /// Suspended, FailureTarget, SuccessCriteriaMet), or when nothing more happens (end).
    #[arg(long, value_name = "TIME|CONDITION", default_value = "end")]
    pub(crate) until: String,

    /// Where uids and the ends of pod names come from.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Make no more decisions than this.
    #[arg(long, value_name = "DECISIONS", default_value_t = 10_000)]
    pub(crate) limit: u32,

    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
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

const EXPLORE_HELP: &str = "\
Examples:
  jobwright explore job.yaml                           pods succeed or fail with exit code 1
  jobwright explore job.yaml --any-of 0,1,42,evict --crashes 1
  jobwright explore job.yaml --any-of 0,1@30s --end 2 > witness.yaml
  jobwright explore job.yaml --witness-dir witnesses && jobwright run witnesses/end-1.yaml
  jobwright explore job.yaml --lint failed-pods-above-limit

An entry of --any-of is what one pod may do, as in the scripts of `jobwright run`: an exit code,
oom, evict, delete, hang or pending; @30s says how long it runs at least (5 s if not
said). A pod ends then, or at any later moment at which something else happens.

States grow fast with parallelism, backoffLimit and the number of outcomes. Lower these in a copy
of the manifest, or raise --max-states.";

/// Arguments of `explore`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXPLORE_HELP)]
pub(crate) struct ExploreArgs {
    /// A Job manifest or a scenario, of which only the Job counts; `-` reads from standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// What pods may do.
    #[arg(long, value_name = "OUTCOMES", default_value = "0,1")]
    pub(crate) any_of: String,

    /// How often the controller may crash, each time after one of its API calls.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) crashes: u8,

    /// How many API calls may be answered with 409.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) conflicts: u8,

    /// How often a watch may stand still for a while, so that the controller decides on an old cache.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) stale: u8,

    /// How often watch events may be lost, until everything is listed anew.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) lost: u8,

    /// Stop after so many states.
    #[arg(long, value_name = "STATES", default_value_t = 100_000)]
    pub(crate) max_states: usize,

    /// Write a scenario for each end and each worst case into this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) witness_dir: Option<PathBuf>,

    /// Print only the scenario of this end, from 1.
    #[arg(long, value_name = "N")]
    pub(crate) end: Option<usize>,

    /// Print the shortest scenario that shows what a lint says: failed-pods-above-limit,
    /// logs-deleted, no-deadline or work-queue.
    #[arg(long, value_name = "ID", conflicts_with_all = ["end", "witness_dir"])]
    pub(crate) lint: Option<String>,

    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

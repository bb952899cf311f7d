//! `jobwright explain`: why the Job of a dump is where it is.
//!
//! Invariant: every sentence about the Job comes from `jobwright_sim::explain`; here they are only laid out.

use std::io::Write;
use std::path::PathBuf;

use jobwright_api::{Diagnostic, time};
use jobwright_sim::explain::{self, Dump, Explanation};
use serde_json::json;

use crate::args::Format;
use crate::files::{self, CommandError};
use crate::layout::{block, list, say};
use crate::{cards, excerpt, live};

const EXPLAIN_HELP: &str = "\
Examples:
  jobwright explain job/pi                         a Job of the cluster that kubectl talks to
  jobwright explain job/pi -n batch --context prod
  kubectl get job,pods,events -o yaml | jobwright explain -
  kubectl get job,pods -l batch.kubernetes.io/job-name=pi -o yaml | jobwright explain -
  jobwright explain dump.yaml --job pi             one of several Jobs
  jobwright explain dump.yaml -n batch --job pi    the one of that namespace
  jobwright explain dump.yaml --at 2026-03-01T12:00:00Z
  jobwright explain dump.yaml --format json

A dump is a List, several documents, or a single Job; YAML or JSON. Its Events are used
when they are there. With job/NAME the Job, its pods and its Events are read from the cluster;
nothing is written. The answer is that of a controller that has run all the time and sees
what is there, at the newest time in the dump, now for a Job of a cluster, or at --at.

kubectl finds the same as a plugin if kubectl-jobwright is on the PATH:
  kubectl jobwright explain pi";

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXPLAIN_HELP)]
pub(crate) struct ExplainArgs {
    /// A dump of a Job and its pods, `-` for standard input, or `job/NAME` of a cluster.
    #[arg(value_name = "FILE|job/NAME")]
    file: PathBuf,

    #[command(flatten)]
    cluster: live::Cluster,

    /// The name of the Job, if the dump has several.
    #[arg(long, value_name = "NAME")]
    job: Option<String>,

    /// The namespace of the Job.
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,

    /// The present time (RFC 3339); without it the newest time in the dump.
    #[arg(long, value_name = "TIME")]
    at: Option<String>,

    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Explains.
///
/// # Errors
/// The dump or an option cannot be used.
pub(crate) fn run(args: &ExplainArgs, out: &mut dyn Write) -> Result<bool, CommandError> {
    let live = match live::job_name(&args.file) {
        None => None,
        Some(job) => Some(live::dump(&args.cluster, args.namespace.as_deref(), job)?),
    };
    let is_live = live.is_some();
    let (name, text) =
        if is_live { (args.file.display().to_string(), String::new()) } else { files::input(&args.file)? };
    let wrong = |errors: Vec<Diagnostic>| CommandError::Input(excerpt::show(&name, &text, &errors));
    let dump = live.map_or_else(|| Dump::read(&text), Dump::of_list).map_err(wrong)?;
    let newest = dump.newest();
    let taken = dump.choose(args.namespace.as_deref(), args.job.as_deref()).map_err(|errors| {
        let chooses = errors.iter().any(|error| error.code == jobwright_api::Code::SeveralJobs);
        let way_out = if chooses { say("cli.explain.choose", &[]) } else { String::new() };
        CommandError::Input(format!("{}{way_out}", excerpt::show(&name, &text, &errors)))
    })?;
    let now = match &args.at {
        Some(at) => time::parse(at).ok_or_else(|| say("cli.explain.at", &[("text", at)])),
        None if is_live => Ok(live::now()),
        None => newest.ok_or_else(|| format!("{name}: {}", say("cli.explain.no-time", &[]))),
    };
    let explanation = explain::explain(&taken, now.map_err(CommandError::Input)?).map_err(wrong)?;
    match args.format {
        Format::Text => write!(out, "{}", show(&explanation, from(args.at.is_some(), is_live)))?,
        Format::Json => {
            let mut value = json!(explanation);
            value["atFrom"] = match from(args.at.is_some(), is_live) {
                From::Option => "option",
                From::Clock => "clock",
                From::Dump => "dump",
            }
            .into();
            writeln!(out, "{value:#}")?;
        }
    }
    Ok(true)
}

/// Where the present time is from.
#[derive(Clone, Copy)]
enum From {
    Option,
    Clock,
    Dump,
}

const fn from(given: bool, live: bool) -> From {
    match (given, live) {
        (true, _) => From::Option,
        (false, true) => From::Clock,
        (false, false) => From::Dump,
    }
}

fn show(explanation: &Explanation, from: From) -> String {
    let id = match from {
        From::Option => "cli.explain.given",
        From::Clock => "cli.explain.clock",
        From::Dump => "cli.explain.newest",
    };
    let now = say(id, &[("time", &explanation.at)]);
    let blocks: Vec<String> = explanation.blocks.iter().map(|block| block.text.clone()).collect();
    let mut text = format!("{}\n\n", explanation.job);
    text.push_str(&block("WHY", &format!("{}.", explanation.why)));
    text.push_str(&block("NEXT", &explanation.next));
    text.push_str(&list("WAITS", &blocks));
    text.push_str(&block("NOW", &now));
    text.extend(explanation.reconciled.decisions.iter().map(cards::whole));
    text
}

//! `jobwright watch`: a Job of a cluster, followed to its end.
//!
//! Invariant: each line is what `jobwright explain` says at that moment; nothing is written.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use jobwright_api::{Diagnostic, time};
use jobwright_sim::explain::{self, Dump, Explanation};
use serde_json::{Value, json};

use crate::args::Format;
use crate::excerpt;
use crate::files::CommandError;
use crate::live::{self, Cluster, Reader};

/// Arguments of `watch`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  jobwright watch job/pi
  jobwright watch job/pi -n batch --format json | jq .why

Prints a line each time the reason or what comes next changes, until the Job has ended.
Exit codes: 0 it is complete, 1 it failed, 2 it cannot be followed.")]
pub(crate) struct WatchArgs {
    /// The Job, as `job/NAME`.
    #[arg(value_name = "job/NAME")]
    job: PathBuf,

    #[command(flatten)]
    cluster: Cluster,

    /// The namespace of the Job; without it that of the context.
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,

    /// Seconds between two looks.
    #[arg(long, value_name = "SECONDS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=3600))]
    every: u64,

    /// How to print the lines.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Follows; whether the Job is complete at its end.
///
/// # Errors
/// There is no such Job (any more), or the cluster cannot be asked.
pub(crate) fn run(args: &WatchArgs, out: &mut dyn Write) -> Result<bool, CommandError> {
    let name = live::job_name(&args.job);
    let name = name.ok_or_else(|| CommandError::Input("give the Job as job/NAME".to_owned()))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let reader = Reader::new(&args.cluster, args.namespace.as_deref()).await?;
        let mut last = None;
        loop {
            let list = reader.list(name).await?;
            let explanation = look(name, &list)?;
            let said = (explanation.why.clone(), explanation.next.clone(), explanation.blocks.len());
            if last.as_ref() != Some(&said) {
                tell(args.format, &explanation, out)?;
                last = Some(said);
            }
            if let Some(complete) = ended(&list["items"][0]) {
                return Ok(complete);
            }
            tokio::time::sleep(Duration::from_secs(args.every)).await;
        }
    })
}

fn look(name: &str, list: &Value) -> Result<Explanation, CommandError> {
    let wrong = |errors: Vec<Diagnostic>| CommandError::Input(excerpt::show(name, "", &errors));
    let dump = Dump::of_list(list.clone()).map_err(wrong)?;
    let taken = dump.choose(None, Some(name)).map_err(wrong)?;
    explain::explain(&taken, live::now()).map_err(wrong)
}

fn tell(format: Format, explanation: &Explanation, out: &mut dyn Write) -> Result<(), CommandError> {
    match format {
        Format::Text => {
            writeln!(out, "{}  {}. {}", time::format(live::now()), explanation.why, explanation.next)?;
            for block in &explanation.blocks {
                writeln!(out, "{:20}  ! {}", "", block.text)?;
            }
        }
        Format::Json => {
            let line = json!({
                "at": explanation.at, "why": explanation.why, "next": explanation.next, "blocks": explanation.blocks,
            });
            writeln!(out, "{line}")?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Whether the Job is complete; `None`: it has not ended.
fn ended(job: &Value) -> Option<bool> {
    let conditions = job["status"]["conditions"].as_array()?;
    let holds =
        |kind: &str| conditions.iter().any(|condition| condition["type"] == kind && condition["status"] == "True");
    match (holds("Complete"), holds("Failed")) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

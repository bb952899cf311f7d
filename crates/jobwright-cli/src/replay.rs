//! `jobwright replay`: recorded traces against this program.
//!
//! Invariant: each recording is reported once, as matched, differing or not supported.

use std::collections::BTreeSet;
use std::io::Write;

use jobwright_sim::replay::{Verdict, replay as replay_one};
use jobwright_sim::trace::Difference;
use serde_json::{Value, json};

use crate::args::{Format, ReplayArgs};
use crate::excerpt;
use crate::files::{self, CommandError, Recording};

/// As many differences of one trace as are printed.
const SHOWN: usize = 12;

/// Replays; true if every trace matches.
///
/// # Errors
/// A file cannot be read or is no recording.
pub(crate) fn replay(args: &ReplayArgs, out: &mut dyn Write) -> Result<bool, CommandError> {
    let mut recordings = files::recordings(&args.paths)?;
    if let Some(list) = &args.only {
        let text = files::read(list)?;
        let names: BTreeSet<&str> = text.split_whitespace().collect();
        recordings.retain(|recording| names.contains(recording.name.as_str()));
    }
    if recordings.is_empty() {
        return Err(CommandError::Input("no recorded trace is there to replay".to_owned()));
    }
    let mut report = Report::default();
    for recording in &recordings {
        let verdict = judge(recording)?;
        if args.format == Format::Text {
            print(&recording.name, &verdict, out)?;
        }
        report.add(&recording.name, verdict);
    }
    match args.format {
        Format::Text => writeln!(out, "{}", report.sums())?,
        Format::Json => writeln!(out, "{:#}", report.to_json())?,
    }
    Ok(report.matched.len() == recordings.len())
}

fn judge(recording: &Recording) -> Result<Verdict, CommandError> {
    let scenario = files::read(&recording.scenario)?;
    let recorded: Value = serde_json::from_str(&files::read(&recording.trace)?)
        .map_err(|source| CommandError::Trace { path: recording.trace.clone(), source })?;
    replay_one(&scenario, &recorded).map_err(|errors| {
        let file = recording.scenario.display().to_string();
        CommandError::Input(excerpt::show(&file, &scenario, &errors))
    })
}

/// What is said about one recording; nothing about one that matches.
fn print(name: &str, verdict: &Verdict, out: &mut dyn Write) -> std::io::Result<()> {
    match verdict {
        Verdict::Matched => Ok(()),
        Verdict::NotSupported(reasons) => {
            writeln!(out, "NOT SUPPORTED  {name}")?;
            reasons.iter().try_for_each(|reason| writeln!(out, "  {reason}"))
        }
        Verdict::Differs(differences) => {
            writeln!(out, "DIFFERS  {name}")?;
            let mut step = None;
            for difference in differences.iter().take(SHOWN) {
                if step != Some(difference.step) {
                    step = Some(difference.step);
                    writeln!(out, "  step {} at {} s ({})", difference.step, difference.at, difference.action)?;
                }
                print_difference(difference, out)?;
            }
            match differences.len().saturating_sub(SHOWN) {
                0 => Ok(()),
                more => writeln!(out, "  … and {more} more"),
            }
        }
    }
}

fn print_difference(difference: &Difference, out: &mut dyn Write) -> std::io::Result<()> {
    let text = |value: &Value| if value.is_null() { "nothing".to_owned() } else { value.to_string() };
    writeln!(out, "    {}", difference.field)?;
    writeln!(out, "      - recorded {}", text(&difference.recorded))?;
    writeln!(out, "      + got      {}", text(&difference.got))
}

#[derive(Default)]
struct Report {
    matched: Vec<String>,
    differ: Vec<(String, Vec<Difference>)>,
    not_supported: Vec<(String, Vec<String>)>,
}

impl Report {
    fn add(&mut self, name: &str, verdict: Verdict) {
        let name = name.to_owned();
        match verdict {
            Verdict::Matched => self.matched.push(name),
            Verdict::Differs(differences) => self.differ.push((name, differences)),
            Verdict::NotSupported(reasons) => self.not_supported.push((name, reasons)),
        }
    }

    fn sums(&self) -> String {
        let (matched, differ, not_supported) = (self.matched.len(), self.differ.len(), self.not_supported.len());
        format!("{matched} matched, {differ} differ, {not_supported} not supported")
    }

    fn to_json(&self) -> Value {
        let differ: Vec<Value> =
            self.differ.iter().map(|(name, list)| json!({"name": name, "differences": list})).collect();
        let not_supported: Vec<Value> =
            self.not_supported.iter().map(|(name, list)| json!({"name": name, "reasons": list})).collect();
        json!({
            "matched": self.matched,
            "differ": differ,
            "notSupported": not_supported,
            "sums": {
                "matched": self.matched.len(),
                "differ": self.differ.len(),
                "notSupported": self.not_supported.len(),
            },
        })
    }
}

//! `jobwright explore`: every end of a small Job, with a scenario for each.
//!
//! Invariant: what is printed in JSON is the same as in text, and each witness is a file for `jobwright run`.

use std::io::{IsTerminal, Write};
use std::path::Path;

use jobwright_sim::explore::{self, Broken, End, EndReport, Extreme, Progress, Question, Report, Scope, Subject};
use jobwright_sim::explore::{Watchdog, Witness};
use jobwright_sim::scenario;
use serde_json::{Value, json};

use crate::args::{ExploreArgs, Format};
use crate::excerpt;
use crate::files::{self, CommandError};

/// Explores; the exit code.
///
/// # Errors
/// The input or an option cannot be used.
pub(crate) fn explore(args: &ExploreArgs, out: &mut dyn Write) -> Result<u8, CommandError> {
    let (name, text) = files::input(&args.file)?;
    let document = scenario::read(&text).map_err(|errors| CommandError::Input(excerpt::show(&name, &text, &errors)))?;
    if document.scenario.job.is_null() {
        return Err(CommandError::Input(format!(
            "{name}: exploring starts with a new Job: the file needs `job`, not `from`"
        )));
    }
    let subject = Subject::of(&document.scenario);
    if let Some(id) = &args.lint {
        return lint(&subject, id, out);
    }
    let outcomes = Scope::any_of(&args.any_of).map_err(|error| {
        let place = jobwright_api::yaml::Span::point(1, error.at + 1);
        let finding = jobwright_api::Diagnostic::error(jobwright_api::diagnostic::Code::Invalid, place, error.message);
        CommandError::Input(excerpt::show("--any-of", &args.any_of, &[finding]))
    })?;
    let scope = Scope {
        crashes: args.crashes,
        conflicts: args.conflicts,
        stale: args.stale,
        lost: args.lost,
        states_max: args.max_states,
        ..outcomes
    };
    let report = explore::walk(&subject, &scope, Watchdog::default(), &mut progress())
        .map_err(|error| CommandError::Input(format!("{name}: {}", error.message)))?;
    if let Some(folder) = &args.witness_dir {
        write_witnesses(&report, &subject, folder)?;
    }
    if let Some(number) = args.end {
        let end = number
            .checked_sub(1)
            .and_then(|place| report.ends.get(place))
            .ok_or_else(|| CommandError::Input(format!("--end {number}: there are ends 1 to {}", report.ends.len())))?;
        let witness = end.witness.as_ref().ok_or_else(no_witness)?;
        write!(out, "{}", witness.scenario(&subject, &comment(&end.end)))?;
    } else if args.format == Format::Json {
        writeln!(out, "{:#}", to_json(&report))?;
    } else {
        print(&report, args.max_states, out)?;
    }
    Ok(match (&report.broken, report.complete) {
        (Some(_), _) => 1,
        (None, false) => 3,
        (None, true) => 0,
    })
}

fn no_witness() -> CommandError {
    CommandError::Input("this end has no witness; please report the manifest and the command line".to_owned())
}

/// The witness of a lint.
fn lint(subject: &Subject, id: &str, out: &mut dyn Write) -> Result<u8, CommandError> {
    let question = Question::parse(id).ok_or_else(|| {
        let known: Vec<&str> = Question::ALL.into_iter().map(Question::id).collect();
        CommandError::Input(format!("--lint {id}: there is no such lint to show. Known are {}.", known.join(", ")))
    })?;
    match explore::witness(subject, question) {
        Some(witness) => {
            write!(
                out,
                "{}",
                witness.scenario(subject, &format!("What the lint `{id}` says: {} pods are made.", witness.pods))
            )?;
            Ok(0)
        }
        None => {
            writeln!(out, "Nothing that can happen to this Job shows what the lint {id} says.")?;
            Ok(1)
        }
    }
}

/// Tells a person how far the walk is.
fn progress() -> impl FnMut(&Progress) {
    let shown = std::io::stderr().is_terminal();
    let mut calls = 0_u32;
    move |progress: &Progress| {
        calls += 1;
        if shown && calls.is_multiple_of(8) {
            eprint!("\r{} states, {} waiting, depth {} ", progress.states, progress.waiting, progress.depth);
        }
    }
}

fn comment(end: &End) -> String {
    let (condition, reason) = end.words();
    format!("Shortest way to {condition} {reason}, found by jobwright explore.")
}

fn write_witnesses(report: &Report<Broken>, subject: &Subject, folder: &Path) -> Result<(), CommandError> {
    std::fs::create_dir_all(folder)?;
    let ends = (1..).zip(&report.ends).map(|(n, end)| (format!("end-{n}"), comment(&end.end), end.witness.as_ref()));
    let extremes = extremes(report).map(|(name, words, extreme)| {
        (
            name.to_owned(),
            format!("{words}: a worst case, found by jobwright explore."),
            extreme.and_then(|e| e.witness.as_ref()),
        )
    });
    let broken =
        report.broken.iter().map(|(broken, witness)| ("broken".to_owned(), broken.to_string(), witness.as_ref()));
    for (name, comment, witness) in ends.chain(extremes).chain(broken) {
        if let Some(witness) = witness {
            std::fs::write(folder.join(format!("{name}.yaml")), witness.scenario(subject, &comment))?;
        }
    }
    Ok(())
}

/// Name of the file, words, and value of each worst case.
fn extremes(report: &Report<Broken>) -> impl Iterator<Item = (&'static str, &'static str, Option<&Extreme>)> {
    [
        ("most-pods", "Most pods made", report.most_pods.as_ref()),
        ("most-failed", "Most failed pods", report.most_failed.as_ref()),
        ("longest", "Longest time", report.longest.as_ref()),
    ]
    .into_iter()
}

fn print(report: &Report<Broken>, max_states: usize, out: &mut dyn Write) -> Result<(), CommandError> {
    let walked = &report.walked;
    let rows: Vec<[String; 6]> = (1..).zip(&report.ends).map(|(number, end)| row(number, end)).collect();
    let head = ["", "END", "PODS", "TIME", "STATES", "WAYS"].map(str::to_owned);
    let width = |column: usize| rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    for row in [&head].into_iter().chain(&rows) {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    writeln!(out)?;
    for (name, words, extreme) in extremes(report) {
        let Some(extreme) = extreme else { continue };
        let value = extreme.value.map_or("no limit".to_owned(), |value| match name {
            "longest" => time(i64::try_from(value).unwrap_or(i64::MAX)),
            _ => value.to_string(),
        });
        writeln!(out, "{words:<18}{value:<12}{}", line(extreme.witness.as_ref()))?;
    }
    writeln!(out)?;
    for (number, end) in (1..).zip(&report.ends) {
        writeln!(out, "Shortest way to {number}: {}", line(end.witness.as_ref()))?;
    }
    writeln!(out)?;
    writeln!(out, "{} states, {} moves, depth {}", walked.states, walked.moves, walked.depth)?;
    if let Some((broken, witness)) = &report.broken {
        writeln!(out, "\nBROKEN  {broken}\n  {}", line(witness.as_ref()))?;
    } else if !report.complete {
        writeln!(
            out,
            "\nStopped at {max_states} states; {} were not followed further, so there may be more ends,",
            walked.waiting
        )?;
        writeln!(out, "and worse cases. Raise --max-states, or lower parallelism, backoffLimit or --any-of.")?;
    }
    Ok(())
}

fn row(number: usize, end: &EndReport) -> [String; 6] {
    let (condition, reason) = end.end.words();
    let range = |least: String, most: Option<String>| match most {
        Some(most) if most == least => least,
        Some(most) => format!("{least} to {most}"),
        None => format!("{least} or more"),
    };
    [
        number.to_string(),
        format!("{condition} {reason}").trim_end().to_owned(),
        range(end.pods.0.to_string(), end.pods.1.map(|most| most.to_string())),
        range(time(end.time.0.0), end.time.1.map(|most| time(most.0))),
        end.states.to_string(),
        end.ways.map_or("no limit".to_owned(), |ways| ways.to_string()),
    ]
}

/// A length of time, in hours, minutes and seconds.
fn time(millis: i64) -> String {
    let (seconds, rest) = (millis / 1_000, millis % 1_000);
    let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "m")];
    let mut text: String = parts.iter().filter(|(n, _)| *n > 0).map(|(n, unit)| format!("{n}{unit}")).collect();
    if rest > 0 {
        text.push_str(&format!("{}.{rest:03}s", seconds % 60));
    } else if seconds % 60 > 0 || text.is_empty() {
        text.push_str(&format!("{}s", seconds % 60));
    }
    text
}

fn line(witness: Option<&Witness>) -> String {
    match witness.map(Witness::line) {
        None => "no witness".to_owned(),
        Some(line) if line.is_empty() => "every pod succeeds".to_owned(),
        Some(line) => line,
    }
}

fn to_json(report: &Report<Broken>) -> Value {
    let witness = |witness: Option<&Witness>| {
        witness
            .map(|w| json!({"outcomes": w.outcomes, "steps": w.steps, "pods": w.pods, "seconds": seconds(w.elapsed.0)}))
    };
    let ends: Vec<Value> = report
        .ends
        .iter()
        .map(|end| {
            let (condition, reason) = end.end.words();
            json!({
                "condition": condition,
                "reason": reason,
                "states": end.states,
                "ways": end.ways,
                "pods": {"least": end.pods.0, "most": end.pods.1},
                "seconds": {"least": seconds(end.time.0.0), "most": end.time.1.map(|most| seconds(most.0))},
                "witness": witness(end.witness.as_ref()),
            })
        })
        .collect();
    let extreme = |extreme: Option<&Extreme>, scale: f64| {
        extreme.map(|extreme| {
            let value = extreme.value.map(|value| value as f64 / scale);
            json!({"value": value, "witness": witness(extreme.witness.as_ref())})
        })
    };
    json!({
        "complete": report.complete,
        "states": report.walked.states,
        "moves": report.walked.moves,
        "depth": report.walked.depth,
        "ends": ends,
        "mostPods": extreme(report.most_pods.as_ref(), 1.0),
        "mostFailed": extreme(report.most_failed.as_ref(), 1.0),
        "longestSeconds": extreme(report.longest.as_ref(), 1_000.0),
        "broken": report.broken.as_ref().map(|(broken, w)| json!({"law": broken.law, "what": broken.what, "witness": witness(w.as_ref())})),
    })
}

fn seconds(millis: i64) -> f64 {
    millis as f64 / 1_000.0
}

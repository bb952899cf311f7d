//! `jobwright run`: a Job or a scenario from its beginning to an end, decision by decision.
//!
//! Invariant: what this version does not act on is said before the first card.

use std::io::Write;

use jobwright_sim::session::{Options, RunEnd, Session, Until};
use serde_json::{Value, json};

use crate::args::{Format, RunArgs};
use crate::files::{self, CommandError};
use crate::layout::{block, say};
use crate::{cards, excerpt, summary};

/// Runs; true if the run ended as asked.
///
/// # Errors
/// The input or an option cannot be used.
pub(crate) fn run(args: &RunArgs, out: &mut dyn Write) -> Result<bool, CommandError> {
    let until = Until::parse(&args.until)
        .ok_or_else(|| CommandError::Input(say("cli.error.until", &[("text", &args.until)])))?;
    let (name, text) = files::input(&args.file)?;
    let outcomes = args.outcomes.join(";");
    let options = Options { outcomes: outcomes.clone(), seed: args.seed };
    let mut session = Session::from_text(&text, &options).map_err(|errors| {
        let (beside, inside): (Vec<_>, Vec<_>) =
            errors.into_iter().partition(|error| !outcomes.is_empty() && error.field.as_deref() == Some("outcomes"));
        let parts = [excerpt::show("--outcomes", &outcomes, &beside), excerpt::show(&name, &text, &inside)];
        CommandError::Input(parts.concat())
    })?;
    let end = match args.format {
        Format::Text => print_cards(&mut session, &until, args.limit, out)?,
        Format::Json => session.run_until(&until, args.limit),
    };
    let note = match end {
        RunEnd::Reached => None,
        RunEnd::Ended => Some(say("cli.summary.not-reached", &[("until", &args.until)])),
        RunEnd::Limit => Some(say("cli.summary.limit", &[("count", &args.limit.to_string())])),
    };
    let frame = session.frame();
    let calls = session.calls();
    match args.format {
        Format::Text => write!(out, "{}", summary::show(&frame, calls, note.as_deref()))?,
        Format::Json => {
            let cards: Vec<Value> =
                (1..=session.decisions()).filter_map(|n| session.card(n)).map(|c| json!(c)).collect();
            let summary = summary::to_json(&frame, calls, note.as_deref());
            let warnings = &session.document().warnings;
            let whole = json!({"notices": frame.notices, "warnings": warnings, "decisions": cards, "summary": summary});
            writeln!(out, "{whole:#}")?;
        }
    }
    Ok(end == RunEnd::Reached)
}

/// Prints what is not acted on, and then each card when its decision is made.
fn print_cards(session: &mut Session, until: &Until, limit: u32, out: &mut dyn Write) -> Result<RunEnd, CommandError> {
    for warning in &session.document().warnings {
        write!(out, "{}", block("WARNING", &warning.to_string()))?;
    }
    let notices = session.notices();
    if !notices.is_empty() {
        write!(out, "{}", block("NOTICE", &say("cli.notices", &[])))?;
    }
    for notice in &notices {
        let line = notice.line.to_string();
        let values = [("line", &*line), ("field", &notice.field), ("text", &notice.text)];
        write!(out, "{}", block("", &say("cli.notice", &values)))?;
    }
    loop {
        let before = session.decisions();
        // One decision at a time; the limit of the whole run is kept here.
        let end = if before >= limit { RunEnd::Limit } else { session.run_until(until, 1) };
        if session.decisions() > before
            && let Some(card) = session.card(session.decisions())
        {
            write!(out, "{}", cards::show(&card))?;
        }
        if end != RunEnd::Limit || before >= limit {
            return Ok(end);
        }
    }
}

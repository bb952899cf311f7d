//! Decision cards as text.
//!
//! Invariant: a decision that wrote nothing takes one line; everything else stands under headings.

use jobwright_api::card::{Card, InputLine, TriedLine, WriteLine};

use crate::layout::{NO_BREAK, block, list, say, seconds, table};

/// One card.
pub(crate) fn show(card: &Card) -> String {
    if card.writes.is_empty() && card.error.is_none() { folded(card) } else { whole(card) }
}

/// One card with all its headings.
pub(crate) fn whole(card: &Card) -> String {
    let head = format!("#{:<4} t={:<9} {}", card.step, seconds(card.at_ms), card.title);
    let mut out = format!("\n{}\n", head.trim_end());
    out.push_str(&block("TRIGGER", &card.trigger));
    if !card.rule.is_empty() {
        out.push_str(&block("RULE", &card.rule));
    }
    out.push_str(&block("WHY", &card.why));
    out.push_str(&list("TRIED", &tried(&card.tried)));
    if !card.inputs.is_empty() {
        out.push_str(&block("INPUTS", &inputs(&card.inputs)));
    }
    out.push_str(&list("WRITES", &writes(&card.writes)));
    let events: Vec<String> =
        card.events.iter().map(|[kind, reason, message]| format!("{kind} {reason}: {message}")).collect();
    out.push_str(&list("EVENTS", &events));
    if let Some(error) = &card.error {
        out.push_str(&block("ERROR", error));
    }
    if let Some(next) = &card.next {
        out.push_str(&block("NEXT", &format!("t={} {}", seconds(next.at_ms), next.text)));
    }
    out
}

/// A decision that changed nothing.
fn folded(card: &Card) -> String {
    let head = format!("#{:<4} t={:<9} {}. {}", card.step, seconds(card.at_ms), card.title, card.trigger);
    format!("{}\n", head.trim_end())
}

/// The ladder, one line for each question: the rules in their order, those that fired with their numbers. Of
/// those that did not, the numbers are shown where they say how far away something was.
fn tried(rungs: &[TriedLine]) -> Vec<String> {
    let telling = [say("stage.end", &[]), say("stage.pods", &[])];
    let mut lines: Vec<String> = Vec::new();
    for stage in rungs.chunk_by(|one, next| one.stage == next.stage) {
        let Some(first) = stage.first() else { continue };
        let numbers = telling.contains(&first.stage);
        // A rung is not broken over two lines.
        let rungs: Vec<String> = stage.iter().map(|rung| rung_text(rung, numbers).replace(' ', NO_BREAK)).collect();
        lines.push(format!("{} {}", first.stage, rungs.join(" | ")));
    }
    lines
}

fn rung_text(rung: &TriedLine, numbers: bool) -> String {
    let (mark, answer) = if rung.fired { ("> ", "YES") } else { ("", "no") };
    let text = match rung.text.as_str() {
        "" | "no" => String::new(),
        text if rung.fired || numbers => format!(" ({text})"),
        _ => String::new(),
    };
    format!("{mark}{} {answer}{text}", rung.rule)
}

/// The numbers that are not 0.
fn inputs(inputs: &[InputLine]) -> String {
    let (zero, other): (Vec<_>, Vec<_>) = inputs.iter().partition(|input| matches!(&*input.value, "0" | "0 s"));
    let mut shown: Vec<String> = other.iter().map(|input| format!("{}: {}", input.label, input.value)).collect();
    if !zero.is_empty() {
        shown.push(say("cli.card.zero", &[]));
    }
    shown.join(" | ")
}

fn writes(writes: &[WriteLine]) -> Vec<String> {
    let row = |(number, write): (usize, &WriteLine)| {
        let times = if write.count > 1 { format!(" (x{})", write.count) } else { String::new() };
        vec![(number + 1).to_string(), write.verb.clone(), format!("{}{times}", write.what), write.answer.clone()]
    };
    table(&writes.iter().enumerate().map(row).collect::<Vec<_>>())
}

//! The report as workflow commands: annotations at the lines of a pull request.
//!
//! Invariant: what a manifest says cannot end a command or begin another one: it is escaped as the runner unescapes it.

use jobwright_api::Severity;

use super::report::{File, Message, Report};

/// All of it; a line for each message.
pub(super) fn show(report: &Report) -> String {
    report.messages().map(|(file, message)| one(file, message)).collect()
}

fn one(file: &File, message: &Message) -> String {
    let command = match message.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let (name, place) = (property(&file.name), message.place);
    let title = property(&format!("{}: {}", message.rule, message.field));
    let help = message.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    let text = data(&format!("{}{help}", message.text));
    let (line, column, end_line, end) = (place.line, place.column, place.end_line, place.end_column);
    // A range of columns only works within one line.
    let end = if end_line == line && end > column { format!(",endColumn={end}") } else { String::new() };
    let title = title.trim_end_matches("%3A ");
    format!("::{command} file={name},line={line},col={column}{end},title={title}::{text}\n")
}

/// Escapes the text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_break_out_of_a_command() {
        assert_eq!(data("50%\r\n::error::x"), "50%25%0D%0A::error::x");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}

//! Output of the command that README.md shows: real, and kept so.
//!
//! A comment `<!-- output: ARGUMENTS | FROM | UNTIL -->` stands before a block fenced with `text`. The block holds what
//! `jobwright ARGUMENTS` prints, from the line that starts with FROM to the one before the line that starts with UNTIL.
//! Without the two it is all of the output.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::repo::Repo;
use crate::run::Run;

const FILE: &str = "README.md";
const START: &str = "<!-- output: ";
const END: &str = " -->";
const OPEN: &str = "```text";
const CLOSE: &str = "```";

/// Fails if a block is not what the command prints now.
pub(crate) fn check(repo: &Repo) -> Result<()> {
    let text = repo.read(FILE)?;
    if text != fresh(&text, |arguments| printed(repo, arguments))? {
        bail!("{FILE} shows output that the command no longer prints (`cargo xtask bless` writes it anew)");
    }
    println!("{FILE} shows what the command prints");
    Ok(())
}

/// Writes the blocks anew.
pub(crate) fn write(repo: &Repo) -> Result<()> {
    let text = fresh(&repo.read(FILE)?, |arguments| printed(repo, arguments))?;
    fs::write(repo.path(FILE), text).with_context(|| format!("cannot write {FILE}"))
}

fn printed(repo: &Repo, arguments: &[&str]) -> Result<String> {
    let run = Run::cargo().args(["run", "--quiet", "--package", "jobwright-cli", "--"]).args(arguments);
    run.dir(repo.root()).output()
}

/// The text with each block made anew.
fn fresh(text: &str, print: impl Fn(&[&str]) -> Result<String>) -> Result<String> {
    let mut lines = text.lines();
    let mut out = String::new();
    while let Some(line) = lines.next() {
        push(&mut out, line);
        let Some(request) = line.strip_prefix(START).and_then(|rest| rest.strip_suffix(END)) else { continue };
        if lines.next() != Some(OPEN) {
            bail!("{FILE}: no block fenced with {OPEN} after: {line}");
        }
        push(&mut out, OPEN);
        push(&mut out, &excerpt(request, &print)?);
        push(&mut out, CLOSE);
        if !lines.by_ref().any(|line| line == CLOSE) {
            bail!("{FILE}: a block does not end after: {line}");
        }
    }
    Ok(out)
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

fn excerpt(request: &str, print: impl Fn(&[&str]) -> Result<String>) -> Result<String> {
    let mut parts = request.split(" | ");
    let arguments: Vec<_> = parts.next().unwrap_or_default().split_whitespace().collect();
    let printed = print(&arguments)?;
    let (Some(from), Some(until)) = (parts.next(), parts.next()) else { return Ok(printed.trim_end().to_owned()) };
    let rest = printed.lines().skip_while(|line| !line.starts_with(from));
    let lines: Vec<_> = rest.take_while(|line| !line.starts_with(until)).collect();
    if lines.is_empty() {
        bail!("no line of `jobwright {}` starts with {from}", arguments.join(" "));
    }
    Ok(lines.join("\n").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "#1 one\n   why\n\n#2 two\n";

    fn made(request: &str) -> Result<String> {
        let text = format!("before\n<!-- output: {request} -->\n```text\nold\n```\nafter\n");
        fresh(&text, |arguments| {
            assert_eq!(arguments, ["run", "x.yaml"]);
            Ok(OUTPUT.to_owned())
        })
    }

    #[test]
    fn a_block_holds_the_lines_that_were_asked_for() {
        let start = "before\n<!-- output: run x.yaml";
        assert_eq!(
            made("run x.yaml | #1 | #2").expect("made"),
            format!("{start} | #1 | #2 -->\n```text\n#1 one\n   why\n```\nafter\n")
        );
        assert_eq!(
            made("run x.yaml").expect("made"),
            format!("{start} -->\n```text\n#1 one\n   why\n\n#2 two\n```\nafter\n")
        );
    }

    #[test]
    fn what_is_not_printed_and_a_missing_block_are_errors() {
        assert!(made("run x.yaml | #7 | #8").is_err());
        assert!(fresh("<!-- output: run x.yaml -->\nno block\n", |_| Ok(String::new())).is_err());
        assert!(fresh("<!-- output: run x.yaml -->\n```text\nno end\n", |_| Ok(String::new())).is_err());
    }
}

//! `jobwright`: checks Jobs, runs them, explains those of a cluster, and replays recorded traces in a terminal.
//!
//! Invariant: this file only reads arguments and picks the exit code.

mod args;
mod cards;
mod excerpt;
mod explain;
mod explore;
mod files;
mod layout;
mod live;
mod replay;
mod run;
mod shell;
mod summary;
mod validate;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use files::CommandError;

/// How a command ends: 0 well, 1 not as asked, 2 not understood, 3 stopped at a bound.
fn main() -> ExitCode {
    let args = Args::parse();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let result = match &args.command {
        Command::Run(args) => run::run(args, &mut out).map(exit_code),
        Command::Validate(args) => validate::validate(args, &mut out).map(exit_code),
        Command::Completions(args) => shell::completions(args, &mut out).map(exit_code),
        Command::Man(args) => shell::man(args, &mut out).map(exit_code),
        Command::Explain(args) => explain::run(args, &mut out).map(exit_code),
        Command::Watch(args) => watch::run(args, &mut out).map(exit_code),
        Command::Replay(args) => replay::replay(args, &mut out).map(exit_code),
        Command::Explore(args) => explore::explore(args, &mut out),
    };
    let flushed = std::io::Write::flush(&mut out).map_err(CommandError::Write);
    match result.and_then(|code| flushed.map(|()| code)) {
        Ok(code) => ExitCode::from(code),
        // The reader has seen enough, as with `| head`.
        Err(CommandError::Write(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", error.to_string().trim_end());
            ExitCode::from(2)
        }
    }
}

const fn exit_code(well: bool) -> u8 {
    if well { 0 } else { 1 }
}

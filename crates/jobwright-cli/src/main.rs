//! `jobwright`: runs Jobs and replays recorded traces in a terminal.
//!
//! Invariant: this file only reads arguments and picks the exit code.

mod args;
mod excerpt;
mod files;
mod replay;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

/// How a command ends: 0 well, 1 not as asked, 2 not understood.
fn main() -> ExitCode {
    let args = Args::parse();
    let mut out = std::io::stdout().lock();
    let result = match &args.command {
        Command::Replay(args) => replay::replay(args, &mut out),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

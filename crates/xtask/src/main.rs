//! The project's one command, `cargo xtask`: sets up what is missing, builds, checks and serves.
//!
//! It says what it does, skips what is there, and stops at the first thing that fails.

mod args;
mod bench;
mod bless;
mod ci;
mod cluster;
mod fuzz;
mod play;
mod readme;
mod repo;
mod run;
mod setup;
mod soak;
mod source;
mod spec;
mod steps;
mod stopwatch;
mod tidy;
mod types;
mod upstream;
mod wasm;
mod web;

use clap::Parser;

use args::{Args, Command};
use repo::Repo;
use setup::{Chromium, Packages};

fn main() -> std::process::ExitCode {
    match Repo::find().and_then(|repo| carry_out(&repo, Args::parse().command)) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn carry_out(repo: &Repo, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Play { port } => play::play(repo, port),
        Command::Test { install, full } => ci::test(repo, Packages::wanted(install), full),
        Command::BenchCluster { install, arguments } => cluster::bench(repo, Packages::wanted(install), &arguments),
        Command::Ready => ci::ready(repo),
        Command::Upstream { install, filter } => upstream::upstream(repo, Packages::wanted(install), filter.as_deref()),
        Command::Cluster { install, controller } => cluster::cluster(repo, Packages::wanted(install), &controller),
        Command::Wasm => wasm::build(repo, wasm::TooHeavy::Fails),
        Command::Screenshots => web::screenshots(repo, &Chromium::set_up(Packages::wanted(false))?),
        Command::Budgets => web::budgets(repo, &Chromium::set_up(Packages::wanted(false))?),
        Command::Types { check } => types::types(repo, check),
        Command::Bless => bless::bless(repo),
        Command::Bench { filter } => bench::bench(repo, filter.as_deref()),
        Command::Fuzz { target, runs, install } => {
            fuzz::fuzz(repo, Packages::wanted(install), &fuzz::Wish { target: target.as_deref(), runs })
        }
        Command::Soak { states } => soak::soak(repo, states),
        Command::Rules => spec::report::print(repo),
        Command::Tidy => tidy::tidy(repo),
    }
}

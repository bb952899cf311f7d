//! `jobwright-cluster`: a cluster on this machine to try Jobs on. `cargo xtask cluster` builds what it needs and starts it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use jobwright_cluster::controller::built_controller;
use jobwright_cluster::{ControllerProcess, Nodes, Options, Plane, Speed};

/// A real API server with simulated nodes and the controller, until Ctrl-C
#[derive(Parser)]
#[command(name = "jobwright-cluster")]
struct Args {
    /// The program with etcd, kube-apiserver, kube-controller-manager and kubectl
    #[arg(long, value_name = "FILE", env = "JOBWRIGHT_CONTROLPLANE")]
    control_plane: PathBuf,
    /// More arguments of the controller, after `--`
    #[arg(last = true)]
    controller: Vec<String>,
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
    println!("Starting etcd and kube-apiserver …");
    let plane = Plane::start(&args.control_plane, Options::without_jobs()).await?;
    let _nodes = Nodes::start(plane.client().await?, Speed::AsSaid);
    let mut arguments = vec!["--replace-builtin"];
    arguments.extend(args.controller.iter().map(String::as_str));
    let log = plane.folder().join("controller.log");
    let controller = ControllerProcess::start(&built_controller()?, &plane.kubeconfig(), &log, &arguments).await?;
    let kubectl = format!("{} kubectl --kubeconfig {}", args.control_plane.display(), plane.kubeconfig().display());
    println!("The API server is at {}, the controller's log is {}.", plane.server(), log.display());
    println!(
        "Pods run on simulated nodes: the annotation {} says how they end.",
        jobwright_cluster::nodes::outcome::ANNOTATION
    );
    println!(
        "\nTry, in another terminal:\n\n  alias k='{kubectl}'\n  k apply -f tests/cluster/examples/survey.yaml\n  k get jobs,pods --watch\n"
    );
    println!("Ctrl-C ends everything.");
    tokio::signal::ctrl_c().await.context("signals")?;
    println!("\nEnding …");
    controller.end().await;
    Ok(())
}

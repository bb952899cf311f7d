//! `cargo xtask bench-cluster`: this controller and Kubernetes' own on the same loads.
//!
//! Each run has a control plane of its own, with instant nodes, and the controller talks to it through a proxy that counts.
//! Times depend on the machine; what is compared are ratios of runs that follow each other.

mod soak;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use jobwright_cluster::controller::{built_controller, usage};
use jobwright_cluster::job::{Bench, job, send};
use jobwright_cluster::part::Part;
use jobwright_cluster::proxy::Proxy;
use jobwright_cluster::{ControllerProcess, Nodes, Options, Plane, Speed, kubeconfig};
use serde_json::{Value, json};

/// How long a load may take.
const PATIENCE: Duration = Duration::from_secs(900);

/// Both controllers on the same loads, one after the other
#[derive(Parser)]
#[command(name = "bench-cluster")]
struct Args {
    /// The program with etcd, kube-apiserver and kube-controller-manager
    #[arg(long, value_name = "FILE", env = "JOBWRIGHT_CONTROLPLANE")]
    control_plane: PathBuf,
    /// Runs of each load and controller; the middle one counts
    #[arg(long, default_value_t = 1)]
    runs: usize,
    /// Instead of the loads: so many short Jobs one after the other
    #[arg(long, value_name = "JOBS")]
    soak: Option<u64>,
    /// Jobs a second of --soak
    #[arg(long, default_value_t = 40)]
    rate: u64,
    /// Only loads whose name has this text
    filter: Option<String>,
}

/// Jobs that are alike.
#[derive(Clone, Copy)]
struct Load {
    name: &'static str,
    jobs: usize,
    completions: u32,
    parallelism: u32,
    /// Requests per second and at once; 0: no limit.
    qps: u32,
}

const LOADS: [Load; 5] = [
    Load { name: "one Job of 10", jobs: 1, completions: 10, parallelism: 10, qps: 0 },
    Load { name: "one Job of 5,000, 500 at a time", jobs: 1, completions: 5_000, parallelism: 500, qps: 0 },
    Load { name: "one Job of 20,000, 2,000 at a time", jobs: 1, completions: 20_000, parallelism: 2_000, qps: 0 },
    Load { name: "500 Jobs of 10", jobs: 500, completions: 10, parallelism: 10, qps: 0 },
    Load { name: "100 Jobs of 10, 100 requests a second", jobs: 100, completions: 10, parallelism: 10, qps: 100 },
];

/// Who carries the Jobs out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Kubernetes,
    Jobwright,
}

/// What a run cost.
#[derive(Clone, Copy, Debug)]
struct Cost {
    seconds: f64,
    cpu: f64,
    peak_kb: u64,
    requests: u64,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    if let Some(jobs) = args.soak {
        return soak::soak(&args.control_plane, jobs, args.rate).await;
    }
    println!("| load | | wall s | CPU s | peak MB | requests without events |");
    println!("|---|---|---|---|---|---|");
    for load in LOADS.iter().filter(|load| args.filter.as_ref().is_none_or(|text| load.name.contains(&**text))) {
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..args.runs.max(1) {
            theirs.push(run(&args.control_plane, *load, Who::Kubernetes).await?);
            ours.push(run(&args.control_plane, *load, Who::Jobwright).await?);
        }
        let (theirs, ours) = (middle(theirs)?, middle(ours)?);
        line(load.name, "kube-controller-manager", theirs);
        line("", "jobwright-controller", ours);
        ratio(theirs, ours);
    }
    Ok(())
}

fn middle(mut costs: Vec<Cost>) -> Result<Cost> {
    costs.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
    costs.get(costs.len() / 2).copied().context("no run")
}

fn line(load: &str, who: &str, cost: Cost) {
    let megabytes = cost.peak_kb / 1_024;
    println!("| {load} | {who} | {:.1} | {:.2} | {megabytes} | {} |", cost.seconds, cost.cpu, cost.requests);
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn ratio(theirs: Cost, ours: Cost) {
    let of = |ours: f64, theirs: f64| format!("{:.2}x", ours / theirs.max(0.001));
    println!(
        "| | ratio | {} | {} | {} | {} |",
        of(ours.seconds, theirs.seconds),
        of(ours.cpu, theirs.cpu),
        of(ours.peak_kb as f64, theirs.peak_kb as f64),
        of(ours.requests as f64, theirs.requests as f64)
    );
}

/// A running controller of either kind.
enum Running {
    Kubernetes(Part),
    Jobwright(ControllerProcess),
}

impl Running {
    async fn start(who: Who, plane: &Plane, config: &Path, qps: u32) -> Result<Self> {
        let (rate, burst) = if qps == 0 { (100_000, 100_000) } else { (qps, qps) };
        if who == Who::Kubernetes {
            let flags = [format!("--kube-api-qps={rate}"), format!("--kube-api-burst={burst}")];
            let part = plane.controller_manager(config, "job-controller", &flags)?;
            // It says nowhere that its caches are filled.
            tokio::time::sleep(Duration::from_secs(5)).await;
            return Ok(Self::Kubernetes(part));
        }
        let flags = [format!("--kube-api-qps={qps}"), format!("--kube-api-burst={burst}")];
        let arguments = ["--replace-builtin", &flags[0], &flags[1]];
        let log = plane.folder().join("controller.log");
        Ok(Self::Jobwright(ControllerProcess::start(&built_controller()?, config, &log, &arguments).await?))
    }

    fn id(&self) -> u32 {
        match self {
            Self::Kubernetes(part) => part.id(),
            Self::Jobwright(process) => process.id(),
        }
    }
}

async fn run(program: &Path, load: Load, who: Who) -> Result<Cost> {
    let plane = Plane::start(program, Options::default()).await?;
    let client = plane.client().await?;
    let _nodes = Nodes::start(client.clone(), Speed::Instant);
    let proxy = Proxy::start(client.clone()).await?;
    let config = plane.folder().join("proxy.config");
    kubeconfig::write(&config, &proxy.server(), None, "of the proxy")?;
    let running = Running::start(who, &plane, &config, load.qps).await?;
    let bench = Bench::new(client, "bench").await?;
    let (cpu_before, _) = usage(running.id())?;
    let before = requests(&proxy);
    #[expect(clippy::disallowed_methods, reason = "durations of a benchmark, for people to read")]
    let began = Instant::now();
    create(&bench, load).await?;
    tokio::time::timeout(PATIENCE, all_ended(&bench, load)).await.context("the Jobs did not end in time")??;
    let seconds = began.elapsed().as_secs_f64();
    let (cpu, peak_kb) = usage(running.id())?;
    Ok(Cost { seconds, cpu: cpu - cpu_before, peak_kb, requests: requests(&proxy) - before })
}

fn requests(proxy: &Proxy) -> u64 {
    let counted = |call: &str| call.ends_with(" pods") || call.contains(" jobs") || call.ends_with("pods/status");
    proxy.counts().iter().filter(|(call, _)| counted(call) && !call.starts_with("watch")).map(|(_, times)| times).sum()
}

async fn create(bench: &Bench, load: Load) -> Result<()> {
    let spec = json!({
        "completions": load.completions, "parallelism": load.parallelism, "completionMode": "Indexed",
    });
    for number in 0..load.jobs {
        bench.create(&job(&format!("load-{number}"), "exit 0", spec.clone())).await?;
    }
    Ok(())
}

/// Waits until every Job is complete, by the list of Jobs.
async fn all_ended(bench: &Bench, load: Load) -> Result<()> {
    let path = format!("/apis/batch/v1/namespaces/{}/jobs", bench.namespace);
    loop {
        let list = send(&bench.client, "GET", &path, "", None).await?;
        let jobs: &[Value] = list["items"].as_array().map_or(&[], Vec::as_slice);
        let ended = jobs.iter().filter(|job| job["status"]["completionTime"].is_string()).count();
        if ended == load.jobs {
            let done = jobs.iter().all(|job| job["status"]["succeeded"] == load.completions);
            ensure!(done, "a Job has counted wrong");
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

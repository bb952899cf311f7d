//! Many short Jobs one after the other: whether memory stays where it is.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use jobwright_cluster::controller::{built_controller, resident, usage};
use jobwright_cluster::job::{Bench, job, send};
use jobwright_cluster::{ControllerProcess, Nodes, Options, Plane, Speed};
use serde_json::{Value, json};

/// Seconds between two lines of the table.
const LINE: u64 = 30;
/// How long the last Jobs may take to be gone.
const PATIENCE: Duration = Duration::from_secs(120);

/// Creates `jobs` Jobs of one pod, `rate` each second, which are deleted two seconds after their end.
pub(crate) async fn soak(program: &Path, jobs: u64, rate: u64) -> Result<()> {
    let plane = Plane::start(program, Options::without_jobs()).await?;
    let client = plane.client().await?;
    let _nodes = Nodes::start(client.clone(), Speed::Instant);
    let log = plane.folder().join("controller.log");
    let arguments = ["--replace-builtin", "--concurrent-job-syncs=10"];
    let controller = ControllerProcess::start(&built_controller()?, &plane.kubeconfig(), &log, &arguments).await?;
    let bench = Bench::new(client, "soak").await?;
    println!("{jobs} Jobs of one pod, {rate} a second, gone 2 s after their end\n");
    println!("| s | Jobs made | Jobs there | resident MB | CPU s |\n|---|---|---|---|---|");
    let mut second = tokio::time::interval(Duration::from_secs(1));
    let (mut made, mut seconds) = (0, 0);
    while made < jobs {
        second.tick().await;
        let many = rate.min(jobs - made);
        let each = (made..made + many).map(|number| create(&bench, number));
        futures::future::try_join_all(each).await?;
        made += many;
        if seconds % LINE == 0 {
            line(&bench, &controller, seconds, made).await?;
        }
        seconds += 1;
    }
    let all_gone = async {
        while there(&bench).await? > 0 {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        anyhow::Ok(())
    };
    tokio::time::timeout(PATIENCE, all_gone).await??;
    line(&bench, &controller, seconds, made).await?;
    let finished = controller.metric("job_controller_jobs_finished_total", &["succeeded"]).await?;
    println!("\nfinished: {finished}; the controller peaked at {} MB", usage(controller.id())?.1 / 1_024);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let wanted = jobs as f64;
    ensure!((finished - wanted).abs() < 0.5, "{jobs} Jobs were made");
    Ok(())
}

async fn create(bench: &Bench, number: u64) -> Result<()> {
    bench.create(&job(&format!("soak-{number}"), "exit 0", json!({"ttlSecondsAfterFinished": 2}))).await.map(drop)
}

async fn there(bench: &Bench) -> Result<u64> {
    let path = format!("/apis/batch/v1/namespaces/{}/jobs?limit=1", bench.namespace);
    let list: Value = send(&bench.client, "GET", &path, "", None).await?;
    let shown = list["items"].as_array().map_or(0, |items| items.len() as u64);
    Ok(shown + list["metadata"]["remainingItemCount"].as_u64().unwrap_or_default())
}

async fn line(bench: &Bench, controller: &ControllerProcess, seconds: u64, made: u64) -> Result<()> {
    let (cpu, _) = usage(controller.id())?;
    let kilobytes = resident(controller.id())?;
    println!("| {seconds} | {made} | {} | {} | {cpu:.1} |", there(bench).await?, kilobytes / 1_024);
    Ok(())
}

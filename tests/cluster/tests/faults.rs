//! The controller dies after each of its writes, loses answers, is refused, sees its watches end, has the API server
//! restarted under it, and shares its Jobs with another one: no pod is counted twice or lost, no finalizer is left.
//!
//! Each case has a namespace, a proxy and a controller of its own that watches only that namespace.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use jobwright_cluster::controller::built_controller;
use jobwright_cluster::job::{Bench, condition, job};
use jobwright_cluster::proxy::{Fault, Proxy};
use jobwright_cluster::{ControllerProcess, Nodes, Options, Plane, Speed, control_plane, kubeconfig};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use tokio::sync::RwLock;

/// More writes than the Job of [`small_job`] needs.
const WRITES_MAX: u64 = 40;

/// What the cases share.
struct World {
    plane: RwLock<Plane>,
    _nodes: Nodes,
}

type Case = fn(Arc<World>) -> Pin<Box<dyn Future<Output = Result<()>> + Send>>;

macro_rules! cases {
    ($($name:ident),* $(,)?) => { [$((stringify!($name), (|world| Box::pin($name(world))) as Case)),*] };
}

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let Some(program) = control_plane() else { return Ok(()) };
    let runtime = tokio::runtime::Runtime::new()?;
    let world = runtime.block_on(async {
        let plane = Plane::start(&program, Options::without_jobs()).await?;
        let nodes = Nodes::start(plane.client().await?, Speed::AsSaid);
        anyhow::Ok(Arc::new(World { plane: RwLock::new(plane), _nodes: nodes }))
    })?;
    let cases = cases![
        dies_after_each_write,
        every_third_write_is_a_conflict,
        every_third_write_finds_a_busy_server,
        every_third_write_is_an_internal_error,
        every_third_answer_is_lost,
        watches_end_and_expire,
        two_replicas_hand_over,
        two_controllers_fight,
    ];
    // What changes the plane itself comes after all that need it as it is.
    let alone = cases![the_api_server_restarts];
    let trial = |(name, case): (&str, Case)| {
        let (world, handle) = (world.clone(), runtime.handle().clone());
        Trial::test(name, move || handle.block_on(case(world)).map_err(|error| Failed::from(format!("{error:#}"))))
    };
    let ended = libtest_mimic::run(&arguments, cases.into_iter().map(trial).collect());
    let ended_alone = libtest_mimic::run(&arguments, alone.into_iter().map(trial).collect());
    drop(world);
    if ended.has_failed() { ended.exit() } else { ended_alone.exit() }
}

/// A namespace with a proxy, and how controllers are started in it.
struct Room {
    bench: Bench,
    proxy: Proxy,
    kubeconfig: PathBuf,
    log: PathBuf,
}

impl Room {
    async fn new(world: &World, name: &str) -> Result<Self> {
        let plane = world.plane.read().await;
        let bench = Bench::new(plane.client().await?, name).await?;
        let proxy = Proxy::start(plane.client().await?).await?;
        let (kubeconfig, log) =
            (plane.folder().join(format!("{name}.config")), plane.folder().join(format!("{name}.log")));
        kubeconfig::write(&kubeconfig, &proxy.server(), None, "of the proxy")?;
        Ok(Self { bench, proxy, kubeconfig, log })
    }

    async fn controller(&self, more: &[&str]) -> Result<ControllerProcess> {
        let namespaces = format!("--namespaces={}", self.bench.namespace);
        let mut arguments =
            vec!["--replace-builtin", &*namespaces, "--sync-batch-period=100ms", "--pod-failure-backoff=200ms"];
        arguments.extend(more);
        ControllerProcess::start(&built_controller()?, &self.kubeconfig, &self.log, &arguments).await
    }

    /// The end of the Job: each pod is counted once, and let go.
    async fn check(&self) -> Result<()> {
        let ended = self.bench.ended("small").await?;
        let status = &ended["status"];
        ensure!(condition(&ended, "Failed").as_deref() == Some("FailedIndexes"), "{status}");
        ensure!((&status["completedIndexes"], &status["failedIndexes"]) == (&"0,2".into(), &"1".into()), "{status}");
        let pods = self.bench.pods("small").await?;
        let count = |phase: &str| pods.iter().filter(|pod| pod["status"]["phase"] == phase).count();
        ensure!(status["succeeded"] == json!(count("Succeeded")), "{status} with {} pods", pods.len());
        ensure!(status["failed"] == json!(count("Failed")), "{status} with {} pods", pods.len());
        ensure!(pods.iter().all(|pod| pod["metadata"].get("finalizers").is_none()), "a finalizer is left");
        ensure!(status["uncountedTerminatedPods"] == json!({}), "{status}");
        Ok(())
    }
}

/// Three indexes, one of which fails twice.
fn small_job() -> Value {
    let spec = json!({"completions": 3, "parallelism": 2, "completionMode": "Indexed", "backoffLimitPerIndex": 1});
    job("small", "index 1: exit 1; else: run 300ms, exit 0", spec)
}

async fn dies_after_each_write(world: Arc<World>) -> Result<()> {
    let mut deaths = 0;
    for first in (1..=WRITES_MAX).step_by(4) {
        let four = (first..first + 4).map(|writes| dies_after(&world, writes));
        let died = futures::future::try_join_all(four).await?;
        deaths += died.iter().filter(|died| **died).count();
        if died.contains(&false) {
            println!("died after each of {deaths} writes");
            ensure!(deaths >= 10, "only {deaths} writes");
            return Ok(());
        }
    }
    anyhow::bail!("the Job was not at its end after {WRITES_MAX} writes");
}

/// Whether there were so many writes.
async fn dies_after(world: &World, writes: u64) -> Result<bool> {
    let room = Room::new(world, &format!("dies-{writes}")).await?;
    let mut carried_out = room.proxy.hold_after(writes);
    let controller = room.controller(&[]).await?;
    room.bench.create(&small_job()).await?;
    let died = tokio::select! {
        told = &mut carried_out => told.is_ok(),
        ended = room.bench.ended("small") => ended.map(|_| false)?,
    };
    controller.kill();
    room.proxy.let_go();
    let controller = room.controller(&[]).await?;
    room.check().await?;
    ensure!(controller.end().await, "it does not end when it is asked to");
    Ok(died)
}

async fn meets(world: &World, name: &str, fault: Fault) -> Result<()> {
    let room = Room::new(world, name).await?;
    room.proxy.fault(3, fault);
    let _controller = room.controller(&[]).await?;
    room.bench.create(&small_job()).await?;
    room.check().await
}

async fn every_third_write_is_a_conflict(world: Arc<World>) -> Result<()> {
    meets(&world, "conflict", Fault::Refused(409, "Conflict")).await
}

async fn every_third_write_finds_a_busy_server(world: Arc<World>) -> Result<()> {
    meets(&world, "busy", Fault::Busy).await
}

async fn every_third_write_is_an_internal_error(world: Arc<World>) -> Result<()> {
    meets(&world, "internal", Fault::Refused(500, "InternalError")).await
}

async fn every_third_answer_is_lost(world: Arc<World>) -> Result<()> {
    meets(&world, "lost", Fault::Lost).await
}

async fn watches_end_and_expire(world: Arc<World>) -> Result<()> {
    let room = Room::new(&world, "cut").await?;
    let _controller = room.controller(&[]).await?;
    room.bench.create(&small_job()).await?;
    let cutting = async {
        for times in 0_u32.. {
            tokio::time::sleep(Duration::from_millis(150)).await;
            room.proxy.cut_watches(2 * (times % 2));
        }
    };
    tokio::select! {
        checked = room.check() => checked?,
        () = cutting => {}
    }
    let lists: u64 =
        room.proxy.counts().iter().filter(|(call, _)| call.starts_with("list ")).map(|(_, times)| times).sum();
    ensure!(lists > 2, "no watch expired");
    Ok(())
}

async fn two_replicas_hand_over(world: Arc<World>) -> Result<()> {
    let room = Room::new(&world, "replicas").await?;
    let lease = [
        "--leader-elect",
        "--leader-elect-resource-namespace=replicas",
        "--leader-elect-lease-duration=3s",
        "--leader-elect-renew-deadline=2s",
        "--leader-elect-retry-period=200ms",
    ];
    let first = room.controller(&lease).await?;
    let leads =
        async |controller: &ControllerProcess| controller.metric("jobwright_leading", &[]).await.unwrap_or(0.0) > 0.5;
    while !leads(&first).await {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let second = room.controller(&lease).await?;
    ensure!(!leads(&second).await, "both lead");
    let written = room.proxy.hold_after(3);
    room.bench.create(&small_job()).await?;
    written.await?;
    first.kill();
    room.proxy.let_go();
    room.check().await?;
    ensure!(leads(&second).await, "the second does not lead");
    ensure!(second.end().await, "it does not end when it is asked to");
    Ok(())
}

async fn two_controllers_fight(world: Arc<World>) -> Result<()> {
    let room = Room::new(&world, "fight").await?;
    let _one = room.controller(&[]).await?;
    let _other = room.controller(&[]).await?;
    room.bench.create(&small_job()).await?;
    let ended = room.bench.ended("small").await?;
    // Both make pods; each pod is still counted once, because a status is written on the version that it was made from.
    let pods = room.bench.pods("small").await?;
    let failed = pods.iter().filter(|pod| pod["status"]["phase"] == "Failed").count();
    ensure!(ended["status"]["failed"].as_u64().unwrap_or_default() <= failed as u64, "{}", ended["status"]);
    ensure!(ended["status"]["completedIndexes"] == "0,2", "{}", ended["status"]);
    let let_go = room.bench.until("small", "all pods are let go", |_| true).await;
    let_go.map(drop)
}

async fn the_api_server_restarts(world: Arc<World>) -> Result<()> {
    let room = Room::new(&world, "restart").await?;
    let _controller = room.controller(&[]).await?;
    room.bench.create(&small_job()).await?;
    tokio::time::sleep(Duration::from_millis(400)).await;
    world.plane.write().await.restart_server().await?;
    room.check().await
}

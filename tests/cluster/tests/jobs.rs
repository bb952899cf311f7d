//! Jobs on a real API server, carried out by the controller's own program: what Kubernetes' integration tests for Jobs
//! look at, in cases of our own.
//!
//! One control plane, one controller and one set of simulated nodes serve all cases; each has its own namespace.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use anyhow::{Result, ensure};
use jobwright_cluster::controller::{built, built_controller};
use jobwright_cluster::job::{Bench, condition, job};
use jobwright_cluster::{ControllerProcess, Nodes, Options, Plane, Speed, control_plane};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

/// What the cases share.
struct World {
    plane: Plane,
    controller: ControllerProcess,
    _nodes: Nodes,
}

type Case = fn(Bench) -> Pin<Box<dyn Future<Output = Result<()>> + Send>>;

macro_rules! cases {
    ($($name:ident),* $(,)?) => { [$((stringify!($name), (|bench| Box::pin($name(bench))) as Case)),*] };
}

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let Some(program) = control_plane() else { return Ok(()) };
    let runtime = tokio::runtime::Runtime::new()?;
    let world = Arc::new(runtime.block_on(start(&program))?);
    let cases = cases![
        completes,
        fails_at_the_backoff_limit,
        indexed_pods_have_their_index,
        limits_per_index_fail_single_indexes,
        a_failure_policy_ends_the_job,
        a_success_policy_ends_the_job,
        suspends_and_resumes,
        the_deadline_ends_the_job,
        replaces_only_failed_pods,
        completions_of_an_indexed_job_change,
        a_job_of_another_controller_is_left_alone,
        pods_of_a_deleted_job_lose_their_finalizer,
        adopts_and_releases_pods,
        is_deleted_after_its_time_to_live,
        many_pods_are_counted_once,
    ];
    let trials = cases.into_iter().map(|(name, case)| {
        let (world, handle) = (world.clone(), runtime.handle().clone());
        let namespace = name.replace('_', "-");
        Trial::test(name, move || {
            let result = handle.block_on(async {
                let bench = Bench::new(world.plane.client().await?, &namespace).await?;
                case(bench).await
            });
            result.map_err(|error| Failed::from(format!("{error:#}")))
        })
    });
    let ended = libtest_mimic::run(&arguments, trials.collect());
    runtime.block_on(a_job_of_the_cluster_is_explained_and_watched(&world))?;
    let log = world.controller.log();
    let wrong: Vec<&str> = log.lines().filter(|line| line.contains("ERROR") || line.contains("panicked")).collect();
    ensure!(wrong.is_empty(), "the controller's log has errors:\n{}", wrong.join("\n"));
    drop(world);
    ended.exit();
}

/// `jobwright explain job/NAME` and `jobwright watch`, as a person runs them.
async fn a_job_of_the_cluster_is_explained_and_watched(world: &World) -> Result<()> {
    let bench = Bench::new(world.plane.client().await?, "explained").await?;
    bench.create(&job("held-up", "never", json!({}))).await?;
    bench.until("held-up", "its pod runs", |job| number(job, "ready") == 1).await?;
    bench.create(&job("soon-over", "run 1s, exit 3", json!({"backoffLimit": 0}))).await?;
    let run = |words: &[&str]| {
        let mut command = std::process::Command::new(built("jobwright")?);
        command.args(words).args(["--namespace", "explained", "--kubeconfig"]).arg(world.plane.kubeconfig());
        anyhow::Ok(command.output()?)
    };
    let watched = run(&["watch", "job/soon-over"])?;
    let text = String::from_utf8_lossy(&watched.stdout);
    ensure!(watched.status.code() == Some(1) && text.contains("backoff-limit"), "{text}{watched:?}");
    let explained = run(&["explain", "job/held-up"])?;
    let text = String::from_utf8_lossy(&explained.stdout);
    ensure!(explained.status.success() && text.contains("1 of 1 wanted pod is active"), "{text}{explained:?}");
    let wrong = run(&["explain", "job/held-u"])?;
    let text = String::from_utf8_lossy(&wrong.stderr);
    ensure!(wrong.status.code() == Some(2) && text.contains("there is held-up"), "{text}");
    println!("test a_job_of_the_cluster_is_explained_and_watched ... ok");
    Ok(())
}

async fn start(program: &std::path::Path) -> Result<World> {
    let plane = Plane::start(program, Options::without_jobs()).await?;
    let nodes = Nodes::start(plane.client().await?, Speed::AsSaid);
    let log = plane.folder().join("controller.log");
    let arguments = ["--replace-builtin", "--pod-failure-backoff=1s", "--pod-failure-backoff-max=2s"];
    let controller = ControllerProcess::start(&built_controller()?, &plane.kubeconfig(), &log, &arguments).await?;
    Ok(World { plane, controller, _nodes: nodes })
}

fn number(job: &Value, field: &str) -> i64 {
    job["status"][field].as_i64().unwrap_or_default()
}

fn has_finalizer(pod: &Value) -> bool {
    pod["metadata"]["finalizers"].to_string().contains("batch.kubernetes.io/job-tracking")
}

/// Every pod was let go.
async fn let_go(bench: &Bench, job: &str) -> Result<()> {
    for pod in bench.pods(job).await? {
        ensure!(!has_finalizer(&pod), "{} still has the finalizer", pod["metadata"]["name"]);
    }
    Ok(())
}

async fn completes(bench: Bench) -> Result<()> {
    bench.create(&job("plain", "run 1s, exit 0", json!({"completions": 3, "parallelism": 2}))).await?;
    let ended = bench.ended("plain").await?;
    ensure!(condition(&ended, "Complete").as_deref() == Some("CompletionsReached"), "{}", ended["status"]);
    ensure!((number(&ended, "succeeded"), number(&ended, "failed")) == (3, 0), "{}", ended["status"]);
    ensure!(ended["status"]["completionTime"].is_string(), "{}", ended["status"]);
    let_go(&bench, "plain").await
}

async fn fails_at_the_backoff_limit(bench: Bench) -> Result<()> {
    bench.create(&job("failing", "exit 1", json!({"backoffLimit": 1}))).await?;
    let ended = bench.ended("failing").await?;
    ensure!(condition(&ended, "Failed").as_deref() == Some("BackoffLimitExceeded"), "{}", ended["status"]);
    ensure!(number(&ended, "failed") == 2, "{}", ended["status"]);
    let_go(&bench, "failing").await
}

async fn indexed_pods_have_their_index(bench: Bench) -> Result<()> {
    let spec = json!({"completions": 3, "parallelism": 3, "completionMode": "Indexed"});
    bench.create(&job("indexed", "exit 0", spec)).await?;
    let ended = bench.ended("indexed").await?;
    ensure!(ended["status"]["completedIndexes"] == "0-2", "{}", ended["status"]);
    let mut indexes: Vec<_> =
        bench.pods("indexed").await?.into_iter().map(|pod| pod["spec"]["hostname"].to_string()).collect();
    indexes.sort();
    ensure!(indexes == [r#""indexed-0""#, r#""indexed-1""#, r#""indexed-2""#], "{indexes:?}");
    Ok(())
}

async fn limits_per_index_fail_single_indexes(bench: Bench) -> Result<()> {
    let spec = json!({
        "completions": 4, "parallelism": 4, "completionMode": "Indexed",
        "backoffLimitPerIndex": 1, "maxFailedIndexes": 3,
    });
    bench.create(&job("study", "index 1: exit 1; else: exit 0", spec)).await?;
    let ended = bench.ended("study").await?;
    ensure!(condition(&ended, "Failed").as_deref() == Some("FailedIndexes"), "{}", ended["status"]);
    let status = &ended["status"];
    ensure!((&status["failedIndexes"], &status["completedIndexes"]) == (&"1".into(), &"0,2,3".into()), "{status}");
    ensure!(number(&ended, "failed") == 2, "{status}");
    let_go(&bench, "study").await
}

async fn a_failure_policy_ends_the_job(bench: Bench) -> Result<()> {
    let rules = json!([{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42]}}]);
    bench.create(&job("policy", "exit 42", json!({"podFailurePolicy": {"rules": rules}}))).await?;
    let ended = bench.ended("policy").await?;
    ensure!(condition(&ended, "Failed").as_deref() == Some("PodFailurePolicy"), "{}", ended["status"]);
    ensure!(number(&ended, "failed") == 1, "{}", ended["status"]);
    Ok(())
}

async fn a_success_policy_ends_the_job(bench: Bench) -> Result<()> {
    let spec = json!({
        "completions": 3, "parallelism": 3, "completionMode": "Indexed",
        "successPolicy": {"rules": [{"succeededIndexes": "0"}]},
    });
    bench.create(&job("leader", "index 0: exit 0; else: never", spec)).await?;
    let ended = bench.ended("leader").await?;
    ensure!(condition(&ended, "Complete").as_deref() == Some("SuccessPolicy"), "{}", ended["status"]);
    ensure!(ended["status"]["completedIndexes"] == "0", "{}", ended["status"]);
    let_go(&bench, "leader").await
}

async fn suspends_and_resumes(bench: Bench) -> Result<()> {
    bench.create(&job("pausing", "never", json!({"parallelism": 2}))).await?;
    bench.until("pausing", "two pods run", |job| number(job, "ready") == 2).await?;
    bench.patch("pausing", &json!({"spec": {"suspend": true}})).await?;
    let is_suspended = |job: &Value| condition(job, "Suspended").is_some() && number(job, "active") == 0;
    let suspended = bench.until("pausing", "it is suspended", is_suspended).await?;
    ensure!(suspended["status"].get("startTime").is_none(), "{}", suspended["status"]);
    bench.patch("pausing", &json!({"spec": {"suspend": false}})).await?;
    bench.until("pausing", "pods run again", |job| number(job, "ready") == 2).await?;
    Ok(())
}

async fn the_deadline_ends_the_job(bench: Bench) -> Result<()> {
    bench.create(&job("late", "never", json!({"activeDeadlineSeconds": 2}))).await?;
    let ended = bench.ended("late").await?;
    ensure!(condition(&ended, "Failed").as_deref() == Some("DeadlineExceeded"), "{}", ended["status"]);
    let_go(&bench, "late").await
}

async fn replaces_only_failed_pods(bench: Bench) -> Result<()> {
    bench.create(&job("replacing", "never", json!({"podReplacementPolicy": "Failed"}))).await?;
    bench.until("replacing", "its pod runs", |job| number(job, "ready") == 1).await?;
    let pods = bench.pods("replacing").await?;
    let name = pods[0]["metadata"]["name"].as_str().unwrap_or_default().to_owned();
    let path = format!("/api/v1/namespaces/{}/pods/{name}", bench.namespace);
    jobwright_cluster::job::send(&bench.client, "DELETE", &path, "", None).await?;
    let replaced = |job: &Value| number(job, "failed") == 1 && number(job, "active") == 1;
    bench.until("replacing", "the deleted pod failed and was replaced", replaced).await?;
    Ok(())
}

async fn completions_of_an_indexed_job_change(bench: Bench) -> Result<()> {
    let spec = json!({"completions": 2, "parallelism": 2, "completionMode": "Indexed"});
    bench.create(&job("elastic", "never", spec)).await?;
    bench.until("elastic", "two pods run", |job| number(job, "ready") == 2).await?;
    bench.patch("elastic", &json!({"spec": {"completions": 4, "parallelism": 4}})).await?;
    bench.until("elastic", "four pods run", |job| number(job, "ready") == 4).await?;
    bench.patch("elastic", &json!({"spec": {"completions": 1, "parallelism": 1}})).await?;
    bench.until("elastic", "one pod runs", |job| number(job, "active") == 1 && number(job, "ready") == 1).await?;
    Ok(())
}

async fn a_job_of_another_controller_is_left_alone(bench: Bench) -> Result<()> {
    let stored = bench.create(&job("foreign", "exit 0", json!({"managedBy": "example.com/other"}))).await?;
    bench.create(&job("ours", "exit 0", json!({"managedBy": "kubernetes.io/job-controller"}))).await?;
    bench.ended("ours").await?;
    let now = bench.job("foreign").await?;
    ensure!(now["metadata"]["resourceVersion"] == stored["metadata"]["resourceVersion"], "{}", now["status"]);
    ensure!(bench.pods("foreign").await?.is_empty(), "it has pods");
    Ok(())
}

async fn pods_of_a_deleted_job_lose_their_finalizer(bench: Bench) -> Result<()> {
    bench.create(&job("deleted", "never", json!({"parallelism": 3}))).await?;
    bench.until("deleted", "its pods run", |job| number(job, "ready") == 3).await?;
    let pods = bench.pods("deleted").await?;
    bench.delete("deleted", "Orphan").await?;
    for pod in pods {
        let name = pod["metadata"]["name"].as_str().unwrap_or_default();
        let path = format!("/api/v1/namespaces/{}/pods/{name}", bench.namespace);
        let freed = tokio::time::timeout(jobwright_cluster::job::PATIENCE, async {
            while has_finalizer(&jobwright_cluster::job::send(&bench.client, "GET", &path, "", None).await?) {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            anyhow::Ok(())
        });
        freed.await??;
    }
    Ok(())
}

async fn adopts_and_releases_pods(bench: Bench) -> Result<()> {
    let mut own =
        job("choosing", "never", json!({"manualSelector": true, "selector": {"matchLabels": {"app": "chosen"}}}));
    own["spec"]["template"]["metadata"]["labels"] = json!({"app": "chosen"});
    bench.create(&own).await?;
    bench.until("choosing", "its pod runs", |job| number(job, "ready") == 1).await?;
    let list = format!("/api/v1/namespaces/{}/pods", bench.namespace);
    let pods = jobwright_cluster::job::send(&bench.client, "GET", &list, "", None).await?;
    let name = pods["items"][0]["metadata"]["name"].as_str().unwrap_or_default().to_owned();
    let relabel = json!({"metadata": {"labels": {"app": "let-go"}}});
    let path = format!("{list}/{name}");
    jobwright_cluster::job::send(&bench.client, "PATCH", &path, "application/merge-patch+json", Some(&relabel)).await?;
    let released = tokio::time::timeout(jobwright_cluster::job::PATIENCE, async {
        loop {
            let pod = jobwright_cluster::job::send(&bench.client, "GET", &path, "", None).await?;
            if pod["metadata"].get("ownerReferences").is_none() && !has_finalizer(&pod) {
                return anyhow::Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    });
    released.await??;
    bench.until("choosing", "another pod runs", |job| number(job, "ready") == 1 && number(job, "active") == 1).await?;
    Ok(())
}

async fn is_deleted_after_its_time_to_live(bench: Bench) -> Result<()> {
    bench.create(&job("short-lived", "exit 0", json!({"ttlSecondsAfterFinished": 1}))).await?;
    let gone = tokio::time::timeout(jobwright_cluster::job::PATIENCE, async {
        while bench.job("short-lived").await.is_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    });
    gone.await?;
    Ok(())
}

async fn many_pods_are_counted_once(bench: Bench) -> Result<()> {
    let spec = json!({"completions": 200, "parallelism": 100, "completionMode": "Indexed"});
    bench.create(&job("many", "exit 0", spec)).await?;
    let ended = bench.ended("many").await?;
    ensure!(ended["status"]["completedIndexes"] == "0-199", "{}", ended["status"]);
    ensure!(number(&ended, "succeeded") == 200 && number(&ended, "failed") == 0, "{}", ended["status"]);
    let_go(&bench, "many").await
}

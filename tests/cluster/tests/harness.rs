//! The harness itself: the nodes do what they are told, also over a restart of the API server, kubectl works, and the
//! program that people start leaves nothing behind.
//!
//! One control plane serves the cases on nodes; they follow each other, because one of them restarts the API server.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jobwright_cluster::job::{PATIENCE, send};
use jobwright_cluster::nodes::outcome::ANNOTATION;
use jobwright_cluster::proxy::{Fault, Proxy};
use jobwright_cluster::{Nodes, Options, Plane, Speed, control_plane, kubeconfig, plane};
use kube::Client;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const PODS: &str = "/api/v1/namespaces/default/pods";

async fn create(client: &Client, name: &str, outcome: &str) -> Result<()> {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "annotations": {ANNOTATION: outcome}},
        "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "example.com/main:1"}]},
    });
    send(client, "POST", PODS, "application/json", Some(&pod)).await.map(drop)
}

/// Waits until something holds for all pods of the namespace.
async fn until(client: &Client, what: &str, holds: impl Fn(&[Value]) -> bool) -> Result<()> {
    let waiting = async {
        loop {
            let list = send(client, "GET", PODS, "", None).await?;
            if holds(list["items"].as_array().map_or(&[], Vec::as_slice)) {
                return anyhow::Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    if let Ok(result) = tokio::time::timeout(PATIENCE, waiting).await {
        return result;
    }
    let list = send(client, "GET", PODS, "", None).await?;
    let phases: Vec<_> = list["items"].as_array().into_iter().flatten().map(|pod| &pod["status"]["phase"]).collect();
    anyhow::bail!("{what}: not in time; phases {phases:?}");
}

fn are(phase: &'static str, number: usize) -> impl Fn(&[Value]) -> bool {
    move |pods| pods.iter().filter(|pod| pod["status"]["phase"] == phase).count() == number
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_and_kubectl_on_one_control_plane() -> Result<()> {
    let Some(program) = control_plane() else { return Ok(()) };
    let mut plane = Plane::start(&program, Options::default()).await?;
    let done = cases(&mut plane, &program).await;
    // A part that has ended explains whatever went wrong.
    plane.check().and(done)?;
    a_part_that_has_ended_is_named(plane).await
}

async fn cases(plane: &mut Plane, program: &Path) -> Result<()> {
    let nodes = Nodes::start(plane.client().await?, Speed::AsSaid);
    kubectl_sees_how_a_pod_ended(plane).await?;
    the_program_passes_kubectl_on(plane, program)?;
    a_service_account_is_known_by_its_token(plane).await?;
    a_deleted_pod_goes(plane).await?;
    drop(nodes);
    a_lost_answer_stops_no_pod(plane).await?;
    let _nodes = Nodes::start(plane.client().await?, Speed::AsSaid);
    no_pod_is_forgotten_when_the_api_server_restarts(plane).await
}

async fn kubectl_sees_how_a_pod_ended(plane: &Plane) -> Result<()> {
    let client = plane.client().await?;
    create(&client, "ends", "exit 42").await?;
    until(&client, "the pod fails", are("Failed", 1)).await?;
    let path = "jsonpath={.status.containerStatuses[0].state.terminated.exitCode}";
    let said = plane.kubectl(&["get", "pod", "ends", "--output", path])?;
    ensure!(said == "42", "kubectl says {said}");
    let wrong = plane.kubectl(&["get", "pod", "is-not-there"]);
    ensure!(wrong.is_err_and(|error| error.to_string().contains("NotFound")), "kubectl finds what is not there");
    Ok(())
}

/// Also proves that the two keys of the cluster belong together.
async fn a_service_account_is_known_by_its_token(plane: &Plane) -> Result<()> {
    plane.kubectl(&["create", "serviceaccount", "somebody"])?;
    let token = plane.kubectl(&["create", "token", "somebody"])?;
    let client = plane::client(&plane.kubeconfig_for("somebody", token.trim())?).await?;
    let review = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"});
    let path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    let answer = send(&client, "POST", path, "application/json", Some(&review)).await?;
    ensure!(answer["status"]["userInfo"]["username"] == "system:serviceaccount:default:somebody", "{answer}");
    Ok(())
}

fn the_program_passes_kubectl_on(plane: &Plane, control_plane: &Path) -> Result<()> {
    let run = |words: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_jobwright-cluster"));
        program.env("JOBWRIGHT_CONTROLPLANE", control_plane).env("KUBECONFIG", plane.kubeconfig());
        anyhow::Ok(program.arg("kubectl").args(words).output()?)
    };
    let found = run(&["get", "pod", "ends", "-o", "name"])?;
    ensure!(found.status.success() && found.stdout == b"pod/ends\n", "{found:?}");
    ensure!(!run(&["get", "pod", "is-not-there"])?.status.success(), "kubectl's exit code is lost");
    let help = run(&["get", "--help"])?;
    ensure!(String::from_utf8_lossy(&help.stdout).contains("kubectl get"), "{help:?}");
    Ok(())
}

async fn a_deleted_pod_goes(plane: &Plane) -> Result<()> {
    let client = plane.client().await?;
    create(&client, "deleted", "never").await?;
    until(&client, "the pod runs", are("Running", 1)).await?;
    for name in ["deleted", "ends"] {
        send(&client, "DELETE", &format!("{PODS}/{name}"), "", None).await?;
    }
    until(&client, "the pods are gone", <[Value]>::is_empty).await
}

/// Every second request of the nodes is carried out, and its answer is lost: a node that was given, an end that was written.
async fn a_lost_answer_stops_no_pod(plane: &Plane) -> Result<()> {
    let client = plane.client().await?;
    let proxy = Proxy::start(client.clone()).await?;
    proxy.fault(2, Fault::Lost);
    let config = plane.folder().join("nodes.config");
    kubeconfig::write(&config, &proxy.server(), None, "of the proxy")?;
    let _nodes = Nodes::start(plane::client(&config).await?, Speed::AsSaid);
    let names: Vec<_> = (0..6).map(|number| format!("lost-{number}")).collect();
    for name in &names {
        create(&client, name, "exit 0").await?;
    }
    until(&client, "the pods succeed", are("Succeeded", names.len())).await?;
    for name in &names {
        send(&client, "DELETE", &format!("{PODS}/{name}"), "", None).await?;
    }
    until(&client, "the pods are gone", <[Value]>::is_empty).await
}

/// Some pods are not bound yet, some run and some are about to end when the API server goes.
async fn no_pod_is_forgotten_when_the_api_server_restarts(plane: &mut Plane) -> Result<()> {
    let client = plane.client().await?;
    for number in 0..20 {
        create(&client, &format!("early-{number}"), "run 1s, exit 0").await?;
    }
    until(&client, "some pods run", |pods| pods.iter().any(|pod| pod["status"]["phase"] == "Running")).await?;
    for number in 0..20 {
        create(&client, &format!("late-{number}"), "exit 0").await?;
    }
    plane.restart_server().await?;
    until(&plane.client().await?, "all pods succeed", are("Succeeded", 40)).await
}

async fn a_part_that_has_ended_is_named(mut plane: Plane) -> Result<()> {
    let processes = processes_in(plane.folder())?;
    let (etcd, _) = processes.iter().find(|(_, line)| line.contains(" etcd ")).context("no etcd")?;
    kill_process(Pid::from_raw(*etcd).context("no process")?, Signal::KILL)?;
    let said = tokio::time::timeout(PATIENCE, async {
        loop {
            match plane.check() {
                Ok(()) => tokio::time::sleep(Duration::from_millis(20)).await,
                Err(error) => return error.to_string(),
            }
        }
    });
    let said = said.await.context("nobody notices that etcd has ended")?;
    ensure!(said.starts_with("etcd has ended"), "{said}");
    Ok(())
}

/// Asked to end by `SIGTERM`, as service managers and `timeout` do.
#[tokio::test(flavor = "multi_thread")]
async fn the_program_leaves_nothing_behind() -> Result<()> {
    let Some(control_plane) = control_plane() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let log = folder.path().join("log");
    let mut program = Command::new(env!("CARGO_BIN_EXE_jobwright-cluster"))
        .env("TMPDIR", folder.path())
        .env("JOBWRIGHT_CONTROLPLANE", control_plane)
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&log)?)
        .spawn()?;
    let started = tokio::time::timeout(2 * PATIENCE, async {
        while !std::fs::read_to_string(&log)?.contains("Ctrl-C ends everything") {
            ensure!(program.try_wait()?.is_none(), "the program has ended");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        anyhow::Ok(())
    });
    started.await.context("the program says nothing")??;
    let before = processes_in(folder.path())?;
    kill_process(Pid::from_child(&program), Signal::TERM)?;
    tokio::task::spawn_blocking(move || program.wait()).await??;
    ensure!(before.len() >= 3, "the parts were not found: {before:?}");
    let after = processes_in(folder.path())?;
    ensure!(after.is_empty(), "left behind: {after:?}");
    let files: Vec<_> = std::fs::read_dir(folder.path())?.flatten().map(|file| file.file_name()).collect();
    ensure!(files == ["log"], "left behind: {files:?}");
    Ok(())
}

/// The processes whose command line names a folder: id and command line.
fn processes_in(folder: &Path) -> Result<Vec<(i32, String)>> {
    let lines = std::fs::read_dir("/proc")?.flatten().filter_map(|process| {
        let id = process.file_name().to_str()?.parse().ok()?;
        let line = std::fs::read(process.path().join("cmdline")).ok()?;
        Some((id, String::from_utf8_lossy(&line).replace('\0', " ")))
    });
    Ok(lines.filter(|(_, line)| line.contains(&*folder.to_string_lossy())).collect())
}

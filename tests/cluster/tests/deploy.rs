//! What `deploy/` holds is accepted by a real API server with RBAC, and the controller works with the rights of exactly
//! that service account: nothing is forbidden to it, and it has no right that is not in the list.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use jobwright_cluster::controller::built_controller;
use jobwright_cluster::job::{Bench, job};
use jobwright_cluster::{ControllerProcess, Nodes, Options, Plane, Speed, control_plane};
use serde_json::json;

/// The folder `deploy`.
fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy")
}

async fn plane() -> Result<Option<Plane>> {
    let Some(program) = control_plane() else { return Ok(None) };
    Ok(Some(Plane::start(&program, Options::without_jobs()).await?))
}

/// Runs Jobs to their end with the rights of a service account.
async fn works(
    plane: &Plane,
    account: (&str, &str),
    arguments: &[&str],
    bench: Bench,
    spec: serde_json::Value,
) -> Result<()> {
    let (namespace, name) = account;
    let token = plane.kubectl(&["create", "token", name, "--namespace", namespace])?;
    let kubeconfig = plane.kubeconfig_for(namespace, token.trim())?;
    let log = plane.folder().join(format!("{namespace}.log"));
    let lease = format!("--leader-elect-resource-namespace={namespace}");
    let arguments = [&["--leader-elect", &*lease], arguments].concat();
    let controller = ControllerProcess::start(&built_controller()?, &kubeconfig, &log, &arguments).await?;
    bench.create(&job("succeeds", "exit 0", spec.clone())).await?;
    bench.create(&job("is-ended", "never", spec)).await?;
    bench.ended("succeeds").await?;
    bench.until("is-ended", "its pod runs", |job| job["status"]["ready"] == 1).await?;
    bench.patch("is-ended", &json!({"spec": {"suspend": true}})).await?;
    bench.until("is-ended", "its pod is deleted", |job| job["status"]["active"].is_null()).await?;
    ensure!(controller.end().await, "it does not end when it is asked to");
    let log = std::fs::read_to_string(log)?;
    ensure!(!log.contains("forbidden"), "something is forbidden:\n{log}");
    let events = plane.kubectl(&["get", "events", "--namespace", &bench.namespace, "--output=name"])?;
    ensure!(events.lines().count() >= 4, "too few events: {events}");
    Ok(())
}

#[tokio::test]
async fn kustomize_is_accepted_and_its_rights_suffice() -> Result<()> {
    let Some(plane) = plane().await? else { return Ok(()) };
    let _nodes = Nodes::start(plane.client().await?, Speed::AsSaid);
    for overlay in ["base", "replace-builtin"] {
        let folder = deploy().join("kustomize").join(overlay).display().to_string();
        plane.kubectl(&["apply", "--kustomize", &folder])?;
        let bench = Bench::new(plane.client().await?, &format!("jobs-{overlay}")).await?;
        let replaces = overlay != "base";
        let managed = if replaces {
            json!({"ttlSecondsAfterFinished": 600})
        } else {
            json!({"managedBy": "jobwright.dev/job-controller"})
        };
        let arguments: &[&str] = if replaces { &["--replace-builtin"] } else { &[] };
        works(&plane, ("jobwright", "jobwright-controller"), arguments, bench, managed).await?;
    }
    Ok(())
}

/// The program, if `cargo xtask` has set it up.
fn helm() -> Option<PathBuf> {
    let found = std::env::var_os("JOBWRIGHT_HELM").map(PathBuf::from);
    if found.is_none() {
        eprintln!("skipped: no Helm; `cargo xtask test` builds it if Go is there");
    }
    found
}

fn render(helm: &Path, values: &[&str]) -> Result<String> {
    let chart = deploy().join("helm/jobwright-controller");
    let mut command = Command::new(helm);
    command.args(["template", "jw", "--namespace", "helm", "--kube-version", "1.37.2"]).arg(chart);
    command.args(values.iter().flat_map(|value| ["--set", value]));
    let output = command.output().context("helm")?;
    let wrong = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "helm template {values:?}: {wrong}");
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn the_schema_of_the_chart_refuses_what_does_not_fit() -> Result<()> {
    let Some(helm) = helm() else { return Ok(()) };
    for wrong in
        ["replicas=0", "replica=2", "jobs.managedBy=nodomain", "logs.format=xml", "serviceMonitor.interval=often"]
    {
        let said = render(&helm, &[wrong]).err().with_context(|| format!("{wrong} was accepted"))?.to_string();
        let field = wrong.split(['.', '=']).next().unwrap_or_default();
        ensure!(said.contains(field), "{wrong}: {said}");
    }
    let both = render(&helm, &["jobs.replaceBuiltin=true", "jobs.managedBy=a.b/c"]);
    ensure!(both.is_err_and(|error| error.to_string().contains("exclude each other")), "both modes at once");
    Ok(())
}

#[tokio::test]
async fn the_chart_is_accepted_and_its_rights_suffice() -> Result<()> {
    let Some((helm, plane)) = helm().zip(plane().await?) else { return Ok(()) };
    let _nodes = Nodes::start(plane.client().await?, Speed::AsSaid);
    plane.kubectl(&["create", "namespace", "helm"])?;
    plane.kubectl(&["create", "namespace", "only-here"])?;
    let file = plane.folder().join("service-monitor.yaml");
    std::fs::write(&file, SERVICE_MONITOR)?;
    plane.kubectl(&["apply", "--filename", &file.display().to_string()])?;
    plane.kubectl(&["wait", "--for=condition=Established", "crd/servicemonitors.monitoring.coreos.com"])?;
    let cases: [&[&str]; 3] = [
        &[],
        &[
            "jobs.replaceBuiltin=true",
            "serviceMonitor.enabled=true",
            "flags.kube-api-qps=50",
            "podDisruptionBudget.enabled=false",
        ],
        &["jobs.namespaces={only-here}", "networkPolicy.enabled=false", "image.pullSecrets={one}"],
    ];
    for values in cases {
        let file = plane.folder().join("rendered.yaml");
        std::fs::write(&file, render(&helm, values)?)?;
        plane.kubectl(&["apply", "--filename", &file.display().to_string()])?;
    }
    // The rights of the last case: only in one namespace.
    plane.kubectl(&["delete", "clusterrolebinding", "jw"])?;
    let bench = Bench { client: plane.client().await?, namespace: "only-here".into() };
    let spec = json!({"managedBy": "jobwright.dev/job-controller"});
    let arguments = ["--namespaces=only-here", "--leader-elect-resource-name=jw"];
    works(&plane, ("helm", "jobwright-controller"), &arguments, bench, spec).await
}

/// As much of the Prometheus operator's resource as it takes to accept one.
const SERVICE_MONITOR: &str = r#"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: servicemonitors.monitoring.coreos.com}
spec:
  group: monitoring.coreos.com
  scope: Namespaced
  names: {kind: ServiceMonitor, plural: servicemonitors, singular: servicemonitor}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [selector, endpoints]
              properties:
                selector: {type: object, x-kubernetes-preserve-unknown-fields: true}
                endpoints:
                  type: array
                  items:
                    type: object
                    properties: {port: {type: string}, interval: {type: string}}
"#;

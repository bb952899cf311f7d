//! `cargo xtask upstream`: Kubernetes' own integration tests for Jobs, with this controller in the place of theirs.
//!
//! The tests come from the Go module of Kubernetes and are not kept here: they are copied into the cache folder, and three
//! functions of theirs are made to call `tests/cluster/upstream/external_test.go`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::repo::Repo;
use crate::run::Run;
use crate::setup::{Packages, go, tools};

/// Where our part is.
const SOURCE: &str = "tests/cluster/upstream";
/// The package of the tests in its module.
const PACKAGE: &str = "test/integration/job";
/// Gang scheduling is left out (docs/parity.md).
const LEFT_OUT: &str = "Gang|DelegatedPodGroup";

/// Functions of the tests, and what they become.
const REPLACED: [(&str, &str); 2] = [
    (
        "func startJobControllerAndWaitForCaches(",
        "func startJobControllerAndWaitForCaches(tb testing.TB, config *restclient.Config, _ ...informers.SharedInformerOption) \
         (context.Context, context.CancelFunc) {\n\ttb.Helper()\n\treturn startExternal(tb, config)\n}\n",
    ),
    ("func resetMetrics(", "func resetMetrics() { externalReset() }\n"),
];

/// How the tests read a counter, and how they are to read it.
const READS: (&str, &str) = (
    "value, err := testutil.GetCounterMetricValue(counterVec.WithLabelValues(wantMetric.Labels...))",
    "_ = testutil.GetCounterMetricValue\n\t\tvalue, err := externalValue(counterVec.Name, wantMetric.Labels), error(nil)",
);

/// Runs them; `filter` is a pattern of names, as `go test -run` takes it.
pub(crate) fn upstream(repo: &Repo, packages: Packages, filter: Option<&str>) -> Result<()> {
    let program = go::control_plane_or_fail(repo, packages)?;
    let go = go::program(packages)?.context("Go is needed")?;
    Run::cargo().args(["build", "--quiet", "--release", "--package", "jobwright-controller"]).dir(repo.root()).go()?;
    let folder = tools::cache()?.join("upstream");
    copy(repo, &folder, &go)?;
    let tests = folder.join("job.test");
    Run::new(&go)
        .args(["test", "-c", "-trimpath", "-ldflags=-s -w", "-o"])
        .arg(&tests)
        .arg("./job")
        .env("CGO_ENABLED", "0")
        .dir(&folder)
        .go()?;
    let log = folder.join("controller.log");
    println!("the log of the controllers is {}", log.display());
    let path = format!("{}:{}", etcd(&folder, &program)?.display(), std::env::var("PATH").unwrap_or_default());
    let modules = module_cache(&go, &folder)?;
    Run::new(tests)
        .args(["-test.v", "-test.timeout=60m", "-test.run", filter.unwrap_or("."), "-test.skip", LEFT_OUT])
        .env("PATH", path)
        .env("JOBWRIGHT_CONTROLLER", repo.path("target/release/jobwright-controller"))
        .env("JOBWRIGHT_CONTROLLER_LOG", log)
        // With -trimpath the tests find their files by these two.
        .env("TEST_SRCDIR", modules.parent().unwrap_or(Path::new("/")))
        .env("TEST_WORKSPACE", modules.file_name().unwrap_or_default())
        .dir(&folder.join("job"))
        .go()
}

/// The tests with our part, in a module of their own.
fn copy(repo: &Repo, folder: &Path, go: &Path) -> Result<()> {
    let package = folder.join("job");
    fs::create_dir_all(&package)?;
    for name in ["go.mod", "go.sum"] {
        fs::copy(repo.path(&format!("{SOURCE}/{name}")), folder.join(name))?;
    }
    fs::copy(repo.path(&format!("{SOURCE}/external_test.go")), package.join("external_test.go"))?;
    Run::new(go).args(["mod", "download", "k8s.io/kubernetes"]).dir(folder).go()?;
    let list = ["list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes"];
    let theirs = PathBuf::from(Run::new(go).args(list).dir(folder).output()?).join(PACKAGE);
    fs::write(package.join("main_test.go"), fs::read(theirs.join("main_test.go"))?)?;
    let text = fs::read_to_string(theirs.join("job_test.go")).context("the tests are not in the module")?;
    fs::write(package.join("job_test.go"), changed(&text)?)?;
    Ok(())
}

fn changed(text: &str) -> Result<String> {
    let mut text = text.replace(READS.0, READS.1);
    for (start, new) in REPLACED {
        let at = text.find(start).with_context(|| format!("the tests have no `{start}`"))?;
        let length = text[at..].find("\n}\n").context("a function does not end")? + 3;
        text.replace_range(at..at + length, new);
    }
    Ok(text)
}

fn module_cache(go: &Path, folder: &Path) -> Result<PathBuf> {
    Ok(PathBuf::from(Run::new(go).args(["env", "GOMODCACHE"]).dir(folder).output()?))
}

/// A folder with a program named `etcd`, which the tests start. Its standard input stays open until it is ended.
fn etcd(folder: &Path, program: &Path) -> Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let programs = folder.join("bin");
    fs::create_dir_all(&programs)?;
    let file = programs.join("etcd");
    fs::write(&file, format!("#!/bin/bash\nexec 0< <(exec sleep 7200)\nexec '{}' etcd \"$@\"\n", program.display()))?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
    Ok(programs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_replaced_whole() {
        let text = "func resetMetrics() {\n\tx()\n}\n\nfunc startJobControllerAndWaitForCaches(a B) {\n\ty()\n}\nfunc z() {}\n";
        let new = changed(text).expect("both are there");
        assert!(new.contains("externalReset()") && new.contains("startExternal(") && new.ends_with("func z() {}\n"));
        assert!(!new.contains("x()") && !new.contains("y()"));
        assert!(changed("").is_err());
    }
}

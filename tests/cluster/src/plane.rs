//! The control plane: etcd, kube-apiserver and, if wanted, kube-controller-manager, from one program that is built from
//! the Go modules of Kubernetes (`controlplane/`).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tempfile::TempDir;

use crate::keys;
use crate::kubeconfig;
use crate::part::{Part, free_port};

/// Where the built program is; `cargo xtask` sets it.
const VARIABLE: &str = "JOBWRIGHT_CONTROLPLANE";
/// The token of the administrator.
const TOKEN: &str = "administrator";
/// How long a part may take to be ready.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program of the control plane. `None`: it was not built, and this is not CI; says so.
///
/// # Panics
/// Under CI, if it was not built: there these tests must run.
#[must_use]
#[expect(clippy::panic, reason = "a test run that proves nothing must not pass under CI")]
pub fn control_plane() -> Option<PathBuf> {
    let found = std::env::var_os(VARIABLE).map(PathBuf::from).filter(|file| file.exists());
    if found.is_none() {
        if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
            panic!("{VARIABLE} names no program: run these tests through `cargo xtask test`");
        }
        eprintln!("skipped: no control plane; `cargo xtask test` builds it if Go is there, and sets {VARIABLE}");
    }
    found
}

/// What a control plane is to be like.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Controllers of kube-controller-manager, as its `--controllers` takes them; `None`: it is not started.
    pub controllers: Option<String>,
    /// More flags of kube-controller-manager.
    pub manager_flags: Vec<String>,
    /// More flags of kube-apiserver.
    pub server_flags: Vec<String>,
}

impl Options {
    /// What Jobs need beside a Job controller: garbage collection, namespaces, service accounts; no Job controller.
    #[must_use]
    pub fn without_jobs() -> Self {
        let controllers = "garbage-collector-controller,namespace-controller,serviceaccount-controller";
        Self { controllers: Some(controllers.to_owned()), ..Self::default() }
    }
}

/// A running control plane.
#[derive(Debug)]
pub struct Plane {
    program: PathBuf,
    options: Options,
    etcd_port: u16,
    server_port: u16,
    // Fields go in this order: the parts before what they need, and the folder when nobody writes to it any more.
    manager: Option<Part>,
    server: Option<Part>,
    etcd: Option<Part>,
    folder: TempDir,
}

impl Plane {
    /// Starts one and waits until it answers.
    ///
    /// # Errors
    /// A part does not start; with the end of its log.
    pub async fn start(program: &Path, options: Options) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("jobwright-").tempdir()?;
        let mut plane = Self {
            program: program.to_owned(),
            options,
            folder,
            etcd_port: free_port()?,
            server_port: free_port()?,
            manager: None,
            server: None,
            etcd: None,
        };
        plane.write_keys()?;
        plane.start_etcd()?;
        plane.start_server().await?;
        plane.start_manager()?;
        Ok(plane)
    }

    /// Address of the API server.
    #[must_use]
    pub fn server(&self) -> String {
        format!("https://127.0.0.1:{}", self.server_port)
    }

    /// A kubeconfig of the administrator.
    #[must_use]
    pub fn kubeconfig(&self) -> PathBuf {
        self.folder.path().join("kubeconfig")
    }

    /// A kubeconfig with another token, for example that of a service account.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn kubeconfig_for(&self, name: &str, token: &str) -> Result<PathBuf> {
        let file = self.folder.path().join(format!("kubeconfig-{name}"));
        kubeconfig::write(&file, &self.server(), Some(&self.authority()), token)?;
        Ok(file)
    }

    /// A folder for logs and other files; it goes with the cluster.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A client of the administrator.
    ///
    /// # Errors
    /// The kubeconfig cannot be read.
    pub async fn client(&self) -> Result<Client> {
        client(&self.kubeconfig()).await
    }

    /// Runs kubectl as the administrator and returns what it printed.
    ///
    /// # Errors
    /// It failed; with what it said.
    pub fn kubectl(&self, arguments: &[&str]) -> Result<String> {
        let mut kubectl = Command::new(&self.program);
        let output = kubectl.arg("kubectl").arg("--kubeconfig").arg(self.kubeconfig()).args(arguments).output()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let wrong = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(output.status.success(), "kubectl {}: {said}{wrong}", arguments.join(" "));
        Ok(said)
    }

    /// Stops the API server and starts it again on the same data.
    ///
    /// # Errors
    /// It does not come back.
    pub async fn restart_server(&mut self) -> Result<()> {
        self.server = None;
        self.start_server().await
    }

    /// Fails with the end of its log if a part has ended that should run. The API server outlives its etcd and only says
    /// that it timed out.
    ///
    /// # Errors
    /// A part has ended.
    pub fn check(&mut self) -> Result<()> {
        [&mut self.etcd, &mut self.server, &mut self.manager].into_iter().flatten().try_for_each(Part::check)
    }

    fn authority(&self) -> PathBuf {
        self.folder.path().join("certificates").join("apiserver.crt")
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn write_keys(&self) -> Result<()> {
        std::fs::write(self.folder.path().join("tokens"), format!("{TOKEN},administrator,1,\"system:masters\"\n"))?;
        keys::write(&self.folder.path().join("sa.key"), &self.folder.path().join("sa.pub"))
    }

    fn start_etcd(&mut self) -> Result<()> {
        let (client, peer) =
            (format!("http://127.0.0.1:{}", self.etcd_port), format!("http://127.0.0.1:{}", free_port()?));
        let mut etcd = Command::new(&self.program);
        etcd.args(["etcd", "--unsafe-no-fsync", "--log-level=error", "--data-dir", &self.file("etcd")]);
        etcd.args(["--listen-client-urls", &client, "--advertise-client-urls", &client]);
        etcd.args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer]);
        etcd.arg(format!("--initial-cluster=default={peer}"));
        self.etcd = Some(Part::start("etcd", &mut etcd, &self.folder.path().join("etcd.log"))?);
        Ok(())
    }

    async fn start_server(&mut self) -> Result<()> {
        let mut server = Command::new(&self.program);
        server.arg("kube-apiserver").args([
            format!("--etcd-servers=http://127.0.0.1:{}", self.etcd_port),
            format!("--secure-port={}", self.server_port),
            format!("--cert-dir={}", self.file("certificates")),
            format!("--service-account-key-file={}", self.file("sa.pub")),
            format!("--service-account-signing-key-file={}", self.file("sa.key")),
            format!("--token-auth-file={}", self.file("tokens")),
        ]);
        server.args([
            "--bind-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--authorization-mode=RBAC",
            "--disable-admission-plugins=ServiceAccount",
        ]);
        server.args(&self.options.server_flags);
        let mut part = Part::start("kube-apiserver", &mut server, &self.folder.path().join("apiserver.log"))?;
        kubeconfig::write(&self.kubeconfig(), &self.server(), Some(&self.authority()), TOKEN)?;
        let ready = async {
            loop {
                self.check()?;
                part.check()?;
                // The certificate is there when the server is about to listen.
                if self.authority().exists() && self.answers().await {
                    return anyhow::Ok(());
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(PATIENCE, ready).await.context("kube-apiserver is not ready")??;
        self.server = Some(part);
        Ok(())
    }

    async fn answers(&self) -> bool {
        let Ok(client) = self.client().await else { return false };
        let Ok(request) = http::Request::get("/readyz").body(Vec::new()) else { return false };
        client.request_text(request).await.is_ok_and(|text| text == "ok")
    }

    fn start_manager(&mut self) -> Result<()> {
        if let Some(controllers) = &self.options.controllers {
            self.manager =
                Some(self.controller_manager(&self.kubeconfig(), controllers, &self.options.manager_flags)?);
        }
        Ok(())
    }

    /// Starts a kube-controller-manager with some of its controllers.
    ///
    /// # Errors
    /// It does not start.
    pub fn controller_manager(&self, kubeconfig: &Path, controllers: &str, flags: &[String]) -> Result<Part> {
        let mut manager = Command::new(&self.program);
        manager.arg("kube-controller-manager").args([
            format!("--kubeconfig={}", kubeconfig.display()),
            format!("--controllers={controllers}"),
            format!("--service-account-private-key-file={}", self.file("sa.key")),
            format!("--secure-port={}", free_port()?),
            format!("--cert-dir={}", self.file("manager")),
        ]);
        manager.args(["--leader-elect=false", "--use-service-account-credentials=false", "--bind-address=127.0.0.1"]);
        manager.args(flags);
        Part::start("kube-controller-manager", &mut manager, &self.folder.path().join("manager.log"))
    }
}

/// A client for a kubeconfig.
///
/// # Errors
/// It cannot be read.
pub async fn client(kubeconfig: &Path) -> Result<Client> {
    let file = Kubeconfig::read_from(kubeconfig)?;
    let mut config = Config::from_custom_kubeconfig(file, &KubeConfigOptions::default()).await?;
    config.default_retry = false;
    Ok(Client::try_from(config)?)
}

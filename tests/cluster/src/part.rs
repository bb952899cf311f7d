//! One process of the cluster.
//!
//! Invariant: it ends with its owner: when the owner drops it, and, for the parts of the control plane, also when the
//! owner dies, because they end when their standard input closes.

use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

/// A running process and its log.
#[derive(Debug)]
pub struct Part {
    name: String,
    child: Child,
    log: PathBuf,
}

impl Part {
    /// Starts a program; what it says goes to `log`, after what is there.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(name: &str, command: &mut Command, log: &Path) -> Result<Self> {
        let file = File::options().create(true).append(true).open(log).context("the log of a process")?;
        let errors = file.try_clone().context("the log of a process")?;
        let command = command.stdin(Stdio::piped()).stdout(file).stderr(errors);
        let child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        Ok(Self { name: name.to_owned(), child, log: log.to_owned() })
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it has said so far.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Fails with the end of its log if it has ended.
    ///
    /// # Errors
    /// It has ended.
    pub fn check(&mut self) -> Result<()> {
        let Some(status) = self.child.try_wait()? else { return Ok(()) };
        let log = self.log();
        let lines: Vec<_> = log.lines().rev().take(20).collect();
        let end: Vec<_> = lines.into_iter().rev().collect();
        bail!("{} has ended ({status}):\n{}", self.name, end.join("\n"))
    }

    /// Asks it to end (`SIGTERM`) and waits; returns whether it ended by itself within the time.
    pub async fn end(&mut self, within: Duration) -> bool {
        // One that was waited for is not asked: its id may be another's by now.
        if let Ok(None) = self.child.try_wait() {
            let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        }
        let ended = tokio::time::timeout(within, async {
            while !matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        ended.await.is_ok()
    }

    /// Ends it at once (`SIGKILL`).
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port on loopback that is free now.
///
/// # Errors
/// There is none.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

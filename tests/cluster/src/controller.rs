//! The controller as a process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::part::{Part, free_port};

/// How long it may take to be ready.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running controller.
#[derive(Debug)]
pub struct ControllerProcess {
    part: Part,
    port: u16,
}

impl ControllerProcess {
    /// Starts `program` and waits until its caches are filled. What it says goes to `log`.
    ///
    /// # Errors
    /// It does not start, or is not ready in time.
    pub async fn start(program: &Path, kubeconfig: &Path, log: &Path, arguments: &[&str]) -> Result<Self> {
        let port = free_port()?;
        let mut command = Command::new(program);
        command.arg("--kubeconfig").arg(kubeconfig).arg(format!("--listen=127.0.0.1:{port}")).args(arguments);
        let mut process = Self { part: Part::start("jobwright-controller", &mut command, log)?, port };
        let ready = async {
            while !process.get("/readyz").await.is_ok_and(|text| text.starts_with("HTTP/1.1 200")) {
                process.part.check()?;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            anyhow::Ok(())
        };
        tokio::time::timeout(PATIENCE, ready).await.context("the controller is not ready")??;
        Ok(process)
    }

    /// An answer of its HTTP server, with the head.
    ///
    /// # Errors
    /// It does not answer.
    pub async fn get(&self, path: &str) -> Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut text = String::new();
        stream.read_to_string(&mut text).await?;
        Ok(text)
    }

    /// The sum of a metric over all lines that have these texts.
    ///
    /// # Errors
    /// It does not answer.
    pub async fn metric(&self, name: &str, having: &[&str]) -> Result<f64> {
        let text = self.get("/metrics").await?;
        let lines = text.lines().filter(|line| line.starts_with(name) && having.iter().all(|part| line.contains(part)));
        Ok(lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum())
    }

    /// What it has logged.
    #[must_use]
    pub fn log(&self) -> String {
        self.part.log()
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.part.id()
    }

    /// Asks it to end; whether it did within two seconds.
    pub async fn end(mut self) -> bool {
        self.part.end(Duration::from_secs(2)).await
    }

    /// Ends it at once.
    pub fn kill(mut self) {
        self.part.kill();
    }
}

/// The controller that cargo built beside this program.
///
/// # Errors
/// It was not built.
pub fn built_controller() -> Result<PathBuf> {
    built("jobwright-controller")
}

/// A program that cargo built beside this one.
///
/// # Errors
/// It was not built.
pub fn built(name: &str) -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let folders = own.ancestors().skip(1).take(2);
    let found = folders.map(|folder| folder.join(name)).find(|file| file.exists());
    found.with_context(|| format!("{name} is not built: `cargo build`"))
}

/// CPU seconds that a process has used, and its peak memory in kB, from `/proc`.
///
/// # Errors
/// There is no such process.
pub fn usage(process: u32) -> Result<(f64, u64)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    // utime and stime are fields 14 and 15; two are before the name, and a tick is 10 ms everywhere.
    let ticks: f64 = fields.iter().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    Ok((ticks / 100.0, kilobytes(process, "VmHWM:")?))
}

/// The memory of a process in kB, from `/proc`.
///
/// # Errors
/// There is no such process.
pub fn resident(process: u32) -> Result<u64> {
    kilobytes(process, "VmRSS:")
}

fn kilobytes(process: u32, name: &str) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let found = status.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB")?.parse().ok());
    found.with_context(|| format!("no {name} of a process"))
}

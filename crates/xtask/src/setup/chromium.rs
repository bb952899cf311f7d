//! Chromium and its driver: needed by the browser tests only, never by the playground.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::debian::{self, Packages};
use crate::run::find_program;

/// Where the browser and its driver are.
#[derive(Clone, Debug)]
pub(crate) struct Chromium {
    /// The browser. Tests find it through the environment variable `CHROMIUM`.
    pub(crate) browser: PathBuf,
    /// The driver that `wasm-bindgen-test-runner` talks to. It finds it through `CHROMEDRIVER`.
    pub(crate) driver: PathBuf,
}

const MISSING: &str = "the browser tests need Chromium and its driver: \
    `apt-get install chromium chromium-driver` on Debian (or run this command with --install), \
    or set CHROMIUM and CHROMEDRIVER to the two programs";

impl Chromium {
    /// Finds both, or installs them where that is allowed.
    pub(crate) fn set_up(packages: Packages) -> Result<Self> {
        if let Some(found) = Self::find() {
            println!("Chromium is there: {}", found.browser.display());
            return Ok(found);
        }
        if packages.can_install() {
            debian::install(&["chromium", "chromium-driver"])?;
        }
        Self::find().context(MISSING)
    }

    fn find() -> Option<Self> {
        let browser = named("CHROMIUM", &["chromium", "chromium-browser", "google-chrome"])?;
        let driver = named("CHROMEDRIVER", &["chromedriver"])?;
        Some(Self { browser, driver })
    }
}

/// The program that the variable names, else the first of the names that PATH has.
fn named(variable: &str, names: &[&str]) -> Option<PathBuf> {
    let given = std::env::var_os(variable).map(PathBuf::from).filter(|file| file.is_file());
    given.or_else(|| names.iter().find_map(|name| find_program(name)))
}

//! Debian packages: the only thing that needs rights over the machine, so only with `--install` or under CI.

use anyhow::Result;

use crate::run::{Run, find_program};

/// Whether system packages may be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packages {
    /// Yes: `--install` was given, or the environment variable `CI` is set.
    Install,
    /// No: what is missing is an error that names the command.
    NameOnly,
}

impl Packages {
    /// What the flag and the environment say.
    pub(crate) fn wanted(install: bool) -> Self {
        if install || std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
            Self::Install
        } else {
            Self::NameOnly
        }
    }

    /// True if packages may be installed on a machine that has Debian's package manager.
    pub(crate) fn can_install(self) -> bool {
        self == Self::Install && find_program("apt-get").is_some()
    }
}

/// Installs packages with `apt-get`, through `sudo` unless this is root.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    apt(&["update", "-qq"])?;
    let mut arguments = vec!["install", "-y", "-qq", "--no-install-recommends"];
    arguments.extend(packages);
    apt(&arguments)
}

fn apt(arguments: &[&str]) -> Result<()> {
    let root = Run::new("id").arg("-u").output().is_ok_and(|user| user == "0");
    let run = if root { Run::new("apt-get") } else { Run::new("sudo").arg("apt-get") };
    run.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").go()
}

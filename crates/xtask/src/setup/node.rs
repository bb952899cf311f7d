//! Node and npm, which build and serve the page.

use anyhow::{Context, Result, bail};

use super::debian::{self, Packages};
use crate::run::{Run, find_program};

/// The oldest major version that the page's tools run on.
const OLDEST: u32 = 20;

/// Sees to it that Node is new enough and that npm is there.
pub(crate) fn set_up(packages: Packages) -> Result<()> {
    if packages.can_install() && (find_program("node").is_none() || find_program("npm").is_none()) {
        debian::install(&["nodejs", "npm"])?;
    }
    if find_program("npm").is_none() {
        bail!("npm is missing: {}", advice());
    }
    let version = Run::new("node").arg("--version").output().with_context(advice)?;
    match major(&version) {
        Some(found) if found >= OLDEST => {
            println!("Node is there: {version}");
            Ok(())
        }
        _ => bail!("Node is {version}: {}", advice()),
    }
}

fn advice() -> String {
    format!(
        "Node {OLDEST} or newer with npm is needed: install it from nodejs.org, with a version manager \
         (`nvm install {OLDEST}`), or with `apt-get install nodejs npm` on Debian 13 or newer"
    )
}

fn major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn reads_the_major_version() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("v9.0.0"), Some(9));
        assert_eq!(major("nonsense"), None);
    }
}

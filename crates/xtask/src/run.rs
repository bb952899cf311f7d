//! Starts other programs.
//!
//! Invariant: a command line is shown before it runs, its output goes straight through (so that each test
//! runner's closing line reaches the log), and a failure names the command and how it ended.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// A program with its arguments, about to be started.
pub(crate) struct Run {
    command: Command,
    shown_env: String,
}

impl Run {
    /// A program, by name (looked up in PATH) or by path.
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        Self { command: Command::new(program), shown_env: String::new() }
    }

    /// The cargo that started this command.
    pub(crate) fn cargo() -> Self {
        Self::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// Adds arguments.
    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    /// Adds one argument.
    pub(crate) fn arg(self, arg: impl AsRef<OsStr>) -> Self {
        self.args([arg])
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.shown_env.push_str(&format!("{name}={} ", value.as_ref().to_string_lossy()));
        self.command.env(name, value);
        self
    }

    /// Runs in a folder.
    pub(crate) fn dir(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// The command line as a person would type it.
    pub(crate) fn line(&self) -> String {
        let program = Path::new(self.command.get_program());
        let name = program.file_name().unwrap_or(program.as_os_str());
        let words: Vec<_> = std::iter::once(name).chain(self.command.get_args()).map(OsStr::to_string_lossy).collect();
        format!("{}{}", self.shown_env, words.join(" "))
    }

    /// Shows the line, runs it with our own output streams and fails unless it exits with 0.
    pub(crate) fn go(mut self) -> Result<()> {
        let line = self.line();
        println!("$ {line}");
        let status = self.command.status().with_context(|| format!("cannot start `{line}`"))?;
        if !status.success() {
            bail!("`{line}` failed ({status})");
        }
        Ok(())
    }

    /// Runs it without showing it and returns what it printed.
    pub(crate) fn output(mut self) -> Result<String> {
        let line = self.line();
        let output = self.command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{line}`"))?;
        if !output.status.success() {
            bail!("`{line}` failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }

    /// Becomes this program: signals reach it directly, and it ends when this command would.
    #[cfg(unix)]
    pub(crate) fn become_it(mut self) -> Result<()> {
        use std::os::unix::process::CommandExt;
        let line = self.line();
        println!("$ {line}");
        Err(self.command.exec()).with_context(|| format!("cannot start `{line}`"))
    }

    /// Runs it to its end: only Unix can replace a process.
    #[cfg(not(unix))]
    pub(crate) fn become_it(self) -> Result<()> {
        self.go()
    }
}

/// The file that a program's name stands for, as a shell would look it up.
pub(crate) fn find_program(name: &str) -> Option<std::path::PathBuf> {
    let path: OsString = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_environment_program_and_arguments() {
        let run = Run::new("/some/where/node").env("A", "1").args(["--test", "x"]);
        assert_eq!(run.line(), "A=1 node --test x");
    }

    #[test]
    fn a_failure_names_the_command() {
        let error = Run::new("cargo").arg("no-such-command-here").output().expect_err("must fail");
        assert!(error.to_string().starts_with("`cargo no-such-command-here` failed"), "{error}");
    }

    #[test]
    fn a_missing_program_is_an_error_and_no_panic() {
        let error = Run::new("no-such-program-here").output().expect_err("must fail");
        assert!(error.to_string().contains("cannot start"), "{error}");
        assert_eq!(find_program("no-such-program-here"), None);
    }
}

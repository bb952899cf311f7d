//! `kubectl-jobwright`: lets kubectl run `jobwright` as its plugin, as in `kubectl jobwright explain NAME`.
//!
//! Invariant: it only finds the program beside itself, or on the PATH, and hands everything over; a Job that is named
//! without its kind gets it, because kubectl's users leave it out.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name("jobwright")).filter(|file| file.exists());
    let program = beside.unwrap_or_else(|| "jobwright".into());
    match Command::new(&program).args(arguments(std::env::args_os().skip(1).collect())).status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!(
                "kubectl-jobwright: {}: {error}\n  = install jobwright beside this program or on the PATH",
                program.display()
            );
            ExitCode::from(2)
        }
    }
}

/// `explain NAME` means `explain job/NAME`, unless there is a file of that name.
fn arguments(mut given: Vec<OsString>) -> Vec<OsString> {
    let about_jobs = given.first().is_some_and(|command| command == "explain" || command == "watch");
    if let Some(name) = given.get_mut(1).filter(|_| about_jobs) {
        let text = name.to_string_lossy().into_owned();
        if !text.starts_with('-') && !text.contains('/') && !Path::new(&text).exists() {
            *name = format!("job/{text}").into();
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_is_a_job() {
        let of = |words: &[&str]| arguments(words.iter().map(OsString::from).collect()).join(&OsString::from(" "));
        assert_eq!(of(&["explain", "pi", "-n", "x"]), "explain job/pi -n x");
        assert_eq!(of(&["explain", "job/pi"]), "explain job/pi");
        assert_eq!(of(&["explain", "-"]), "explain -");
        assert_eq!(of(&["explain", "Cargo.toml"]), "explain Cargo.toml");
        assert_eq!(of(&["run", "pi"]), "run pi");
    }
}

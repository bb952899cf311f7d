//! Runs the built program.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the program in this crate's folder; its output, errors and exit code as one text.
pub(crate) fn jobwright(args: &[&str], stdin: &str) -> String {
    jobwright_bytes(args, stdin.as_bytes())
}

/// The same with an input that may be no text.
pub(crate) fn jobwright_bytes(args: &[&str], stdin: &[u8]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_jobwright"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!("{}{}exit code {}\n", text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
}

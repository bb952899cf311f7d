//! Parts of the Rust toolchain beyond the compiler. Rust itself is there: it built this command.

use anyhow::{Result, bail};

use crate::run::{Run, find_program};

/// The target of what runs in the browser.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Adds the standard library for wasm unless the toolchain has it.
pub(crate) fn wasm_target() -> Result<()> {
    let library = Run::new("rustc").args(["--print", "target-libdir", "--target", WASM_TARGET]).output()?;
    if std::path::Path::new(&library).is_dir() {
        println!("the Rust target {WASM_TARGET} is there");
        return Ok(());
    }
    rustup(&["target", "add", WASM_TARGET])
}

/// Adds the formatter and the linter unless the toolchain has them.
pub(crate) fn components() -> Result<()> {
    for (command, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if Run::cargo().args([command, "--version"]).output().is_err() {
            rustup(&["component", "add", component])?;
        }
    }
    Ok(())
}

fn rustup(arguments: &[&str]) -> Result<()> {
    if find_program("rustup").is_none() {
        bail!(
            "this Rust toolchain has no rustup, so its parts must be added by hand: what `rustup {}` would add",
            arguments.join(" ")
        );
    }
    Run::new("rustup").args(arguments).go()
}

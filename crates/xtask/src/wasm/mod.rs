//! The WebAssembly build: its facts (`wasm-pack.toml`), how it is made, what it weighs, its tests.

mod build;
mod facts;
mod size;
mod tests;

pub(crate) use build::build;
pub(crate) use size::TooHeavy;
pub(crate) use tests::{in_chromium, in_node};

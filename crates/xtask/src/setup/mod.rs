//! What the other commands need on the machine, each in its own file.
//!
//! Invariant: what is there is left alone; what can be had without rights over the machine (a Rust target, npm
//! packages, tools in the user's cache folder) is set up; Debian packages only where that was asked for; the
//! rest is named together with the command that installs it.

pub(crate) mod chromium;
pub(crate) mod debian;
pub(crate) mod go;
pub(crate) mod node;
pub(crate) mod npm;
pub(crate) mod rust;
pub(crate) mod tools;

pub(crate) use chromium::Chromium;
pub(crate) use debian::Packages;

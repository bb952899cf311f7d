//! Cuts the message catalogue to what this build needs and turns it into sorted lines `id TAB text`.
//!
//! The page takes its own part (`ui.`) from the file itself. WebAssembly gets no texts at all: the page hands those of
//! its language in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=catalogue");
    let variable = |name: &str| env::var(name).map_err(io::Error::other);
    let is_wasm = variable("CARGO_CFG_TARGET_ARCH")? == "wasm32";
    let texts: BTreeMap<String, String> = serde_json::from_str(&fs::read_to_string("catalogue/en.json")?)?;
    let mut lines = String::new();
    for (id, text) in &texts {
        if id.starts_with("ui.") || is_wasm {
            continue;
        }
        if text.contains(['\t', '\n']) {
            return Err(io::Error::other(format!("the text of {id} has a tab or a line break")));
        }
        lines.push_str(&format!("{id}\t{text}\n"));
    }
    fs::write(PathBuf::from(variable("OUT_DIR")?).join("en.tsv"), lines)
}

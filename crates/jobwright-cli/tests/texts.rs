//! The command line and the message catalogue agree: every text under `cli.` is used, and every id that
//! is used has a text.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use std::collections::BTreeSet;
use std::path::Path;

use jobwright_api::lint::LINTS;
use jobwright_api::{Catalogue, ErrorKind};

fn literals(folder: &Path, used: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            literals(&path, used);
            continue;
        }
        let source = std::fs::read_to_string(path).unwrap();
        let is_id = |text: &&str| text.starts_with("cli.") && !text.contains('{');
        used.extend(source.split('"').filter(is_id).map(str::to_owned));
    }
}

#[test]
fn every_text_is_used_and_every_id_has_a_text() {
    let mut used = BTreeSet::new();
    literals(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut used);
    used.extend(LINTS.iter().map(|lint| format!("cli.explain.{}", lint.id)));
    let kinds = ErrorKind::ALL.iter().map(|kind| kind.reason());
    used.extend(
        ["Decoding", "StrictDecoding", "ApiWarning"].into_iter().chain(kinds).map(|id| format!("cli.rule.{id}")),
    );
    let known: BTreeSet<String> =
        Catalogue::english().ids().filter(|id| id.starts_with("cli.")).map(str::to_owned).collect();
    assert_eq!(used, known);
}

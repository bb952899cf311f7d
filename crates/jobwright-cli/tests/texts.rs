//! The command line and the message catalogue agree: every text under `cli.` is used, and every id that
//! is used has a text.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use std::collections::BTreeSet;
use std::path::Path;

use jobwright_api::Catalogue;

#[test]
fn every_text_is_used_and_every_id_has_a_text() {
    let mut used = BTreeSet::new();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let source = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        used.extend(source.split('"').filter(|text| text.starts_with("cli.")).map(str::to_owned));
    }
    let known: BTreeSet<String> =
        Catalogue::english().ids().filter(|id| id.starts_with("cli.")).map(str::to_owned).collect();
    assert_eq!(used, known);
}

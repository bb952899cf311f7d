//! The corpus of the fuzz targets, replayed: what once was found must stay mended.

use std::error::Error;
use std::fs;

use jobwright_tests::fuzz;

fn replay(target: &str, judge: impl Fn(&[u8]) -> Result<(), String>) -> Result<(), Box<dyn Error>> {
    let mut wrong = Vec::new();
    let mut inputs = 0;
    for entry in fs::read_dir(jobwright_tests::corpus().join(target))? {
        let path = entry?.path();
        inputs += 1;
        if let Err(what) = judge(&fs::read(&path)?) {
            wrong.push(format!("{}: {what}", path.display()));
        }
    }
    assert!(inputs > 0, "no input for {target}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[test]
fn manifests() -> Result<(), Box<dyn Error>> {
    replay("manifest", fuzz::manifest)
}

#[test]
fn inputs() -> Result<(), Box<dyn Error>> {
    replay("inputs", fuzz::inputs)
}

#[test]
fn index_lists() -> Result<(), Box<dyn Error>> {
    replay("index_text", fuzz::index_text)
}

//! The table of races in `docs/parity.md`: each race has a row, and what a row names is there.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

const BEGINS: &str = "<!-- The table of races: a test looks each name up. -->";
const ENDS: &str = "<!-- The table of races ends. -->";
/// RACE-1 to RACE-19.
const RACES: usize = 19;

#[test]
fn each_race_has_a_row_and_each_name_in_it_is_there() -> Result<(), Box<dyn Error>> {
    let page = fs::read_to_string(jobwright_tests::parity())?;
    let table = page.split_once(BEGINS).and_then(|(_, rest)| rest.split_once(ENDS)).ok_or("there is no table")?.0;
    let rows: Vec<Vec<&str>> =
        table.lines().filter(|line| line.starts_with("| RACE-")).map(|line| line.split(" | ").collect()).collect();
    let known = known()?;
    for (number, row) in (1..).zip(&rows) {
        assert_eq!(row[0].trim_start_matches("| "), format!("RACE-{number}"));
        let names: Vec<&str> = row[3].split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "{row:?}");
        let missing: Vec<_> = names.iter().filter(|name| !known.iter().any(|known| known == *name)).collect();
        assert!(missing.is_empty(), "RACE-{number}: {missing:?}");
    }
    assert_eq!(rows.len(), RACES);
    Ok(())
}

/// Names of tests and of scenarios.
fn known() -> Result<Vec<String>, Box<dyn Error>> {
    let root = jobwright_tests::recorded().join("../..");
    let mut names = Vec::new();
    for folder in ["tests", "crates/jobwright-core"] {
        for file in files(&root.join(folder))? {
            match file.extension().and_then(|ending| ending.to_str()) {
                Some("yaml") => names.extend(file.file_stem().map(|stem| stem.to_string_lossy().into_owned())),
                Some("rs") => {
                    let text = fs::read_to_string(&file)?;
                    let tests = text.split("fn ").skip(1).filter_map(|rest| rest.split('(').next().map(str::to_owned));
                    names.extend(tests);
                }
                _ => {}
            }
        }
    }
    Ok(names)
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    Ok(files)
}

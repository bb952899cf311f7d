//! Benchmarks: runs them and collects criterion's figures into one table.
//!
//! Benchmarks are looked at by people; no test depends on how long something takes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::TargetKind;
use serde::Deserialize;
use walkdir::WalkDir;

use crate::repo::Repo;
use crate::run::Run;

/// Runs the benchmarks whose name has the filter's text and prints where the figures are.
pub(crate) fn bench(repo: &Repo, filter: Option<&str>) -> Result<()> {
    let metadata = cargo_metadata::MetadataCommand::new().current_dir(repo.root()).no_deps().exec()?;
    let targets = metadata.packages.iter().flat_map(|package| &package.targets);
    let benches = targets.filter(|target| target.kind.contains(&TargetKind::Bench));
    let names: Vec<_> = benches.flat_map(|target| ["--bench", target.name.as_str()]).collect();
    let criterion = metadata.target_directory.join("criterion").into_std_path_buf();
    Run::cargo().args(["bench", "--workspace"]).args(names).arg("--").args(filter).dir(repo.root()).go()?;
    let report = criterion.join("figures.md");
    let table = table(&criterion)?;
    fs::write(&report, &table).with_context(|| format!("cannot write {}", report.display()))?;
    println!("\n{table}\nThe table is in {}; criterion's data is beside it.", report.display());
    Ok(())
}

#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
}

#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
    confidence_interval: Interval,
}

#[derive(Deserialize)]
struct Interval {
    lower_bound: f64,
    upper_bound: f64,
}

/// A Markdown table of the newest figures, in the order of their names.
fn table(criterion: &Path) -> Result<String> {
    let mut table = String::from("| benchmark | median | 95 % interval |\n|---|---|---|\n");
    for entry in WalkDir::new(criterion).sort_by_file_name() {
        let entry = entry.context("cannot list criterion's folder")?;
        let is_newest = entry.path().parent().is_some_and(|folder| folder.ends_with("new"));
        if is_newest && entry.file_name() == "benchmark.json" {
            let name = read::<Benchmark>(entry.path())?.full_id;
            let median = read::<Estimates>(&entry.path().with_file_name("estimates.json"))?.median;
            let bounds = &median.confidence_interval;
            let (low, high) = (time(bounds.lower_bound), time(bounds.upper_bound));
            writeln!(table, "| {name} | {} | {low} to {high} |", time(median.point_estimate))?;
        }
    }
    Ok(table)
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not as expected", path.display()))
}

/// Nanoseconds in a unit that people read.
fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{ns:.1} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_that_fits() {
        assert_eq!([12.34, 1_500.0, 2_500_000.0, 3e9].map(time), ["12.3 ns", "1.50 µs", "2.50 ms", "3.00 s"]);
    }

    #[test]
    fn the_table_is_made_of_what_criterion_left() {
        let folder = std::env::temp_dir().join(format!("jobwright-bench-{}", std::process::id()));
        let newest = folder.join("a").join("new");
        fs::create_dir_all(&newest).expect("a folder");
        fs::write(newest.join("benchmark.json"), r#"{"full_id":"a/1000"}"#).expect("a file");
        let median =
            r#"{"median":{"point_estimate":1500.0,"confidence_interval":{"lower_bound":1400.0,"upper_bound":1600.0}}}"#;
        fs::write(newest.join("estimates.json"), median).expect("a file");
        assert!(table(&folder).expect("a table").ends_with("| a/1000 | 1.50 µs | 1.40 µs to 1.60 µs |\n"));
        fs::remove_dir_all(&folder).expect("removed");
    }
}

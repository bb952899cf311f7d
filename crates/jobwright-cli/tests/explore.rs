//! `jobwright explore`: what it prints, and that its witnesses run.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

mod support;

use support::jobwright;

#[test]
fn explore_finds_all_ends() {
    let job = "tests/data/job.yaml";
    let runs = [
        jobwright(&["explore", job, "--any-of", "0,1,42,evict", "--crashes", "1"], ""),
        jobwright(&["explore", job, "--any-of", "0,1", "--end", "2"], ""),
        jobwright(&["explore", job, "--lint", "failed-pods-above-limit"], ""),
        jobwright(&["explore", job, "--lint", "work-queue"], ""),
        jobwright(&["explore", job, "--max-states", "40"], ""),
        jobwright(&["explore", job, "--any-of", "0,boom"], ""),
        jobwright(&["explore", job, "--lint", "boom"], ""),
        jobwright(&["explore", job, "--end", "9"], ""),
    ];
    insta::assert_snapshot!(runs.join("\n"));
}

#[test]
fn a_witness_of_explore_runs_to_its_end() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("witnesses");
    let path = folder.to_str().unwrap();
    let text =
        jobwright(&["explore", "tests/data/job.yaml", "--format", "json", "--crashes", "1", "--witness-dir", path], "");
    let report: serde_json::Value = serde_json::from_str(text.strip_suffix("exit code 0\n").unwrap()).unwrap();
    let ends = report["ends"].as_array().unwrap();
    assert_eq!((ends.len(), &report["complete"]), (2, &serde_json::json!(true)));
    for (number, end) in (1..).zip(ends) {
        let file = folder.join(format!("end-{number}.yaml"));
        let text = jobwright(&["run", file.to_str().unwrap(), "--format", "json"], "");
        let run: serde_json::Value = serde_json::from_str(text.strip_suffix("exit code 0\n").unwrap()).unwrap();
        assert_eq!(run["summary"]["job"]["phase"], end["condition"]);
        let pods = run["summary"]["pods"].as_array().map(Vec::len);
        assert_eq!(pods.map(|pods| pods as u64), end["witness"]["pods"].as_u64());
    }
    assert!(folder.join("most-pods.yaml").is_file());
}

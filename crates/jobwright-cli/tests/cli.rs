//! The command line as a person sees it: output, errors and exit codes of the built program.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

mod support;

use support::jobwright;

#[test]
fn run_to_complete() {
    insta::assert_snapshot!(jobwright(&["run", "tests/data/job.yaml", "--outcomes", "0,1,0"], ""));
}

#[test]
fn run_to_failed() {
    insta::assert_snapshot!(jobwright(&["run", "tests/data/job.yaml", "--outcomes", "1x*", "--until", "Failed"], ""));
}

#[test]
fn run_says_what_is_not_acted_on() {
    let text = jobwright(&["run", "tests/data/study.yaml", "--until", "0s"], "");
    insta::assert_snapshot!(text);
}

#[test]
fn run_takes_the_job_of_a_cron_job() {
    let text = jobwright(&["run", "tests/data/cron.yaml", "--until", "0s"], "");
    assert!(text.starts_with("NOTICE "), "{text}");
    assert!(text.contains("line 2: kind: this is a CronJob."), "{text}");
    assert!(text.contains("nightly-15778140"), "{text}");
    let wrong = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/cron.yaml")).unwrap();
    let text = jobwright(&["run", "-"], &wrong.replace("Never", "Always"));
    assert!(text.contains("13:11: error: spec.jobTemplate.spec.template.spec.restartPolicy: Required value"), "{text}");
    assert!(text.ends_with("exit code 2\n"), "{text}");
}

#[test]
fn run_a_scenario_with_a_crash() {
    insta::assert_snapshot!(jobwright(&["run", "tests/data/crash.yaml"], ""));
}

#[test]
fn run_that_does_not_get_there() {
    let text = jobwright(&["run", "tests/data/job.yaml", "--until", "Failed"], "");
    assert!(text.contains("Nothing more happens, and Failed does not hold."), "{text}");
    assert!(text.ends_with("exit code 1\n"), "{text}");
    let text = jobwright(&["run", "tests/data/job.yaml", "--limit", "2"], "");
    assert!(text.contains("Stopped after 2 decisions."), "{text}");
    assert!(text.ends_with("exit code 1\n"), "{text}");
}

#[test]
fn run_as_json() {
    let text = jobwright(&["run", "tests/data/job.yaml", "--format", "json"], "");
    let json = text.strip_suffix("exit code 0\n").unwrap();
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(value["summary"]["job"]["phase"], "Complete");
    assert_eq!(value["decisions"][0]["rule"], "create-pods");
    assert_eq!(value["summary"]["pods"].as_array().map(Vec::len), Some(3));
    assert_eq!(value["summary"]["decisions"], value["decisions"].as_array().unwrap().len());
}

#[test]
fn mistakes_show_their_place() {
    let job = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/job.yaml")).unwrap();
    let runs = [
        jobwright(&["run", "tests/data/mistakes.yaml"], ""),
        jobwright(&["run", "tests/data/two.yaml"], ""),
        jobwright(&["run", "-"], &job.replace("Never", "Always")),
        jobwright(&["run", "-"], "{\"kind\": "),
        jobwright(&["run", "-"], ""),
        jobwright(&["run", "tests/data/job.yaml", "--outcomes", "0,boom"], ""),
        jobwright(&["run", "tests/data/job.yaml", "--until", "soon"], ""),
    ];
    insta::assert_snapshot!(runs.join("\n"));
}

#[test]
fn replay_tells_differences_apart() {
    let whole = jobwright(&["replay", "tests/data/replay"], "");
    insta::assert_snapshot!(whole);
    let json = jobwright(&["replay", "tests/data/replay", "--format", "json"], "");
    let value: serde_json::Value = serde_json::from_str(json.strip_suffix("exit code 1\n").unwrap()).unwrap();
    assert_eq!(value["sums"], serde_json::json!({"matched": 1, "differ": 1, "notSupported": 1}));
    let one = jobwright(&["replay", "tests/data/replay/same.yaml"], "");
    assert_eq!(one, "1 matched, 0 differ, 0 not supported\nexit code 0\n");
    let none = jobwright(&["replay", "tests/data/job.yaml"], "");
    assert!(none.ends_with("exit code 2\n"), "{none}");
}

#[test]
fn help_teaches() {
    let whole = jobwright(&["--help"], "");
    let of = |command: &str| jobwright(&[command, "--help"], "");
    insta::assert_snapshot!(
        [whole, of("run"), of("validate"), of("explain"), of("explore"), of("replay"), of("completions"), of("man")]
            .join("\n")
    );
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = jobwright(&["completions", shell], "");
        assert!(script.contains("validate") && script.ends_with("exit code 0\n"), "{shell}");
    }
    assert!(jobwright(&["man"], "").contains(".TH jobwright 1"));
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    assert_eq!(jobwright(&["man", &folder.display().to_string()], ""), "exit code 0\n");
    for page in ["jobwright.1", "jobwright-run.1", "jobwright-validate.1", "jobwright-explain.1", "jobwright-explore.1"]
    {
        assert!(folder.join(page).is_file(), "{page}");
    }
}

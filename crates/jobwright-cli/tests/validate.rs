//! `jobwright validate`: the four formats, what cannot be read, and the recorded verdicts.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

mod support;

use support::{jobwright, jobwright_bytes};

const MANIFESTS: [&str; 3] =
    ["tests/data/validate/lints.yaml", "tests/data/validate/refused.yaml", "tests/data/job.yaml"];

fn validate(format: &str) -> String {
    jobwright(&[&["validate", "--format", format], &MANIFESTS[..]].concat(), "")
}

fn json_of(args: &[&str], stdin: &str) -> Value {
    let text = jobwright(&[&["validate", "--format", "json"], args].concat(), stdin);
    serde_json::from_str(text.rsplit_once("exit code").unwrap().0).unwrap()
}

#[test]
fn text_shows_lines_marks_and_ways_out() {
    insta::assert_snapshot!(validate("text"));
}

#[test]
fn json_is_the_verdict_with_places() {
    insta::assert_snapshot!(validate("json"));
}

#[test]
fn github_commands() {
    insta::assert_snapshot!(validate("github"));
}

#[test]
fn sarif_names_rules_and_places() {
    let text = validate("sarif");
    let mut log: Value = serde_json::from_str(text.rsplit_once("exit code").unwrap().0).unwrap();
    assert_eq!((&log["version"], &log["runs"].as_array().unwrap().len()), (&json!("2.1.0"), &1));
    let run = &mut log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap().clone();
    for rule in &rules {
        for part in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[part]["text"].as_str().unwrap().ends_with('.'), "{rule}");
        }
    }
    for result in run["results"].as_array().unwrap() {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 1 && place["artifactLocation"]["uri"].is_string());
    }
    // The rules stand in the catalogue already.
    run["tool"]["driver"]["rules"] = json!(rules.len());
    insta::assert_snapshot!(format!("{log:#}"));
}

#[test]
fn deny_and_allow() {
    let lints = MANIFESTS[0];
    for (args, code) in [
        (&[lints][..], 0),
        (&[lints, "--deny", "warnings"], 1),
        (&[lints, "--deny", "no-deadline"], 1),
        (&[lints, "--deny", "no-deadline", "--allow", "no-deadline"], 0),
        (&[lints, "--deny", "deleted-at-once"], 0),
        (&[lints, "--deny", "no-dedline"], 2),
        (&["tests/data/validate/quiet.yaml", "--deny", "warnings"], 0),
        (&["tests/data/validate/refused.yaml"], 1),
    ] {
        let text = jobwright(&[&["validate"], args].concat(), "");
        assert!(text.ends_with(&format!("exit code {code}\n")), "{args:?}: {text}");
    }
    let denied = json_of(&[lints, "--deny", "warnings"], "");
    assert_eq!(
        (&denied[0]["accepted"], &denied[0]["lints"][1]["level"]),
        (&json!(true), &json!("error")),
        "{denied:#}"
    );
}

#[test]
fn what_cannot_be_read_ends_with_2_and_stops_nothing_else() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty");
    std::fs::create_dir_all(&folder).unwrap();
    let folder = folder.display().to_string();
    let runs = [
        jobwright(&["validate", "tests/data/gone.yaml", "tests/data/validate/quiet.yaml"], ""),
        jobwright(&["validate", &folder], "").replace(&folder, "EMPTY"),
        jobwright(&["validate", "-"], ""),
        jobwright(&["validate", "-"], "just a text\n"),
        jobwright_bytes(&["validate", "-"], b"kind: \xff\n"),
        jobwright_bytes(&["validate", "-"], b"\xff\xfek\0i\0"),
        jobwright(&["validate", "-"], "kind: [\n"),
        jobwright(&["validate", "-"], "apiVersion: v1\nkind: Service\n"),
        jobwright(&["validate"], ""),
    ];
    insta::assert_snapshot!(runs.join("\n"));
}

#[test]
fn folders_are_walked_and_documents_have_their_lines() {
    let all = json_of(&["tests/data/validate"], "");
    let places: Vec<_> =
        all.as_array().unwrap().iter().map(|entry| (entry["file"].as_str().unwrap(), &entry["line"])).collect();
    assert_eq!(places.len(), 4, "{places:?}");
    assert_eq!(places[0], ("tests/data/validate/lints.yaml", &json!(2)));
    assert_eq!(places[3], ("tests/data/validate/refused.yaml", &json!(23)));
}

#[test]
fn a_lint_is_explained() {
    let runs = [
        jobwright(&["validate", "--explain", "failed-pods-above-limit"], ""),
        jobwright(&["validate", "--explain", "list"], ""),
        jobwright(&["validate", "--explain", "no-dedline"], ""),
    ];
    insta::assert_snapshot!(runs.join("\n"));
}

/// The recorded verdicts, with the file of each manifest.
fn recorded() -> Vec<(PathBuf, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/validation");
    let list = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found = Vec::new();
    for path in list(root.clone()).chain(list(root.join("mutated"))).chain(list(root.join("more"))) {
        let Some(stem) = path.to_string_lossy().strip_suffix(".result.json").map(str::to_owned) else { continue };
        let manifest =
            ["yaml", "json"].iter().map(|ext| PathBuf::from(format!("{stem}.{ext}"))).find(|path| path.is_file());
        found.push((manifest.unwrap(), serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap()));
    }
    found
}

/// An entry without what is added to a verdict.
fn verdict(entry: &Value) -> Value {
    let mut verdict = entry.clone();
    let map = verdict.as_object_mut().unwrap();
    for added in ["file", "line", "lints"] {
        map.remove(added).unwrap();
    }
    for error in map["errors"].as_array_mut().unwrap() {
        let places = ["line", "column"].map(|name| error.as_object_mut().unwrap().remove(name).unwrap());
        assert!(places.iter().all(|place| place.as_u64().unwrap() >= 1));
    }
    verdict
}

#[test]
fn the_json_of_each_recorded_manifest_is_the_recorded_verdict() {
    let recorded = recorded();
    let files: Vec<String> = recorded.iter().map(|(file, _)| file.display().to_string()).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let ours = json_of(&files, "");
    let mut differ = Vec::new();
    for (file, theirs) in &recorded {
        let name = file.display().to_string();
        let entry = ours.as_array().unwrap().iter().find(|entry| entry["file"] == name.as_str()).unwrap();
        let mut theirs = theirs.clone();
        let mut ours = verdict(entry);
        // Of what is no Job only stage, type and, where it is stated, the field are to be compared.
        if theirs["stage"] == "decode" || theirs["stage"] == "strict" {
            for verdict in [&mut ours, &mut theirs] {
                verdict["errors"] = verdict["errors"][0]["type"].take();
            }
        }
        if ours != theirs {
            differ.push(format!("{name}\n  ours   {ours}\n  theirs {theirs}"));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert_eq!(recorded.len(), 350 + 106);
}

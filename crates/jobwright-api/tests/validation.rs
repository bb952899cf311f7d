//! The recorded manifests of `tests/validation`, judged as the reference judged them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "every file is a part of the repository")]

use std::path::{Path, PathBuf};

use jobwright_api::verdict::{self, Content, Refusal};
use serde_json::{Value, json};

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/validation");
    let list = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = list(root.clone()).chain(list(root.join("mutated"))).chain(list(root.join("more")));
    let mut files: Vec<PathBuf> = all.filter(|path| path.to_string_lossy().ends_with(".result.json")).collect();
    files.sort();
    files
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The manifest that belongs to a result.
fn manifest_text(result: &Path) -> String {
    let stem = result.to_string_lossy().trim_end_matches(".result.json").to_owned();
    ["yaml", "json"].iter().find_map(|ext| std::fs::read_to_string(format!("{stem}.{ext}")).ok()).unwrap()
}

/// Our verdict in the form of a result.
fn judge(text: &str) -> Value {
    let documents = verdict::documents(text);
    let Content::Judged(verdict) = &documents[0].content else { panic!("no Job") };
    let error = |error: &Refusal| json!({"type": error.kind, "field": error.field, "detail": error.detail});
    let errors: Vec<Value> = verdict.errors.iter().map(error).collect();
    let warnings: Vec<String> = verdict.warnings.iter().map(|(warning, _)| warning.to_string()).collect();
    let mut ours = json!({"accepted": verdict.stage.is_none(), "errors": errors, "defaulted": verdict.defaulted});
    if let Some(stage) = verdict.stage {
        ours["stage"] = stage.as_str().into();
    }
    if !warnings.is_empty() {
        ours["warnings"] = json!(warnings);
    }
    ours
}

/// What differs, if anything.
fn difference(ours: &Value, theirs: &Value) -> Option<String> {
    if ours["stage"] != theirs["stage"] {
        return Some(format!("stage {} instead of {}: {ours}", ours["stage"], theirs["stage"]));
    }
    if theirs["stage"] == "validation" || theirs["accepted"] == true {
        return (ours != theirs).then(|| format!("\n  ours   {ours}\n  theirs {theirs}"));
    }
    let fields = |verdict: &Value| -> Vec<String> {
        let of = |error: &Value| error["field"].as_str().filter(|field| !field.is_empty()).map(str::to_owned);
        verdict["errors"].as_array().unwrap().iter().filter_map(of).collect()
    };
    let (ours, theirs) = (fields(ours), fields(theirs));
    (!theirs.iter().all(|field| ours.contains(field))).then(|| format!("fields {ours:?} instead of {theirs:?}"))
}

#[test]
fn recorded_manifests_are_judged_as_the_reference_does() {
    let mut differ = Vec::new();
    let files = files();
    for result in &files {
        let name = result.file_name().unwrap().to_string_lossy().into_owned();
        let theirs: Value = serde_json::from_str(&read(result)).unwrap();
        let ours = judge(&manifest_text(result));
        if let Some(what) = difference(&ours, &theirs) {
            differ.push(format!("{name}: {what}"));
        }
    }
    assert!(differ.is_empty(), "{} of {} differ\n{}", differ.len(), files.len(), differ.join("\n"));
    assert_eq!(files.len(), 350 + 106);
}

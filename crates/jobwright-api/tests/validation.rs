//! The recorded manifests of `tests/validation`, judged as the reference judged them.
#![allow(clippy::unwrap_used, reason = "every file is a part of the repository")]

use std::path::{Path, PathBuf};

use jobwright_api::diagnostic::Code;
use jobwright_api::{Diagnostic, defaults, manifest, prepare, validate};
use serde_json::{Value, json};

const UID: &str = "00000000-0000-4000-8000-000000000001";
/// Stands for the random part of a generated name.
const SUFFIX: &str = "xxxxx";

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/validation");
    let list = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = list(root.clone()).chain(list(root.join("mutated")));
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
    let manifest = match manifest::read_job(text) {
        Ok(manifest) => manifest,
        Err(errors) => return unreadable(&errors),
    };
    let mut job = manifest.value;
    let metadata = job["metadata"].as_object_mut();
    if let Some(metadata) = metadata {
        metadata.entry("namespace").or_insert_with(|| "default".into());
    } else {
        job["metadata"] = json!({"namespace": "default"});
    }
    let has_name = job["metadata"]["name"].as_str().is_some_and(|name| !name.is_empty());
    if let Some(prefix) = job["metadata"]["generateName"].as_str().filter(|_| !has_name) {
        job["metadata"]["name"] = format!("{prefix}{SUFFIX}").into();
    }
    prepare::create(&mut job, UID);
    let errors: Vec<Value> = validate::create(&job)
        .iter()
        .map(|error| json!({"type": error.kind.reason(), "field": error.field, "detail": error.cause()}))
        .collect();
    if !errors.is_empty() {
        return json!({"accepted": false, "stage": "validation", "errors": errors, "defaulted": null});
    }
    let warnings: Vec<String> = validate::warnings(&job).iter().map(ToString::to_string).collect();
    let mut verdict = json!({"accepted": true, "errors": [], "defaulted": shown(job)});
    if !warnings.is_empty() {
        verdict["warnings"] = json!(warnings);
    }
    verdict
}

fn unreadable(errors: &[Diagnostic]) -> Value {
    let strict = errors.iter().all(|error| matches!(error.code, Code::UnknownField | Code::DuplicateKey));
    let stage = if strict { "strict" } else { "decode" };
    let errors: Vec<Value> = errors.iter().map(|error| json!({"field": error.field})).collect();
    json!({"accepted": false, "stage": stage, "errors": errors, "defaulted": null})
}

/// A Job as a client reads it: defaulted once more (DEF-4), without its template. A list of rules that is
/// not there is written as `null`, because the API's type always prints it.
fn shown(mut job: Value) -> Value {
    defaults::apply(&mut job);
    for policy in ["podFailurePolicy", "successPolicy"] {
        if let Some(policy) = job["spec"].get_mut(policy).and_then(Value::as_object_mut) {
            policy.entry("rules").or_insert(Value::Null);
        }
    }
    let labels = job["spec"]["template"]["metadata"]["labels"].take();
    job["spec"].as_object_mut().unwrap().remove("template");
    job["status"] = json!({});
    if !labels.is_null() {
        job["templateLabels"] = labels;
    }
    job
}

/// What differs, if anything.
fn difference(ours: &Value, theirs: &Value) -> Option<String> {
    if ours["stage"] != theirs["stage"] {
        return Some(format!("stage {} instead of {}: {ours}", ours["stage"], theirs["stage"]));
    }
    if theirs["stage"] == "validation" || theirs["accepted"] == true {
        let ours: Value =
            serde_json::from_str(&ours.to_string().replace(UID, "$uid").replace(SUFFIX, "*****")).unwrap();
        return (ours != *theirs).then(|| format!("\n  ours   {ours}\n  theirs {theirs}"));
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
    assert_eq!(files.len(), 350);
}

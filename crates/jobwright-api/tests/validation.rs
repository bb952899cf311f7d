//! The recorded manifests of `tests/validation`, judged as the reference judged them.
#![allow(clippy::unwrap_used, reason = "every file is a part of the repository")]

use std::path::{Path, PathBuf};

use jobwright_api::diagnostic::Code;
use jobwright_api::{Diagnostic, defaults, manifest, prepare, validate};
use serde_json::{Value, json};

const UID: &str = "00000000-0000-4000-8000-000000000001";
/// Stands for the random part of a generated name.
const SUFFIX: &str = "xxxxx";

/// Rules that have their room and are not looked at yet: those of the two policies, and of the pod
/// template beyond names, images and restart policies.
const NOT_YET: &[&str] = &[
    "spec.template.spec.activeDeadlineSeconds",
    "spec.template.spec.nodeSelector",
    "spec.template.spec.tolerations",
    "spec.template.spec.schedulingGates",
    "spec.template.spec.hostname",
];
/// Fields of containers that are not looked at yet.
const NOT_YET_OF_CONTAINERS: &[&str] = &[".env[", ".volumeMounts[", ".resources."];

/// The one manifest of another kind that the reference reads on and this reader does not.
const OTHER_KIND: &str = "181-bad-kind-cronjob";

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
    json!({"accepted": true, "errors": [], "defaulted": shown(job)})
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

/// The recorded verdict, without the rules that are not looked at yet; whether any was left out.
fn expected(result: &Path) -> (Value, bool) {
    let mut verdict: Value = serde_json::from_str(&read(result)).unwrap();
    verdict.as_object_mut().unwrap().remove("warnings");
    if verdict["stage"] != "validation" {
        return (verdict, false);
    }
    let errors = verdict["errors"].as_array_mut().unwrap();
    let before = errors.len();
    errors.retain(|error| {
        let field = error["field"].as_str().unwrap();
        let deep = field.contains("ontainers[") && NOT_YET_OF_CONTAINERS.iter().any(|part| field.contains(part));
        !deep && !NOT_YET.iter().any(|prefix| field.starts_with(prefix))
    });
    let left_out = errors.len() < before;
    (verdict, left_out)
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
    let (mut agree, mut partly, mut differ) = (0, 0, Vec::new());
    for result in files() {
        let name = result.file_name().unwrap().to_string_lossy().trim_end_matches(".result.json").to_owned();
        let (mut theirs, left_out) = expected(&result);
        let text = manifest_text(&result);
        let ours = judge(&text);
        if name == OTHER_KIND {
            assert_eq!(ours["stage"], "decode");
            partly += 1;
            continue;
        }
        if left_out && theirs["errors"] == json!([]) {
            // All that was wrong is not looked at yet, so it is accepted here.
            assert_eq!(ours["accepted"], true, "{name}: {ours}");
            partly += 1;
            continue;
        }
        if theirs["stage"] == "validation" {
            theirs["defaulted"] = Value::Null;
        }
        match difference(&ours, &theirs) {
            None if left_out => partly += 1,
            None => agree += 1,
            Some(what) => differ.push(format!("{name}: {what}")),
        }
    }
    println!("{agree} agree, {partly} agree but for rules that are not looked at yet, {} differ", differ.len());
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert_eq!(agree + partly, 350);
    assert!(agree >= AGREE, "{agree}");
}

/// How many of the 350 agree in full.
const AGREE: usize = 341;

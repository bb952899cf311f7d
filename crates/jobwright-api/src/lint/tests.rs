//! Each lint with the least that makes it fire, and what keeps it silent.

use serde_json::{Value, json};

use super::*;
use crate::manifest;

fn job(spec: &str) -> String {
    let head = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: job}\nspec:\n";
    let template = "  template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}\n";
    let lines: String = spec.split(';').filter(|line| !line.is_empty()).map(|line| format!("  {line}\n")).collect();
    if spec.contains("OnFailure") {
        let lines = lines.replace("  OnFailure\n", "");
        return [head, &lines, &template.replace("Never", "OnFailure")].concat();
    }
    [head, &lines, template].concat()
}

fn found(text: &str) -> Vec<Finding> {
    let manifest = manifest::read_job(text).unwrap();
    assert_eq!(manifest.refusals(), [], "{text}");
    check(&manifest.prepared("uid"), &manifest, &Comments::of(text))
}

/// The ids, without the one that nearly every short Job has.
fn ids(spec: &str) -> Vec<&'static str> {
    found(&job(spec)).iter().map(|finding| finding.lint.id).filter(|id| *id != "no-deadline").collect()
}

const INDEXED: &str = "completionMode: Indexed";
const IGNORE: &str = "podFailurePolicy: {rules: [{action: Ignore, onExitCodes: {operator: In, values: [3]}}]}";

#[test]
fn limits_bko_9_bko_20_bko_35() {
    for (spec, wanted) in [
        ("", &[][..]),
        ("parallelism: 2;completions: 2", &["failed-pods-above-limit"]),
        ("parallelism: 2;completions: 1", &["parallelism-above-completions"]),
        ("OnFailure", &["logs-deleted"]),
        ("OnFailure;parallelism: 3;completions: 3", &["logs-deleted"]),
        ("parallelism: 3", &["failed-pods-above-limit", "work-queue"]),
        ("parallelism: 1", &[]),
        ("activeDeadlineSeconds: 0", &["deadline-zero"]),
        ("activeDeadlineSeconds: 100", &["deadline-before-limit"]),
        ("activeDeadlineSeconds: 100;backoffLimit: 3", &[]),
        ("activeDeadlineSeconds: 100;completions: 2", &[]),
        ("activeDeadlineSeconds: 700", &[]),
    ] {
        assert_eq!(ids(spec), wanted, "{spec}");
    }
}

#[test]
fn limits_of_indexes_bko_34_to_37() {
    for (spec, wanted) in [
        ("completions: 2;backoffLimitPerIndex: 0", &["failed-indexes-unbounded"][..]),
        ("completions: 2;backoffLimitPerIndex: 1;maxFailedIndexes: 1", &["waiting-indexes-block"]),
        ("completions: 2;backoffLimitPerIndex: 0;maxFailedIndexes: 2", &["limit-never-reached"]),
        ("completions: 2;backoffLimitPerIndex: 0;maxFailedIndexes: 1;backoffLimit: 2", &["limit-never-reached"]),
        ("completions: 2;backoffLimitPerIndex: 0;maxFailedIndexes: 1;backoffLimit: 1", &[]),
        ("OnFailure;completions: 2;backoffLimitPerIndex: 1;maxFailedIndexes: 1", &["per-index-on-failure"]),
        (
            "completions: 4;parallelism: 4;backoffLimitPerIndex: 1;maxFailedIndexes: 1;backoffLimit: 3",
            &["failed-pods-above-limit"],
        ),
    ] {
        assert_eq!(ids(&format!("{INDEXED};{spec}")), wanted, "{spec}");
    }
    // Six pods can fail before all indexes have failed; that is less than 5 + 3.
    let text = job(&format!("{INDEXED};completions: 3;parallelism: 3;backoffLimitPerIndex: 1;backoffLimit: 4"));
    let finding = &found(&text)[0];
    assert!(finding.message.starts_with("Up to 6 failed pods"), "{}", finding.message);
    assert_eq!(finding.severity, Severity::Info);
}

#[test]
fn states_that_surprise() {
    for (spec, wanted) in [
        ("ttlSecondsAfterFinished: 0", &["deleted-at-once"][..]),
        ("ttlSecondsAfterFinished: 1", &[]),
        ("suspend: true", &["suspended"]),
        ("parallelism: 0;completions: 2", &["parallelism-zero"]),
        ("parallelism: 0", &["parallelism-zero"]),
        ("completions: 0", &["completions-zero"]),
        ("managedBy: example.com/x;parallelism: 9", &["managed-by-other"]),
        ("managedBy: kubernetes.io/job-controller", &[]),
        ("managedBy: jobwright.dev/job-controller", &[]),
    ] {
        assert_eq!(ids(spec), wanted, "{spec}");
    }
}

#[test]
fn rules_that_decide_nothing_pfp_2_to_4() {
    let codes = |operator: &str, values: &[i32], container: Option<&str>| json!({"operator": operator, "values": values, "containerName": container});
    let fail = |codes: &Value| json!({"action": "FailJob", "onExitCodes": codes});
    let on = |kind: &str| json!({"action": "Ignore", "onPodConditions": [{"type": kind}]});
    let main = Some("main");
    for (rules, wanted) in [
        (json!([fail(&codes("In", &[1, 2], None)), fail(&codes("In", &[2], main))]), &["rule-never-matches"][..]),
        (json!([fail(&codes("In", &[1, 2], main)), fail(&codes("In", &[2], None))]), &[]),
        (json!([fail(&codes("In", &[1], None)), fail(&codes("In", &[1, 2], None))]), &[]),
        (json!([fail(&codes("NotIn", &[1], None)), fail(&codes("In", &[2], None))]), &["rule-never-matches"]),
        (json!([fail(&codes("NotIn", &[2], None)), fail(&codes("In", &[2], None))]), &[]),
        (json!([fail(&codes("NotIn", &[0], None)), fail(&codes("NotIn", &[3], None))]), &["rule-never-matches"]),
        (json!([fail(&codes("In", &[3], None)), fail(&codes("NotIn", &[3], None))]), &[]),
        (json!([on("DisruptionTarget"), on("DisruptionTarget")]), &["rule-never-matches"]),
        (json!([on("DisruptionTarget"), on("Other")]), &[]),
        (json!([on("DisruptionTarget"), fail(&codes("In", &[1], None))]), &[]),
        (json!([{"action": "Count", "onExitCodes": codes("In", &[1], None)}]), &["rule-without-effect"]),
        (json!([{"action": "Ignore", "onExitCodes": codes("In", &[1], None)}]), &["ignored-without-end"]),
    ] {
        assert_eq!(ids(&format!("podFailurePolicy: {}", json!({"rules": rules}))), wanted, "{rules}");
    }
    assert_eq!(ids(&format!("{IGNORE};activeDeadlineSeconds: 9000")), [""; 0]);
}

#[test]
fn each_lint_has_its_texts_and_each_id_is_a_lint() {
    let mut seen = Vec::new();
    for spec in [
        "parallelism: 3",
        "OnFailure",
        "activeDeadlineSeconds: 0",
        "activeDeadlineSeconds: 9",
        "completionMode: Indexed;completions: 2;backoffLimitPerIndex: 1",
        "completionMode: Indexed;completions: 2;backoffLimitPerIndex: 1;maxFailedIndexes: 2",
        "OnFailure;completionMode: Indexed;completions: 2;backoffLimitPerIndex: 1",
        "ttlSecondsAfterFinished: 0;suspend: true;parallelism: 3;completions: 1",
        "parallelism: 0",
        "completions: 0",
        "managedBy: a.b/c",
        IGNORE,
        &IGNORE.replace("Ignore", "Count"),
        &IGNORE.replace("rules: [", "rules: [{action: Count, onExitCodes: {operator: In, values: [3]}}, "),
    ] {
        let text = job(spec);
        for hit in hits(&manifest::read_job(&text).unwrap().prepared("uid")) {
            assert!(find(hit.id).is_some(), "{}", hit.id);
        }
        for finding in found(&text) {
            for text in [&finding.message, &finding.help] {
                assert!(text.ends_with('.') && !text.contains(['{', '}']), "{}: {text}", finding.lint.id);
            }
            seen.push(finding.lint.id);
        }
    }
    // Three come from elsewhere: what reading says, and comments.
    let other = ["not-acted-on", "no-kind", "unknown-lint"];
    let never: Vec<_> =
        LINTS.iter().map(|lint| lint.id).filter(|id| !seen.contains(id) && !other.contains(id)).collect();
    assert_eq!(never, [""; 0]);
}

#[test]
fn findings_have_places_and_comments_silence_them() {
    let text = job("parallelism: 3");
    let places: Vec<_> = found(&text).iter().map(|f| (f.lint.id, f.field.clone(), f.span.line)).collect();
    let wanted = [
        ("failed-pods-above-limit", "spec.parallelism".to_owned(), 5),
        ("no-deadline", "spec.activeDeadlineSeconds".to_owned(), 4),
        ("work-queue", "spec.parallelism".to_owned(), 5),
    ];
    assert_eq!(places, wanted);
    let left = |text: &str| found(text).iter().map(|finding| finding.lint.id).collect::<Vec<_>>();
    let one = text.replace("m: 3\n", "m: 3 # jobwright: allow(work-queue)\n");
    assert_eq!(left(&one), ["failed-pods-above-limit", "no-deadline"]);
    let above = text.replace("spec:\n", "# jobwright: allow(no-deadline)\nspec:\n");
    assert_eq!(left(&above), ["failed-pods-above-limit", "work-queue"]);
    let whole = format!("# jobwright: allow(no-deadline, work-queue, failed-pods-above-limit)\n{text}");
    assert_eq!(left(&whole), [""; 0]);
    let elsewhere = text.replace("kind: Job", "kind: Job # jobwright: allow(work-queue)");
    assert_eq!(left(&elsewhere), ["failed-pods-above-limit", "no-deadline", "work-queue"]);
}

#[test]
fn an_unknown_id_in_a_comment_is_said() {
    let text = job("").replace("kind: Job", "kind: Job # jobwright: allow(no-dedline)");
    let last = found(&text).pop().unwrap();
    assert_eq!((last.lint.id, last.span), ("unknown-lint", Span::new((2, 30), (2, 40))));
    assert!(last.message.contains("`no-deadline`"), "{}", last.message);
}

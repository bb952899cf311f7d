//! `jobwright explain` on the dumps of `tests/dumps`: one snapshot each, and what cannot be explained.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

mod support;

use support::jobwright;

const DUMPS: &str = "../../tests/dumps";

fn explain(args: &[&str], stdin: &str) -> String {
    jobwright(&[&["explain"], args].concat(), stdin)
}

/// The first line of the output that has this heading, with what follows it up to the next one.
fn part(text: &str, head: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.starts_with(head));
    let rest = |line: &&str| line.starts_with(head) || line.starts_with("         ");
    lines.take_while(rest).map(|line| line[9..].trim()).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_dump_is_explained() {
    let mut names: Vec<String> = std::fs::read_dir(DUMPS)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !["no-job", "two-jobs", "wrong-type"].iter().any(|wrong| name.starts_with(wrong)))
        .collect();
    names.sort();
    assert!(names.len() >= 17, "{names:?}");
    for name in names {
        let file = format!("{DUMPS}/{name}");
        let stem = name.split('.').next().unwrap().to_owned();
        insta::with_settings!({ snapshot_suffix => stem }, { insta::assert_snapshot!("dump", explain(&[&file], "")) });
    }
}

#[test]
fn what_cannot_be_explained_shows_its_place() {
    let dump = |name: &str| format!("{DUMPS}/{name}.yaml");
    let runs = [
        explain(&[&dump("no-job")], ""),
        explain(&[&dump("two-jobs")], ""),
        explain(&[&dump("two-jobs"), "--job", "three"], ""),
        explain(&[&dump("wrong-type-job")], ""),
        explain(&[&dump("wrong-type-pod")], ""),
        explain(&[&dump("running"), "--at", "noon"], ""),
        explain(&["-"], "apiVersion: v1\nkind: List\nitems: [\n"),
        explain(&["-"], "No resources found in default namespace.\n"),
        explain(&["-"], "kind: Job\nmetadata: {name: x}\nspec: {template: {}}\n"),
        explain(&["no-such-file.yaml"], ""),
    ];
    insta::assert_snapshot!(runs.join("\n"));
}

#[test]
fn options_choose_the_job_and_the_time() {
    let two = format!("{DUMPS}/two-jobs.yaml");
    for args in [&[&*two, "--job", "two"][..], &[&*two, "-n", "b"], &[&*two, "--namespace", "b", "--job", "two"]] {
        let text = explain(args, "");
        assert!(text.starts_with("b/two\n") && text.ends_with("exit code 0\n"), "{text}");
    }
    let waiting = format!("{DUMPS}/backoff-wait.yaml");
    let later = explain(&[&waiting, "--at", "2026-03-02T09:01:25Z"], "");
    assert_eq!(part(&later, "WHY"), "The Job waits 5 s before it makes the next pod, because 3 pods in a row failed.");
    assert_eq!(part(&later, "NOW"), "2026-03-02T09:01:25Z, as given");
    let over = explain(&[&waiting, "--at", "2026-03-02T10:02:00+01:00"], "");
    assert_eq!(part(&over, "WHY"), "The Job is about to make pods: 1 of 1 wanted is missing.");
}

#[test]
fn a_dump_is_read_in_every_form() {
    let yaml = std::fs::read_to_string(format!("{DUMPS}/unschedulable.yaml")).unwrap();
    let expected = explain(&["-"], &yaml);
    assert!(expected.contains("Insufficient nvidia.com/gpu"), "{expected}");
    let values: Vec<serde_json::Value> =
        jobwright_api::yaml::read(&yaml).unwrap().documents.iter().map(jobwright_api::yaml::Node::to_value).collect();
    let list = serde_json::json!({"kind": "List", "apiVersion": "v1", "items": values});
    assert_eq!(explain(&["-"], &list.to_string()), expected);
    // Items of typed lists need not say what they are.
    let mut typed = String::new();
    for (kind, mut item) in ["PodList", "JobList"].into_iter().zip(values) {
        item.as_object_mut().unwrap().retain(|field, _| field != "kind" && field != "apiVersion");
        typed.push_str(&format!("---\n{}\n", serde_json::json!({"kind": kind, "items": [item]})));
    }
    assert_eq!(explain(&["-"], &typed), expected);
}

#[test]
fn json_has_the_same_and_the_writes() {
    let text = explain(&[&format!("{DUMPS}/quota.yaml"), "--format", "json"], "");
    let value: serde_json::Value = serde_json::from_str(text.strip_suffix("exit code 0\n").unwrap()).unwrap();
    assert_eq!(value["why"], "The Job waits: 2 of 4 wanted pods are missing, and the API server refuses them");
    assert_eq!((&value["atFrom"], &value["at"]), (&"dump".into(), &"2026-03-02T09:02:20Z".into()));
    assert_eq!(value["blocks"][0]["kind"], "refused");
    assert_eq!(value["reconciled"]["writes"][0]["path"], "/api/v1/namespaces/batch/pods");
    assert_eq!(value["reconciled"]["decisions"][0]["record"]["apiVersion"], "jobwright.dev/v1alpha1");
}

//! Manifests as people write them, and what is said about them.

use jobwright_api::diagnostic::{Code, Severity};
use jobwright_api::{Diagnostic, manifest};

const JOB: &str = "\
apiVersion: batch/v1
kind: Job
metadata:
  name: hello
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: busybox
";

fn errors(text: &str) -> Vec<(Code, Option<String>, u32)> {
    let short = |error: Diagnostic| (error.code, error.field, error.line);
    manifest::read_job(text).map_or_else(|errors| errors.into_iter().map(short).collect(), |_| Vec::new())
}

fn field(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_plain_job_is_read_without_a_word() {
    let read = manifest::read_job(JOB).unwrap();
    assert!(read.warnings.is_empty() && read.notices.is_empty());
    assert_eq!(read.value["metadata"]["name"], "hello");
    assert_eq!(read.refusals(), []);
    let advice: Vec<_> = read.advice(JOB).into_iter().map(|found| (found.severity, found.code, found.line)).collect();
    assert_eq!(advice, [(Severity::Info, Code::Lint, 5)]);
}

#[test]
fn wrong_types_and_unknown_fields_are_found_together_val_6() {
    let text =
        JOB.replace("spec:\n  template", "spec:\n  paralelism: 3\n  completions: \"3\"\n  suspend: 1\n  template");
    assert_eq!(
        errors(&text),
        [
            (Code::UnknownField, field("spec.paralelism"), 6),
            (Code::WrongType, field("spec.completions"), 7),
            (Code::WrongType, field("spec.suspend"), 8),
        ]
    );
    let said = manifest::read_job(&text).unwrap_err();
    assert_eq!(said[0].message, "The API has no field `spec.paralelism`. Is `parallelism` meant?");
    assert_eq!(said[1].message, "An integer of 32 bits must stand here, not the text \"3\".");
}

#[test]
fn fields_deep_in_the_template_are_known_by_name_and_type() {
    for (old, new, code, path) in [
        ("image:", "imgae:", Code::UnknownField, "spec.template.spec.containers[0].imgae"),
        ("image: busybox", "image: 1", Code::WrongType, "spec.template.spec.containers[0].image"),
        ("image: busybox", "args: x", Code::WrongType, "spec.template.spec.containers[0].args"),
        ("image: busybox", "args: [1]", Code::WrongType, "spec.template.spec.containers[0].args[0]"),
        ("image: busybox", "env: [{nam: x}]", Code::UnknownField, "spec.template.spec.containers[0].env[0].nam"),
        ("name: hello", "labels: {a: 1}", Code::WrongType, "metadata.labels[a]"),
    ] {
        let found = errors(&JOB.replace(old, new));
        assert_eq!((found[0].0, found[0].1.as_deref()), (code, Some(path)));
    }
}

#[test]
fn several_jobs_are_refused_with_their_lines() {
    let text = format!("{JOB}---\n{JOB}");
    let error = &manifest::read_job(&text).unwrap_err()[0];
    assert_eq!((error.code, error.line), (Code::SeveralJobs, 13));
    assert_eq!(error.message, "The file has 2 Jobs, in lines 1, 13. One Job at a time can be run.");
    assert_eq!(manifest::read_jobs(&text).unwrap().len(), 2);
}

#[test]
fn what_is_no_job_is_named() {
    for (text, code, line, said) in [
        ("", Code::Empty, 1, "no Job"),
        ("---\n# nothing\n", Code::Empty, 1, "no Job"),
        ("hello", Code::NotAJob, 1, "no Job"),
        ("- a\n- b\n", Code::NotAJob, 1, "no Job"),
        ("a: b\n", Code::NotAJob, 1, "no Job"),
        ("apiVersion: v1\nkind: Pod\n", Code::NotAJob, 2, "Pod"),
        ("apiVersion: batch/v2\nkind: Job\n", Code::NotAJob, 2, "Job"),
        ("apiVersion: batch/v1beta1\nkind: CronJob\n", Code::NotAJob, 2, "CronJob"),
        ("a: [", Code::Syntax, 1, "YAML"),
    ] {
        let error = &manifest::read_job(text).unwrap_err()[0];
        assert_eq!((error.code, error.line), (code, line), "{text:?}");
        assert!(error.message.contains(said), "{text:?}: {}", error.message);
    }
}

#[test]
fn a_cron_job_is_read_as_the_job_that_it_would_make() {
    let nested = JOB.split_once("spec:\n").unwrap().1.replace("\n  ", "\n      ");
    let text = format!(
        "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: nightly\nspec:\n  schedule: '0 3 * * *'\n  jobTemplate:\n    \
         metadata:\n      labels: {{a: b}}\n    spec:\n      {}",
        nested.trim_start()
    );
    let read = manifest::read_job(&text).unwrap();
    assert_eq!(read.value["metadata"], serde_json::json!({"name": "nightly-15778140", "labels": {"a": "b"}}));
    assert_eq!(read.value["kind"], "Job");
    assert_eq!(read.notices.iter().map(|notice| (notice.field, notice.line)).collect::<Vec<_>>(), [("kind", 2)]);
    assert_eq!(read.refusals(), []);
    let refused = manifest::read_job(&text.replace("Never", "Always")).unwrap().refusals();
    let field = "spec.jobTemplate.spec.template.spec.restartPolicy";
    assert_eq!(refused.iter().map(|error| error.field.as_deref().unwrap()).collect::<Vec<_>>(), [field]);
    assert!(refused[0].line > 10);
    let unknown = manifest::read_job(&text.replace("schedule:", "shedule:")).unwrap_err();
    assert_eq!(unknown[0].field.as_deref(), Some("spec.shedule"));
}

#[test]
fn other_objects_beside_the_job_give_a_warning() {
    let read = manifest::read_job(&format!("apiVersion: v1\nkind: ConfigMap\n---\n{JOB}")).unwrap();
    assert_eq!((read.warnings[0].severity, read.warnings[0].line), (Severity::Warning, 2));
}

#[test]
fn fields_that_are_not_acted_on_are_said_with_their_lines() {
    let more = "spec:
  backoffLimit: 3
  scheduling: {schedulingPolicy: {basic: {}}}
  template";
    let text = JOB.replace("spec:\n  template", more);
    let notices = manifest::read_job(&text).unwrap().notices;
    let lines: Vec<_> = notices.iter().map(|notice| (notice.field, notice.line)).collect();
    assert_eq!(lines, [("spec.scheduling", 7)]);
    let advice = manifest::read_job(&text).unwrap().advice(&text);
    let found: Vec<_> = advice.iter().map(|found| (found.severity, found.code)).collect();
    assert_eq!(found, [(Severity::Info, Code::Lint), (Severity::Info, Code::NotActedOn)]);
}

#[test]
fn an_editor_sees_refusals_at_their_lines_val_20_val_80() {
    let text = JOB
        .replace("Never", "Always")
        .replace("spec:\n  template", "spec:\n  completionMode: Indexed\n  parallelism: 2\n  template");
    let found: Vec<_> = manifest::read_job(&text)
        .unwrap()
        .refusals()
        .into_iter()
        .map(|finding| (finding.code, finding.line, finding.field.unwrap_or_default(), finding.message))
        .collect();
    let required = "Required value: when completion mode is Indexed".to_owned();
    let restart = "Required value: valid values: \"OnFailure\", \"Never\"".to_owned();
    assert_eq!(
        found,
        [
            (Code::Invalid, 5, "spec.completions".to_owned(), required),
            (Code::Invalid, 10, "spec.template.spec.restartPolicy".to_owned(), restart),
        ]
    );
}

#[test]
fn every_kind_of_finding_has_a_way_out() {
    for code in Code::ALL {
        let hint = code.hint(jobwright_api::Catalogue::english());
        assert!(hint.ends_with('.') && !hint.starts_with("hint."), "{code:?}: {hint}");
    }
}

//! The engine as JavaScript sees it: the shapes of what goes out and of what is thrown. What the engine decides
//! is tested in the crates below. The tests run in Node, and with `WASM_BINDGEN_USE_BROWSER` in a browser.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at what it did not expect")]

use jobwright_wasm::{Session, explore, outcomes_problem, reconcile, use_texts, validate};
use js_sys::{Array, JSON, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

const JOB: &str = "apiVersion: batch/v1
kind: Job
metadata: {name: hello}
spec:
  backoffLimit: 1
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: example.org/main}
";

fn get(value: &JsValue, path: &str) -> JsValue {
    path.split('.').fold(value.clone(), |at, key| match key.parse::<u32>() {
        Ok(place) => Reflect::get_u32(&at, place).expect("an array"),
        Err(_) => Reflect::get(&at, &key.into()).expect("an object"),
    })
}

fn number(value: &JsValue, path: &str) -> f64 {
    get(value, path).as_f64().unwrap_or_else(|| panic!("{path} is no number: {:?}", get(value, path)))
}

fn text(value: &JsValue, path: &str) -> String {
    get(value, path).as_string().unwrap_or_else(|| panic!("{path} is no text: {:?}", get(value, path)))
}

/// The texts that the page hands in; again and again is fine.
fn speak() {
    let texts = JSON::parse(include_str!("../../jobwright-api/catalogue/en.json")).expect("a catalogue");
    use_texts(texts.unchecked_ref());
}

fn play(outcomes: &str) -> Session {
    speak();
    Session::new(JOB, Some(outcomes.to_owned()), Some(1)).expect("a Job")
}

/// Steps until a pod stands in this state; the frame then.
fn step_to(session: &mut Session, state: &str) -> JsValue {
    for _ in 0..50 {
        let frame = session.step().expect("a frame");
        let pods: Array = get(&frame, "pods").unchecked_into();
        if pods.iter().any(|pod| text(&pod, "state") == state) {
            return frame;
        }
    }
    panic!("no pod became {state}");
}

fn step_to_end(session: &mut Session) -> JsValue {
    for _ in 0..100 {
        let frame = session.step().expect("a frame");
        if !get(&frame, "ended").is_null() {
            return frame;
        }
    }
    panic!("no end");
}

fn json(value: &JsValue) -> String {
    String::from(JSON::stringify(value).expect("plain data"))
}

#[wasm_bindgen_test]
fn a_frame_is_plain_data_with_null_for_what_is_absent() {
    let frame = play("").frame().expect("a frame");
    assert_eq!(number(&frame, "step"), 0.0);
    assert_eq!(text(&frame, "job.name"), "hello");
    assert!(get(&frame, "decision").is_null());
    assert!(get(&frame, "job.status").is_object());
    // A map of JavaScript would become an empty object here.
    assert!(json(&frame).contains("\"backoffLimit\":1"));
}

#[wasm_bindgen_test]
fn stepping_counts_decisions_and_stepping_back_undoes() {
    let mut session = play("");
    let first = session.step().expect("a frame");
    assert_eq!(number(&first, "step"), 1.0);
    assert_eq!(number(&first, "decision.step"), 1.0);
    let second = json(&session.step().expect("a frame"));
    assert_eq!(json(&session.step_back().expect("a frame")), json(&first));
    assert_eq!(json(&session.step().expect("a frame")), second);
}

#[wasm_bindgen_test]
fn a_job_runs_to_its_end_and_stays_there() {
    let mut session = play("");
    let end = step_to_end(&mut session);
    assert_eq!(text(&end, "ended.kind"), "complete");
    assert_eq!(json(&session.step().expect("a frame")), json(&end));
    assert_eq!(number(&session.seek(10_000).expect("a frame"), "step"), number(&end, "step"));
    assert_eq!(number(&session.seek(0).expect("a frame"), "step"), 0.0);
}

#[wasm_bindgen_test]
fn the_same_text_outcomes_and_seed_give_the_same_session() {
    let run = |seed| {
        let mut session = Session::new(JOB, Some("1,0".to_owned()), Some(seed)).expect("a Job");
        json(&step_to_end(&mut session))
    };
    assert_eq!(run(7), run(7));
}

#[wasm_bindgen_test]
fn an_exit_code_reaches_the_pod() {
    let mut session = play("hang");
    let frame = step_to(&mut session, "ready");
    let after = session.inject(text(&frame, "pods.0.name"), "fail", Some(42)).expect("possible");
    assert_eq!(text(&after, "pods.0.state"), "failed");
    assert_eq!(number(&after, "pods.0.exitCode"), 42.0);
}

#[wasm_bindgen_test]
fn what_is_impossible_is_refused_with_a_reason_and_changes_nothing() {
    let mut session = play("");
    let end = step_to_end(&mut session);
    let pod = text(&end, "pods.0.name");
    for (name, action, code) in
        [(&pod, "fail", Some(1)), (&pod, "succeed", None), (&"nobody".to_owned(), "delete", None)]
    {
        let refused = session.inject(name.clone(), action, code).expect_err("impossible");
        assert!(!text(&refused, "why").is_empty(), "{action}");
    }
    assert_eq!(json(&session.frame().expect("a frame")), json(&end));
}

#[wasm_bindgen_test]
fn an_exit_code_out_of_range_is_refused() {
    let mut session = play("hang");
    let frame = step_to(&mut session, "ready");
    for code in [0, 256, u32::MAX] {
        let refused = session.inject(text(&frame, "pods.0.name"), "fail", Some(code)).expect_err("no exit code");
        assert!(!text(&refused, "why").is_empty(), "{code}");
    }
}

#[wasm_bindgen_test]
fn an_unknown_action_is_a_fault_of_the_caller() {
    let error = play("").inject("x".to_owned(), "explode", None).expect_err("no such action");
    assert!(error.is_instance_of::<js_sys::Error>());
}

#[wasm_bindgen_test]
fn a_fork_goes_its_own_way() {
    let mut session = play("");
    session.step().expect("a frame");
    let mut fork = session.fork();
    fork.step().expect("a frame");
    assert_eq!(number(&session.frame().expect("a frame"), "step"), 1.0);
    assert_eq!(number(&fork.frame().expect("a frame"), "step"), 2.0);
}

#[wasm_bindgen_test]
fn a_text_that_cannot_be_played_throws_its_diagnostics() {
    speak();
    for (bad, line) in
        [("a: [", 1), ("kind: Pod\napiVersion: v1\n", 1), (&JOB.replace("backoffLimit", "backofLimit"), 5)]
    {
        let thrown = Session::new(bad, None, None).expect_err("no Job");
        assert!(Array::is_array(&thrown), "{bad}");
        assert_eq!(text(&thrown, "0.severity"), "error", "{bad}");
        assert_eq!(number(&thrown, "0.line"), f64::from(line), "{bad}");
        assert_eq!(json(&validate(bad).expect("diagnostics")), json(&thrown), "{bad}");
    }
}

#[wasm_bindgen_test]
fn hostile_texts_are_errors_and_no_faults() {
    let laughs = "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n";
    for bad in [
        "[".repeat(100_000),
        "{a: ".repeat(50_000),
        "x".repeat(10_000_000),
        laughs.to_owned(),
        "\u{0}\u{feff}".to_owned(),
    ] {
        let thrown = Session::new(&bad, None, None).expect_err("no Job");
        assert!(number(&thrown, "0.line") >= 1.0 && number(&thrown, "0.column") >= 1.0);
    }
}

#[wasm_bindgen_test]
fn a_good_text_has_only_lints_and_a_bad_script_has_a_problem() {
    speak();
    let silenced = format!("# jobwright: allow(no-deadline)\n{JOB}");
    assert_eq!(json(&validate(&silenced).expect("diagnostics")), "[]");
    let lints = validate(JOB).expect("diagnostics");
    assert_eq!((text(&lints, "0.code"), text(&lints, "0.severity")), ("lint".to_owned(), "info".to_owned()));
    assert_eq!(outcomes_problem("1x3,0; idx3: hang"), None);
    assert!(outcomes_problem("boom").is_some_and(|problem| problem.contains("boom")));
    assert!(Session::new(JOB, Some("boom".to_owned()), None).is_err());
}

#[wasm_bindgen_test]
fn a_snapshot_is_an_object_and_its_writes_are_too() {
    let input = r#"{"now": "2000-01-01T01:00:00Z", "pods": [], "job": {"metadata": {"name": "hello", "uid": "u1"},
        "spec": {"template": {"spec": {"containers": [{"name": "main"}]}}}}}"#;
    let result = reconcile(&JSON::parse(input).expect("JSON")).expect("writes");
    assert_eq!(text(&result, "writes.0.path"), "/api/v1/namespaces/default/pods");
    assert_eq!(text(&result, "writes.0.body.metadata.generateName"), "hello-");
    assert_eq!(text(&result, "decisions.0.rule"), "create-pods");
    assert_eq!(get(&result, "again"), JsValue::TRUE);
    let wrong = reconcile(&JSON::parse(r#"{"job": {"spec": {}}, "now": "noon"}"#).expect("JSON")).expect_err("no time");
    assert_eq!(text(&wrong, "0.field"), "now");
    assert_eq!(text(&reconcile(&JsValue::UNDEFINED).expect_err("nothing"), "0.field"), "now");
}

#[wasm_bindgen_test]
fn only_a_dump_is_explained() {
    assert!(play("0").explanation().expect("plain data").is_null());
    let dump = JOB.replace("{name: hello}", "{name: hello, uid: u1, creationTimestamp: 2000-01-01T02:00:00Z}");
    let session = Session::new(&dump, None, None).expect("a dump");
    let explanation = session.explanation().expect("plain data");
    assert_eq!(text(&explanation, "job"), "default/hello");
    assert_eq!(text(&explanation, "at"), "2000-01-01T02:00:00Z");
    assert!(text(&explanation, "why").starts_with("The Job is about to make pods"));
}

#[wasm_bindgen_test]
fn any_action_of_a_scenario_can_be_done_and_the_session_leaves_as_a_scenario() {
    let mut session = play("");
    session.seek_write(0, 1).expect("a frame");
    assert_eq!(session.writes_behind(), 1, "the pod is made, the status is not written yet");
    let frame = session.perform("fault: {verb: create, resource: pods, error: internal}").expect("possible");
    assert_eq!(number(&frame, "step"), 0.0);
    let refused = session.perform("fault: {verb: dance}").expect_err("no such fault");
    assert!(!text(&refused, "why").is_empty());
    assert!(Array::is_array(&session.actions("#1").expect("a list")));
    step_to_end(&mut session);
    let exported = session.export("mine").expect("a scenario");
    assert!(text(&exported, "scenario").contains("name: mine"));
    assert!(JSON::parse(&text(&exported, "trace")).is_ok());
}

#[wasm_bindgen_test]
fn all_ends_of_a_job_are_found_and_each_can_be_played() {
    speak();
    let progress = js_sys::Function::new_no_args("");
    let explored = explore(JOB, "0,1".to_owned(), 0, 0, 5_000, &progress).expect("a report");
    assert_eq!(get(&explored, "complete"), JsValue::TRUE);
    let ends: Array = get(&explored, "ends").unchecked_into();
    assert_eq!(ends.length(), 2);
    for end in ends.iter() {
        let mut witness = Session::new(&text(&end, "scenario"), None, Some(1)).expect("a scenario");
        assert_eq!(text(&step_to_end(&mut witness), "job.phase"), text(&end, "condition"));
    }
    assert!(explore("a: [", "0".to_owned(), 0, 0, 10, &progress).is_err());
}

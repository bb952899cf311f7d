//! What a person can do in a session besides stepping: any action of a scenario, at any place; and the way out, as a
//! scenario with its trace.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use jobwright_sim::replay::{Verdict, replay};
use jobwright_sim::session::{Injection, Options, PodEvent, Session, Until};

const JOB: &str = "\
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  completions: 3
  parallelism: 2
  backoffLimit: 2
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: busybox}
";

fn session(text: &str, outcomes: &str) -> Session {
    Session::from_text(text, &Options { outcomes: outcomes.to_owned(), seed: 1 }).unwrap()
}

fn image(session: &Session) -> String {
    serde_json::to_string(&session.frame()).unwrap()
}

fn inject(session: &mut Session, pod: &str, event: PodEvent) {
    session.inject(&Injection { pod: pod.to_owned(), event }).unwrap();
}

/// The exported scenario replays, and leads to what the session shows.
fn exports(session: &Session) -> String {
    let export = session.export("from-the-page").unwrap();
    let trace: serde_json::Value = serde_json::from_str(&export.trace).unwrap();
    assert!(matches!(replay(&export.scenario, &trace), Ok(Verdict::Matched)), "{}", export.scenario);
    let last = trace["steps"].as_array().unwrap().last().unwrap().clone();
    let shown = session.frame();
    let status = |field: &str| last["job"]["status"][field].as_i64().unwrap_or(0);
    if shown.ended.is_some() {
        let sums = (shown.ledger.succeeded, shown.ledger.failed);
        assert_eq!((status("succeeded"), status("failed")), sums, "{}", export.scenario);
    }
    export.scenario
}

#[test]
fn a_crash_between_two_writes_leaves_the_rest_undone_and_is_played_again() {
    let mut session = session(JOB, "0");
    session.seek(1);
    let within = |session: &Session| {
        let mut next = session.fork();
        let put = session.frame().open.is_some_and(|open| open.writes.iter().any(|write| write.verb == "PUT"));
        put && next.step_write() && next.decisions() == session.decisions()
    };
    while !within(&session) {
        assert!(session.step_write());
    }
    assert_eq!(session.frame().open.unwrap().step, session.decisions() + 1);
    assert!(session.writes_behind() > 0);
    session.perform("controller: restart").unwrap();
    let stopped = image(&session);
    assert!(session.step());
    assert!(session.frame().decision.unwrap().error.is_some());
    session.run_until(&Until::End, 200);
    let end = image(&session);
    assert_eq!(session.frame().ledger.succeeded, 3);
    session.seek(0);
    session.run_until(&Until::End, 200);
    assert_eq!(image(&session), end);
    assert_ne!(stopped, end);
    assert!(exports(&session).contains("calls: "));
}

#[test]
fn a_place_within_a_decision_is_found_again() {
    let mut session = session(JOB, "0");
    assert!(session.seek_write(0, 1));
    let there = image(&session);
    assert_eq!(session.writes_behind(), 1);
    session.run_until(&Until::End, 200);
    assert!(session.seek_write(0, 1));
    assert_eq!(image(&session), there);
    assert!(session.step_back());
    assert_eq!((session.decisions(), session.writes_behind()), (0, 0));
    assert!(!session.seek_write(0, 100));
}

#[test]
fn the_api_server_refuses_a_change_of_the_job_and_nothing_changes_k3() {
    let mut session = session(JOB, "0");
    session.seek(1);
    let before = image(&session);
    let refused = session.perform(r#"{"job": {"patch": {"spec": {"completions": 7}}}}"#).unwrap_err();
    assert!(refused.0.starts_with("spec.completions: "), "{refused}");
    assert_eq!(image(&session), before);
    session.perform("job: {patch: {spec: {suspend: true}}}").unwrap();
    session.run_until(&Until::Condition("Suspended".into()), 50);
    session.perform("job: {patch: {spec: {suspend: false, parallelism: 3}}}").unwrap();
    session.run_until(&Until::End, 200);
    assert_eq!(session.frame().ledger.succeeded, 3);
    exports(&session);
}

#[test]
fn what_is_no_action_is_refused_with_a_sentence() {
    let mut session = session(JOB, "0");
    for text in ["", "{", "explode: {}", "pods: {rum: {}}", "pods: {succeed: {}}", "crash: {afterWrites: 0}"] {
        let refused = session.perform(text).unwrap_err();
        assert!(!refused.0.trim().is_empty(), "{text}");
    }
    session.perform("controller: stop").unwrap();
    assert!(session.perform("crash: {afterWrites: 1}").is_err());
}

#[test]
fn faults_and_stale_watches_hit_the_next_calls() {
    let mut session = session(JOB, "0");
    session.perform("fault: {verb: create, resource: pods, error: internal}").unwrap();
    assert!(session.step());
    let card = session.frame().decision.unwrap();
    assert!(card.writes.iter().any(|write| write.accepted == Some(false)), "{card:?}");
    session.perform("watch: {hold: pods}").unwrap();
    session.run_until(&Until::Time(jobwright_core::Millis(20_000)), 200);
    assert_eq!(session.frame().ledger.succeeded, 0);
    session.perform("watch: {release: pods}").unwrap();
    session.run_until(&Until::End, 200);
    assert_eq!(session.frame().ledger.succeeded, 3);
    exports(&session);
}

#[test]
fn every_event_of_a_pod_is_an_action_that_a_scenario_has() {
    let manual = format!("steps:\n- at: 3600\njob:\n  {}", JOB.trim_end().replace('\n', "\n  "));
    for event in PodEvent::ALL {
        let mut session = session(&manual, "");
        session.seek(1);
        if event != PodEvent::Run {
            inject(&mut session, "#1", PodEvent::Run);
        }
        if event == PodEvent::Terminated {
            inject(&mut session, "#1", PodEvent::Delete);
        }
        let name = session.frame().pods[0].name.clone();
        assert!(session.actions(&name).iter().any(|action| action.action == event.as_str()), "{}", event.as_str());
        inject(&mut session, &name, event);
        session.step();
        assert!(exports(&session).contains("made: 1"));
    }
}

#[test]
fn a_drained_pod_is_marked_and_deleted() {
    let mut session = session(JOB, "hang,0");
    session.run_until(&Until::Time(jobwright_core::Millis(2_500)), 200);
    inject(&mut session, "#1", PodEvent::Drain);
    let frame = session.frame();
    assert_eq!(frame.pods[0].deleted_ms, Some(2_500));
    assert!(session.inject(&Injection { pod: "#1".to_owned(), event: PodEvent::Preempt }).is_err());
    session.run_until(&Until::End, 200);
    exports(&session);
}

#[test]
fn the_next_timer_is_a_back_off_a_deadline_or_the_time_to_live() {
    let spec = "  activeDeadlineSeconds: 15\n  ttlSecondsAfterFinished: 60\n  completions: 3";
    let mut session = session(&JOB.replace("  completions: 3", spec), "1,hang x*");
    session.seek(1);
    assert_eq!(
        session.frame().marks.iter().map(|mark| (&*mark.kind, mark.at_ms)).collect::<Vec<_>>(),
        [("deadline", 15_000)]
    );
    assert!(session.step_timer());
    assert_eq!(session.frame().at_ms, 15_000);
    assert!(session.step_timer());
    assert!(session.frame().at_ms > 70_000);
    assert!(!session.step_timer());
}

#[test]
fn a_back_off_is_marked_and_remembered() {
    let mut session = session(JOB, "1,hang x*");
    while session.frame().marks.iter().all(|mark| mark.kind != "backoff") {
        assert!(session.step());
    }
    let frame = session.frame();
    let mark = frame.marks.iter().find(|mark| mark.kind == "backoff").map(|mark| mark.at_ms);
    assert!(frame.past.iter().any(|past| past.backoff_until_ms == mark));
    assert!(session.step_timer());
    assert_eq!(session.frame().pods.len(), 3);
}

#[test]
fn a_scenario_keeps_its_own_steps_when_it_is_exported() {
    let text = format!(
        "outcomes: hang\nsteps:\n- {{at: 5, controller: restart}}\n- {{at: 9, pods: {{succeed: {{}}}}}}\njob:\n  {}",
        JOB.trim_end().replace('\n', "\n  ")
    );
    let mut session = session(&text, "");
    session.run_until(&Until::Time(jobwright_core::Millis(7_000)), 200);
    inject(&mut session, "#1", PodEvent::Fail { exit_code: 3 });
    session.run_until(&Until::End, 200);
    let exported = exports(&session);
    let place = |part: &str| exported.find(part).unwrap();
    assert!(
        place("controller: restart") < place("exitCode: 3") && place("exitCode: 3") < place("succeed: {}"),
        "{exported}"
    );
}

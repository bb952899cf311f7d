//! Sessions: stepping, rewinding, interfering, and the frame.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use jobwright_core::Millis;
use jobwright_sim::session::{Injection, Options, PodEvent, RunEnd, Session, Until};
use jobwright_sim::view::PodState;

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

fn session(outcomes: &str) -> Session {
    Session::from_text(JOB, &Options { outcomes: outcomes.to_owned(), seed: 7 }).unwrap()
}

fn image(session: &Session) -> String {
    serde_json::to_string(&session.frame()).unwrap()
}

fn phase(session: &Session) -> String {
    session.frame().job.map(|job| job.phase).unwrap_or_default()
}

#[test]
fn the_moment_before_the_first_decision_shows_the_stored_job() {
    let frame = session("").frame();
    assert_eq!((frame.step, frame.at_ms, frame.pods.len()), (0, 0, 0));
    assert!(frame.decision.is_none() && frame.ended.is_none());
    assert_eq!(frame.ahead.map(|ahead| (ahead.at_ms, ahead.text)), Some((0, "The controller decides.".to_owned())));
    let job = frame.job.unwrap();
    assert_eq!((job.phase.as_str(), job.completions_column.as_str()), ("Running", "0/3"));
}

#[test]
fn a_job_runs_to_its_end() {
    let mut complete = session("1,0");
    assert_eq!(complete.run_until(&Until::End, 200), RunEnd::Reached);
    let frame = complete.frame();
    assert_eq!(frame.ended.map(|end| end.kind).as_deref(), Some("complete"));
    assert_eq!((frame.ledger.succeeded, frame.ledger.failed), (3, 1));
    assert_eq!(frame.pods.len(), 4);
    let mut failed = session("1x*");
    assert_eq!(failed.run_until(&Until::Condition("Failed".into()), 200), RunEnd::Reached);
    assert_eq!(phase(&failed), "Failed");
    assert_eq!(failed.run_until(&Until::Condition("Complete".into()), 200), RunEnd::Ended);
}

#[test]
fn going_back_shows_what_was_seen() {
    let long = JOB.replace("completions: 3", "completions: 40");
    let options = Options { outcomes: "1,0@3s,0@4s".to_owned(), seed: 7 };
    let mut session = Session::from_text(&long, &options).unwrap();
    let mut seen = vec![image(&session)];
    while session.step() {
        seen.push(image(&session));
    }
    let last = session.decisions();
    assert!(last > 40, "{last} decisions");
    for decision in (0..=last).rev() {
        assert!(session.seek(decision));
        assert_eq!(image(&session), seen[decision as usize], "decision {decision}");
    }
    assert!(!session.step_back());
    assert!(session.seek(last));
    assert_eq!(image(&session), seen[last as usize]);
    assert!(!session.seek(last + 1));
}

#[test]
fn the_same_seed_gives_the_same_session() {
    let run = |seed| {
        let mut session = Session::from_text(JOB, &Options { outcomes: String::new(), seed }).unwrap();
        session.run_until(&Until::End, 200);
        image(&session)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_deed_discards_the_future_and_is_played_again() {
    let mut session = session("");
    while session.frame().pods.iter().all(|pod| pod.state != PodState::Ready) {
        assert!(session.step());
    }
    let moment = session.decisions();
    let pod = session.frame().pods[0].name.clone();
    let mut fork = session.fork();
    session.inject(&Injection { pod: pod.clone(), event: PodEvent::Fail { exit_code: 42 } }).unwrap();
    let after = image(&session);
    assert_eq!(session.frame().pods[0].exit_code, Some(42));
    session.run_until(&Until::End, 200);
    assert_eq!(session.frame().ledger.failed, 1);
    let end = image(&session);
    session.seek(moment);
    assert_eq!(image(&session), after);
    session.run_until(&Until::End, 200);
    assert_eq!(image(&session), end);
    fork.run_until(&Until::End, 200);
    assert_eq!(fork.frame().ledger.failed, 0);
    session.seek(moment - 1);
    session.inject(&Injection { pod, event: PodEvent::Succeed }).unwrap();
    session.run_until(&Until::End, 200);
    assert_eq!(session.frame().ledger.failed, 0);
}

#[test]
fn a_deed_at_a_chosen_time_is_played_again() {
    let mut session = session("");
    session.run_until(&Until::Time(Millis(3_500)), 200);
    assert_eq!(session.elapsed(), Millis(3_500));
    let pod = session.frame().pods[0].name.clone();
    session.inject(&Injection { pod, event: PodEvent::Evict }).unwrap();
    assert_eq!(session.frame().pods[0].ended_ms, Some(3_500));
    session.run_until(&Until::End, 200);
    let end = image(&session);
    session.seek(0);
    session.run_until(&Until::End, 200);
    assert_eq!(image(&session), end);
}

#[test]
fn what_is_impossible_says_why() {
    let mut session = session("1");
    let refuse = |session: &mut Session, pod: &str, event| {
        session.inject(&Injection { pod: pod.to_owned(), event }).unwrap_err().to_string()
    };
    assert_eq!(refuse(&mut session, "none", PodEvent::Succeed), "Pod none is gone.");
    session.run_until(&Until::Condition("Complete".into()), 200);
    let before = image(&session);
    let pod = session.frame().pods[0].name.clone();
    let ended = refuse(&mut session, &pod, PodEvent::Fail { exit_code: 1 });
    assert!(ended.contains("A finished pod cannot fail"), "{ended}");
    assert_eq!(image(&session), before);
    let actions = session.actions(&pod);
    let fail = actions.iter().find(|action| action.action == "fail").unwrap();
    assert_eq!(fail.refused.as_deref(), Some(ended.as_str()));
}

#[test]
fn a_session_can_be_stepped_write_by_write() {
    let mut session = session("");
    assert!(session.step_write());
    assert_eq!((session.decisions(), session.frame().pods.len()), (0, 1));
    assert!(session.step_write());
    assert_eq!((session.decisions(), session.frame().pods.len()), (0, 2));
    assert!(session.step());
    assert_eq!((session.decisions(), session.frame().ledger.active), (1, 2));
}

#[test]
fn a_deleted_pod_is_replaced_and_ends() {
    let mut session = session("");
    session.run_until(&Until::Time(Millis(2_500)), 200);
    let pod = session.frame().pods[0].name.clone();
    session.inject(&Injection { pod, event: PodEvent::Delete }).unwrap();
    assert_eq!(session.frame().pods[0].state, PodState::Terminating);
    session.run_until(&Until::End, 200);
    let frame = session.frame();
    assert_eq!(frame.pods[0].exit_code, Some(143));
    assert_eq!((frame.pods[0].gone_ms.is_some(), frame.ledger.failed), (true, 1));
    assert_eq!(phase(&session), "Complete");
}

#[test]
fn mistakes_beside_the_text_are_found() {
    let options = Options { outcomes: "1,boom".to_owned(), seed: 1 };
    let errors = Session::from_text(JOB, &options).unwrap_err();
    assert_eq!((errors[0].field.as_deref(), errors[0].column), (Some("outcomes"), 3));
    assert!(Session::from_text("kind: Pod\n", &Options::default()).is_err());
    let invalid = JOB.replace("Never", "Always");
    assert!(!Session::from_text(&invalid, &Options::default()).unwrap_err().is_empty());
}

#[test]
fn a_world_that_grows_without_end_is_stopped() {
    let huge = JOB.replace("completions: 3", "completions: 2000000").replace("parallelism: 2", "parallelism: 2000000");
    let options = Options { outcomes: "hang x*".to_owned(), seed: 1 };
    let mut session = Session::from_text(&huge, &options).unwrap().with_pods_limit(2_000);
    session.run_until(&Until::End, 1_000);
    let frame = session.frame();
    assert_eq!(frame.pods.len(), 2_001);
    assert_eq!(frame.ended.unwrap().text, "More than 2000 pods were made. The simulation stops here.");
    assert!(session.step_back());
}

//! The cluster around the core: crashes, watches that wait, and starting from an existing state.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use jobwright_sim::session::{Options, Session, Until};
use jobwright_sim::view::Frame;

const JOB: &str = "
job:
  metadata: {name: job}
  spec:
    completions: 4
    parallelism: 2
    template:
      spec:
        restartPolicy: Never
        containers:
        - {name: main, image: busybox}
";

fn end_of(rest: &str) -> Frame {
    let mut session = Session::from_text(&format!("{JOB}{rest}"), &Options::default()).unwrap();
    session.run_until(&Until::End, 500);
    session.frame()
}

#[test]
fn inv_32_a_crash_after_any_write_leads_to_the_same_end() {
    let plain = end_of("outcomes: '1,0'\n");
    let end = plain.job.unwrap();
    for writes in 1..=12 {
        let rest = format!("outcomes: '1,0'\nsteps:\n- {{at: 0.001, crash: {{afterWrites: {writes}}}}}\n");
        let frame = end_of(&rest);
        let job = frame.job.unwrap();
        assert_eq!(job.phase, "Complete", "crash after write {writes}");
        assert_eq!(
            (frame.ledger.succeeded, frame.ledger.failed),
            (plain.ledger.succeeded, plain.ledger.failed),
            "crash after write {writes}"
        );
        let kinds = |list: &[jobwright_sim::view::ConditionFrame]| {
            list.iter().map(|c| (c.kind.clone(), c.reason.clone())).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&job.conditions), kinds(&end.conditions), "crash after write {writes}");
    }
}

#[test]
fn pods_that_the_watch_hides_are_not_made_twice() {
    let held = "outcomes: 0@3s\nsteps:\n- {at: 0.5, job: {patch: {spec: {suspend: false}}}}\n\
                - {at: 2.5, watch: {hold: pods}}\n- {at: 20, watch: {release: pods}}\n";
    let frame = end_of(held);
    assert_eq!((frame.pods.len(), frame.ledger.succeeded), (4, 4));
    let dropped = held.replace("release", "drop");
    let frame = end_of(&dropped);
    assert_eq!((frame.pods.len(), frame.ledger.succeeded), (4, 4));
}

#[test]
fn a_session_goes_on_from_a_stored_state() {
    let text = "
from:
  time: 120
  job:
    metadata: {name: job, uid: 11111111-2222-4333-8444-555555555555}
    spec:
      completions: 2
      template:
        spec:
          restartPolicy: Never
          containers:
          - {name: main, image: busybox}
    status:
      startTime: '2000-01-01T01:00:00Z'
      active: 1
      succeeded: 1
      ready: 1
      terminating: 0
      uncountedTerminatedPods: {}
  pods:
  - metadata:
      name: job-old
      labels: {batch.kubernetes.io/controller-uid: $uid}
      finalizers: [batch.kubernetes.io/job-tracking]
      ownerReferences:
      - {apiVersion: batch/v1, kind: Job, name: job, uid: $uid, controller: true, blockOwnerDeletion: true}
    spec:
      nodeName: node-1
      containers:
      - {name: main, image: busybox}
    status: {phase: Running, startTime: '2000-01-01T01:01:00Z'}
";
    let mut session = Session::from_text(text, &Options::default()).unwrap();
    session.run_until(&Until::End, 100);
    let frame = session.frame();
    assert_eq!((frame.pods.len(), frame.ledger.succeeded), (1, 2));
    assert_eq!(frame.job.map(|job| job.phase).as_deref(), Some("Complete"));
}

#[test]
fn a_controller_that_is_down_decides_nothing() {
    let frame = end_of("outcomes: 0@2s\nsteps:\n- {at: 1.5, controller: stop}\n- {at: 30, controller: start}\n");
    assert!(frame.past.iter().all(|decision| decision.at_ms < 1_500 || decision.at_ms >= 30_000));
    assert_eq!(frame.ledger.succeeded, 4);
}

#[test]
fn recreate_asks_for_the_job_of_the_scenario_even_if_it_was_refused_at_first() {
    let text = "job: {apiVersion: batch/v1, kind: Job, metadata: {name: job}, spec: {backoffLimit: -1, template: \
                {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}\n\
                steps:\n- {at: 2, job: {recreate: true}}\n";
    let document = jobwright_sim::scenario::read(text).unwrap();
    let trace = jobwright_sim::trace::trace(&document.scenario, 1);
    let errors: Vec<_> = trace["steps"].as_array().unwrap().iter().map(|step| step["action_error"].clone()).collect();
    assert!(!errors[0].is_null());
    assert_eq!(errors[0], errors[1]);
}

#[test]
fn recreate_makes_the_job_of_the_scenario_even_after_another_was_created() {
    let job = |name: &str, parallelism: u32| {
        format!(
            "{{apiVersion: batch/v1, kind: Job, metadata: {{name: {name}}}, spec: {{parallelism: {parallelism}, template: \
             {{spec: {{restartPolicy: Never, containers: [{{name: main, image: busybox}}]}}}}}}}}"
        )
    };
    let text = format!(
        "job: {}\nsteps:\n- {{at: 1, job: {{delete: {{propagation: background}}}}}}\n- {{at: 2, job: {{create: {}}}}}\n\
         - {{at: 9, job: {{recreate: true}}}}\n",
        job("first", 1),
        job("second", 2)
    );
    let document = jobwright_sim::scenario::read(&text).unwrap();
    let trace = jobwright_sim::trace::trace(&document.scenario, 1);
    let steps = trace["steps"].as_array().unwrap();
    let seen: Vec<_> = steps.iter().map(|step| step["job"]["parallelism"].as_u64()).collect();
    assert!(steps.iter().all(|step| step["action_error"].is_null()), "{steps:#?}");
    assert_eq!((seen[0], seen[2], seen[3]), (Some(1), Some(2), Some(1)));
}

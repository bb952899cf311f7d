//! The write protocol of KEP-2307 and the order of decisions, seen from outside.

mod support;

use jobwright_core::{
    Condition, ConditionType, Effect, Millis, PodBackoff, Recorder, Rule, Silent, Timestamp, Trace, Tuning,
};
use support::{Cluster, job};

fn conditions<T>(cluster: &Cluster<T>) -> Vec<(&str, &str)> {
    cluster.job.status.conditions.iter().map(|c: &Condition| (c.kind.as_str(), &*c.reason)).collect()
}

/// `create`, `delete`, `patch` or `status`, in the order of the writes.
fn calls<T: Trace>(cluster: &Cluster<T>) -> String {
    let name = |effect: &Effect| match effect {
        Effect::CreatePod(_) => "create",
        Effect::DeletePod(_) => "delete",
        Effect::RemoveFinalizer(_) => "patch",
        _ => "status",
    };
    cluster.writes.iter().map(|write| name(&write.effect)).collect::<Vec<_>>().join(" ")
}

#[test]
fn one_pod_to_success_trc_1() {
    let mut cluster = Cluster::new(job(Some(1), 1), Silent);
    cluster.settle();
    assert_eq!(calls(&cluster), "create status");
    cluster.pass(2_000);
    cluster.run_pod("job-000001");
    cluster.pass(1_500);
    assert_eq!((calls(&cluster).as_str(), cluster.job.status.ready), ("create status status", Some(1)));
    cluster.writes.clear();
    cluster.end_pod("job-000001", 0);
    cluster.pass(1_000);
    assert_eq!(calls(&cluster), "status patch status");
    assert_eq!(
        conditions(&cluster),
        [("SuccessCriteriaMet", "CompletionsReached"), ("Complete", "CompletionsReached")]
    );
    assert_eq!((cluster.job.status.succeeded, cluster.job.status.active), (1, 0));
    let reasons: Vec<&str> = cluster.events.iter().map(|e| &*e.reason).collect();
    assert_eq!(reasons, ["SuccessfulCreate", "Completed"]);
}

#[test]
fn seven_failures_end_a_job_with_the_default_limit_trc_3() {
    let mut cluster = Cluster::new(job(Some(1), 1), Silent);
    let mut created = Vec::new();
    for _ in 0..7 {
        cluster.pass(700_000);
        let name = cluster.live().pop().unwrap();
        created.push(cluster.pods[&name].created);
        cluster.end_pod(&name, 1);
    }
    cluster.pass(5_000);
    assert_eq!(cluster.pods.len(), 7);
    assert_eq!(conditions(&cluster), [("FailureTarget", "BackoffLimitExceeded"), ("Failed", "BackoffLimitExceeded")]);
    assert_eq!(cluster.job.status.failed, 7);
}

#[test]
fn a_stale_pod_cache_counts_nothing_twice_105200() {
    let mut cluster = Cluster::new(job(Some(2), 2), Silent);
    cluster.pass(2_000);
    cluster.hold_pods = false;
    cluster.end_pod("job-000001", 0);
    cluster.hold_pods = true;
    cluster.pass(1_100);
    assert_eq!(cluster.job.status.succeeded, 1);
    cluster.writes.clear();
    // The Job's own update wakes the sync again and again; the pod still looks tracked.
    cluster.pass(5_000);
    assert_eq!((calls(&cluster).as_str(), cluster.job.status.succeeded), ("", 1));
    cluster.hold_pods = false;
    for input in std::mem::take(&mut cluster.held) {
        cluster.tell(input);
    }
    cluster.pass(5_000);
    assert_eq!((calls(&cluster).as_str(), cluster.job.status.succeeded), ("", 1));
}

#[test]
fn a_restart_between_store_and_count_counts_once_trk_32() {
    let mut cluster = Cluster::new(job(Some(2), 2), Silent);
    cluster.pass(2_000);
    cluster.end_pod("job-000001", 0);
    // The first process stored the UID and removed the finalizer, and died.
    let uid = cluster.pods["job-000001"].uid.clone();
    cluster.job.status.uncounted.get_or_insert_default().succeeded.push(uid);
    cluster.pods.get_mut("job-000001").unwrap().tracking_finalizer = false;
    let mut next = Cluster::new(cluster.job.clone(), Silent);
    next.pods = cluster.pods.clone();
    next.list();
    next.pass(2_000);
    assert_eq!(next.job.status.succeeded, 1);
    assert!(next.job.status.uncounted.as_ref().is_some_and(|u| u.is_empty()));
}

#[test]
fn what_a_list_does_not_show_is_gone() {
    let mut cluster = Cluster::new(job(Some(3), 3), Silent);
    cluster.pass(2_000);
    assert_eq!(cluster.live().len(), 3);
    cluster.pods.remove("job-000002");
    cluster.list();
    cluster.pass(2_000);
    assert_eq!(cluster.live().len(), 3);
    assert_eq!(cluster.writes.iter().filter(|w| matches!(w.effect, Effect::CreatePod(_))).count(), 4);
}

#[test]
fn slow_start_doubles_its_batches_cre_12() {
    let mut cluster = Cluster::new(job(Some(10), 10), Silent);
    cluster.core.handle(jobwright_core::Input::Wake, cluster.now);
    let mut batches = Vec::new();
    // Without answers no further batch goes out.
    let mut ids = Vec::new();
    loop {
        match cluster.core.poll(cluster.now) {
            jobwright_core::Output::Write(write) if matches!(write.effect, Effect::CreatePod(_)) => ids.push(write.id),
            jobwright_core::Output::Sleep(_) if !ids.is_empty() => {
                batches.push(ids.len());
                for id in ids.drain(..) {
                    let answer = jobwright_core::Answer::Done(jobwright_core::Written::default());
                    cluster.core.handle(jobwright_core::Input::Answer(id, answer), cluster.now);
                }
            }
            jobwright_core::Output::Sleep(_) => break,
            _ => {}
        }
    }
    assert_eq!(batches, [1, 2, 4, 3]);
}

#[test]
fn tried_rules_stand_in_the_order_of_evaluation() {
    let mut cluster = Cluster::new(job(Some(4), 2), Recorder::default());
    cluster.job.spec.active_deadline_seconds = Some(3_000);
    cluster.list();
    let mut seen = 0;
    for round in 0..20 {
        cluster.pass(15_000);
        if let Some(name) = cluster.live().first() {
            cluster.end_pod(name, i32::from(round % 2 == 0));
        }
        while let Some(record) = cluster.core.trace_mut().take() {
            let order: Vec<Rule> = record.tried.iter().map(|t| t.rule).collect();
            assert!(order.windows(2).all(|pair| pair[0] < pair[1]), "{order:?}");
            assert_eq!(record.writes.iter().filter(|w| w.answer.is_none()).count(), 0);
            seen += 1;
        }
    }
    assert!(seen > 10);
    assert!(cluster.job.status.is_true(&ConditionType::Complete));
}

#[test]
fn explain_says_what_the_next_sync_decides_and_does_nothing() {
    let mut cluster = Cluster::new(job(Some(1), 1), Recorder::default());
    cluster.pass(2_000);
    cluster.end_pod("job-000001", 1);
    let before = cluster.writes.len();
    let explained = cluster.core.explain(&cluster.job.key, cluster.now).unwrap();
    assert_eq!(cluster.writes.len(), before);
    while cluster.core.trace_mut().take().is_some() {}
    cluster.pass(1_000);
    let decided = cluster.core.trace_mut().take().unwrap();
    assert_eq!(explained.tried.last().map(|t| (t.rule, t.fired)), Some((Rule::BackoffWait, true)));
    for (explained, decided) in explained.tried.iter().zip(&decided.tried) {
        assert_eq!((explained.rule, explained.fired), (decided.rule, decided.fired));
    }
    assert_eq!(decided.next.map(|wake| wake.at > Timestamp(0)), Some(true));
}

#[test]
fn a_first_change_can_be_looked_at_early_cst_1() {
    let early = Tuning { first_change: Some(Millis(50)), ..Tuning::default() };
    let mut cluster = Cluster::tuned(job(Some(1), 1), Silent, early);
    cluster.pass(5_000);
    cluster.run_pod("job-000001");
    cluster.writes.clear();
    cluster.pass(100);
    assert_eq!(calls(&cluster), "status", "after a quiet time 50 ms are enough");
    cluster.end_pod("job-000001", 0);
    cluster.pass(800);
    assert_eq!(calls(&cluster), "status", "the next look is a batch period after the last one");
    cluster.pass(300);
    assert_eq!(calls(&cluster), "status status patch status");
}

#[test]
fn limits_of_the_tuning_hold_cst_3_cst_4_cst_5() {
    let pod_backoff = PodBackoff { first: Millis::from_seconds(2), longest: Millis::from_seconds(3) };
    let tuning = Tuning { pod_backoff, uncounted_pods_max: 1, pod_writes_max: 2, ..Tuning::default() };
    let mut cluster = Cluster::tuned(job(Some(4), 4), Silent, tuning);
    cluster.settle();
    assert_eq!(cluster.pods.len(), 2, "one sync makes two pods");
    cluster.pass(5_000);
    assert_eq!(cluster.pods.len(), 4);
    for name in cluster.live() {
        cluster.end_pod(&name, 1);
    }
    cluster.writes.clear();
    cluster.pass(1_000);
    assert!(calls(&cluster).starts_with("status patch status"), "one pod is counted at a time: {}", calls(&cluster));
    cluster.pass(20_000);
    assert!(cluster.pods.len() > 4, "failed pods are replaced after three seconds");
}

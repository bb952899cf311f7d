//! Races of `docs/spec` that only a host can bring about: an order of events, and a number that only metrics show.

mod support;

use jobwright_core::{
    Answer, ApiFailure, Deletion, Effect, FailureKind, Input, Metric, Output, ResourceVersion, Rule, Silent, Timestamp,
};
use support::{Cluster, job};

/// Whether a sync would wait for pods that it has not seen.
fn waits(cluster: &Cluster<Silent>) -> bool {
    let record = cluster.core.explain(&cluster.job.key, cluster.now);
    record.is_some_and(|record| record.tried.iter().any(|tried| tried.rule == Rule::ExpectationsOpen && tried.fired))
}

#[test]
fn each_update_of_a_dying_pod_is_taken_for_a_deletion_race_4() {
    let mut cluster = Cluster::new(job(Some(3), 3), Silent);
    cluster.pass(2_000);
    cluster.run_pod("job-000001");
    cluster.pass(2_000);
    cluster.hold_pods = true;
    let before = cluster.pods.clone();
    cluster.job.spec.parallelism = Some(1);
    cluster.job.generation = 2;
    cluster.job.resource_version = ResourceVersion(1_000);
    cluster.tell(Input::Job(Box::new(cluster.job.clone())));
    cluster.settle();
    let gone: Vec<_> = before.values().filter(|pod| !cluster.pods.contains_key(&*pod.key.name)).collect();
    assert_eq!((gone.len(), waits(&cluster)), (2, true));
    // One of the two is seen to be dying, twice; of the other nothing is seen.
    for version in [2_000, 2_001] {
        let deletion = Some(Deletion { at: cluster.now, grace_seconds: 30 });
        let dying = jobwright_core::PodView { deletion, resource_version: ResourceVersion(version), ..gone[0].clone() };
        assert!(waits(&cluster));
        cluster.core.handle(Input::Pod(Box::new(dying)), cluster.now);
    }
    assert!(!waits(&cluster));
}

#[test]
fn a_failed_creation_is_counted_as_a_success_too_race_9_met_12() {
    let mut cluster = Cluster::new(job(Some(1), 1), Silent);
    let mut counted = Vec::new();
    loop {
        match cluster.core.poll(cluster.now) {
            Output::Sleep(_) => break,
            Output::Metric(Metric::PodsCreated { succeeded, count, .. }) => counted.push((succeeded, count)),
            Output::Write(write) => {
                let is_creation = matches!(write.effect, Effect::CreatePod(_));
                let kind = if is_creation { FailureKind::Internal } else { FailureKind::Conflict };
                let failure = ApiFailure { kind, message: "no".into() };
                cluster.core.handle(Input::Answer(write.id, Answer::Failed(failure)), Timestamp::from_seconds(1_000));
            }
            Output::Event(_) | Output::Metric(_) => {}
        }
    }
    assert_eq!(counted, [(true, 1), (false, 1)]);
}

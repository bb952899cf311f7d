//! How long one change of one pod takes, from the watch event to the last answer of the sync.
//!
//! Every iteration is a whole sync: a pod becomes not ready or ready, the controller decides, writes
//! the status, and sees its own write. `scaled` compares a 1,000-pod Job with a 100,000-pod Job.

#![allow(clippy::unwrap_used, reason = "a bench is a test that is timed")]

#[path = "../tests/support/fleet.rs"]
mod fleet;
#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Duration;

use criterion::measurement::{Measurement, WallTime};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use fleet::Fleet;
use jobwright_core::{
    CompletionIndex, CompletionMode, ConditionStatus, Input, PodPhase, PodView, ResourceVersion, Silent, Uid,
};
use support::{Cluster, job, pod};

/// An Indexed Job of `size` indexes: all but the last ten have succeeded and are counted, ten run.
fn finished_but_ten(size: u32) -> Cluster<Silent> {
    let mut view = job(i32::try_from(size).ok(), 10);
    view.spec.completion_mode = CompletionMode::Indexed;
    view.status.completed_indexes = format!("0-{}", size - 11);
    view.status.succeeded = i32::try_from(size).unwrap() - 10;
    let mut cluster = Cluster::new(view, Silent);
    for index in 0..size {
        let mut made = pod(&cluster.job, u64::from(index) + 1, Some(CompletionIndex(index)), cluster.now);
        if index < size - 10 {
            made.phase = PodPhase::Succeeded;
            made.tracking_finalizer = false;
        } else {
            made.phase = PodPhase::Running;
        }
        cluster.pods.insert(made.key.name.to_string(), made);
    }
    cluster.list();
    cluster.pass(5_000);
    cluster
}

/// A NonIndexed Job with `size` running pods.
fn all_running(size: u32) -> Cluster<Silent> {
    let size = i32::try_from(size).unwrap();
    let mut cluster = Cluster::new(job(Some(size), size), Silent);
    for number in 0..size {
        let mut made = pod(&cluster.job, u64::try_from(number).unwrap() + 1, None, cluster.now);
        made.phase = PodPhase::Running;
        cluster.pods.insert(made.key.name.to_string(), made);
    }
    cluster.list();
    cluster.pass(5_000);
    cluster
}

/// One pod changes its readiness, and the sync that follows runs to its end.
fn one_change(cluster: &mut Cluster<Silent>, name: &str) {
    let now = cluster.now.on_wire();
    cluster.change_pod(name, |pod| {
        let ready = pod.conditions.iter().any(|c| c.status == ConditionStatus::True);
        let status = if ready { ConditionStatus::False } else { ConditionStatus::True };
        pod.conditions =
            vec![jobwright_core::pod::PodCondition { kind: "Ready".into(), status, last_transition: Some(now) }];
    });
    cluster.pass(1_000);
    cluster.writes.clear();
    cluster.events.clear();
}

/// How long a controller takes to take in a list, in pages of 500 pods as the API server hands them out.
/// Making the inputs is not counted; that they are freed afterwards is.
fn build(pods: &[PodView]) -> Duration {
    let mut core = fleet::controller(100_000, Fleet::Running);
    let mut spent = Duration::ZERO;
    for page in pods.chunks(500) {
        let page: Vec<Input> = page.iter().cloned().map(fleet::shown).collect();
        let start = WallTime.start();
        fleet::hand_over(&mut core, page);
        spent += WallTime.end(start);
    }
    spent
}

fn benches(criterion: &mut Criterion) {
    let mut scaled = criterion.benchmark_group("one pod changes");
    for size in [1_000, 100_000] {
        let mut cluster = finished_but_ten(size);
        let name = format!("job-{size:06}");
        scaled.bench_function(BenchmarkId::new("finished but ten", size), |b| {
            b.iter(|| one_change(&mut cluster, &name));
        });
        let mut cluster = all_running(size);
        scaled.bench_function(BenchmarkId::new("all running", size), |b| {
            b.iter(|| one_change(&mut cluster, "job-000500"));
        });
    }
    scaled.finish();
    let mut built = criterion.benchmark_group("build the ledger");
    built.sample_size(10);
    let pods = fleet::pods(100_000, Fleet::Running);
    built.bench_function("100,000 pods", |b| b.iter_custom(|times| (0..times).map(|_| build(&pods)).sum()));
    built.finish();
    let mut cluster = all_running(1_000);
    let key = cluster.job.key.clone();
    criterion.bench_function("explain at 1,000 pods", |b| b.iter(|| cluster.core.explain(&key, cluster.now)));
    // A pod of another Job costs a look-up and nothing else.
    criterion.bench_function("a pod that is gone already", |b| {
        let gone = pod(&cluster.job, 999_999, None, cluster.now);
        b.iter(|| {
            cluster.core.handle(Input::PodGone(gone.key.clone(), Uid::new("none"), ResourceVersion(0)), cluster.now);
            ResourceVersion(0)
        });
    });
}

criterion_group!(decision, benches);
criterion_main!(decision);

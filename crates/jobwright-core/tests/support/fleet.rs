//! A large Indexed Job with pods as a cluster has them: labels, names, UIDs, conditions.
//!
//! Invariant: the pods come in the order of their names, as the API server lists them.
#![allow(dead_code, clippy::unwrap_used, reason = "shared by tests and benches; each uses a part")]

use jobwright_core::pod::{ContainerStatus, ControllerRef, PodCondition, Terminated};
use jobwright_core::selector::Requirement;
use jobwright_core::spec::TemplateFacts;
use jobwright_core::{
    CompletionIndex, CompletionMode, ConditionStatus, Config, Controller, Input, JobKey, JobSpec, JobStatus, JobView,
    PodKey, PodPhase, PodView, RelistStep, Resource, ResourceVersion, Selector, Silent, Timestamp, Uid,
};

const JOB: &str = "train";
const JOB_UID: &str = "5f0e2c1b-7d24-4a57-9a55-0d3c4b7f1e02";
const START: i64 = 1_790_000_000;

/// How the pods of a fleet are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fleet {
    /// All have succeeded and were counted, but the last ten, which run.
    FinishedButTen,
    /// All run and carry the finalizer.
    Running,
}

/// The Job of `size` indexes.
pub(crate) fn job(size: u32, fleet: Fleet) -> JobView {
    let size = i32::try_from(size).unwrap();
    let mut status = JobStatus::default();
    if fleet == Fleet::FinishedButTen {
        status.completed_indexes = format!("0-{}", size - 11);
        status.succeeded = size - 10;
    }
    JobView {
        key: JobKey::new("default", JOB),
        uid: Uid::new(JOB_UID),
        resource_version: ResourceVersion(900_000),
        generation: 1,
        deletion_timestamp: None,
        spec: JobSpec {
            completions: Some(size),
            parallelism: Some(size),
            completion_mode: CompletionMode::Indexed,
            backoff_limit: Some(6),
            selector: Selector {
                rules: Some(vec![Requirement::Equals("batch.kubernetes.io/controller-uid".into(), JOB_UID.into())]),
            },
            template: TemplateFacts { has_labels: true, ..TemplateFacts::default() },
            ..JobSpec::default()
        },
        status,
    }
}

/// Its pods.
pub(crate) fn pods(size: u32, fleet: Fleet) -> Vec<PodView> {
    let job = job(size, fleet);
    let mut pods: Vec<PodView> =
        (0..size).map(|index| pod(&job, index, fleet == Fleet::Running || index + 10 >= size)).collect();
    pods.sort_by(|a, b| a.key.name.cmp(&b.key.name));
    pods
}

fn pod(job: &JobView, index: u32, runs: bool) -> PodView {
    let chance = mix(u64::from(index));
    let started = Timestamp::from_seconds(START + i64::from(index / 500));
    let ended = Timestamp::from_seconds(START + i64::from(index / 500) + 600);
    let labels = [
        ("batch.kubernetes.io/controller-uid", JOB_UID),
        ("batch.kubernetes.io/job-completion-index", &index.to_string()),
        ("batch.kubernetes.io/job-name", JOB),
        ("controller-uid", JOB_UID),
        ("job-name", JOB),
    ];
    PodView {
        key: PodKey::new("default", &format!("{JOB}-{index}-{}", letters(chance))),
        uid: uuid(chance),
        resource_version: ResourceVersion(1_000_000 + u64::from(index)),
        created: started,
        deletion: None,
        labels: labels.map(|(key, value)| (key.into(), value.into())).into(),
        index: Some(CompletionIndex(index)),
        index_failures: 0,
        index_ignored_failures: 0,
        tracking_finalizer: runs,
        controller: Some(ControllerRef {
            api_version: "batch/v1".into(),
            kind: "Job".into(),
            name: job.key.name.clone(),
            uid: job.uid.clone(),
        }),
        scheduled: true,
        phase: if runs { PodPhase::Running } else { PodPhase::Succeeded },
        conditions: conditions(runs, if runs { started } else { ended }),
        containers: vec![ContainerStatus {
            name: "main".into(),
            restart_count: 0,
            restartable: false,
            terminated: (!runs).then_some(Terminated { exit_code: 0, finished_at: Some(ended) }),
        }],
        init_containers: Vec::new(),
    }
}

fn conditions(ready: bool, at: Timestamp) -> Vec<PodCondition> {
    let status = |yes| if yes { ConditionStatus::True } else { ConditionStatus::False };
    ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"]
        .map(|kind| PodCondition {
            kind: kind.into(),
            status: status(ready || matches!(kind, "Initialized" | "PodScheduled")),
            last_transition: Some(at),
        })
        .into()
}

/// A controller that knows the Job and has listed nothing else.
pub(crate) fn controller(size: u32, fleet: Fleet) -> Controller<Silent> {
    let mut core = Controller::new(Config::default(), Silent);
    let now = Timestamp::from_seconds(START + 1_000);
    core.handle(Input::Relist(Resource::Jobs, RelistStep::Begin), now);
    core.handle(Input::Job(Box::new(job(size, fleet))), now);
    core.handle(Input::Relist(Resource::Jobs, RelistStep::Done(ResourceVersion(2_000_000))), now);
    core
}

/// Hands all pods over, as a list.
pub(crate) fn list(core: &mut Controller<Silent>, pods: Vec<PodView>) {
    let now = Timestamp::from_seconds(START + 1_000);
    core.handle(Input::Relist(Resource::Pods, RelistStep::Begin), now);
    hand_over(core, pods.into_iter().map(shown));
    core.handle(Input::Relist(Resource::Pods, RelistStep::Done(ResourceVersion(2_000_000))), now);
}

/// Hands pods over, as the watch does.
pub(crate) fn hand_over(core: &mut Controller<Silent>, pods: impl IntoIterator<Item = Input>) {
    let now = Timestamp::from_seconds(START + 1_000);
    for pod in pods {
        core.handle(pod, now);
    }
}

/// What the watch shows of a pod.
pub(crate) fn shown(pod: PodView) -> Input {
    Input::Pod(Box::new(pod))
}

/// The five characters that the API server appends to a generated name.
fn letters(mut chance: u64) -> String {
    let all = b"bcdfghjklmnpqrstvwxz2456789";
    (0..5)
        .map(|_| {
            let letter = all[usize::try_from(chance % 27).unwrap()];
            chance /= 27;
            char::from(letter)
        })
        .collect()
}

fn uuid(chance: u64) -> Uid {
    let digits = format!("{chance:016x}{:016x}", mix(chance));
    let (a, rest) = digits.split_at(8);
    let (b, rest) = rest.split_at(4);
    let (c, rest) = rest.split_at(4);
    let (d, e) = rest.split_at(4);
    Uid::new(&format!("{a}-{b}-{c}-{d}-{e}"))
}

/// A number that looks like chance (the mixing step of SplitMix64).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

//! A tiny API server for driving the core in its own tests and benches: it says yes to everything.
//!
//! Invariant: the events of a write are delivered before its answer.
#![allow(dead_code, clippy::unwrap_used, reason = "a test host; each test uses a part")]

use std::collections::BTreeMap;

use jobwright_core::pod::{ContainerStatus, ControllerRef, PodCondition, Terminated};
use jobwright_core::selector::Requirement;
use jobwright_core::spec::TemplateFacts;
use jobwright_core::{
    Answer, CompletionIndex, ConditionStatus, Config, Controller, Effect, Input, JobEvent, JobKey, JobSpec, JobStatus,
    JobView, NewPod, Output, PodKey, PodPhase, PodRef, PodView, RelistStep, Reply, Resource, ResourceVersion, Selector,
    Timestamp, Trace, Tuning, Uid, WakeUp, Write, Written,
};

/// A Job with `completions` and `parallelism`, named `job`.
pub(crate) fn job(completions: Option<i32>, parallelism: i32) -> JobView {
    JobView {
        key: JobKey::new("default", "job"),
        uid: Uid::new("00000000-0000-0000-0000-00000000a0b0"),
        resource_version: ResourceVersion(1),
        generation: 1,
        deletion_timestamp: None,
        spec: JobSpec {
            completions,
            parallelism: Some(parallelism),
            backoff_limit: Some(6),
            selector: Selector { rules: Some(vec![Requirement::Equals("job".into(), "job".into())]) },
            template: TemplateFacts { has_labels: true, ..TemplateFacts::default() },
            ..JobSpec::default()
        },
        status: JobStatus::default(),
    }
}

/// The core with an API server around it.
pub(crate) struct Cluster<T> {
    pub(crate) core: Controller<T>,
    pub(crate) now: Timestamp,
    pub(crate) job: JobView,
    pub(crate) pods: BTreeMap<String, PodView>,
    /// Every write, in order.
    pub(crate) writes: Vec<Write>,
    pub(crate) events: Vec<JobEvent>,
    /// Pod events are kept back while this is set.
    pub(crate) hold_pods: bool,
    pub(crate) held: Vec<Input>,
    version: u64,
    made: u64,
}

impl<T: Trace> Cluster<T> {
    /// A cluster with one Job, before its first sync.
    pub(crate) fn new(job: JobView, trace: T) -> Self {
        Self::tuned(job, trace, Tuning::default())
    }

    /// The same with other times and limits.
    pub(crate) fn tuned(job: JobView, trace: T, tuning: Tuning) -> Self {
        let mut cluster = Self {
            core: Controller::new(Config { tuning, ..Config::default() }, trace),
            now: Timestamp::from_seconds(1_000),
            job: job.clone(),
            pods: BTreeMap::new(),
            writes: Vec::new(),
            events: Vec::new(),
            hold_pods: false,
            held: Vec::new(),
            version: 10,
            made: 0,
        };
        cluster.list();
        cluster
    }

    /// Lists everything, as at a start.
    pub(crate) fn list(&mut self) {
        self.tell(Input::Relist(Resource::Jobs, RelistStep::Begin));
        self.tell(Input::Job(Box::new(self.job.clone())));
        self.tell(Input::Relist(Resource::Jobs, RelistStep::Done(ResourceVersion(self.version))));
        self.tell(Input::Relist(Resource::Pods, RelistStep::Begin));
        for pod in self.pods.clone().into_values() {
            self.tell(Input::Pod(Box::new(pod)));
        }
        self.tell(Input::Relist(Resource::Pods, RelistStep::Done(ResourceVersion(self.version))));
    }

    /// Hands an input over.
    pub(crate) fn tell(&mut self, input: Input) {
        let pod = matches!(input, Input::Pod(_) | Input::PodGone(..));
        if pod && self.hold_pods {
            self.held.push(input);
        } else {
            self.core.handle(input, self.now);
        }
    }

    /// Carries out what the core says until it sleeps.
    pub(crate) fn settle(&mut self) -> Option<WakeUp> {
        loop {
            match self.core.poll(self.now) {
                Output::Sleep(wake) => return wake,
                Output::Write(write) => {
                    self.writes.push(write.clone());
                    let answer = Answer::Done(self.carry_out(&write.effect));
                    self.core.handle(Input::Answer(write.id, answer), self.now);
                }
                Output::Event(event) => self.events.push(event),
                Output::Metric(_) => {}
            }
        }
    }

    /// Lets `millis` pass, waking the core whenever it asks for it.
    pub(crate) fn pass(&mut self, millis: i64) {
        let until = self.now.0 + millis;
        loop {
            match self.settle() {
                Some(wake) if wake.at.0 <= until => self.now = wake.at.max(self.now),
                _ => break,
            }
            self.tell(Input::Wake);
        }
        self.now = Timestamp(until);
    }

    /// Changes a pod and tells of it.
    pub(crate) fn change_pod(&mut self, name: &str, change: impl FnOnce(&mut PodView)) {
        self.version += 1;
        let pod = self.pods.get_mut(name).unwrap();
        change(pod);
        pod.resource_version = ResourceVersion(self.version);
        let pod = pod.clone();
        self.tell(Input::Pod(Box::new(pod)));
    }

    /// A pod ends with an exit code.
    pub(crate) fn end_pod(&mut self, name: &str, exit_code: i32) {
        let now = self.now.on_wire();
        self.change_pod(name, |pod| {
            pod.phase = if exit_code == 0 { PodPhase::Succeeded } else { PodPhase::Failed };
            pod.containers = vec![ContainerStatus {
                name: "main".into(),
                restart_count: 0,
                restartable: false,
                terminated: Some(Terminated { exit_code, finished_at: Some(now) }),
            }];
        });
    }

    /// A pod runs and is ready.
    pub(crate) fn run_pod(&mut self, name: &str) {
        let now = self.now.on_wire();
        self.change_pod(name, |pod| {
            pod.phase = PodPhase::Running;
            pod.scheduled = true;
            pod.conditions =
                vec![PodCondition { kind: "Ready".into(), status: ConditionStatus::True, last_transition: Some(now) }];
        });
    }

    /// Names of the pods that have not ended.
    pub(crate) fn live(&self) -> Vec<String> {
        self.pods.iter().filter(|(_, pod)| !pod.phase.is_terminal()).map(|(name, _)| name.clone()).collect()
    }

    fn carry_out(&mut self, effect: &Effect) -> Written {
        self.version += 1;
        let resource_version = ResourceVersion(self.version);
        let reply = match effect {
            Effect::CreatePod(new) => self.create(new),
            Effect::DeletePod(pod) => self.delete(pod),
            Effect::RemoveFinalizer(pod) => {
                self.change_pod(&pod.key.name, |pod| pod.tracking_finalizer = false);
                Reply::Nothing
            }
            Effect::UpdateStatus { status, .. } => {
                self.job.status = (**status).clone();
                self.job.resource_version = resource_version;
                self.tell(Input::Job(Box::new(self.job.clone())));
                Reply::Nothing
            }
            other => unreachable!("{other:?}"),
        };
        Written { resource_version, reply }
    }

    fn create(&mut self, new: &NewPod) -> Reply {
        self.made += 1;
        let mut pod = pod(&self.job, self.made, new.index, self.now);
        pod.resource_version = ResourceVersion(self.version);
        let reply = Reply::Pod(pod.key.clone(), pod.uid.clone());
        self.pods.insert(pod.key.name.to_string(), pod.clone());
        self.tell(Input::Pod(Box::new(pod)));
        reply
    }

    fn delete(&mut self, pod: &PodRef) -> Reply {
        self.pods.remove(&*pod.key.name);
        self.tell(Input::PodGone(pod.key.clone(), pod.uid.clone(), ResourceVersion(self.version)));
        Reply::Nothing
    }
}

/// The `number`th pod of a Job.
pub(crate) fn pod(job: &JobView, number: u64, index: Option<CompletionIndex>, now: Timestamp) -> PodView {
    PodView {
        key: PodKey::new(&job.key.namespace, &format!("job-{number:06}")),
        uid: Uid::new(&format!("00000000-0000-0000-0000-{number:012x}")),
        resource_version: ResourceVersion(number),
        created: now.on_wire(),
        deletion: None,
        labels: vec![("job".into(), "job".into())],
        index,
        index_failures: 0,
        index_ignored_failures: 0,
        tracking_finalizer: true,
        controller: Some(ControllerRef {
            api_version: "batch/v1".into(),
            kind: "Job".into(),
            name: job.key.name.clone(),
            uid: job.uid.clone(),
        }),
        scheduled: false,
        phase: PodPhase::Pending,
        conditions: Vec::new(),
        containers: Vec::new(),
        init_containers: Vec::new(),
    }
}

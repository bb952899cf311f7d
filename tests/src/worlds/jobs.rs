//! Generated Jobs: work queues, NonIndexed and Indexed ones, both restart policies, one or more containers.
//!
//! Invariant: every manifest is one that the API server takes and this version acts on in full.

use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// What counts as the work of a Job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// No `completions`.
    WorkQueue,
    /// NonIndexed with `completions`.
    Counted(u32),
    /// Indexed with `completions`.
    Indexed(u32),
}

/// Fields of a Job that worlds choose.
#[derive(Clone, Debug)]
pub(super) struct JobPlan {
    /// The kind of Job.
    pub(super) mode: Mode,
    /// `spec.parallelism`
    pub(super) parallelism: u32,
    /// `spec.backoffLimit`; the default if absent.
    pub(super) backoff_limit: Option<u32>,
    /// `spec.activeDeadlineSeconds`
    pub(super) deadline: Option<u32>,
    /// `spec.suspend`
    pub(super) suspend: bool,
    /// Whether the restart policy is `OnFailure`.
    pub(super) on_failure: bool,
    /// Whether the pods have an init container and a second container.
    pub(super) many_containers: bool,
}

impl JobPlan {
    /// The manifest.
    #[must_use]
    pub(super) fn manifest(&self) -> Value {
        let mut spec = Map::new();
        spec.insert("parallelism".to_owned(), self.parallelism.into());
        match self.mode {
            Mode::WorkQueue => {}
            Mode::Counted(completions) => {
                spec.insert("completions".to_owned(), completions.into());
            }
            Mode::Indexed(completions) => {
                spec.insert("completions".to_owned(), completions.into());
                spec.insert("completionMode".to_owned(), "Indexed".into());
            }
        }
        for (field, value) in [("backoffLimit", self.backoff_limit), ("activeDeadlineSeconds", self.deadline)] {
            if let Some(value) = value {
                spec.insert(field.to_owned(), value.into());
            }
        }
        if self.suspend {
            spec.insert("suspend".to_owned(), true.into());
        }
        spec.insert("template".to_owned(), self.template());
        json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "job"}, "spec": spec})
    }

    fn template(&self) -> Value {
        let restart = if self.on_failure { "OnFailure" } else { "Never" };
        let container = |name: &str| json!({"name": name, "image": "busybox"});
        let mut pod = json!({"restartPolicy": restart, "containers": [container("main")]});
        if self.many_containers {
            let sidecar = json!({"name": "proxy", "image": "busybox", "restartPolicy": "Always"});
            pod = json!({
                "restartPolicy": restart,
                "initContainers": [container("setup"), sidecar],
                "containers": [container("main"), container("side")],
            });
        }
        json!({"spec": pod})
    }
}

/// Any of these Jobs.
pub(super) fn any_job() -> impl Strategy<Value = JobPlan> {
    let mode = prop_oneof![
        2 => Just(Mode::WorkQueue),
        4 => (0_u32..=8).prop_map(Mode::Counted),
        4 => (0_u32..=8).prop_map(Mode::Indexed),
    ];
    let deadline = option::weighted(0.15, 1_u32..200);
    let limit = option::weighted(0.8, 0_u32..=4);
    let flags = (prop::bool::weighted(0.15), prop::bool::weighted(0.35), prop::bool::weighted(0.3));
    (mode, 0_u32..=4, limit, deadline, flags).prop_map(|(mode, parallelism, backoff_limit, deadline, flags)| {
        let (suspend, on_failure, many_containers) = flags;
        JobPlan { mode, parallelism, backoff_limit, deadline, suspend, on_failure, many_containers }
    })
}

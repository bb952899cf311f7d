//! What a Job's spec says about how its pods are seen.
//!
//! Invariant: a ledger is classified by exactly one lens; another lens means looking at all pods again.

use alloc::sync::Arc;

use crate::selector::{PodLabels, Selector};
use crate::spec::{JobSpec, PodFailurePolicy};

/// See the module. The default is that of a pod whose Job is not known yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lens {
    /// GLO-15: a pod that is being deleted has not failed yet.
    pub(crate) only_failed: bool,
    /// Judges how pods failed.
    pub(crate) policy: Option<Arc<PodFailurePolicy>>,
    /// Pods that it does not match are not the Job's (ADO-3); `None` takes all.
    pub(crate) selector: Option<Arc<Selector>>,
}

impl Lens {
    /// The lens of a Job; parts that are as before are shared.
    pub(crate) fn of(spec: &JobSpec, before: &Self) -> Self {
        let policy = match (&spec.pod_failure_policy, &before.policy) {
            (Some(new), Some(old)) if **old == *new => Some(old.clone()),
            (new, _) => new.clone().map(Arc::new),
        };
        let selector = match &before.selector {
            Some(old) if **old == spec.selector => old.clone(),
            _ => Arc::new(spec.selector.clone()),
        };
        Self { only_failed: spec.replaces_only_failed(), policy, selector: Some(selector) }
    }

    /// Whether a pod with these labels is the Job's.
    pub(crate) fn takes(&self, labels: &PodLabels<'_>) -> bool {
        self.selector.as_ref().is_none_or(|selector| selector.selects(labels))
    }
}

//! Injected failures of the controller's calls.
//!
//! Invariant: faults of one kind of call form a queue, first in first out; the first one's `skip` and
//! then its `count` is used up before the next begins. They outlive a restart of the controller.

use std::collections::VecDeque;

use jobwright_core::OrderedMap;
use jobwright_core::digest::Mix;
use std::fmt;

use jobwright_core::{ApiFailure, FailureKind};

/// A kind of API call, as traces count it: `create pods`, `update jobs/status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallKind {
    /// POST of a pod.
    CreatePods,
    /// DELETE of a pod.
    DeletePods,
    /// PATCH of a pod.
    PatchPods,
    /// PUT of a Job's status.
    UpdateJobStatus,
    /// GET of a Job.
    GetJobs,
    /// DELETE of a Job.
    DeleteJobs,
}

impl CallKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::CreatePods, Self::DeletePods, Self::PatchPods, Self::UpdateJobStatus, Self::GetJobs, Self::DeleteJobs];

    /// The words of scenarios: verb, resource, subresource.
    #[must_use]
    pub const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::CreatePods => ("create", "pods", ""),
            Self::DeletePods => ("delete", "pods", ""),
            Self::PatchPods => ("patch", "pods", ""),
            Self::UpdateJobStatus => ("update", "jobs", "status"),
            Self::GetJobs => ("get", "jobs", ""),
            Self::DeleteJobs => ("delete", "jobs", ""),
        }
    }

    /// The kind that these words name.
    #[must_use]
    pub fn from_words(verb: &str, resource: &str, subresource: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.words() == (verb, resource, subresource))
    }

    /// The resource as messages name it.
    const fn resource(self) -> &'static str {
        match self {
            Self::CreatePods | Self::DeletePods | Self::PatchPods => "pods",
            Self::UpdateJobStatus | Self::GetJobs | Self::DeleteJobs => "jobs.batch",
        }
    }

    /// Whether messages know the name of the object: creations and status writes send an object, not a name.
    const fn has_name(self) -> bool {
        !matches!(self, Self::CreatePods | Self::UpdateJobStatus)
    }
}

impl fmt::Display for CallKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words() {
            (verb, resource, "") => write!(f, "{verb} {resource}"),
            (verb, resource, subresource) => write!(f, "{verb} {resource}/{subresource}"),
        }
    }
}

/// How an injected failure looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultError {
    /// 409
    Conflict,
    /// 500
    Internal,
    /// 504
    Timeout,
    /// 403
    Forbidden,
    /// 429
    TooMany,
    /// 404
    NotFound,
    /// 403, because the namespace ends (CRE-13)
    NamespaceTerminating,
}

impl FaultError {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Conflict,
        Self::Internal,
        Self::Timeout,
        Self::Forbidden,
        Self::TooMany,
        Self::NotFound,
        Self::NamespaceTerminating,
    ];

    /// The word of scenarios and traces.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Internal => "internal",
            Self::Timeout => "timeout",
            Self::Forbidden => "forbidden",
            Self::TooMany => "toomany",
            Self::NotFound => "notfound",
            Self::NamespaceTerminating => "nsterminating",
        }
    }

    /// The failure of a call about an object of that name.
    #[must_use]
    pub fn failure(self, call: CallKind, name: &str) -> ApiFailure {
        let name = if call.has_name() { name } else { "" };
        let resource = call.resource();
        let named = if name.is_empty() { resource.to_owned() } else { format!("{resource} \"{name}\"") };
        let (kind, message) = match self {
            Self::Conflict => {
                (FailureKind::Conflict, format!("Operation cannot be fulfilled on {resource} \"{name}\": injected"))
            }
            Self::Internal => (FailureKind::Internal, "Internal error occurred: injected".to_owned()),
            Self::Timeout => (FailureKind::Timeout, "Timeout: injected".to_owned()),
            Self::Forbidden => (FailureKind::Forbidden, format!("{named} is forbidden: injected")),
            Self::TooMany => (FailureKind::TooManyRequests, "injected".to_owned()),
            Self::NotFound => (FailureKind::NotFound, format!("{resource} \"{name}\" not found")),
            Self::NamespaceTerminating => (
                FailureKind::NamespaceTerminating,
                format!("{named} is forbidden: the namespace is being terminated (injected)"),
            ),
        };
        ApiFailure { kind, message: message.into() }
    }
}

/// One injected failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which calls it hits.
    pub call: CallKind,
    /// How many of them pass before.
    pub skip: u32,
    /// How many of them fail.
    pub count: u32,
    /// With what.
    pub error: FaultError,
    /// Whether the call takes effect, and only its answer is an error.
    pub applied: bool,
}

/// The injected failures that are still to come.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    queues: OrderedMap<CallKind, VecDeque<Fault>>,
}

impl Faults {
    /// Queues one.
    pub fn add(&mut self, fault: Fault) {
        self.queues.get_or_default(fault.call).push_back(fault);
    }

    /// One number for all that is still to come.
    pub(crate) fn digest(&self) -> u64 {
        let mut mix = Mix::default();
        for fault in self.queues.values().flatten() {
            mix.text(&fault.call.to_string());
            mix.text(fault.error.as_str());
            mix.add(u64::from(fault.skip) << 32 | u64::from(fault.count) << 1 | u64::from(fault.applied));
        }
        mix.value()
    }

    /// What hits the next call of that kind: the error, and whether the call takes effect.
    pub fn hit(&mut self, call: CallKind) -> Option<(FaultError, bool)> {
        let queue = self.queues.get_mut(&call)?;
        while queue.front().is_some_and(|fault| fault.count == 0 && fault.skip == 0) {
            queue.pop_front();
        }
        let fault = queue.front_mut()?;
        if fault.skip > 0 {
            fault.skip -= 1;
            return None;
        }
        fault.count -= 1;
        let hit = (fault.error, fault.applied);
        if fault.count == 0 {
            queue.pop_front();
        }
        Some(hit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAULT: Fault =
        Fault { call: CallKind::CreatePods, skip: 0, count: 1, error: FaultError::Internal, applied: false };

    #[test]
    fn faults_of_a_kind_are_used_up_one_after_the_other() {
        let mut faults = Faults::default();
        faults.add(Fault { skip: 1, count: 2, ..FAULT });
        faults.add(Fault { skip: 1, error: FaultError::Timeout, applied: true, ..FAULT });
        let hits: Vec<_> = (0..6).map(|_| faults.hit(CallKind::CreatePods)).collect();
        let internal = Some((FaultError::Internal, false));
        assert_eq!(hits, [None, internal, internal, None, Some((FaultError::Timeout, true)), None]);
        assert_eq!(faults.hit(CallKind::PatchPods), None);
    }

    #[test]
    fn texts_are_those_that_events_print_evt_31() {
        let text = |error: FaultError, call, name| error.failure(call, name).message.to_string();
        use CallKind::{CreatePods, PatchPods, UpdateJobStatus};
        use FaultError::{Conflict, Forbidden, Internal, NamespaceTerminating, NotFound, Timeout, TooMany};
        for (error, call, expected) in [
            (Internal, CreatePods, "Internal error occurred: injected"),
            (Timeout, CreatePods, "Timeout: injected"),
            (TooMany, CreatePods, "injected"),
            (Forbidden, CreatePods, "pods is forbidden: injected"),
            (Forbidden, PatchPods, "pods \"p\" is forbidden: injected"),
            (Conflict, CreatePods, "Operation cannot be fulfilled on pods \"\": injected"),
            (Conflict, UpdateJobStatus, "Operation cannot be fulfilled on jobs.batch \"\": injected"),
            (NotFound, PatchPods, "pods \"p\" not found"),
            (NamespaceTerminating, CreatePods, "pods is forbidden: the namespace is being terminated (injected)"),
        ] {
            assert_eq!(text(error, call, "p"), expected);
        }
    }

    #[test]
    fn call_kinds_read_and_print() {
        for kind in CallKind::ALL {
            let (verb, resource, subresource) = kind.words();
            assert_eq!(CallKind::from_words(verb, resource, subresource), Some(kind));
        }
        assert_eq!(CallKind::UpdateJobStatus.to_string(), "update jobs/status");
        assert_eq!(CallKind::from_words("update", "pods", ""), None);
    }
}

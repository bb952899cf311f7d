//! What the pods of one owner have in common, kept once for all of them.
//!
//! Invariant: which part of a pod is in its family depends on the pod alone, so two pods that are equal
//! have equal families.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;

use super::name::Split;
use crate::ids::{CompletionIndex, Text, Uid};
use crate::pod::PodView;
use crate::selector::{INDEX_LABEL, Labels, PodLabels};
use crate::short::Short;

/// Who controls a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Nobody.
    Nobody,
    /// An owner of kind `Job`, with its name and UID, and whether its API version is `batch/v1`.
    Job(Arc<str>, Uid, bool),
    /// An owner of another kind.
    Other,
}

impl Owner {
    /// The owner reference of a pod.
    pub(crate) fn of(pod: &PodView) -> Self {
        match &pod.controller {
            None => Self::Nobody,
            Some(c) if &*c.kind == "Job" => Self::Job(c.name.clone(), c.uid.clone(), &*c.api_version == "batch/v1"),
            Some(_) => Self::Other,
        }
    }

    /// The UID of the Job.
    pub(crate) const fn job_uid(&self) -> Option<&Uid> {
        if let Self::Job(_, uid, _) = self { Some(uid) } else { None }
    }
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Family {
    pub(super) namespace: Arc<str>,
    pub(super) owner: Owner,
    /// The first part of the names; see [`Split::base`].
    pub(super) base: Box<str>,
    /// Whether the index is a part of the names.
    pub(super) indexed: bool,
    /// Whether each pod has the index label with its index; it is not among the labels then.
    pub(super) has_index_label: bool,
    pub(super) labels: Labels,
}

impl Family {
    /// The family of a pod: a known one if it fits.
    pub(super) fn of(
        pod: &PodView,
        owner: Owner,
        split: Option<&Split<'_>>,
        known: &[Option<&Arc<Self>>],
    ) -> Arc<Self> {
        let (base, indexed) = split.map_or(("", false), |split| (split.base, split.indexed));
        let hidden = index_label(pod);
        let fits = |family: &&Arc<Self>| {
            family.indexed == indexed
                && family.has_index_label == hidden.is_some()
                && *family.base == *base
                && family.namespace == pod.key.namespace
                && family.owner == owner
                && same_but(&pod.labels, hidden, &family.labels)
        };
        if let Some(family) = known.iter().copied().flatten().find(fits) {
            return family.clone();
        }
        let mut labels = pod.labels.clone();
        if let Some(position) = hidden {
            labels.remove(position);
        }
        let namespace = pod.key.namespace.clone();
        Arc::new(Self { namespace, owner, base: base.into(), indexed, has_index_label: hidden.is_some(), labels })
    }

    /// The labels of its pod with this index.
    pub(super) fn labels(&self, index: Option<CompletionIndex>) -> PodLabels<'_> {
        let index = index.filter(|_| self.has_index_label).map(|index| Short::decimal(index.0));
        PodLabels::new(&self.labels, index)
    }

    /// Those labels in full.
    pub(super) fn all_labels(&self, index: Option<CompletionIndex>) -> Labels {
        let mut labels = self.labels.clone();
        if let Some(index) = index.filter(|_| self.has_index_label) {
            let label = (Text::Borrowed(INDEX_LABEL), String::from(Short::decimal(index.0).as_str()));
            let after = labels.partition_point(|(key, _)| **key < *INDEX_LABEL);
            labels.insert(after, label);
        }
        labels
    }
}

/// Where the label is that says the pod's index.
fn index_label(pod: &PodView) -> Option<usize> {
    let index = Short::decimal(pod.index?.0);
    pod.labels.iter().position(|(key, value)| key == INDEX_LABEL && value == index.as_str())
}

/// Whether labels without the one at `hidden` are these.
fn same_but(labels: &[(Text, String)], hidden: Option<usize>, these: &[(Text, String)]) -> bool {
    match hidden {
        None => labels == these,
        Some(at) => {
            let rest: (&[_], &[_]) = (labels.get(..at).unwrap_or_default(), labels.get(at + 1..).unwrap_or_default());
            these.len() + 1 == labels.len() && these.get(..at) == Some(rest.0) && these.get(at..) == Some(rest.1)
        }
    }
}

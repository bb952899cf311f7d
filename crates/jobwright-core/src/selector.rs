//! Label selectors: which pods a Job looks at (ADO-1, EVQ-23, ORP-3).
//!
//! Invariant: an empty selector matches every pod, an absent one (`None` in [`Selector::rules`]) matches none.

use alloc::string::String;
use alloc::vec::Vec;

use crate::ids::Text;
use crate::short::Short;

/// The labels of an object, sorted by key.
pub type Labels = Vec<(Text, String)>;

/// The label that repeats a pod's completion index (IDX-21).
pub(crate) const INDEX_LABEL: &str = "batch.kubernetes.io/job-completion-index";

/// The labels of a pod; the one that repeats its index may stand apart.
pub(crate) struct PodLabels<'a> {
    others: &'a Labels,
    index: Option<Short>,
}

impl<'a> PodLabels<'a> {
    /// Labels, and perhaps the value of the index label besides.
    pub(crate) const fn new(others: &'a Labels, index: Option<Short>) -> Self {
        Self { others, index }
    }

    /// Whether there is none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.others.is_empty() && self.index.is_none()
    }

    fn value(&self, key: &str) -> Option<&str> {
        match &self.index {
            Some(index) if key == INDEX_LABEL => Some(index.as_str()),
            _ => self.others.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str()),
        }
    }
}

/// One requirement on labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The label has this value (`matchLabels`).
    Equals(String, String),
    /// The label has one of these values.
    In(String, Vec<String>),
    /// The label is absent or has none of these values.
    NotIn(String, Vec<String>),
    /// The label is there.
    Exists(String),
    /// The label is not there.
    DoesNotExist(String),
}

/// `spec.selector` of a Job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    /// All must hold. `None`: there is no selector.
    pub rules: Option<Vec<Requirement>>,
}

impl Selector {
    /// Whether pods with these labels are selected.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        self.selects(&PodLabels::new(labels, None))
    }

    /// The same of a pod in the ledger.
    pub(crate) fn selects(&self, labels: &PodLabels<'_>) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.iter().all(|rule| rule.holds(labels)))
    }
}

impl Requirement {
    fn holds(&self, labels: &PodLabels<'_>) -> bool {
        let value = |key: &String| labels.value(key);
        match self {
            Self::Equals(key, wanted) => value(key) == Some(wanted.as_str()),
            Self::In(key, values) => value(key).is_some_and(|v| values.iter().any(|value| value == v)),
            Self::NotIn(key, values) => value(key).is_none_or(|v| values.iter().all(|value| value != v)),
            Self::Exists(key) => value(key).is_some(),
            Self::DoesNotExist(key) => value(key).is_none(),
        }
    }
}

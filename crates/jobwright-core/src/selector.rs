//! Label selectors: which pods a Job looks at (ADO-1, EVQ-23, ORP-3).
//!
//! Invariant: an empty selector matches every pod, an absent one (`None` in [`Selector::rules`]) matches none.

use alloc::string::String;
use alloc::vec::Vec;

/// The labels of an object, sorted by key.
pub type Labels = Vec<(String, String)>;

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
        self.rules.as_ref().is_some_and(|rules| rules.iter().all(|rule| rule.holds(labels)))
    }
}

impl Requirement {
    fn holds(&self, labels: &Labels) -> bool {
        let value = |key: &String| labels.iter().find(|(k, _)| k == key).map(|(_, v)| v);
        match self {
            Self::Equals(key, wanted) => value(key) == Some(wanted),
            Self::In(key, values) => value(key).is_some_and(|v| values.contains(v)),
            Self::NotIn(key, values) => value(key).is_none_or(|v| !values.contains(v)),
            Self::Exists(key) => value(key).is_some(),
            Self::DoesNotExist(key) => value(key).is_none(),
        }
    }
}

//! What the API server takes and warns of (VAL-90).
//!
//! Invariant: texts are the API server's, word for word, and come in its order.

use serde_json::Value;

use super::pod_template;
use super::spec::{COMPLETIONS_SOFT_MAX, HIGH_COMPLETIONS_MAX};
use crate::at::At;
use crate::syntax;

/// One warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The path that the text begins with.
    pub field: String,
    /// What comes after it and a colon.
    pub text: String,
    /// Whether the text is the whole warning: some do not name a path.
    pub is_whole: bool,
}

/// `metadata.name: this is used in Pod names …`
impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.is_whole {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.text)
    }
}

/// The warnings about a Job that is being created; it is defaulted, prepared and valid (VAL-90, VAL-78).
#[must_use]
pub fn warnings(job: &Value) -> Vec<Warning> {
    let job = At::root(job);
    let (metadata, spec) = (job.get("metadata"), job.get("spec"));
    let mut warnings = Vec::new();
    let name = metadata.get("name");
    let messages = syntax::dns_label(name.str().unwrap_or_default());
    if !messages.is_empty() {
        let head = "this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is \
             recommended: [";
        warnings.push(Warning { field: name.path(), text: [head, &messages.join(" "), "]"].concat(), is_whole: false });
    }
    let above = |name: &str, max: i64| spec.get(name).int().is_some_and(|number| number > max);
    if spec.get("completionMode").str() == Some("Indexed")
        && above("completions", COMPLETIONS_SOFT_MAX)
        && above("parallelism", HIGH_COMPLETIONS_MAX)
    {
        let text = "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, \
             Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
        warnings.push(Warning { field: spec.path(), text: text.to_owned(), is_whole: false });
    }
    pod_template::warnings(&spec.get("template"), &mut warnings);
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_taken_with_a_warning_val_90_val_78() {
        let high = json!({"completionMode": "Indexed", "completions": 100_001, "parallelism": 10_001});
        let grace = json!({"template": {"spec": {"terminationGracePeriodSeconds": -1}}});
        for (name, spec, fields) in [
            ("a", json!({}), &[][..]),
            ("a.b", json!({}), &["metadata.name"]),
            ("a", high, &["spec"]),
            ("a", json!({"completions": 100_001, "parallelism": 10_001}), &[]),
            ("a", grace, &["spec.template.spec.terminationGracePeriodSeconds"]),
        ] {
            let found = warnings(&json!({"metadata": {"name": name}, "spec": spec}));
            assert_eq!(found.iter().map(|warning| &*warning.field).collect::<Vec<_>>(), fields, "{spec}");
        }
    }
}

//! Ways out of what the API server refuses, where its own text gives none.
//!
//! Invariant: a table of data; the first line that fits is taken.

use jobwright_api::Catalogue;
use jobwright_api::diagnostic::Code;
use jobwright_api::verdict::Refusal;

/// Part of the field, part of the text, way out.
const WAYS: &[(&str, &str, &str)] = &[
    ("restartPolicy", "podFailurePolicy", "Write restartPolicy: Never, or take podFailurePolicy out."),
    (
        "restartPolicy",
        "",
        "Write restartPolicy: Never (each try is a pod) or OnFailure (containers restart in their pod).",
    ),
    (
        "spec.selector",
        "not auto-generated",
        "Take spec.selector out: the API server makes it. Your own needs manualSelector: true.",
    ),
    (
        "labels[",
        "must be",
        "Take the generated labels and spec.selector out of a Job that was exported from a cluster.",
    ),
    ("spec.completions", "Indexed", "Add completions: the number of indexes."),
    ("backoffLimitPerIndex", "indexed", "Add completionMode: Indexed and completions."),
    ("maxFailedIndexes", "indexed", "Add completionMode: Indexed and completions."),
    ("backoffLimitPerIndex", "when maxFailedIndexes", "Add backoffLimitPerIndex, or take maxFailedIndexes out."),
    ("successPolicy", "requires indexed", "Add completionMode: Indexed and completions."),
    ("rules", "backoffLimitPerIndex", "Add backoffLimitPerIndex, or write FailJob in place of FailIndex."),
    ("podReplacementPolicy", "", "With podFailurePolicy only Failed is possible: write it, or take the field out."),
    ("containers", "Required value", "A pod needs at least one container, each with a name and an image."),
    ("metadata.name", "Required value", "Give the Job a name, or generateName: PREFIX-."),
    ("template.labels", "63 bytes", "The name of a Job is a label of its pods: 63 characters at most."),
    ("", "RFC 1123", "Use lower-case letters, digits and dashes, with a letter or digit at both ends."),
    (
        "managedBy",
        "domain-prefixed",
        "Write a domain, a slash and a name; or leave it out for Kubernetes' own controller.",
    ),
];

/// The way out of an error, as a sentence.
pub(super) fn way_out(error: &Refusal) -> Option<String> {
    match error.code {
        Code::Invalid => {
            let fits =
                |(field, text, _): &&(&str, &str, &str)| error.field.contains(field) && error.detail.contains(text);
            WAYS.iter().find(fits).map(|(.., way)| (*way).to_owned())
        }
        // Its text says what is needed.
        Code::NotAJob => None,
        code => Some(code.hint(Catalogue::english())),
    }
}

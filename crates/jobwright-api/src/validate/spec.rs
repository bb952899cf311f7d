//! The numbers of a specification, and the rules of its completion mode.
//!
//! Invariant: each function is one block of the API server's order (section 3.2).

use super::error::print;
use super::{ErrorKind, FieldError, policies};
use crate::at::At;
use crate::syntax;

/// An Indexed Job may run this many pods at the same time.
const PARALLELISM_MAX: i64 = 100_000;
/// An Indexed Job may have this many failed indexes.
const FAILED_INDEXES_MAX: i64 = 100_000;
/// Above this many completions, per-index Jobs have tighter limits.
pub(super) const COMPLETIONS_SOFT_MAX: i64 = 100_000;
/// The tighter limit of `parallelism` and `maxFailedIndexes`.
pub(super) const HIGH_COMPLETIONS_MAX: i64 = 10_000;
/// `managedBy` may have this many bytes.
const MANAGED_BY_MAX: usize = 63;

/// The blocks before the pod template (VAL-14 to VAL-28), the two policies, and the replacement policy (VAL-71, VAL-72).
pub(super) fn check(spec: &At<'_>, errors: &mut Vec<FieldError>) {
    not_negative(spec, errors);
    let (per_index, max_failed) = (spec.get("backoffLimitPerIndex"), spec.get("maxFailedIndexes"));
    if max_failed.is_set() && !per_index.is_set() {
        errors.push(required(&per_index, "when maxFailedIndexes is specified"));
    }
    managed_by(&spec.get("managedBy"), errors);
    let mode = spec.get("completionMode");
    match mode.str() {
        Some("Indexed") => indexed(spec, errors),
        None | Some("NonIndexed") => {
            for field in [&per_index, &max_failed] {
                if field.is_set() {
                    errors.push(invalid(field, "requires indexed completion mode"));
                }
            }
        }
        Some(_) => errors.push(not_supported(&mode, &["NonIndexed", "Indexed"])),
    }
    policies::failure(spec, errors);
    policies::success(spec, errors);
    replacement(spec, errors);
}

/// VAL-14
fn not_negative(spec: &At<'_>, errors: &mut Vec<FieldError>) {
    for name in [
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
    ] {
        let field = spec.get(name);
        if field.int().is_some_and(|number| number < 0) {
            errors.push(invalid(&field, "must be greater than or equal to 0"));
        }
    }
}

/// VAL-16 to VAL-18
fn managed_by(field: &At<'_>, errors: &mut Vec<FieldError>) {
    let Some(text) = field.str() else { return };
    if text.is_empty() {
        errors.push(required(field, ""));
        return;
    }
    match text.split_once('/').filter(|(domain, path)| !domain.is_empty() && !path.is_empty()) {
        None => errors.push(invalid(field, "must be a domain-prefixed path (such as \"acme.io/foo\")")),
        Some((domain, path)) => {
            let printed = domain.into();
            let messages = syntax::dns_subdomain(domain);
            errors.extend(messages.into_iter().map(|m| FieldError::invalid(field.path(), Some(&printed), m)));
            if let Some(message) = syntax::http_path(path) {
                errors.push(FieldError::invalid(field.path(), Some(&path.into()), message));
            }
        }
    }
    if text.len() > MANAGED_BY_MAX {
        errors.push(FieldError {
            kind: ErrorKind::TooLong,
            field: field.path(),
            value: None,
            detail: format!("may not be more than {MANAGED_BY_MAX} bytes"),
        });
    }
}

/// VAL-20 to VAL-26
fn indexed(spec: &At<'_>, errors: &mut Vec<FieldError>) {
    let (completions, parallelism) = (spec.get("completions"), spec.get("parallelism"));
    let max_failed = spec.get("maxFailedIndexes");
    let above = |field: &At<'_>, max: i64| field.int().is_some_and(|number| number > max);
    if !completions.is_set() {
        errors.push(required(&completions, "when completion mode is Indexed"));
    }
    if above(&parallelism, PARALLELISM_MAX) {
        let message = format!("must be less than or equal to {PARALLELISM_MAX} when completion mode is Indexed");
        errors.push(invalid(&parallelism, message));
    }
    if completions.int().is_some_and(|completions| above(&max_failed, completions)) {
        errors.push(invalid(&max_failed, "must be less than or equal to completions"));
    }
    if above(&max_failed, FAILED_INDEXES_MAX) {
        errors.push(invalid(&max_failed, format!("must be less than or equal to {FAILED_INDEXES_MAX}")));
    }
    if !above(&completions, COMPLETIONS_SOFT_MAX) || !spec.get("backoffLimitPerIndex").is_set() {
        return;
    }
    if !max_failed.is_set() {
        let message = format!("must be specified when completions is above {COMPLETIONS_SOFT_MAX}");
        errors.push(required(&max_failed, &message));
    }
    for field in [&parallelism, &max_failed] {
        if above(field, HIGH_COMPLETIONS_MAX) {
            let message = format!(
                "must be less than or equal to {HIGH_COMPLETIONS_MAX} when completions are above \
                 {COMPLETIONS_SOFT_MAX} and used with backoff limit per index"
            );
            errors.push(invalid(field, message));
        }
    }
}

/// VAL-71, VAL-72
fn replacement(spec: &At<'_>, errors: &mut Vec<FieldError>) {
    let policy = spec.get("podReplacementPolicy");
    let supported: &[&str] =
        if spec.get("podFailurePolicy").is_set() { &["Failed"] } else { &["Failed", "TerminatingOrFailed"] };
    if policy.str().is_some_and(|text| !supported.contains(&text)) {
        errors.push(not_supported(&policy, supported));
    }
}

pub(super) fn invalid(field: &At<'_>, detail: impl Into<String>) -> FieldError {
    FieldError::invalid(field.path(), field.value(), detail)
}

pub(super) fn required(field: &At<'_>, detail: &str) -> FieldError {
    FieldError { kind: ErrorKind::Required, field: field.path(), value: None, detail: detail.to_owned() }
}

/// A value that is none of the supported ones (VAL-3).
pub(super) fn not_supported(field: &At<'_>, supported: &[&str]) -> FieldError {
    let quoted: Vec<String> = supported.iter().map(|value| format!("\"{value}\"")).collect();
    FieldError {
        kind: ErrorKind::NotSupported,
        field: field.path(),
        value: field.value().map(print),
        detail: format!("supported values: {}", quoted.join(", ")),
    }
}

//! The pod failure policy and the success policy (VAL-40 to VAL-69).
//!
//! Invariant: rules are checked in their order, and each rule's parts in the API server's order. A Job
//! without `completions` counts as one of 0 here (VAL-70).

use super::spec::{invalid, not_supported, required};
use super::{ErrorKind, FieldError};
use crate::at::At;
use crate::index_text;
use crate::syntax;

/// Rules of a policy, and patterns of a rule.
const RULES_MAX: usize = 20;
/// Exit codes of a rule.
const VALUES_MAX: usize = 255;
/// Bytes of `succeededIndexes`.
const INDEXES_MAX: usize = 65_536;

const ACTIONS: [&str; 4] = ["Count", "FailIndex", "FailJob", "Ignore"];
const OPERATORS: [&str; 2] = ["In", "NotIn"];
const STATUSES: [&str; 3] = ["False", "True", "Unknown"];

/// VAL-40 to VAL-57
pub(super) fn failure(spec: &At<'_>, errors: &mut Vec<FieldError>) {
    let policy = spec.get("podFailurePolicy");
    let rules = policy.get("rules");
    at_most(&rules, RULES_MAX, errors);
    for rule in rules.items() {
        action(&rule.get("action"), spec, errors);
        let (codes, conditions) = (rule.get("onExitCodes"), rule.get("onPodConditions"));
        if codes.is_set() {
            exit_codes(&codes, spec, errors);
        }
        at_most(&conditions, RULES_MAX, errors);
        for pattern in conditions.items() {
            let kind = pattern.get("type");
            let messages = syntax::qualified_name(kind.str().unwrap_or_default());
            errors.extend(messages.into_iter().map(|m| FieldError::invalid(kind.path(), Some(&text(&kind)), m)));
            one_of(&pattern.get("status"), &STATUSES, errors);
        }
        let what = match (codes.is_set(), conditions.items().len() > 0) {
            (true, true) => "both OnExitCodes and OnPodConditions is not supported",
            (false, false) => "one of OnExitCodes and OnPodConditions is required",
            _ => continue,
        };
        let detail = format!("specifying {what}");
        errors.push(FieldError { kind: ErrorKind::Invalid, field: rule.path(), value: None, detail });
    }
}

/// VAL-41 to VAL-43
fn action(action: &At<'_>, spec: &At<'_>, errors: &mut Vec<FieldError>) {
    if action.str() == Some("FailIndex") && !spec.get("backoffLimitPerIndex").is_set() {
        errors.push(invalid(action, "requires the backoffLimitPerIndex to be set"));
    } else {
        one_of(action, &ACTIONS, errors);
    }
}

/// VAL-44 to VAL-51
fn exit_codes(codes: &At<'_>, spec: &At<'_>, errors: &mut Vec<FieldError>) {
    let operator = codes.get("operator");
    one_of(&operator, &OPERATORS, errors);
    let container = codes.get("containerName");
    if container.str().is_some_and(|name| !has_container(spec, name)) {
        let message = "must be one of the container or initContainer names in the pod template";
        errors.push(invalid(&container, message));
    }
    let values = codes.get("values");
    if values.items().len() == 0 {
        errors.push(invalid(&values, "at least one value is required"));
    }
    at_most(&values, VALUES_MAX, errors);
    let mut seen: Vec<i64> = Vec::new();
    let mut ordered = true;
    for value in values.items() {
        let code = value.int().unwrap_or_default();
        if operator.str() == Some("In") && code == 0 {
            errors.push(invalid(&value, "must not be 0 for the In operator"));
        }
        if seen.contains(&code) {
            let printed = value.value().map(super::error::print);
            errors.push(FieldError {
                kind: ErrorKind::Duplicate,
                field: value.path(),
                value: printed,
                detail: String::new(),
            });
        }
        ordered &= seen.last().is_none_or(|before| *before <= code);
        seen.push(code);
    }
    if !ordered {
        errors.push(invalid(&values, "must be ordered"));
    }
}

fn has_container(spec: &At<'_>, name: &str) -> bool {
    let template = spec.get("template");
    let pod = template.get("spec");
    let lists = [pod.get("containers"), pod.get("initContainers")];
    lists.iter().any(|list| list.items().any(|container| container.get("name").str() == Some(name)))
}

/// VAL-60 to VAL-68
pub(super) fn success(spec: &At<'_>, errors: &mut Vec<FieldError>) {
    let policy = spec.get("successPolicy");
    if !policy.is_set() {
        return;
    }
    if spec.get("completionMode").str() != Some("Indexed") {
        errors.push(invalid(&policy, "requires indexed completion mode"));
        return;
    }
    let rules = policy.get("rules");
    if rules.items().len() == 0 {
        let message = "at least one rules must be specified when the successPolicy is specified";
        errors.push(required(&rules, message));
    }
    at_most(&rules, RULES_MAX, errors);
    let completions = spec.get("completions").int().unwrap_or_default();
    for rule in rules.items() {
        success_rule(&rule, completions, errors);
    }
}

/// VAL-63 to VAL-68
fn success_rule(rule: &At<'_>, completions: i64, errors: &mut Vec<FieldError>) {
    let (indexes, count) = (rule.get("succeededIndexes"), rule.get("succeededCount"));
    if !indexes.is_set() && !count.is_set() {
        errors.push(required(rule, "at least one of succeededCount or succeededIndexes must be specified"));
    }
    let mut listed = 0;
    if let Some(text) = indexes.str() {
        if text.len() > INDEXES_MAX {
            let detail = format!("may not be more than {INDEXES_MAX} bytes");
            errors.push(FieldError { kind: ErrorKind::TooLong, field: indexes.path(), value: None, detail });
        }
        match index_text::parse_strict(text, completions) {
            Ok(runs) => listed = index_text::total(&runs),
            Err(error) => errors.push(invalid(&indexes, format!("error parsing succeededIndexes: {error}"))),
        }
    }
    let Some(number) = count.int() else { return };
    if number < 0 {
        errors.push(invalid(&count, "must be greater than or equal to 0"));
    }
    let limits = [(completions, "specified completions"), (listed, "indexes in the specified succeededIndexes field")];
    for (most, of) in limits.into_iter().take(if indexes.is_set() { 2 } else { 1 }) {
        if number > most {
            errors.push(invalid(&count, format!("must be less than or equal to {most} (the number of {of})")));
        }
    }
}

/// One of the known values: Required if it is empty or absent, NotSupported if it is another.
fn one_of(field: &At<'_>, known: &[&str], errors: &mut Vec<FieldError>) {
    match field.str() {
        Some(text) if known.contains(&text) => {}
        None | Some("") => {
            let quoted: Vec<String> = known.iter().map(|value| format!("\"{value}\"")).collect();
            errors.push(required(field, &format!("valid values: [{}]", quoted.join(" "))));
        }
        Some(_) => errors.push(not_supported(field, known)),
    }
}

fn at_most(list: &At<'_>, most: usize, errors: &mut Vec<FieldError>) {
    let len = list.items().len();
    if len > most {
        let detail = format!("must have at most {most} items");
        errors.push(FieldError { kind: ErrorKind::TooMany, field: list.path(), value: Some(len.to_string()), detail });
    }
}

/// The text of a field, an absent one as an empty text.
fn text(field: &At<'_>) -> serde_json::Value {
    field.str().unwrap_or_default().into()
}

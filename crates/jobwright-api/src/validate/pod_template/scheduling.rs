//! Where pods may run: affinity, tolerations, spreading, gates.
//!
//! Invariant: only labels that the pod requires are judged by their values; preferred ones may be wrong.

use super::forms::{Form, messages};
use super::walk::{Check, Checker, Rows, text};
use crate::at::At;
use crate::places::Places;
use crate::validate::{ErrorKind, metadata};

pub(super) const REQUIRED_TERMS: &str = "requiredDuringSchedulingIgnoredDuringExecution";
pub(super) const PREFERRED_TERMS: &str = "preferredDuringSchedulingIgnoredDuringExecution";
const WEIGHT: Check = Check::Number(1, 100, "must be in the range 1-100");
const NO_OPERATOR: &str = "not a valid selector operator";
const POSITIVE: &str = "must be greater than zero";

pub(super) const AFFINITY: Rows = &[
    ("nodeAffinity", Check::Object(NODE_AFFINITY)),
    ("podAffinity", Check::Object(POD_AFFINITY)),
    ("podAntiAffinity", Check::Object(POD_AFFINITY)),
];
const NODE_AFFINITY: Rows = &[
    (
        REQUIRED_TERMS,
        Check::Object(&[
            ("nodeSelectorTerms", Check::Required("must have at least one node selector term")),
            ("nodeSelectorTerms", Check::Each(&term(&[("", Check::By(requirement)), ("values", LABEL_VALUES)]))),
        ]),
    ),
    (
        PREFERRED_TERMS,
        Check::Each(&[WEIGHT_ROW, ("preference", Check::Object(&term(&[("", Check::By(requirement))])))]),
    ),
];
const WEIGHT_ROW: (&str, Check) = ("weight", WEIGHT);
const LABEL_VALUES: Check = Check::Each(&[("", Check::Form(Form::LabelValue))]);
const POD_AFFINITY: Rows = &[
    (REQUIRED_TERMS, Check::Each(POD_TERM)),
    (
        PREFERRED_TERMS,
        Check::Each(&[WEIGHT_ROW, ("podAffinityTerm", Check::By(|checker, at| checker.walk(at, POD_TERM)))]),
    ),
];
const POD_TERM: Rows = &[
    ("labelSelector", Check::By(label_selector)),
    ("namespaceSelector", Check::By(label_selector)),
    ("", Check::By(namespaces)),
    ("", Check::By(label_keys)),
    ("topologyKey", Check::Required("can not be empty")),
    ("topologyKey", Check::Always(Form::Qualified)),
];

const fn term(of: Rows) -> [(&'static str, Check); 2] {
    [("matchExpressions", Check::Each(of)), ("matchFields", Check::Each(&[("", Check::By(field_requirement))]))]
}

const SPREAD: Rows = &[
    ("maxSkew", Check::Number(1, i64::MAX, POSITIVE)),
    ("topologyKey", Check::Required("can not be empty")),
    ("whenUnsatisfiable", Check::MustBe(&["DoNotSchedule", "ScheduleAnyway"])),
];
const SPREAD_MORE: Rows = &[
    ("minDomains", Check::Int(1, i64::MAX, POSITIVE)),
    ("", Check::By(min_domains)),
    ("nodeAffinityPolicy", Check::OneOf(&["Honor", "Ignore"])),
    ("nodeTaintsPolicy", Check::OneOf(&["Honor", "Ignore"])),
    ("", Check::By(label_keys)),
    ("labelSelector", Check::By(label_selector)),
];

/// Operator, key and number of values of a requirement; the values themselves are judged by rows.
fn requirement(checker: &mut Checker<'_>, at: &At<'_>) {
    let (operator, values) = (at.get("operator"), at.get("values"));
    let count = values.items().len();
    match (text(&operator), count) {
        ("In" | "NotIn", 0) => checker.required(&values, "must be specified when `operator` is 'In' or 'NotIn'"),
        ("Exists" | "DoesNotExist", 1..) => {
            checker.forbidden(&values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
        ("Gt" | "Lt", 0 | 2..) => {
            checker.required(&values, "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
        ("In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt", _) => {}
        _ => checker.invalid(&operator, NO_OPERATOR),
    }
    checker.walk(at, &[("key", Check::Always(Form::Qualified))]);
}

fn field_requirement(checker: &mut Checker<'_>, at: &At<'_>) {
    let (operator, key, values) = (at.get("operator"), at.get("key"), at.get("values"));
    if !matches!(text(&operator), "In" | "NotIn") {
        checker.invalid(&operator, NO_OPERATOR);
    } else if values.items().len() != 1 {
        let detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
        checker.required(&values, detail);
    }
    if text(&key) == "metadata.name" {
        checker.walk(at, &[("values", Check::Each(&[("", Check::Always(Form::Subdomain))]))]);
    } else {
        checker.invalid(&key, "not a valid field selector key");
    }
}

/// A selector of labels; one that is not there is right.
pub(super) fn label_selector(checker: &mut Checker<'_>, at: &At<'_>) {
    let labels = at.get("matchLabels");
    metadata::labels(&labels, &labels.path(), checker.errors);
    for expression in at.get("matchExpressions").items() {
        if matches!(expression.get("operator").str(), Some("Gt" | "Lt")) {
            checker.invalid(&expression.get("operator"), NO_OPERATOR);
            checker.walk(&expression, &[("key", Check::Always(Form::Qualified))]);
        } else {
            requirement(checker, &expression);
        }
        checker.walk(&expression, &[("values", LABEL_VALUES)]);
    }
}

/// Reported without an index.
fn namespaces(checker: &mut Checker<'_>, at: &At<'_>) {
    for name in at.get("namespaces").items() {
        checker.form(&at.get("namespace"), Form::Label, text(&name));
    }
}

/// Labels whose values come from the pod.
fn label_keys(checker: &mut Checker<'_>, at: &At<'_>) {
    let (keys, others, selector) = (at.get("matchLabelKeys"), at.get("mismatchLabelKeys"), at.get("labelSelector"));
    for list in [&keys, &others] {
        if list.items().len() > 0 && !selector.is_set() {
            checker.forbidden(list, "must not be specified when labelSelector is not set");
        } else {
            list.items().for_each(|key| checker.form(&key, Form::Qualified, text(&key)));
        }
    }
    let mut selected = Places::default();
    for (key, _) in selector.get("matchLabels").members() {
        selected.is_new(key);
    }
    let mut positions = Places::default();
    for (position, key) in keys.items().enumerate() {
        positions.first(text(&key), position);
    }
    for expression in selector.get("matchExpressions").items() {
        let key = expression.get("key");
        let is_new = selected.is_new(text(&key));
        if let Some(position) = positions.get(text(&key)).filter(|_| !is_new) {
            let detail = "exists in both matchLabelKeys and labelSelector";
            checker.invalid_text(&at.item(position), text(&key), detail);
        }
    }
    let mut mismatched = Places::default();
    others.items().for_each(|key| _ = mismatched.is_new(text(&key)));
    for key in keys.items().filter(|key| mismatched.get(text(key)).is_some()) {
        checker.invalid(&key, "exists in both matchLabelKeys and mismatchLabelKeys");
    }
}

/// How pods are spread: one rule for each pair of key and action.
pub(super) fn spread(checker: &mut Checker<'_>, list: &At<'_>) {
    let pair =
        |at: &At<'_>| ["{", text(&at.get("topologyKey")), ", ", text(&at.get("whenUnsatisfiable")), "}"].concat();
    // A constraint is refused if the same stands after it.
    let mut last = Places::default();
    let mut repeated: Vec<bool> =
        list.items().collect::<Vec<_>>().iter().rev().map(|at| !last.is_new(&pair(at))).collect();
    for constraint in list.items() {
        checker.walk(&constraint, SPREAD);
        if repeated.pop() == Some(true) {
            checker.duplicate(&constraint.get("{topologyKey, whenUnsatisfiable}"), &pair(&constraint));
        }
        checker.walk(&constraint, SPREAD_MORE);
    }
}

fn min_domains(checker: &mut Checker<'_>, at: &At<'_>) {
    let (domains, action) = (at.get("minDomains"), at.get("whenUnsatisfiable"));
    if domains.is_set() && text(&action) != "DoNotSchedule" {
        let detail = ["can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ", text(&action)].concat();
        checker.invalid(&domains, &detail);
    }
}

/// Gates hold a pod back; the errors of a name are reported at its gate.
pub(super) fn gates(checker: &mut Checker<'_>, list: &At<'_>) {
    let mut seen = Places::default();
    for gate in list.items() {
        let name = gate.get("name");
        checker.form(&gate, Form::Qualified, text(&name));
        if !seen.is_new(text(&name)) {
            checker.duplicate(&gate, text(&name));
        }
    }
}

/// Which taints a pod bears.
pub(super) fn tolerations(checker: &mut Checker<'_>, list: &At<'_>) {
    for at in list.items() {
        checker.walk(&at, &[("key", Check::Form(Form::Qualified))]);
        let (operator, effect, value) = (at.get("operator"), at.get("effect"), at.get("value"));
        if text(&at.get("key")).is_empty() && text(&operator) != "Exists" {
            let detail = "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
            checker.invalid(&operator, detail);
        }
        if at.get("tolerationSeconds").is_set() && text(&effect) != "NoExecute" {
            checker.invalid(&effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        match text(&operator) {
            "" | "Equal" => {
                let wrong = messages(Form::LabelValue, text(&value)).join(";");
                if !wrong.is_empty() {
                    checker.invalid_text(&operator, text(&value), &wrong);
                }
            }
            "Exists" if text(&value).is_empty() => {}
            "Exists" => {
                let detail = "value must be empty when `operator` is 'Exists'";
                checker.invalid_text(&operator, text(&value), detail);
            }
            other => {
                // The gate of the comparing operators is off.
                let known = &["Equal", "Exists", "Lt", "Gt"][..if matches!(other, "Lt" | "Gt") { 4 } else { 2 }];
                checker.not_supported(&operator, other, known);
            }
        }
        checker.walk(&at, &[("effect", Check::Known(&["NoSchedule", "PreferNoSchedule", "NoExecute"]))]);
    }
}

/// Claims on devices: each has a name of its own and one source.
pub(super) fn claims(checker: &mut Checker<'_>, list: &At<'_>) {
    let mut seen = Places::default();
    for claim in list.items() {
        let name = claim.get("name");
        if text(&name).is_empty() {
            checker.required(&name, "");
        } else if seen.is_new(text(&name)) {
            checker.form(&name, Form::Label, text(&name));
        } else {
            checker.duplicate(&name, text(&name));
        }
        let detail = match (claim.get("resourceClaimName").is_set(), claim.get("resourceClaimTemplateName").is_set()) {
            (true, true) => "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
            (false, false) => "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`",
            _ => "",
        };
        if !detail.is_empty() {
            checker.add(ErrorKind::Invalid, &claim, Some("{...}".to_owned()), detail);
        }
        for field in ["resourceClaimName", "resourceClaimTemplateName"] {
            let of = claim.get(field);
            if let Some(of_name) = of.str() {
                checker.form(&of, Form::Subdomain, of_name);
            }
        }
    }
}

//! Lints about the rules of a pod failure policy.
//!
//! Invariant: a rule is called idle only if the rules alone prove it, whatever pods do.

use crate::at::At;

use super::facts::{Facts, Hit};

/// All of them.
pub(super) fn check(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    let spec = facts.spec();
    let policy = spec.get("podFailurePolicy");
    let rules = policy.get("rules");
    let last = rules.items().len().saturating_sub(1);
    for (number, rule) in rules.items().enumerate() {
        let at = i64::try_from(number).unwrap_or_default();
        let field = ["spec.", &rule.path()].concat();
        let earlier = rules.items().take(number).position(|earlier| covers(&earlier, &rule));
        if let Some(earlier) = earlier {
            let numbers = [("rule", at), ("earlier", i64::try_from(earlier).unwrap_or_default())];
            hits.push(Hit::new("rule-never-matches", &field, &numbers));
            continue;
        }
        let action = rule.get("action");
        if number == last && action.str() == Some("Count") {
            hits.push(Hit::new("rule-without-effect", &field, &[("rule", at)]));
        }
        if action.str() == Some("Ignore") && rule.get("onExitCodes").is_set() && facts.deadline.is_none() {
            hits.push(Hit::new("ignored-without-end", &field, &[("rule", at)]));
        }
    }
}

/// Whether a rule matches every pod that another one matches (PFP-3, PFP-4).
fn covers(one: &At<'_>, other: &At<'_>) -> bool {
    let (codes, theirs) = (one.get("onExitCodes"), other.get("onExitCodes"));
    if codes.is_set() || theirs.is_set() {
        return codes.is_set() && theirs.is_set() && codes_cover(&codes, &theirs);
    }
    let patterns = one.get("onPodConditions");
    let has = |kind: Option<&str>, status: Option<&str>| {
        patterns.items().any(|p| p.get("type").str() == kind && p.get("status").str() == status)
    };
    let wanted = other.get("onPodConditions");
    wanted.items().len() > 0 && wanted.items().all(|p| has(p.get("type").str(), p.get("status").str()))
}

/// A container with a code that the other rule wants is wanted here too; 0 never matches.
fn codes_cover(one: &At<'_>, other: &At<'_>) -> bool {
    let container = one.get("containerName");
    if container.is_set() && container.str() != other.get("containerName").str() {
        return false;
    }
    let is_in = |codes: &At<'_>| codes.get("operator").str() == Some("In");
    let has = |codes: &At<'_>, code: i64| codes.get("values").items().any(|value| value.int() == Some(code));
    let all =
        |codes: &At<'_>, test: &dyn Fn(i64) -> bool| codes.get("values").items().filter_map(|v| v.int()).all(test);
    match (is_in(one), is_in(other)) {
        (true, true) => all(other, &|code| has(one, code)),
        (false, true) => all(other, &|code| !has(one, code)),
        // Everything but a few codes is within everything but fewer ones.
        (false, false) => all(one, &|code| code == 0 || has(other, code)),
        (true, false) => false,
    }
}

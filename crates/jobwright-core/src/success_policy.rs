//! When some successes are enough (section 12, KEP-3998).
//!
//! Invariant: rules are tried in order and the first that is met decides (SUC-3); without any succeeded
//! index none is met (SUC-2).

use crate::index_set::IndexSet;
use crate::spec::SuccessPolicy;

/// The position of the first rule that is met, from 0.
pub(crate) fn met(policy: &SuccessPolicy, succeeded: &IndexSet, completions: u32) -> Option<usize> {
    if succeeded.is_empty() {
        return None;
    }
    policy.rules.iter().position(|(indexes, count)| rule_is_met(indexes.as_deref(), *count, succeeded, completions))
}

/// SUC-4, SUC-5.
fn rule_is_met(indexes: Option<&str>, count: Option<i32>, succeeded: &IndexSet, completions: u32) -> bool {
    let enough = |have: u64| count.is_some_and(|count| i128::from(have) >= i128::from(count));
    let Some(text) = indexes else { return enough(succeeded.len()) };
    let listed = IndexSet::parse_lenient(text, completions);
    if listed.is_empty() {
        return false;
    }
    let have = listed.common(succeeded);
    have == listed.len() || enough(have)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn rules_are_met_by_indexes_or_by_count_suc_2_to_5() {
        let rule = |indexes: Option<&str>, count| SuccessPolicy { rules: vec![(indexes.map(Into::into), count)] };
        for (policy, succeeded, met_at) in [
            (rule(Some("0,2-3"), None), "0,2,3", Some(0)),
            (rule(Some("0,2-3"), None), "0,2", None),
            (rule(Some("0,2-3"), Some(1)), "3", Some(0)),
            (rule(Some("0,2-3"), Some(1)), "1,4", None),
            (rule(None, Some(2)), "1,4", Some(0)),
            (rule(None, Some(0)), "", None),
            (rule(Some(""), Some(1)), "1", None),
            (rule(Some("20-30"), Some(0)), "1", None),
        ] {
            assert_eq!(met(&policy, &IndexSet::parse_lenient(succeeded, 10), 10), met_at, "{policy:?} {succeeded}");
        }
        let two = SuccessPolicy { rules: vec![(Some("9".into()), None), (None, Some(1))] };
        assert_eq!(met(&two, &IndexSet::parse_lenient("4", 10), 10), Some(1));
    }
}

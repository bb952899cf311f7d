//! What the way in which a pod failed means for its Job (section 11, KEP-3329).
//!
//! Invariant: rules are tried in order and the first that matches decides (PFP-2); a verdict depends on
//! the policy and the pod alone, and the policy of a Job never changes (UPD-25), so a verdict is made
//! once for each version of a pod.

use alloc::string::String;
use alloc::vec::Vec;

use crate::ids::{JobKey, Text, text};
use crate::pod::PodView;
use crate::spec::{ExitCodes, FailureAction, PodFailurePolicy, PodFailureRule};

/// The part of a pod that rules look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// Containers that have ended with another code than 0: regular ones, then init containers (PFP-4).
    exits: Vec<(String, i32)>,
    /// Conditions in pod order: type and status.
    conditions: Vec<(Text, &'static str)>,
}

impl Evidence {
    /// What a pod shows.
    pub(crate) fn of(pod: &PodView) -> Self {
        let containers = pod.containers.iter().chain(&pod.init_containers);
        let exit = |c: &crate::pod::ContainerStatus| Some((c.name.clone(), c.terminated?.exit_code));
        Self {
            exits: containers.filter_map(exit).filter(|(_, code)| *code != 0).collect(),
            conditions: pod.conditions.iter().map(|c| (c.kind.clone(), c.status.as_str())).collect(),
        }
    }

    /// Whether no rule can match.
    pub(crate) const fn is_empty(&self) -> bool {
        self.exits.is_empty() && self.conditions.is_empty()
    }
}

/// The rule that decided, and on what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) action: FailureAction,
    /// Position of the rule, from 0.
    pub(crate) rule: usize,
    cause: Cause,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    Exit(String, i32),
    Condition(Text),
}

impl Match {
    /// Whether the failure counts (PFP-12).
    pub(crate) fn counts(&self) -> bool {
        self.action != FailureAction::Ignore
    }

    /// The message of a Job that fails because of this pod (PFP-10).
    pub(crate) fn message(&self, job: &JobKey, pod: &str) -> Text {
        let (namespace, rule) = (&job.namespace, self.rule);
        match &self.cause {
            Cause::Exit(container, code) => text(format_args!(
                "Container {container} for pod {namespace}/{pod} failed with exit code {code} matching FailJob rule at index {rule}"
            )),
            Cause::Condition(kind) => {
                text(format_args!("Pod {namespace}/{pod} has condition {kind} matching FailJob rule at index {rule}"))
            }
        }
    }
}

/// The first rule that matches; a rule with an unknown action matches nothing (PFP-7).
pub(crate) fn judge(policy: &PodFailurePolicy, evidence: &Evidence) -> Option<Match> {
    policy.rules.iter().enumerate().find_map(|(rule, r)| {
        let cause = cause(r, evidence)?;
        Some(Match { action: r.action?, rule, cause })
    })
}

/// Exit codes, or else conditions (PFP-3).
fn cause(rule: &PodFailureRule, evidence: &Evidence) -> Option<Cause> {
    if let Some(codes) = &rule.on_exit_codes {
        let hit = evidence.exits.iter().find(|(name, code)| exit_matches(codes, name, *code));
        return hit.map(|(name, code)| Cause::Exit(name.clone(), *code));
    }
    let pattern = |kind: &str, status: &str| rule.on_pod_conditions.iter().any(|(k, s)| k == kind && s == status);
    let hit = evidence.conditions.iter().find(|(kind, status)| pattern(kind, status));
    hit.map(|(kind, _)| Cause::Condition(kind.clone()))
}

/// PFP-4; an unknown operator never matches.
fn exit_matches(codes: &ExitCodes, container: &str, code: i32) -> bool {
    codes.container_name.as_ref().is_none_or(|name| name == container)
        && codes.is_in.is_some_and(|is_in| codes.values.contains(&code) == is_in)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn exit_codes(action: FailureAction, container: Option<&str>, is_in: bool, values: &[i32]) -> PodFailureRule {
        let codes = ExitCodes { container_name: container.map(Into::into), is_in: Some(is_in), values: values.into() };
        PodFailureRule { action: Some(action), on_exit_codes: Some(codes), on_pod_conditions: Vec::new() }
    }

    fn condition(action: FailureAction, kind: &str) -> PodFailureRule {
        let on_pod_conditions = vec![(kind.into(), "True".into())];
        PodFailureRule { action: Some(action), on_exit_codes: None, on_pod_conditions }
    }

    fn failed(exits: &[(&str, i32)], conditions: &[&'static str]) -> Evidence {
        Evidence {
            exits: exits.iter().map(|(name, code)| ((*name).into(), *code)).collect(),
            conditions: conditions.iter().map(|kind| ((*kind).into(), "True")).collect(),
        }
    }

    #[test]
    fn the_first_rule_that_matches_decides_pfp_2_to_7() {
        use FailureAction::{Count, FailJob, Ignore};
        let unknown = PodFailureRule { action: None, ..condition(Count, "DisruptionTarget") };
        let policy = PodFailurePolicy {
            rules: vec![
                unknown,
                condition(Ignore, "DisruptionTarget"),
                exit_codes(FailJob, Some("main"), true, &[42]),
                exit_codes(Count, None, false, &[0, 7]),
            ],
        };
        for (evidence, decided) in [
            (failed(&[("main", 42)], &["DisruptionTarget"]), Some((1, Ignore))),
            (failed(&[("main", 42)], &["Ready"]), Some((2, FailJob))),
            (failed(&[("side", 42)], &[]), Some((3, Count))),
            (failed(&[("main", 7)], &[]), None),
            (failed(&[], &[]), None),
        ] {
            assert_eq!(judge(&policy, &evidence).map(|m| (m.rule, m.action)), decided, "{evidence:?}");
        }
    }

    #[test]
    fn messages_name_what_matched_pfp_10() {
        let policy = PodFailurePolicy {
            rules: vec![
                exit_codes(FailureAction::FailJob, None, true, &[3]),
                condition(FailureAction::FailJob, "Lost"),
            ],
        };
        let job = JobKey::new("default", "job");
        let message = |evidence| judge(&policy, &evidence).map(|m| m.message(&job, "job-x")).unwrap();
        assert_eq!(
            message(failed(&[("main", 3)], &[])),
            "Container main for pod default/job-x failed with exit code 3 matching FailJob rule at index 0"
        );
        assert_eq!(
            message(failed(&[], &["Lost"])),
            "Pod default/job-x has condition Lost matching FailJob rule at index 1"
        );
    }
}

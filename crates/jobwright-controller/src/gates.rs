//! Feature gates and emulated versions, by Kubernetes' names.
//!
//! Invariant: a gate that is not known here is no error, because the same flags are given to other components;
//! it is told of.

use std::collections::BTreeMap;

use jobwright_core::Gates;

/// The version whose behaviour this is.
pub const SEMANTICS: &str = "1.37";
/// The oldest version that can be emulated: gates that came later are off then.
const OLDEST: u32 = 31;
const NEWEST: u32 = 37;

/// A flag that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// No `NAME=true` or `NAME=false`.
    #[error("feature gate {0:?}: give NAME=true or NAME=false, with commas between them")]
    Gate(String),
    /// No version, or one that is not known.
    #[error("emulated version {0:?}: give 1.{OLDEST} to {SEMANTICS}")]
    Version(String),
}

/// Reads `A=true,B=false`.
///
/// # Errors
/// A part is no such pair.
pub fn parse(text: &str) -> Result<BTreeMap<String, bool>, GateError> {
    let mut gates = BTreeMap::new();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let wrong = || GateError::Gate(pair.to_owned());
        let (name, value) = pair.split_once('=').ok_or_else(wrong)?;
        let value = value.trim().to_ascii_lowercase();
        let value = match &*value {
            "true" | "1" | "t" => true,
            "false" | "0" | "f" => false,
            _ => return Err(wrong()),
        };
        gates.insert(name.trim().to_owned(), value);
    }
    Ok(gates)
}

/// The gates of a version, with those that were set. The second part: what is not known.
///
/// # Errors
/// The version is none of those that can be emulated.
pub fn resolve(version: Option<&str>, set: &BTreeMap<String, bool>) -> Result<(Gates, Vec<String>), GateError> {
    let mut gates = version.map_or(Ok(Gates::default()), of_version)?;
    let mut unknown = Vec::new();
    for (name, value) in set {
        let gate = match &**name {
            "MutableSchedulingDirectivesForSuspendedJobs" => &mut gates.mutable_scheduling_directives,
            "MutablePodResourcesForSuspendedJobs" => &mut gates.mutable_pod_resources,
            "JobManagedBy" => &mut gates.managed_by,
            "StaleControllerConsistencyJob" => &mut gates.stale_controller_consistency,
            _ => {
                unknown.push(name.clone());
                continue;
            }
        };
        *gate = *value;
    }
    Ok((gates, unknown))
}

/// `1.36` or `v1.36.2` (GATE-1 to GATE-4).
fn of_version(text: &str) -> Result<Gates, GateError> {
    let minor = text.trim_start_matches('v').strip_prefix("1.").and_then(|rest| rest.split('.').next()?.parse().ok());
    let minor: u32 =
        minor.filter(|minor| (OLDEST..=NEWEST).contains(minor)).ok_or_else(|| GateError::Version(text.to_owned()))?;
    Ok(Gates {
        mutable_scheduling_directives: minor >= 36,
        mutable_pod_resources: minor >= 36,
        stale_controller_consistency: minor >= 36,
        managed_by: minor >= 32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_read_as_kubernetes_reads_them() {
        let set = parse("StaleControllerConsistencyJob=false, JobManagedBy=false, GenericWorkload=true,").unwrap();
        let (gates, unknown) = resolve(None, &set).unwrap();
        assert_eq!(
            (gates.stale_controller_consistency, gates.mutable_pod_resources, gates.managed_by),
            (false, true, false)
        );
        assert_eq!(unknown, ["GenericWorkload"]);
        assert_eq!(parse("A"), Err(GateError::Gate("A".into())));
        assert_eq!(parse("A=maybe"), Err(GateError::Gate("A=maybe".into())));
    }

    #[test]
    fn an_older_version_has_fewer_gates_on() {
        let of = |version| resolve(Some(version), &BTreeMap::new()).map(|(gates, _)| gates);
        assert_eq!(of("v1.37.2"), Ok(Gates::default()));
        assert!(!of("1.34").unwrap().stale_controller_consistency);
        assert_eq!(of("2.0"), Err(GateError::Version("2.0".into())));
        assert_eq!(of("1.20"), Err(GateError::Version("1.20".into())));
    }
}

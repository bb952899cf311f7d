//! Objects of which only a part is kept while they are read from JSON.
//!
//! A watch shows a whole pod at each change, and decisions read a twentieth of it (OBJ-10). What is not read is
//! skipped byte by byte and never stored.
//!
//! Invariant: [`crate::read`] sees no difference between a partial object and a whole one.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::names;

/// A `v1` Pod with what [`crate::read::pod`] reads.
#[derive(Clone, Debug, PartialEq)]
pub struct PartialPod(pub Value);

/// A `batch/v1` Job without `metadata.managedFields`, which nothing reads and which often is the larger part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PartialJob(pub Value);

impl<'de> Deserialize<'de> for PartialPod {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Seed(&POD).deserialize(input).map(Self)
    }
}

impl<'de> Deserialize<'de> for PartialJob {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Seed(&JOB).deserialize(input).map(Self)
    }
}

/// What is kept of a value.
enum Keep {
    All,
    /// These members of an object.
    Only(&'static [(&'static str, Keep)]),
    /// All members but one, which stands in that member.
    AllBut(&'static str, &'static str),
    /// This of each element of a list.
    Each(&'static Keep),
}

use Keep::{All, AllBut, Each, Only};

const JOB: Keep = AllBut("metadata", "managedFields");

const POD: Keep = Only(&[("metadata", METADATA), ("spec", SPEC), ("status", STATUS)]);

const METADATA: Keep = Only(&[
    ("namespace", All),
    ("name", All),
    ("uid", All),
    ("resourceVersion", All),
    ("creationTimestamp", All),
    ("deletionTimestamp", All),
    ("deletionGracePeriodSeconds", All),
    ("labels", All),
    (
        "annotations",
        Only(&[
            (names::COMPLETION_INDEX, All),
            (names::INDEX_FAILURE_COUNT, All),
            (names::INDEX_IGNORED_FAILURE_COUNT, All),
        ]),
    ),
    ("finalizers", All),
    ("ownerReferences", All),
]);

const SPEC: Keep =
    Only(&[("nodeName", All), ("initContainers", Each(&Only(&[("name", All), ("restartPolicy", All)])))]);

const STATUS: Keep = Only(&[
    ("phase", All),
    ("conditions", Each(&Only(&[("type", All), ("status", All), ("lastTransitionTime", All)]))),
    ("containerStatuses", Each(&CONTAINER)),
    ("initContainerStatuses", Each(&CONTAINER)),
]);

const CONTAINER: Keep = Only(&[("name", All), ("restartCount", All), ("state", Only(&[("terminated", TERMINATED)]))]);

const TERMINATED: Keep = Only(&[("exitCode", All), ("finishedAt", All)]);

impl Keep {
    /// What is kept of a member; `None`: nothing.
    fn member(&'static self, name: &str) -> Option<&'static Keep> {
        match self {
            All | Each(_) => Some(&All),
            Only(members) => members.iter().find(|(known, _)| *known == name).map(|(_, keep)| keep),
            AllBut(first, _) if *first == name => Some(self),
            AllBut(_, second) => (*second != name).then_some(&All),
        }
    }

    const fn element(&'static self) -> &'static Keep {
        if let Each(keep) = self { keep } else { &All }
    }
}

struct Seed(&'static Keep);

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Value, D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Value;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element_seed(Seed(self.0.element()))? {
            elements.push(element);
        }
        Ok(Value::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(wanted) = object.next_key_seed(Name(self.0))? {
            match wanted {
                Some((name, keep)) => {
                    let value = object.next_value_seed(Seed(keep))?;
                    members.insert(name, value);
                }
                None => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Value::Object(members))
    }
}

/// The name of a member, copied only if the member is kept.
struct Name(&'static Keep);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<(String, &'static Keep)>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Self::Value, D::Error> {
        input.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<(String, &'static Keep)>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("the name of a member")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.member(name).map(|keep| (name.to_owned(), keep)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use serde_json::json;

    #[test]
    fn a_partial_pod_reads_like_the_whole_one_obj_10() {
        let whole = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {
                "name": "p", "namespace": "n", "uid": "u", "resourceVersion": "7", "generateName": "x",
                "creationTimestamp": "2026-01-01T00:00:00Z", "deletionTimestamp": "2026-01-01T00:01:00Z",
                "deletionGracePeriodSeconds": 30, "labels": {"a": "b"}, "managedFields": [{"manager": "m"}],
                "annotations": {
                    "batch.kubernetes.io/job-completion-index": "3", "other": "x",
                    "batch.kubernetes.io/job-index-failure-count": "1",
                    "batch.kubernetes.io/job-index-ignored-failure-count": "2",
                },
                "finalizers": ["batch.kubernetes.io/job-tracking"],
                "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "k", "controller": true}],
            },
            "spec": {
                "nodeName": "node", "containers": [{"name": "c", "image": "i"}],
                "initContainers": [{"name": "i", "image": "i", "restartPolicy": "Always"}],
            },
            "status": {
                "phase": "Failed", "podIP": "10.0.0.1",
                "conditions": [
                    {"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-01T00:00:30Z", "message": "m"},
                ],
                "containerStatuses": [{
                    "name": "c", "restartCount": 4, "image": "i",
                    "state": {"terminated": {"exitCode": 42, "finishedAt": "2026-01-01T00:00:40Z", "reason": "Error"}},
                }],
                "initContainerStatuses": [{"name": "i", "restartCount": 1, "state": {"running": {}}}],
            },
        });
        let PartialPod(part) = serde_json::from_str(&whole.to_string()).unwrap();
        assert_eq!(read::pod(&part), read::pod(&whole));
        let text = part.to_string();
        for left_out in ["managedFields", "podIP", "image", "other", "message", "reason"] {
            assert!(!text.contains(left_out), "{left_out} in {text}");
        }
    }

    #[test]
    fn a_partial_job_has_everything_but_managed_fields() {
        let text = r#"{"metadata": {"name": "j", "managedFields": [1], "labels": {"managedFields": "x"}},
            "spec": {"managedFields": 1.5, "list": [null, true, -1, "t"]}}"#;
        let PartialJob(job) = serde_json::from_str(text).unwrap();
        let expected = json!({
            "metadata": {"name": "j", "labels": {"managedFields": "x"}},
            "spec": {"managedFields": 1.5, "list": [null, true, -1, "t"]},
        });
        assert_eq!(job, expected);
    }

    #[test]
    fn what_is_no_object_is_an_error_of_reading_and_no_panic() {
        assert!(serde_json::from_str::<PartialPod>("{").is_err());
        let PartialPod(odd) = serde_json::from_str("[1]").unwrap();
        assert!(read::pod(&odd).is_ok(), "an object without members");
    }
}

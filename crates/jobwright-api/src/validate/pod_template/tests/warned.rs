//! What is taken with a warning.

use serde_json::{Value, json};

use super::job;
use crate::validate;

fn warnings(fields: &Value, main: &Value) -> Vec<String> {
    let job = job(fields, main);
    validate::warnings(&job).iter().map(|warning| warning.to_string().replace("spec.template.spec.", "")).collect()
}

#[test]
fn pods_are_warned_of_val_90() {
    for (fields, main, expected) in [
        (json!({}), json!({}), &[][..]),
        (
            json!({"terminationGracePeriodSeconds": -1}),
            json!({}),
            &["terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1"],
        ),
        (
            json!({"nodeSelector": {"beta.kubernetes.io/os": "linux"}}),
            json!({}),
            &["nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use \"kubernetes.io/os\" instead"],
        ),
        (
            json!({"topologySpreadConstraints": [{"topologyKey": "failure-domain.beta.kubernetes.io/zone"}]}),
            json!({}),
            &[
                "topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since \
                 v1.17; use \"topology.kubernetes.io/zone\" instead",
                "topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod",
            ],
        ),
        (
            json!({"volumes": [{"name": "a", "gitRepo": {"repository": "x"}}]}),
            json!({}),
            &["volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+"],
        ),
        (
            json!({"imagePullSecrets": [{"name": "a"}, {"name": "a"}, {}]}),
            json!({}),
            &["imagePullSecrets[1].name: duplicate name \"a\"", "imagePullSecrets[2].name: invalid empty name \"\""],
        ),
    ] {
        assert_eq!(warnings(&fields, &main), expected, "{fields} {main}");
    }
}

#[test]
fn containers_are_warned_of_val_90() {
    for (fields, main, expected) in [
        (
            json!({}),
            json!({"resources": {"limits": {"memory": "128m"}}}),
            &["containers[0].resources.limits[memory]: fractional byte value \"128m\" is invalid, must be an integer"]
                [..],
        ),
        (
            json!({}),
            json!({"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "$(A)2"}, {"name": "A", "value": "3"}]}),
            &["containers[0].env[2]: hides previous definition of \"A\", which may be dropped when using apply"],
        ),
        (
            json!({}),
            json!({"ports": [{"containerPort": 80}, {"containerPort": 80}, {"containerPort": 80, "hostPort": 80}]}),
            &[
                "containers[0].ports[1]: duplicate port definition with containers[0].ports[0]",
                "containers[0].ports[2]: overlapping port definition with containers[0].ports[0]",
                "containers[0].ports[2]: overlapping port definition with containers[0].ports[1]",
            ],
        ),
        (
            json!({"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "a"}]}}}),
            json!({}),
            &[
                "affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector \
               results in matching no pod",
            ],
        ),
    ] {
        assert_eq!(warnings(&fields, &main), expected, "{fields} {main}");
    }
}

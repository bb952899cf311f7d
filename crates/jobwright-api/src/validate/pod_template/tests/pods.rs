//! What holds for the whole pod.

use serde_json::json;

use super::of_pods;

#[test]
fn volumes_have_a_name_and_one_source_val_78() {
    of_pods(&[
        (json!({"volumes": [{"name": "a"}, {"name": "b", "configMap": {"name": "c"}}]}), &[]),
        (
            json!({"volumes": [{"emptyDir": {}, "configMap": {}}]}),
            &[
                "volumes[0].configMap: Forbidden: may not specify more than 1 volume type",
                "volumes[0].name: Required value",
            ],
        ),
        (json!({"volumes": [{"name": "a"}, {"name": "a"}]}), &["volumes[1].name: Duplicate value: \"a\""]),
        (json!({"volumes": [{"name": "a", "hostPath": {}}]}), &["volumes[0].hostPath.path: Required value"]),
        (
            json!({"volumes": [{"name": "a", "hostPath": {"path": "/a/..", "type": "Dir"}}]}),
            &[
                "volumes[0].hostPath.path: Invalid value: \"/a/..\": must not contain '..'",
                "volumes[0].hostPath.type: Unsupported value: \"Dir\": supported values: \"\", \"BlockDevice\", \"CharDevice\", \
             \"Directory\", \"DirectoryOrCreate\", \"File\", \"FileOrCreate\", \"Socket\"",
            ],
        ),
        (
            json!({"volumes": [{"name": "a", "secret": {"defaultMode": 512, "items": [{"key": "k", "path": "/p"}]}}]}),
            &[
                "volumes[0].secret.secretName: Required value",
                "volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive",
                "volumes[0].secret.items[0].path: Invalid value: \"/p\": must be a relative path",
            ],
        ),
        (
            json!({"volumes": [{"name": "a", "gcePersistentDisk": {}}]}),
            &["volumes[0].persistentDisk.pdName: Required value"],
        ),
        (
            json!({"volumes": [{"name": "a", "projected": {"sources": [{"secret": {"name": "s", "items": [
            {"key": "k", "path": "p"}, {"key": "l", "path": "p"}]}}]}}]}),
            &["volumes[0].projected: Invalid value: \"s\": conflicting duplicate paths"],
        ),
        (
            json!({"volumes": [{"name": "a", "downwardAPI": {"items": [{"path": "p"}]}}]}),
            &["volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required"],
        ),
        (
            json!({"volumes": [{"name": "a", "ephemeral": {"volumeClaimTemplate": {}}}]}),
            &[
                "volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required",
                "volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value",
            ],
        ),
    ]);
}

#[test]
fn init_containers_and_sidecars_val_78() {
    let init = |more: serde_json::Value| {
        let mut container = json!({"name": "init", "image": "busybox"});
        container.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"initContainers": [container]})
    };
    of_pods(&[
        (init(json!({"restartPolicy": "Always", "startupProbe": {"exec": {"command": ["true"]}}})), &[]),
        (
            init(json!({"startupProbe": {"exec": {"command": ["true"]}}})),
            &[
                "initContainers[0].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
            ],
        ),
        (
            init(json!({"name": "main", "image": ""})),
            &["initContainers[0].image: Required value", "initContainers[0].name: Duplicate value: \"main\""],
        ),
    ]);
}

#[test]
fn numbers_names_and_gates_of_the_pod_val_78() {
    let label = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and \
                 end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
                 '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    of_pods(&[
        (
            json!({"activeDeadlineSeconds": 1, "terminationGracePeriodSeconds": -1, "hostname": "a", "priorityClassName": "x"}),
            &[],
        ),
        (
            json!({"activeDeadlineSeconds": 2_147_483_648_i64}),
            &["activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive"],
        ),
        (
            json!({"subdomain": "A", "hostname": "a.b"}),
            &[
                "hostname: Invalid value: \"a.b\": must not contain dots",
                &format!("subdomain: Invalid value: \"A\": {label}"),
            ],
        ),
        (
            json!({"dnsPolicy": "Cluster"}),
            &[
                "dnsPolicy: Unsupported value: \"Cluster\": supported values: \"ClusterFirstWithHostNet\", \"ClusterFirst\", \
             \"Default\", \"None\"",
            ],
        ),
        (
            json!({"dnsPolicy": "None"}),
            &["dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"],
        ),
        (
            json!({"dnsConfig": {"nameservers": ["one"], "options": [{}]}}),
            &[
                "dnsConfig.nameservers[0]: Invalid value: \"one\": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
                "dnsConfig.options[0]: Required value: must not be empty",
            ],
        ),
    ]);
}

#[test]
fn gates_namespaces_and_contexts_of_the_pod_val_78() {
    of_pods(&[
        (json!({"schedulingGates": [{"name": "a"}, {"name": "a"}]}), &["schedulingGates[1]: Duplicate value: \"a\""]),
        (json!({"preemptionPolicy": ""}), &["preemptionPolicy: Required value"]),
        (
            json!({"shareProcessNamespace": true, "hostPID": true}),
            &["shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled"],
        ),
        (json!({"hostUsers": false, "hostPID": true}), &["HostPID: Forbidden: when `hostUsers` is false"]),
        (
            json!({"os": {"name": "plan9"}}),
            &["os: Unsupported value: \"plan9\": supported values: \"linux\", \"windows\""],
        ),
        (
            json!({"securityContext": {"fsGroup": -1, "sysctls": [{"name": "A"}], "fsGroupChangePolicy": "x"}}),
            &[
                "securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive",
                "securityContext.sysctls[0].name: Invalid value: \"A\": must have at most 253 characters and match regex \
             ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$",
                "securityContext.fsGroupChangePolicy: Unsupported value: \"x\": supported values: \"Always\", \
             \"OnRootMismatch\"",
            ],
        ),
        (
            json!({"resources": {"limits": {"ephemeral-storage": 1}}}),
            &[
                "resources.limits[ephemeral-storage]: Unsupported value: \"ephemeral-storage\": supported values: \"cpu\", \
             \"hugepages-\", \"memory\"",
            ],
        ),
    ]);
}

#[test]
fn where_pods_may_run_val_78() {
    let node = |expression: serde_json::Value| {
        json!({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [expression]}]}}}})
    };
    let at =
        "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0]";
    of_pods(&[
        (node(json!({"key": "zone", "operator": "In", "values": ["a"]})), &[]),
        (
            node(json!({"key": "zone", "operator": "In"})),
            &[&format!("{at}.values: Required value: must be specified when `operator` is 'In' or 'NotIn'")],
        ),
        (
            node(json!({"key": "zone", "operator": "Is"})),
            &[&format!("{at}.operator: Invalid value: \"Is\": not a valid selector operator")],
        ),
        (
            json!({"affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 101,
            "podAffinityTerm": {"topologyKey": "zone"}}]}}}),
            &[
                "affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must \
             be in the range 1-100",
            ],
        ),
    ]);
}

#[test]
fn tolerations_and_spreading_val_78() {
    of_pods(&[
        (
            json!({"tolerations": [{"operator": "Equal"}, {"key": "a", "operator": "In"}, {"key": "a", "effect": "No"}]}),
            &[
                "tolerations[0].operator: Invalid value: \"Equal\": operator must be Exists when `key` is empty, which means \
             \"match all values and all keys\"",
                "tolerations[1].operator: Unsupported value: \"In\": supported values: \"Equal\", \"Exists\"",
                "tolerations[2].effect: Unsupported value: \"No\": supported values: \"NoSchedule\", \"PreferNoSchedule\", \
             \"NoExecute\"",
            ],
        ),
        (
            json!({"tolerations": [{"key": "a", "operator": "Exists", "tolerationSeconds": 5}]}),
            &["tolerations[0].effect: Invalid value: \"\": effect must be 'NoExecute' when `tolerationSeconds` is set"],
        ),
        (
            json!({"topologySpreadConstraints": [{"topologyKey": "zone", "minDomains": 1},
            {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": ""}]}),
            &[
                "topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero",
                "topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: \"\": supported values: \"DoNotSchedule\", \
             \"ScheduleAnyway\"",
                "topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: \"{zone, }\"",
                "topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if \
             whenUnsatisfiable=DoNotSchedule, not ",
                "topologySpreadConstraints[1].whenUnsatisfiable: Unsupported value: \"\": supported values: \"DoNotSchedule\", \
             \"ScheduleAnyway\"",
            ],
        ),
        (
            json!({"resourceClaims": [{"name": "c", "resourceClaimName": "a", "resourceClaimTemplateName": "b"}]}),
            &[
                "resourceClaims[0]: Invalid value: {...}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may \
             be specified",
            ],
        ),
    ]);
}

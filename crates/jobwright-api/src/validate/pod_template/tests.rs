//! Pod templates and what is said about them, as tables: the errors without `spec.template.spec.`.

mod pods;
mod warned;

use serde_json::{Value, json};

use crate::at::At;
use crate::defaults;

/// A pod with these fields; `main` is given to its one container.
fn job(fields: &Value, main: &Value) -> Value {
    let mut container = json!({"name": "main", "image": "busybox"});
    let mut pod = json!({"restartPolicy": "Never"});
    container.as_object_mut().unwrap().extend(main.as_object().unwrap().clone());
    pod["containers"] = json!([container]);
    pod.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let mut job = json!({"metadata": {"name": "job"}, "spec": {"template": {"spec": pod}}});
    defaults::apply(&mut job);
    job
}

/// What is wrong with it.
fn errors(fields: &Value, main: &Value) -> Vec<String> {
    let job = job(fields, main);
    let mut errors = Vec::new();
    super::check(&At::root(&job).get("spec"), &mut errors);
    errors.iter().map(|error| error.to_string().replace("spec.template.spec.", "")).collect()
}

/// Compares a table of containers.
fn of_containers(table: &[(Value, &[&str])]) {
    for (main, expected) in table {
        assert_eq!(errors(&json!({"volumes": [{"name": "v"}]}), main), *expected, "{main}");
    }
}

/// Compares a table of pods.
fn of_pods(table: &[(Value, &[&str])]) {
    for (fields, expected) in table {
        assert_eq!(errors(fields, &json!({})), *expected, "{fields}");
    }
}

#[test]
fn names_ports_and_policies_of_containers_val_78() {
    of_containers(&[
        (json!({}), &[]),
        (
            json!({"imagePullPolicy": "Often"}),
            &[
                "containers[0].imagePullPolicy: Unsupported value: \"Often\": supported values: \"Always\", \"IfNotPresent\", \
             \"Never\"",
            ],
        ),
        (
            json!({"terminationMessagePolicy": "Log"}),
            &["containers[0].terminationMessagePolicy: Unsupported value: \"Log\": supported values: \"File\", \
             \"FallbackToLogsOnError\""],
        ),
        (json!({"ports": [{"containerPort": 80}, {"containerPort": 80}]}), &[]),
        (json!({"ports": [{}]}), &["containers[0].ports[0].containerPort: Required value"]),
        (
            json!({"ports": [{"containerPort": 70000, "hostPort": -1, "protocol": "tcp"}]}),
            &[
                "containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
                "containers[0].ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive",
                "containers[0].ports[0].protocol: Unsupported value: \"tcp\": supported values: \"SCTP\", \"TCP\", \"UDP\"",
            ],
        ),
        (
            json!({"ports": [{"name": "a", "containerPort": 1}, {"name": "a", "containerPort": 2}]}),
            &["containers[0].ports[1].name: Duplicate value: \"a\""],
        ),
        (
            json!({"ports": [{"containerPort": 1, "hostPort": 5}, {"containerPort": 2, "hostPort": 5}]}),
            &["containers[0].ports[1].hostPort: Duplicate value: \"TCP//5\""],
        ),
        (
            json!({"restartPolicy": "Sometimes"}),
            &[
                "containers[0].restartPolicy: Unsupported value: \"Sometimes\": supported values: \"Always\", \"Never\", \
             \"OnFailure\"",
            ],
        ),
        (
            json!({"restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}]}),
            &["containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used"],
        ),
        (
            json!({"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]}),
            &["containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod \
             `restartPolicy` is 'Never'"],
        ),
    ]);
}

#[test]
fn variables_and_their_sources_val_78() {
    of_containers(&[
        (json!({"env": [{"name": "A", "value": "1"}, {"name": "a.b-c"}]}), &[]),
        (
            json!({"env": [{"name": "A=B"}]}),
            &[
                "containers[0].env[0].name: Invalid value: \"A=B\": a valid environment variable name must consist only of \
             printable ASCII characters other than '='",
            ],
        ),
        (
            json!({"env": [{"name": "A", "valueFrom": {}}]}),
            &[
                "containers[0].env[0].valueFrom: Invalid value: \"\": must specify one of: `fieldRef`, `resourceFieldRef`, \
             `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
            ],
        ),
        (
            json!({"env": [{"name": "A", "value": "x", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]}),
            &["containers[0].env[0].valueFrom: Invalid value: \"\": may not be specified when `value` is not empty"],
        ),
        (json!({"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['a/b']"}}}]}), &[]),
        (
            json!({"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.foo"}}}]}),
            &[
                "containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: \"spec.foo\": error converting fieldPath: \
             field label not supported: spec.foo",
            ],
        ),
        (
            json!({"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "status.phase"}}}]}),
            &[
                "containers[0].env[0].valueFrom.fieldRef.fieldPath: Unsupported value: \"status.phase\": supported values: \
             \"metadata.name\", \"metadata.namespace\", \"metadata.uid\", \"spec.nodeName\", \"spec.serviceAccountName\", \
             \"status.hostIP\", \"status.hostIPs\", \"status.podIP\", \"status.podIPs\"",
            ],
        ),
        (
            json!({"env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "2"}}}]}),
            &[
                "containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value: \"limits.cpu\": only divisor's values \
             1m and 1 are supported with the cpu resource",
            ],
        ),
        (
            json!({"env": [{"name": "A", "valueFrom": {"configMapKeyRef": {"name": "c", "key": ""}}}]}),
            &["containers[0].env[0].valueFrom.configMapKeyRef.key: Required value"],
        ),
        (
            json!({"envFrom": [{"configMapRef": {}}, {}]}),
            &[
                "containers[0].envFrom[0].configMapRef.name: Required value",
                "containers[0].envFrom: Invalid value: \"\": must specify one of: `configMapRef` or `secretRef`",
            ],
        ),
    ]);
}

#[test]
fn mounts_name_volumes_val_78() {
    of_containers(&[
        (json!({"volumeMounts": [{"name": "v", "mountPath": "/a"}]}), &[]),
        (
            json!({"volumeMounts": [{"name": "w", "mountPath": ""}]}),
            &[
                "containers[0].volumeMounts[0].name: Not found: \"w\"",
                "containers[0].volumeMounts[0].mountPath: Required value",
            ],
        ),
        (
            json!({"volumeMounts": [{"name": "v", "mountPath": "/a"}, {"name": "v", "mountPath": "/a"}]}),
            &["containers[0].volumeMounts[1].mountPath: Invalid value: \"/a\": must be unique"],
        ),
        // Without an index, as upstream has it.
        (
            json!({"volumeMounts": [{"name": "v", "mountPath": "/a", "subPath": "/x/../y"}]}),
            &[
                "containers[0].volumeMounts.subPath: Invalid value: \"/x/../y\": must be a relative path",
                "containers[0].volumeMounts.subPath: Invalid value: \"/x/../y\": must not contain '..'",
            ],
        ),
        (
            json!({"volumeMounts": [{"name": "v", "mountPath": "/a", "mountPropagation": "Bidirectional"}]}),
            &[
                "containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to \
             privileged containers",
            ],
        ),
        (
            json!({"volumeMounts": [{"name": "v", "mountPath": "/a", "recursiveReadOnly": "Enabled"}]}),
            &["containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true"],
        ),
        (
            json!({"volumeDevices": [{"name": "v", "devicePath": "/dev/a"}]}),
            &["containers[0].volumeDevices[0].name: Invalid value: \"v\": can only use volume source type of \
             PersistentVolumeClaim or Ephemeral for block mode"],
        ),
    ]);
}

#[test]
fn requests_and_limits_val_78() {
    of_containers(&[
        (json!({"resources": {"requests": {"cpu": "1000m"}, "limits": {"cpu": 1, "memory": "1.5Gi"}}}), &[]),
        (
            json!({"resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "1000Mi"}}}),
            &[
                "containers[0].resources.requests: Invalid value: \"1Gi\": must be less than or equal to memory limit of \
             1000Mi",
            ],
        ),
        (
            json!({"resources": {"limits": {"cpu": -0.5}}}),
            &["containers[0].resources.limits[cpu]: Invalid value: \"-500m\": must be greater than or equal to 0"],
        ),
        (
            json!({"resources": {"limits": {"gpu": 1}}}),
            &[
                "containers[0].resources.limits[gpu]: Invalid value: \"gpu\": must be a standard resource type or fully \
             qualified",
                "containers[0].resources.limits[gpu]: Invalid value: \"gpu\": must be a standard resource for containers",
            ],
        ),
        (
            json!({"resources": {"requests": {"nvidia.com/gpu": 1}}}),
            &["containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources"],
        ),
        (
            json!({"resources": {"requests": {"x.io/a": 1}, "limits": {"x.io/a": 2}}}),
            &["containers[0].resources.requests: Invalid value: \"1\": must be equal to x.io/a limit of 2"],
        ),
        (
            json!({"resources": {"limits": {"x.io/a": "500m"}}}),
            &["containers[0].resources.limits[x.io/a]: Invalid value: \"500m\": must be an integer"],
        ),
        (
            json!({"resources": {"limits": {"hugepages-2Mi": "3Mi"}}}),
            &[
                "containers[0].resources.limits[hugepages-2Mi]: Invalid value: \"3Mi\": 3Mi is not positive integer multiple \
             of hugepages-2Mi",
                "containers[0].resources: Forbidden: HugePages require cpu or memory",
            ],
        ),
        (
            json!({"resources": {"claims": [{"name": "c"}]}}),
            &[
                "containers[0].resources.claims[0]: Not found: \"c\": must be one of the names in pod.spec.resourceClaims \
             which is empty",
            ],
        ),
    ]);
}

#[test]
fn probes_and_hooks_val_78() {
    of_containers(&[
        (json!({"livenessProbe": {"httpGet": {"port": "http"}, "periodSeconds": 5}}), &[]),
        (json!({"livenessProbe": {}}), &["containers[0].livenessProbe: Required value: must specify a handler type"]),
        (
            json!({"livenessProbe": {"exec": {}, "tcpSocket": {"port": 0}, "successThreshold": 2}}),
            &[
                "containers[0].livenessProbe.exec.command: Required value",
                "containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type",
                "containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1",
            ],
        ),
        (
            json!({"readinessProbe": {"tcpSocket": {"port": 70000}, "timeoutSeconds": -1}}),
            &[
                "containers[0].readinessProbe.tcpSocket.port: Invalid value: 70000: must be between 1 and 65535, inclusive",
                "containers[0].readinessProbe.timeoutSeconds: Invalid value: -1: must be greater than or equal to 0",
            ],
        ),
        (
            json!({"lifecycle": {"preStop": {"sleep": {"seconds": 31}}}}),
            &["containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than \
             terminationGracePeriodSeconds (30)"],
        ),
        (
            json!({"securityContext": {"runAsUser": -1, "allowPrivilegeEscalation": false, "privileged": true}}),
            &[
                "containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive",
                "containers[0].securityContext: Invalid value: {...}: cannot set `allowPrivilegeEscalation` to false and \
             `privileged` to true",
            ],
        ),
        (
            json!({"securityContext": {"seccompProfile": {"type": "Localhost"}}}),
            &[
                "containers[0].securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type \
             is Localhost",
            ],
        ),
    ]);
}

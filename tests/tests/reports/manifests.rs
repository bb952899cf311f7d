//! Reports about manifests: what is refused, and with which words.
//!
//! Invariant: a row has all errors of its manifest, in their order; none means that it is accepted.

use jobwright_api::Severity;

/// What is special: `metadata`, fields of the spec, labels of the template, the pod's fields. Then the errors.
type Row = ([&'static str; 4], &'static [&'static str]);

const NAME: &str = "name: job";
const NEVER: &str = "restartPolicy: Never, containers: [{name: main, image: busybox}]";

/// K1: a Job that was taken from a cluster.
const EXPORTED: &[Row] = &[
    (
        [
            NAME,
            "selector: {matchLabels: {batch.kubernetes.io/controller-uid: old}}",
            "controller-uid: old, batch.kubernetes.io/controller-uid: old",
            NEVER,
        ],
        &[
            "spec.template.metadata.labels[controller-uid]: Invalid value: {...}: must be 'uid'",
            "spec.template.metadata.labels[batch.kubernetes.io/controller-uid]: Invalid value: {...}: must be 'uid'",
            "spec.selector: Invalid value: {...}: `selector` not auto-generated",
        ],
    ),
    (
        [NAME, "selector: {matchLabels: {app: x}}", "", NEVER],
        &[
            "spec.selector: Invalid value: {...}: `selector` not auto-generated",
            "spec.template.metadata.labels: Invalid value: {...}: `selector` does not match template `labels`",
        ],
    ),
    (
        [NAME, "manualSelector: true", "", NEVER],
        &[
            "spec.selector: Required value",
            "spec.template.metadata.labels: Invalid value: {...}: `selector` does not match template `labels`",
        ],
    ),
    (
        [NAME, "", "job-name: other", NEVER],
        &["spec.template.metadata.labels[job-name]: Invalid value: {...}: must be 'job'"],
    ),
    ([NAME, "", "", NEVER], &[]),
];

/// K2: names.
const NAMES: &[Row] = &[
    (["name: a23456789-123456789-123456789-123456789-123456789-123456789-123", "", "", NEVER], &[]),
    (
        ["name: a23456789-123456789-123456789-123456789-123456789-123456789-1234", "", "", NEVER],
        &[
            "spec.template.labels: Invalid value: \"a23456789-123456789-123456789-123456789-123456789-123456789-1234\": must be no more than 63 bytes",
        ],
    ),
    (["name: a.b", "", "", NEVER], &[]),
    (["name: 1a", "", "", NEVER], &[]),
    (
        ["name: A", "", "", NEVER],
        &[
            "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        ],
    ),
];

/// K4: decoding.
const DECODING: &[Row] = &[
    (
        [NAME, "backofLimit: 1", "", NEVER],
        &["spec.backofLimit: The API has no field `spec.backofLimit`. Is `backoffLimit` meant?"],
    ),
    (
        [NAME, "BackoffLimit: 1", "", NEVER],
        &["spec.BackoffLimit: The API has no field `spec.BackoffLimit`. Is `backoffLimit` meant?"],
    ),
    ([NAME, "restartPolicy: Never", "", NEVER], &["spec.restartPolicy: The API has no field `spec.restartPolicy`."]),
    (
        [NAME, "completions: 1, completions: 2", "", NEVER],
        &["spec.completions: `completions` is set already, in line 4."],
    ),
    (
        [NAME, "completions: '3'", "", NEVER],
        &["spec.completions: An integer of 32 bits must stand here, not the text \"3\"."],
    ),
    (
        [NAME, "completions: 3.5", "", NEVER],
        &["spec.completions: An integer of 32 bits must stand here, not a number with a fraction or an exponent."],
    ),
    (
        [NAME, "completions: 3000000000", "", NEVER],
        &["spec.completions: An integer of 32 bits must stand here, not the number 3000000000."],
    ),
    ([NAME, "completions: 3.0, parallelism: 1e1, backoffLimit: 010, activeDeadlineSeconds: null", "", NEVER], &[]),
    ([NAME, "suspend: yes", "", NEVER], &[]),
    ([NAME, "suspend: 'true'", "", NEVER], &["spec.suspend: true or false must stand here, not the text \"true\"."]),
    ([NAME, "", "a: on", NEVER], &["spec.template.metadata.labels[a]: A text must stand here, not the boolean true."]),
    (["name: no", "", "", NEVER], &["metadata.name: A text must stand here, not the boolean false."]),
    (
        [NAME, "", "", "restartPolicy: Never, containers: [{name: main, image: busybox, command: [sleep, 10]}]"],
        &["spec.template.spec.containers[0].command[1]: A text must stand here, not the number 10."],
    ),
];

/// K5: restart policies and containers.
const POD: &[Row] = &[
    (
        [NAME, "", "", "containers: [{name: main, image: busybox}]"],
        &["spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\""],
    ),
    (
        [NAME, "", "", "restartPolicy: Always, containers: [{name: main, image: busybox}]"],
        &["spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\""],
    ),
    (
        [
            NAME,
            "podFailurePolicy: {rules: []}",
            "",
            "restartPolicy: OnFailure, containers: [{name: main, image: busybox}]",
        ],
        &[
            "spec.template.spec.restartPolicy: Invalid value: \"OnFailure\": only \"Never\" is supported when podFailurePolicy is specified",
        ],
    ),
    ([NAME, "", "", "restartPolicy: Never"], &["spec.template.spec.containers: Required value"]),
    (
        [
            NAME,
            "",
            "",
            "restartPolicy: Never, containers: [{name: main, image: busybox}, {name: main, image: busybox}]",
        ],
        &["spec.template.spec.containers[1].name: Duplicate value: \"main\""],
    ),
];

/// L1: features of charts and samples.
const IN_THE_WILD: &[Row] = &[
    (
        [
            "generateName: sample-, creationTimestamp: null, annotations: {helm.sh/hook: 'post-install,post-upgrade', \
             helm.sh/hook-weight: '1'}, labels: {kueue.x-k8s.io/queue-name: user-queue}",
            "suspend: true, ttlSecondsAfterFinished: 300",
            "",
            "restartPolicy: OnFailure, nodeSelector: {}, tolerations: [], affinity: {}, volumes: [], imagePullSecrets: null, \
             securityContext: {runAsUser: 1000}, serviceAccountName: robot, containers: [{name: main, image: busybox, \
             envFrom: [{configMapRef: {name: settings}}], securityContext: {privileged: false}, \
             resources: {requests: {cpu: 1, memory: 200Mi, example.com/gpu: 1}, limits: {example.com/gpu: 1}}}]",
        ],
        &[],
    ),
    (
        [
            NAME,
            "",
            "",
            "restartPolicy: Never, containers: [{name: main, image: busybox, resources: {}, \
         volumeMounts: [{name: config, mountPath: /etc/config}]}], volumes: [{name: config, configMap: {name: settings}}]",
        ],
        &[],
    ),
];

fn errors_of([metadata, spec, labels, pod]: &[&str; 4]) -> Vec<String> {
    let comma = if spec.is_empty() { "" } else { ", " };
    let text = format!(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {{{metadata}}}\n\
         spec: {{{spec}{comma}template: {{metadata: {{labels: {{{labels}}}}}, spec: {{{pod}}}}}}}\nstatus: {{}}\n"
    );
    let findings =
        jobwright_sim::scenario::diagnose(&text).into_iter().filter(|finding| finding.severity == Severity::Error);
    findings.map(|finding| format!("{}: {}", finding.field.unwrap_or_default(), finding.message)).collect()
}

#[test]
fn manifests_are_judged_as_reported_k1_k2_k4_k5_l1() {
    let mut wrong = Vec::new();
    for (manifest, expected) in [EXPORTED, NAMES, DECODING, POD, IN_THE_WILD].concat() {
        let errors = errors_of(&manifest);
        if errors != expected {
            wrong.push((manifest, errors));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

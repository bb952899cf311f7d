//! Names that the API fixes, and the one place for names of this project.
//!
//! Invariant: no other file spells one of these texts.

/// The project's API group. Change it here and nowhere else.
pub const API_GROUP: &str = "jobwright.dev";
/// The value of `spec.managedBy` that hands a Job to this controller.
pub const MANAGED_BY: &str = "jobwright.dev/job-controller";
/// The version of decision records and other formats of this project.
pub const FORMAT_VERSION: &str = "v1alpha1";

/// `apiVersion` of a Job.
pub const BATCH_V1: &str = "batch/v1";
/// `kind` of a Job.
pub const JOB: &str = "Job";
/// `kind` of a `CronJob`.
pub const CRON_JOB: &str = "CronJob";
/// The value of `spec.managedBy` that names the built-in controller (GLO-16).
pub const BUILT_IN_CONTROLLER: &str = "kubernetes.io/job-controller";

/// The finalizer that keeps a pod until it is counted (GLO-1).
pub const TRACKING_FINALIZER: &str = "batch.kubernetes.io/job-tracking";

/// Annotation and label with the completion index (IDX-21).
pub const COMPLETION_INDEX: &str = "batch.kubernetes.io/job-completion-index";
/// Annotation with the failures of an index that count (IDX-19).
pub const INDEX_FAILURE_COUNT: &str = "batch.kubernetes.io/job-index-failure-count";
/// Annotation with the failures of an index that do not count (IDX-19).
pub const INDEX_IGNORED_FAILURE_COUNT: &str = "batch.kubernetes.io/job-index-ignored-failure-count";
/// The environment variable with the completion index (IDX-23).
pub const COMPLETION_INDEX_VARIABLE: &str = "JOB_COMPLETION_INDEX";

/// Label with the UID of the Job (OBJ-12).
pub const CONTROLLER_UID: &str = "batch.kubernetes.io/controller-uid";
/// Label with the name of the Job (OBJ-12).
pub const JOB_NAME: &str = "batch.kubernetes.io/job-name";
/// Legacy form of [`CONTROLLER_UID`].
pub const LEGACY_CONTROLLER_UID: &str = "controller-uid";
/// Legacy form of [`JOB_NAME`].
pub const LEGACY_JOB_NAME: &str = "job-name";
/// The labels of every pod of a Job.
pub(crate) const LABELS: [&str; 5] =
    [CONTROLLER_UID, COMPLETION_INDEX, JOB_NAME, LEGACY_CONTROLLER_UID, LEGACY_JOB_NAME];
/// The conditions that a cluster gives a pod.
pub(crate) const CONDITIONS: [&str; 6] =
    ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled", "DisruptionTarget"];

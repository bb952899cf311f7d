//! Metrics: Kubernetes' own by name and labels (docs/spec section 21), so that a cluster's dashboards keep working,
//! and some of this project's.
//!
//! Invariant: the core says what is counted; here it is only added up. The library appends `_total` to counters.

use jobwright_core::metric::{CreationReason, SyncAction};
use jobwright_core::spec::FailureAction;
use jobwright_core::{CompletionMode, Effect, Load, Metric, Queued, Resource};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric as Registered, Registry};

use crate::send::SendError;

type Labels = Vec<(&'static str, String)>;
type Counters = Family<Labels, Counter>;
type Gauges = Family<Labels, Gauge>;

/// All metrics.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    syncs: Counters,
    sync_seconds: Family<Labels, Histogram, fn() -> Histogram>,
    jobs_finished: Counters,
    pods_finished: Counters,
    indexes_finished: Counters,
    pods_created: Counters,
    failures_handled: Counters,
    external_jobs: Counters,
    stale_syncs: Counters,
    held_pods: Counters,
    late_deletions: Histogram,
    queue_depth: Gauges,
    requests: Counters,
    events: Counters,
    known: Gauges,
    writes: Gauges,
    leading: Gauge,
}

/// MET-1.
fn sync_buckets() -> Histogram {
    Histogram::new(exponential_buckets(0.004, 2.0, 15))
}

fn add<M: Registered + Clone>(to: &mut Registry, name: &str, help: &str, metric: M) -> M {
    to.register(name, help, metric.clone());
    metric
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::default();
        let late = Histogram::new(exponential_buckets(0.1, 2.0, 14));
        let ttl = "ttl_after_finished_controller_job_deletion_duration_seconds";
        let late_deletions = add(&mut registry, ttl, "Seconds from the expiry of a finished Job to its deletion", late);
        let queue_depth = add(&mut registry, "workqueue_depth", "Keys that wait for their turn", Gauges::default());
        let of = registry.sub_registry_with_prefix("job_controller");
        let seconds = Family::new_with_constructor(sync_buckets as fn() -> Histogram);
        let sync_seconds = add(of, "job_sync_duration_seconds", "How long syncs of Jobs took", seconds);
        let mut counter = |name, help| add(of, name, help, Counters::default());
        let syncs = counter("job_syncs", "Syncs of Jobs");
        let jobs_finished = counter("jobs_finished", "Jobs that finished");
        let pods_finished = counter("job_pods_finished", "Pods that finished and were counted");
        let indexes_finished = counter("job_finished_indexes", "Indexes that finished");
        let pods_created = counter("job_pods_creation", "Pods that were created");
        let failures_handled =
            counter("pod_failures_handled_by_failure_policy", "Failed pods that matched a rule of a failure policy");
        let external_jobs = counter("jobs_by_external_controller", "Jobs that another controller carries out");
        let stale_syncs = counter("stale_sync_skips", "Syncs that were put off because a cache was behind");
        let held_pods = counter(
            "terminated_pods_tracking_finalizer",
            "Ended pods that have, or no longer have, the tracking finalizer",
        );
        let of = registry.sub_registry_with_prefix("jobwright");
        let requests = add(of, "requests", "Requests to the API server that write", Counters::default());
        let events = add(of, "events", "Kubernetes Events by what became of them", Counters::default());
        let known = add(of, "objects", "Objects that are kept in memory", Gauges::default());
        let writes = add(of, "writes", "Writes that wait or are under way", Gauges::default());
        let leading = add(of, "leading", "1 while this replica leads", Gauge::default());
        Self {
            registry,
            syncs,
            sync_seconds,
            jobs_finished,
            pods_finished,
            indexes_finished,
            pods_created,
            failures_handled,
            external_jobs,
            stale_syncs,
            held_pods,
            late_deletions,
            queue_depth,
            requests,
            events,
            known,
            writes,
            leading,
        }
    }
}

impl Metrics {
    /// Counts what the core says.
    pub fn count(&self, metric: Metric) {
        let up = |family: &Counters, labels: Labels, by: i64| {
            family.get_or_create(&labels).inc_by(u64::try_from(by).unwrap_or(0));
        };
        match metric {
            Metric::SyncDone { mode, ok, action, took } => {
                let labels =
                    vec![mode_label(mode), result(ok, "success", "error"), ("action", action_text(action).into())];
                up(&self.syncs, labels.clone(), 1);
                self.sync_seconds.get_or_create(&labels).observe(seconds(took));
            }
            Metric::JobFinished { mode, succeeded, reason } => {
                up(&self.jobs_finished, vec![mode_label(mode), ended(succeeded), ("reason", reason.into())], 1);
            }
            Metric::PodsFinished { mode, succeeded, count } => {
                up(&self.pods_finished, vec![mode_label(mode), ended(succeeded)], count);
            }
            Metric::IndexesFinished { succeeded, per_index, count } => {
                let limit = if per_index { "perIndex" } else { "global" };
                let status = ended(succeeded).1;
                up(&self.indexes_finished, vec![("status", status), ("backoffLimit", limit.into())], count);
            }
            Metric::PodsCreated { reason, succeeded, count } => {
                let labels = vec![("reason", creation_text(reason).into()), ("status", ended(succeeded).1)];
                up(&self.pods_created, labels, count);
            }
            Metric::FailureHandled { action } => {
                up(&self.failures_handled, vec![("action", failure_text(action).into())], 1);
            }
            Metric::ExternalJob { controller } => {
                up(&self.external_jobs, vec![("controller_name", controller.to_string())], 1);
            }
            Metric::StaleSyncSkipped { resource } => {
                let (group, resource) = resource_text(resource);
                up(&self.stale_syncs, vec![("group", group.into()), ("resource", resource.into())], 1);
            }
            Metric::DeletedAfterTimeToLive { late } => self.late_deletions.observe(seconds(late)),
            Metric::TerminatedPodWithFinalizer { added } => {
                up(&self.held_pods, vec![("event", if added { "add" } else { "delete" }.into())], 1);
            }
        }
    }

    /// A write was answered.
    pub fn request(&self, verb: &str, effect: &Effect, error: Option<&SendError>) {
        let result = match error {
            None => "success",
            Some(SendError::Refused(_)) => "refused",
            Some(SendError::Lost(_)) => "lost",
        };
        let labels = vec![("verb", verb.into()), ("resource", target(effect).into()), ("result", result.into())];
        self.requests.get_or_create(&labels).inc();
    }

    /// An event was written, added to another one, or refused.
    pub fn event(&self, result: &'static str) {
        self.events.get_or_create(&vec![("result", result.into())]).inc();
    }

    /// Sets the gauges.
    pub fn gauge(&self, load: Load, waiting: usize, under_way: usize, leading: bool) {
        let set = |family: &Gauges, label: (&'static str, &str), value: usize| {
            family.get_or_create(&vec![(label.0, label.1.into())]).set(i64::try_from(value).unwrap_or(i64::MAX));
        };
        let depth = |name, queue: Queued| set(&self.queue_depth, ("name", name), queue.ready);
        depth("job", load.job_queue);
        depth("job_orphan_pod", load.orphan_queue);
        depth("ttl_jobs_to_delete", load.time_to_live_queue);
        set(&self.known, ("resource", "jobs"), load.jobs);
        set(&self.known, ("resource", "pods"), load.pods);
        set(&self.writes, ("state", "waiting"), waiting);
        set(&self.writes, ("state", "under_way"), under_way);
        self.leading.set(leading.into());
    }

    /// The text that Prometheus reads (`OpenMetrics` 1.0).
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

fn mode_label(mode: CompletionMode) -> (&'static str, String) {
    let text = if mode == CompletionMode::Indexed { "Indexed" } else { "NonIndexed" };
    ("completion_mode", text.into())
}

fn result(ok: bool, good: &str, bad: &str) -> (&'static str, String) {
    ("result", if ok { good } else { bad }.into())
}

fn ended(succeeded: bool) -> (&'static str, String) {
    result(succeeded, "succeeded", "failed")
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of a sync are far below 2^52")]
fn seconds(time: jobwright_core::Millis) -> f64 {
    time.0 as f64 / 1_000.0
}

const fn action_text(action: SyncAction) -> &'static str {
    match action {
        SyncAction::Reconciling => "reconciling",
        SyncAction::Tracking => "tracking",
        SyncAction::PodsCreated => "pods_created",
        SyncAction::PodsDeleted => "pods_deleted",
    }
}

const fn creation_text(reason: CreationReason) -> &'static str {
    match reason {
        CreationReason::New => "new",
        CreationReason::RecreateTerminatingOrFailed => "recreate_terminating_or_failed",
        CreationReason::RecreateFailed => "recreate_failed",
    }
}

const fn failure_text(action: FailureAction) -> &'static str {
    match action {
        FailureAction::FailJob => "FailJob",
        FailureAction::Ignore => "Ignore",
        FailureAction::Count => "Count",
        FailureAction::FailIndex => "FailIndex",
    }
}

const fn resource_text(resource: Resource) -> (&'static str, &'static str) {
    match resource {
        Resource::Jobs => ("batch", "jobs"),
        Resource::Pods => ("", "pods"),
    }
}

const fn target(effect: &Effect) -> &'static str {
    match effect {
        Effect::UpdateStatus { .. } => "jobs/status",
        Effect::GetJob(_) | Effect::DeleteJob(..) => "jobs",
        _ => "pods",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jobwright_core::Millis;

    #[test]
    fn names_and_labels_are_those_of_kubernetes_met_1_met_4() {
        let metrics = Metrics::default();
        let mode = CompletionMode::Indexed;
        metrics.count(Metric::SyncDone { mode, ok: true, action: SyncAction::PodsCreated, took: Millis(5) });
        metrics.count(Metric::PodsFinished { mode, succeeded: false, count: 3 });
        metrics.count(Metric::StaleSyncSkipped { resource: Resource::Jobs });
        let text = metrics.text();
        for line in [
            r#"job_controller_job_syncs_total{completion_mode="Indexed",result="success",action="pods_created"} 1"#,
            r#"job_controller_job_sync_duration_seconds_bucket{le="0.008",completion_mode="Indexed",result="success",action="pods_created"} 1"#,
            r#"job_controller_job_pods_finished_total{completion_mode="Indexed",result="failed"} 3"#,
            r#"job_controller_stale_sync_skips_total{group="batch",resource="jobs"} 1"#,
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
    }
}

//! The command line, and the file with the same settings.
//!
//! Invariant: each setting stands here once, as a flag and as a key of the file; a flag goes before the file.
//! Words that Kubernetes' own controller manager has are its words.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Parser;
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::config::LogFormat;

/// A time as Kubernetes' flags write it: `10s`, `1m30s`, `100ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub Duration);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let span =
            text.parse::<jiff::SignedDuration>().map_err(|_| "give a time such as 10s, 1m30s or 100ms".to_owned())?;
        Duration::try_from(span).map(Self).map_err(|_| "a time must not be negative".to_owned())
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        String::deserialize(input)?.parse().map_err(D::Error::custom)
    }
}

/// The Job controller for Kubernetes clusters, beside the built-in one or instead of it.
///
/// Without further flags it takes the Jobs whose spec.managedBy is "jobwright.dev/job-controller" and leaves all
/// others alone. With --replace-builtin it takes all Jobs that name no other controller: only for clusters whose
/// kube-controller-manager runs with --controllers=*,-job-controller,-ttl-after-finished-controller.
#[derive(Clone, Debug, Default, Deserialize, Parser)]
#[command(name = "jobwright-controller", disable_version_flag = true, max_term_width = 110)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Args {
    /// A YAML file with the same settings, named like the flags but in camelCase; flags go before it
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Print the version, and the version of Kubernetes whose behaviour this is
    #[arg(long, short = 'V')]
    #[serde(skip)]
    pub version: bool,

    /// How to reach the API server; without it, the service account of the pod this runs in
    #[arg(long, value_name = "FILE", help_heading = "Cluster")]
    pub kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig, if not its current one
    #[arg(long, value_name = "NAME", help_heading = "Cluster")]
    pub context: Option<String>,
    /// Watch and act in these namespaces only, with commas between them
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Cluster")]
    pub namespaces: Option<Vec<String>>,
    /// Requests per second to the API server at most; 0: no limit [default: 0]
    #[arg(long, value_name = "N", help_heading = "Cluster")]
    pub kube_api_qps: Option<f64>,
    /// Requests at once before --kube-api-qps holds [default: 30]
    #[arg(long, value_name = "N", help_heading = "Cluster")]
    pub kube_api_burst: Option<u32>,
    /// Writes under way at the same time [default: 32]
    #[arg(long, value_name = "N", help_heading = "Cluster")]
    pub concurrent_writes: Option<usize>,

    /// Take the Jobs whose spec.managedBy is this [default: jobwright.dev/job-controller]
    #[arg(long, value_name = "NAME", help_heading = "Jobs", conflicts_with = "replace_builtin")]
    pub managed_by: Option<String>,
    /// Take all Jobs that name no other controller, and delete finished ones after their time to live
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Jobs")]
    pub replace_builtin: Option<bool>,
    /// Decide and log, write nothing
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Jobs")]
    pub dry_run: Option<bool>,
    /// Jobs that are worked on at the same time [default: 5]
    #[arg(long, value_name = "N", help_heading = "Jobs")]
    pub concurrent_job_syncs: Option<usize>,
    /// Feature gates as NAME=true or NAME=false, with commas between them; unknown ones give a warning
    #[arg(long, value_name = "NAME=BOOL,...", help_heading = "Jobs")]
    pub feature_gates: Option<String>,
    /// Behave like this version of Kubernetes, 1.31 to 1.37, where versions differ by gates
    #[arg(long, value_name = "VERSION", help_heading = "Jobs")]
    pub emulated_version: Option<String>,

    /// Delay before a failed pod is replaced; it doubles with each failure [default: 10s]
    #[arg(long, value_name = "TIME", help_heading = "Tuning")]
    pub pod_failure_backoff: Option<Span>,
    /// Longest such delay [default: 10m]
    #[arg(long, value_name = "TIME", help_heading = "Tuning")]
    pub pod_failure_backoff_max: Option<Span>,
    /// Changes of one Job are looked at no more often than this [default: 1s]
    #[arg(long, value_name = "TIME", help_heading = "Tuning")]
    pub sync_batch_period: Option<Span>,
    /// The first change after a quiet time is looked at after this; as --sync-batch-period: like Kubernetes [default: 50ms]
    #[arg(long, value_name = "TIME", help_heading = "Tuning")]
    pub first_sync_delay: Option<Span>,
    /// Ended pods of one Job that wait to be counted at a time [default: 500]
    #[arg(long, value_name = "N", help_heading = "Tuning")]
    pub max_uncounted_pods: Option<usize>,
    /// Pods that one look at a Job creates or deletes at most [default: 500]
    #[arg(long, value_name = "N", help_heading = "Tuning")]
    pub max_pod_writes_per_sync: Option<usize>,

    /// Where the probes and metrics are served, plain HTTP: /healthz, /readyz, /metrics, /log-level [default: 0.0.0.0:8080]
    #[arg(long, value_name = "ADDR:PORT", help_heading = "Operation")]
    pub listen: Option<SocketAddr>,
    /// Write only while a Lease is held, for more than one replica [default: false]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Operation")]
    pub leader_elect: Option<bool>,
    /// Namespace of the Lease [default: that of the pod, else kube-system]
    #[arg(long, value_name = "NAME", help_heading = "Operation")]
    pub leader_elect_resource_namespace: Option<String>,
    /// Name of the Lease [default: jobwright-controller]
    #[arg(long, value_name = "NAME", help_heading = "Operation")]
    pub leader_elect_resource_name: Option<String>,
    /// Others wait that long after the last renewal [default: 15s]
    #[arg(long, value_name = "TIME", help_heading = "Operation")]
    pub leader_elect_lease_duration: Option<Span>,
    /// Who could not renew for that long stops writing [default: 10s]
    #[arg(long, value_name = "TIME", help_heading = "Operation")]
    pub leader_elect_renew_deadline: Option<Span>,
    /// Between two tries [default: 2s]
    #[arg(long, value_name = "TIME", help_heading = "Operation")]
    pub leader_elect_retry_period: Option<Span>,
    /// error, warn, info, debug or trace, or pairs such as jobwright::decision=debug [default: info]
    #[arg(long, value_name = "LEVEL", help_heading = "Operation")]
    pub log_level: Option<String>,
    /// Lines for people or for programs [default: text]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Operation")]
    pub log_format: Option<LogFormat>,
}

/// What a flag does not say, the file says.
macro_rules! fill {
    ($flags:expr, $file:expr, $($name:ident),* $(,)?) => {
        $($flags.$name = $flags.$name.take().or($file.$name);)*
    };
}

impl Args {
    /// These settings, with those of a file where nothing is set.
    #[must_use]
    pub fn or(mut self, file: Self) -> Self {
        // A mode on the command line replaces the mode of the file.
        if self.managed_by.is_none() && self.replace_builtin.is_none() {
            fill!(self, file, managed_by, replace_builtin);
        }
        fill!(
            self,
            file,
            kubeconfig,
            context,
            namespaces,
            kube_api_qps,
            kube_api_burst,
            concurrent_writes,
            dry_run,
            concurrent_job_syncs,
            feature_gates,
            emulated_version,
            pod_failure_backoff,
            pod_failure_backoff_max,
            sync_batch_period,
            first_sync_delay,
            max_uncounted_pods,
            max_pod_writes_per_sync,
            listen,
            leader_elect,
            leader_elect_resource_namespace,
            leader_elect_resource_name,
            leader_elect_lease_duration,
            leader_elect_renew_deadline,
            leader_elect_retry_period,
            log_level,
            log_format,
        );
        self
    }
}

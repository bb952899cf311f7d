//! The settings as they are used: read, checked, with defaults.
//!
//! Invariant: what is wrong is told before anything is connected to, with the flag's name and what would do.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use jobwright_api::{names, yaml};
use jobwright_core::{Millis, PodBackoff, Tuning};
use serde::Deserialize;

use crate::args::{Args, Span};
use crate::gates::{self, GateError};
use crate::lease::Times;
use crate::logs;

/// How log lines look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Why settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file of `--config` cannot be read.
    #[error("{file}: {1}", file = .0.display())]
    Unreadable(PathBuf, std::io::Error),
    /// The file says something that is no setting.
    #[error("{path}:{line}: {message}", path = path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u32,
        /// What is wrong.
        message: String,
    },
    /// A value does not fit.
    #[error("--{flag}: {message}")]
    Value {
        /// The flag.
        flag: &'static str,
        /// What would fit.
        message: String,
    },
    /// A gate or version.
    #[error(transparent)]
    Gates(#[from] GateError),
    /// `--log-level`.
    #[error("--log-level: {0}")]
    Level(#[from] logs::LevelError),
}

/// Everything that [`crate::run`] needs to know.
#[derive(Debug)]
pub struct Config {
    /// Of the core.
    pub core: jobwright_core::Config,
    /// Gates that are not known.
    pub unknown_gates: Vec<String>,
    /// Empty: the service account.
    pub kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig.
    pub context: Option<String>,
    /// Empty: all.
    pub namespaces: Vec<String>,
    /// Requests per second; 0: no limit.
    pub qps: f64,
    /// Requests at once.
    pub burst: u32,
    /// Writes under way.
    pub concurrent_writes: usize,
    /// Write nothing.
    pub dry_run: bool,
    /// Probes and metrics.
    pub listen: SocketAddr,
    /// `None`: always leading.
    pub lease: Option<LeaseConfig>,
    /// `--log-level`
    pub log_level: String,
    /// `--log-format`
    pub log_format: LogFormat,
}

/// Of leader election.
#[derive(Debug)]
pub struct LeaseConfig {
    /// `None`: that of the pod, else `kube-system`.
    pub namespace: Option<String>,
    /// Name of the Lease.
    pub name: String,
    /// How long what takes.
    pub times: Times,
}

impl Config {
    /// Reads the file of `--config`, if there is one, and checks everything.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn new(args: Args) -> Result<Self, ConfigError> {
        let args = match &args.config {
            None => args,
            Some(path) => {
                let file = read_file(path)?;
                args.or(file)
            }
        };
        let replaces = args.replace_builtin.unwrap_or(false);
        if replaces && args.managed_by.is_some() {
            return Err(value("managed-by", "not together with --replace-builtin"));
        }
        let own = args.managed_by.clone().unwrap_or_else(|| names::MANAGED_BY.to_owned());
        if !own.contains('/') || own.len() > 63 {
            return Err(value(
                "managed-by",
                "a name with a domain before a slash, at most 63 characters, as spec.managedBy takes it",
            ));
        }
        if own == names::BUILT_IN_CONTROLLER {
            return Err(value("managed-by", "this is the name of the built-in controller; use --replace-builtin"));
        }
        let set = gates::parse(args.feature_gates.as_deref().unwrap_or(""))?;
        let (gates, unknown_gates) = gates::resolve(args.emulated_version.as_deref(), &set)?;
        let log_level = args.log_level.clone().unwrap_or_else(|| "info".to_owned());
        logs::filter(&log_level)?;
        let qps = args.kube_api_qps.unwrap_or(0.0);
        if !qps.is_finite() || qps < 0.0 {
            return Err(value("kube-api-qps", "a number from 0 on"));
        }
        let core = jobwright_core::Config {
            concurrent_syncs: positive("concurrent-job-syncs", args.concurrent_job_syncs.unwrap_or(5))?,
            manager: (!replaces).then(|| own.into()),
            time_to_live: replaces,
            count_once_after_not_found: true,
            gates,
            tuning: tuning(&args)?,
        };
        Ok(Self {
            core,
            unknown_gates,
            lease: lease(&args)?,
            kubeconfig: args.kubeconfig,
            context: args.context,
            namespaces: args.namespaces.unwrap_or_default(),
            qps,
            burst: args.kube_api_burst.unwrap_or(30).max(1),
            concurrent_writes: positive("concurrent-writes", args.concurrent_writes.unwrap_or(32))?,
            dry_run: args.dry_run.unwrap_or(false),
            listen: args.listen.unwrap_or_else(|| SocketAddr::from(([0, 0, 0, 0], 8080))),
            log_level,
            log_format: args.log_format.unwrap_or_default(),
        })
    }
}

fn value(flag: &'static str, message: &str) -> ConfigError {
    ConfigError::Value { flag, message: message.to_owned() }
}

fn positive(flag: &'static str, number: usize) -> Result<usize, ConfigError> {
    if number == 0 { Err(value(flag, "a number from 1 on")) } else { Ok(number) }
}

fn read_file(path: &PathBuf) -> Result<Args, ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|error| ConfigError::Unreadable(path.clone(), error))?;
    let wrong = |line, message| ConfigError::Wrong { path: path.clone(), line, message };
    let stream = yaml::read(&text).map_err(|error| wrong(error.line, error.message))?;
    let settings = stream.documents.first().map(yaml::Node::to_value).unwrap_or_default();
    if settings.is_null() {
        return Ok(Args::default());
    }
    serde_json::from_value(settings).map_err(|error| wrong(1, error.to_string()))
}

fn millis(span: Option<Span>, default: Millis) -> Millis {
    span.map_or(default, |Span(time)| Millis(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)))
}

fn tuning(args: &Args) -> Result<Tuning, ConfigError> {
    let like_kubernetes = Tuning::default();
    let batch_period = millis(args.sync_batch_period, like_kubernetes.batch_period);
    let first_change = millis(args.first_sync_delay, Millis(50)).min(batch_period);
    let backoff = PodBackoff::default();
    let pod_backoff = PodBackoff {
        first: millis(args.pod_failure_backoff, backoff.first),
        longest: millis(args.pod_failure_backoff_max, backoff.longest),
    };
    if pod_backoff.first > pod_backoff.longest {
        return Err(value("pod-failure-backoff", "not longer than --pod-failure-backoff-max"));
    }
    Ok(Tuning {
        batch_period,
        first_change: (first_change < batch_period).then_some(first_change),
        pod_backoff,
        uncounted_pods_max: positive("max-uncounted-pods", args.max_uncounted_pods.unwrap_or(500))?,
        pod_writes_max: positive("max-pod-writes-per-sync", args.max_pod_writes_per_sync.unwrap_or(500))?,
    })
}

fn lease(args: &Args) -> Result<Option<LeaseConfig>, ConfigError> {
    let default = Times::default();
    let time = |span: Option<Span>, default: Duration| span.map_or(default, |Span(time)| time);
    let times = Times {
        duration: time(args.leader_elect_lease_duration, default.duration),
        renew_deadline: time(args.leader_elect_renew_deadline, default.renew_deadline),
        retry: time(args.leader_elect_retry_period, default.retry),
    };
    if times.duration <= times.renew_deadline {
        return Err(value("leader-elect-lease-duration", "longer than --leader-elect-renew-deadline"));
    }
    if times.renew_deadline <= times.retry || times.retry.is_zero() {
        return Err(value(
            "leader-elect-renew-deadline",
            "longer than --leader-elect-retry-period, which is longer than 0",
        ));
    }
    let name = args.leader_elect_resource_name.clone().unwrap_or_else(|| "jobwright-controller".to_owned());
    let namespace = args.leader_elect_resource_namespace.clone();
    Ok(args.leader_elect.unwrap_or(false).then_some(LeaseConfig { namespace, name, times }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn of(line: &str) -> Result<Config, ConfigError> {
        let words = std::iter::once("jobwright-controller").chain(line.split_whitespace());
        Config::new(Args::try_parse_from(words).unwrap())
    }

    #[test]
    fn defaults_take_only_jobs_that_name_this_controller_mgb_1() {
        let config = of("").unwrap();
        assert_eq!(config.core.manager.as_deref(), Some("jobwright.dev/job-controller"));
        assert!(!config.core.time_to_live && config.lease.is_none());
        assert_eq!(config.core.tuning.first_change, Some(Millis(50)));
        let all = of("--replace-builtin").unwrap();
        assert!(all.core.manager.is_none() && all.core.time_to_live);
    }

    #[test]
    fn flags_have_the_words_and_forms_of_kubernetes() {
        let config = of("--leader-elect=true --kube-api-qps=100 --kube-api-burst 100 --concurrent-job-syncs=2 \
            --sync-batch-period=100ms --first-sync-delay=100ms --pod-failure-backoff=1m30s --feature-gates=Foo=true")
        .unwrap();
        assert_eq!((config.qps, config.burst, config.core.concurrent_syncs), (100.0, 100, 2));
        let Tuning { batch_period, first_change, pod_backoff, .. } = config.core.tuning;
        assert_eq!((batch_period, first_change, pod_backoff.first), (Millis(100), None, Millis(90_000)));
        assert_eq!(config.unknown_gates, ["Foo"]);
        assert!(config.lease.is_some());
    }

    #[test]
    fn what_does_not_fit_is_named_by_its_flag() {
        for (line, flag) in [
            ("--managed-by kubernetes.io/job-controller", "--managed-by"),
            ("--managed-by nodomain", "--managed-by"),
            ("--concurrent-job-syncs 0", "--concurrent-job-syncs"),
            ("--pod-failure-backoff 1h", "--pod-failure-backoff"),
            ("--leader-elect-lease-duration 5s", "--leader-elect-lease-duration"),
            ("--log-level jobwright=nothing", "--log-level"),
            ("--feature-gates A", "feature gate"),
            ("--config /nonexistent/file", "/nonexistent/file"),
        ] {
            let error = of(line).unwrap_err().to_string();
            assert!(error.starts_with(flag), "{line}: {error}");
        }
    }

    #[test]
    fn a_file_has_the_same_settings_and_flags_go_before_it() {
        let args = |line: &str| Args::try_parse_from(line.split_whitespace()).unwrap();
        let file: Args =
            serde_json::from_str(r#"{"syncBatchPeriod": "2s", "concurrentJobSyncs": 7, "replaceBuiltin": true}"#)
                .unwrap();
        let both = args("x --concurrent-job-syncs 3 --managed-by a.b/c").or(file);
        assert_eq!((both.concurrent_job_syncs, both.replace_builtin), (Some(3), None));
        assert_eq!(both.sync_batch_period, Some(Span(Duration::from_secs(2))));
        assert!(serde_json::from_str::<Args>(r#"{"syncBatchPeriods": "2s"}"#).is_err());
    }
}

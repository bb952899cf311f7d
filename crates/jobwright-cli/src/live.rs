//! A Job of a cluster, as the dump that `kubectl get job,pods,events -o json` would give.
//!
//! Invariants: only reads; what was read is explained by the same code as a dump. The only room of this crate that asks
//! for the time.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use http::Request;
use jobwright_api::time::Timestamp;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::{Value, json};

use crate::files::CommandError;

/// Which cluster.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Cluster {
    /// The kubeconfig of the cluster; without it as kubectl does: KUBECONFIG, then ~/.kube/config.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,

    /// The context of the kubeconfig.
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
}

/// The name in `job/NAME`, in any of the forms that kubectl takes; `None`: this is a file.
pub(crate) fn job_name(argument: &Path) -> Option<&str> {
    let (kind, name) = argument.to_str()?.split_once('/')?;
    let is_job = matches!(kind, "job" | "jobs" | "job.batch" | "jobs.batch");
    (is_job && !name.is_empty() && !name.contains('/')).then_some(name)
}

/// The present time.
pub(crate) fn now() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "a Job of a cluster is explained as it is now")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// A List of the Job, its pods and its events.
///
/// # Errors
/// There is no such Job, or the cluster cannot be asked.
pub(crate) fn dump(cluster: &Cluster, namespace: Option<&str>, job: &str) -> Result<Value, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let reader = Reader::new(cluster, namespace).await?;
        reader.list(job).await
    })
}

/// A connection, and the namespace that is looked at.
pub(crate) struct Reader {
    client: Client,
    namespace: String,
}

impl Reader {
    /// Connects as kubectl would.
    pub(crate) async fn new(cluster: &Cluster, namespace: Option<&str>) -> Result<Self, CommandError> {
        let options = KubeConfigOptions { context: cluster.context.clone(), ..KubeConfigOptions::default() };
        let file = match &cluster.kubeconfig {
            Some(path) => Kubeconfig::read_from(path),
            None => Kubeconfig::read(),
        };
        let no_cluster = |error: &dyn std::fmt::Display| {
            let way_out = "--kubeconfig FILE or KUBECONFIG says which cluster; a dump in a file needs none";
            CommandError::Input(format!("no cluster: {error}\n  = {way_out}"))
        };
        let file = file.map_err(|error| no_cluster(&error))?;
        let config = Config::from_custom_kubeconfig(file, &options).await.map_err(|error| no_cluster(&error))?;
        let namespace = namespace.map_or_else(|| config.default_namespace.clone(), str::to_owned);
        let client = Client::try_from(config).map_err(|error| no_cluster(&error))?;
        Ok(Self { client, namespace })
    }

    /// The Job, the pods that it may own and its events.
    pub(crate) async fn list(&self, name: &str) -> Result<Value, CommandError> {
        let jobs = format!("/apis/batch/v1/namespaces/{}/jobs", self.namespace);
        let job = match self.get(&format!("{jobs}/{name}")).await {
            Err(kube::Error::Api(status)) if status.code == 404 => return Err(self.no_such_job(name, &jobs).await),
            other => other.map_err(|error| refused("read the Job", &error))?,
        };
        let uid = job["metadata"]["uid"].as_str().unwrap_or_default();
        let core = format!("/api/v1/namespaces/{}", self.namespace);
        let pods = format!("{core}/pods{}", selector(&job));
        let pods = self.get(&pods).await.map_err(|error| refused("list pods", &error))?;
        // Without the right to see events the answer only says less.
        let events =
            self.get(&format!("{core}/events?fieldSelector=involvedObject.uid%3D{uid}")).await.unwrap_or_default();
        let mut items = vec![job];
        for (list, kind, version) in [(pods, "Pod", "v1"), (events, "Event", "v1")] {
            for mut item in list["items"].as_array().cloned().unwrap_or_default() {
                item["kind"] = kind.into();
                item["apiVersion"] = version.into();
                items.push(item);
            }
        }
        Ok(json!({"apiVersion": "v1", "kind": "List", "items": items}))
    }

    async fn no_such_job(&self, name: &str, jobs: &str) -> CommandError {
        let list = self.get(&format!("{jobs}?limit=500")).await.unwrap_or_default();
        let names = list["items"].as_array().into_iter().flatten().filter_map(|job| job["metadata"]["name"].as_str());
        let mut near: Vec<&str> = names.filter(|other| is_near(name, other)).collect();
        near.truncate(3);
        let way_out = if near.is_empty() { String::new() } else { format!("\n  = there is {}", near.join(", ")) };
        CommandError::Input(format!("there is no Job {name} in the namespace {}{way_out}", self.namespace))
    }

    async fn get(&self, path: &str) -> Result<Value, kube::Error> {
        let wrong = |error| kube::Error::BuildRequest(kube::core::request::Error::BuildRequest(error));
        self.client.request(Request::get(path).body(Vec::new()).map_err(wrong)?).await
    }
}

/// The selector of a Job as a query; all pods if it is more than labels.
fn selector(job: &Value) -> String {
    let labels = job["spec"]["selector"]["matchLabels"].as_object();
    let pairs = labels.into_iter().flatten().filter_map(|(name, value)| Some((name, value.as_str()?)));
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{}%3D{value}", name.replace('/', "%2F"))).collect();
    if pairs.is_empty() { String::new() } else { format!("?labelSelector={}", pairs.join("%2C")) }
}

fn refused(what: &str, error: &kube::Error) -> CommandError {
    let text = match error {
        kube::Error::Api(status) => status.message.clone(),
        other => {
            let mut text = other.to_string();
            let mut next = std::error::Error::source(other);
            while let Some(cause) = next {
                text = format!("{text}: {cause}");
                next = cause.source();
            }
            text
        }
    };
    CommandError::Input(format!("cannot {what}: {text}"))
}

/// Names that begin alike or hold each other are likely meant.
fn is_near(wanted: &str, other: &str) -> bool {
    let same = wanted.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    other.contains(wanted) || wanted.contains(other) || same * 2 > wanted.len().max(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_named_as_kubectl_names_it() {
        let of = |text: &str| job_name(Path::new(text)).map(str::to_owned);
        assert_eq!(of("job/pi"), Some("pi".into()));
        assert_eq!(of("jobs.batch/pi"), Some("pi".into()));
        for file in ["pi", "job/", "job/a/b.yaml", "./job/pi", "dumps/pi.yaml", "-"] {
            assert_eq!(of(file), None, "{file}");
        }
    }

    #[test]
    fn near_names_are_offered() {
        assert!(is_near("nightly", "nightly-29"));
        assert!(is_near("nighty-29", "nightly-29"));
        assert!(!is_near("pi", "backup"));
    }
}

//! How the API server is reached.
//!
//! Invariant: requests are repeated in [`crate::send`] and nowhere else.

use std::time::Duration;

use http::header::USER_AGENT;
use hyper_util::client::legacy::{self, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use kube::client::ConfigExt;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tower::{BoxError, ServiceBuilder};

use crate::config;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);

/// Why the API server cannot be reached.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The kubeconfig cannot be used.
    #[error("{path}: {error}")]
    Kubeconfig {
        /// The file.
        path: String,
        /// What is wrong with it.
        error: kube::config::KubeconfigError,
    },
    /// There is no kubeconfig, and this is no pod with a service account.
    #[error("no --kubeconfig was given, and there is no service account: {0}")]
    NotInCluster(#[from] kube::config::InClusterError),
    /// No client can be made of it.
    #[error("cannot make a client: {0}")]
    Client(#[from] kube::Error),
}

/// A client, and the namespace that it is at home in.
///
/// # Errors
/// There is no usable configuration.
pub async fn connect(config: &config::Config) -> Result<(Client, String), ConnectError> {
    let mut found = match &config.kubeconfig {
        None => Config::incluster()?,
        Some(path) => {
            let wrong = |error| ConnectError::Kubeconfig { path: path.display().to_string(), error };
            let file = Kubeconfig::read_from(path).map_err(wrong)?;
            let options = KubeConfigOptions { context: config.context.clone(), ..KubeConfigOptions::default() };
            Config::from_custom_kubeconfig(file, &options).await.map_err(wrong)?
        }
    };
    found.default_retry = false;
    found.headers.push((
        USER_AGENT,
        http::HeaderValue::from_static(concat!("jobwright-controller/", env!("CARGO_PKG_VERSION"))),
    ));
    let namespace =
        if config.kubeconfig.is_none() { found.default_namespace.clone() } else { "kube-system".to_owned() };
    Ok((client(&found)?, namespace))
}

/// What `kube` would build, with one difference: small requests are sent at once. Without that (`TCP_NODELAY`) the body
/// of a write waits for the server's acknowledgement of its head, up to 40 ms each time.
fn client(config: &Config) -> Result<Client, kube::Error> {
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(CONNECT));
    let connector = config.rustls_https_connector_with_connector(connector)?;
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(legacy::Client::builder(TokioExecutor::new()).build(connector));
    Ok(Client::new(service, config.default_namespace.clone()))
}

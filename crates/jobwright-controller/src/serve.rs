//! Probes and metrics over plain HTTP.
//!
//! Invariant: nothing served here tells what is in the cluster but numbers; only who reaches the process from its own
//! host (or through `kubectl port-forward`) can change something, and that is the level of the log.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::{ConnectInfo, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, put};
use jobwright_core::Resource;
use tokio::net::TcpListener;

use crate::logs::Level;
use crate::metrics::Metrics;

/// Which caches are filled.
#[derive(Debug, Default)]
pub struct Ready {
    jobs: AtomicBool,
    pods: AtomicBool,
}

impl Ready {
    /// A list of this resource is complete.
    pub fn listed(&self, resource: Resource) {
        self.flag(resource).store(true, Ordering::Relaxed);
    }

    const fn flag(&self, resource: Resource) -> &AtomicBool {
        match resource {
            Resource::Jobs => &self.jobs,
            Resource::Pods => &self.pods,
        }
    }

    /// What is missing; nothing: ready.
    fn missing(&self) -> Vec<&'static str> {
        let all = [(Resource::Jobs, "jobs"), (Resource::Pods, "pods")];
        let missing = all.into_iter().filter(|(resource, _)| !self.flag(*resource).load(Ordering::Relaxed));
        missing.map(|(_, name)| name).collect()
    }
}

/// What is served.
#[derive(Clone)]
pub struct Served {
    /// For `/readyz`.
    pub ready: Arc<Ready>,
    /// For `/metrics`.
    pub metrics: Arc<Metrics>,
    /// For `/log-level`.
    pub level: Level,
}

/// Serves until the process ends.
///
/// # Errors
/// The socket broke.
pub async fn serve(listener: TcpListener, served: Served) -> std::io::Result<()> {
    let router = Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/livez", get(|| async { "ok\n" }))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .route("/log-level", put(set_level).get(level))
        .with_state(served);
    axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>()).await
}

async fn readyz(State(served): State<Served>) -> Response {
    let missing = served.ready.missing();
    if missing.is_empty() {
        return "ok\n".into_response();
    }
    let text = format!("not ready: {} not listed yet\n", missing.join(" and "));
    (StatusCode::SERVICE_UNAVAILABLE, text).into_response()
}

async fn metrics(State(served): State<Served>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], served.metrics.text()).into_response()
}

async fn level(State(served): State<Served>) -> String {
    format!("{}\n", served.level.get())
}

async fn set_level(ConnectInfo(from): ConnectInfo<SocketAddr>, State(served): State<Served>, text: String) -> Response {
    if !from.ip().is_loopback() {
        let text = "the level can be changed from the own host only, for example through kubectl port-forward\n";
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    match served.level.set(text.trim()) {
        Ok(()) => format!("{}\n", served.level.get()).into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, format!("{error}\n")).into_response(),
    }
}

//! Puts the parts together, and ends them.
//!
//! Invariant: at a signal nothing new is sent; what was sent is answered, events are written and the Lease is given
//! back within a second and a half, and what did not get that far a restart finishes.

use std::sync::Arc;
use std::time::Duration;

use jobwright_core::{Controller, Recorder};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, watch};

use crate::clock;
use crate::config::{Config, LeaseConfig};
use crate::connect::{self, ConnectError};
use crate::drive::Drive;
use crate::events::Events;
use crate::lease::Lease;
use crate::logs::Level;
use crate::metrics::Metrics;
use crate::pace::Pace;
use crate::serve::{Ready, Served, serve};
use crate::shown::{JobKind, PodKind};
use crate::watch::Watch;
use crate::writes::{Limits, Writes};

/// How long ending may take.
const GRACE: Duration = Duration::from_millis(1_500);
/// What the watches have shown and the core has not taken in.
const SHOWN_MAX: usize = 1_024;

/// Why the process ends with an error.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The API server cannot be reached.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The address of `--listen` cannot be used, or signals cannot be received.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// Another replica leads now.
    #[error("leadership is lost")]
    NotLeading,
}

/// Runs until a signal comes or leadership is lost.
///
/// # Errors
/// See [`RunError`].
pub async fn run(config: Config, level: Level) -> Result<(), RunError> {
    let mut signals = Signals::new().map_err(|error| RunError::Io("signals".into(), error))?;
    let listener = TcpListener::bind(config.listen).await;
    let listener = listener.map_err(|error| RunError::Io(config.listen.to_string(), error))?;
    let (client, home) = connect::connect(&config).await?;
    let (metrics, ready) = (Arc::new(Metrics::default()), Arc::new(Ready::default()));
    let pace = Arc::new(Pace::new(config.qps, config.burst));
    let (show, shown) = mpsc::channel(SHOWN_MAX);
    let (emit, emitted) = mpsc::unbounded_channel();
    let (lead, leading) = watch::channel(config.lease.is_none());
    let (end, stop) = watch::channel(false);
    for gate in &config.unknown_gates {
        tracing::warn!(gate, "this feature gate is not known here and changes nothing");
    }
    tracing::info!(listen = %config.listen, managed_by = config.core.manager.as_deref().unwrap_or("(the built-in controller)"), "starting");

    tokio::spawn(Watch::<JobKind>::new(client.clone(), config.namespaces.clone(), show.clone()).run());
    tokio::spawn(Watch::<PodKind>::new(client.clone(), config.namespaces.clone(), show).run());
    tokio::spawn(serve(listener, Served { ready: ready.clone(), metrics: metrics.clone(), level }));
    let events = Events::new(client.clone(), pace.clone(), metrics.clone());
    let events = tokio::spawn(events.run(emitted, config.dry_run));
    let limits = Limits { in_flight: config.concurrent_writes, dry_run: config.dry_run };
    let drive = Drive {
        core: Controller::new(config.core, Recorder::muted()),
        writes: Writes::new(client.clone(), pace, limits, metrics.clone()),
        events: emit,
        metrics,
        ready,
        shown,
        leading,
        stop,
    };
    let mut driving = tokio::spawn(drive.run());
    let mut lease = config.lease.map(|wanted| candidate(client, home, wanted));
    tokio::select! {
        () = signals.any() => {}
        // Whoever leads now may have begun: what is under way is given up with the process.
        () = hold(lease.as_mut(), &lead) => return Err(RunError::NotLeading),
        _ = &mut driving => {}
    }
    tracing::info!("ending");
    end.send_replace(true);
    let finish = async {
        let _ = driving.await;
        let _ = events.await;
        if let Some(lease) = &lease {
            lease.release().await;
        }
    };
    if tokio::time::timeout(GRACE, finish).await.is_err() {
        tracing::warn!("not everything was answered in time");
    }
    Ok(())
}

/// The signals that end the process.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn any(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

fn candidate(client: kube::Client, home: String, wanted: LeaseConfig) -> Lease {
    let host = std::env::var("POD_NAME").or_else(|_| std::fs::read_to_string("/etc/hostname")).unwrap_or_default();
    let identity = format!("{}_{}_{:x}", host.trim(), std::process::id(), clock::now().0);
    Lease::new(client, wanted.namespace.unwrap_or(home), wanted.name, identity, wanted.times)
}

async fn hold(lease: Option<&mut Lease>, leading: &watch::Sender<bool>) {
    match lease {
        Some(lease) => lease.hold(leading).await,
        None => std::future::pending().await,
    }
}

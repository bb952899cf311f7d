//! The log: text or JSON, and a level that can be changed while the process runs.
//!
//! Invariant: at level `debug` of the target `jobwright::decision` each decision is logged with its record; at other
//! levels no record is made.

use std::sync::{Arc, Mutex};

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::reload;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Registry, fmt};

use crate::config::LogFormat;

/// The level cannot be read or set.
#[derive(Debug, thiserror::Error)]
#[error("{0} is no level: give error, warn, info, debug or trace, or target=level pairs with commas")]
pub struct LevelError(String);

/// The level of the log, to be changed.
#[derive(Clone)]
pub struct Level {
    text: Arc<Mutex<String>>,
    handle: reload::Handle<EnvFilter, Registry>,
}

impl Level {
    /// As it was given.
    #[must_use]
    pub fn get(&self) -> String {
        self.text.lock().map(|text| text.clone()).unwrap_or_default()
    }

    /// Changes it.
    ///
    /// # Errors
    /// The text is no level; the old one stays.
    pub fn set(&self, level: &str) -> Result<(), LevelError> {
        let filter = filter(level)?;
        self.handle.reload(filter).map_err(|_| LevelError(level.to_owned()))?;
        if let Ok(mut text) = self.text.lock() {
            level.clone_into(&mut text);
        }
        tracing::info!(level, "the level of the log was changed");
        Ok(())
    }
}

/// Checks a level.
///
/// # Errors
/// The text is no level.
pub fn filter(level: &str) -> Result<EnvFilter, LevelError> {
    // What the libraries say about each request is for who asks for it by name.
    let libraries = ["hyper=warn", "hyper_util=warn", "tower=warn", "kube=warn", "rustls=warn"];
    let parsed = EnvFilter::try_new(level).map_err(|_| LevelError(level.to_owned()))?;
    let quiet = |filter: EnvFilter, directive: &&str| match directive.parse() {
        Ok(parsed) if !level.contains(directive.split('=').next().unwrap_or_default()) => filter.add_directive(parsed),
        _ => filter,
    };
    Ok(libraries.iter().fold(parsed, quiet))
}

/// Starts logging to standard error.
///
/// # Errors
/// The text is no level.
pub fn init(level: &str, format: LogFormat) -> Result<Level, LevelError> {
    let (filter, handle) = reload::Layer::new(filter(level)?);
    let registry = tracing_subscriber::registry().with(filter);
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    // Only a second call could fail, and there is none.
    let _ = match format {
        LogFormat::Text => registry.with(lines).try_init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true)).try_init(),
    };
    Ok(Level { text: Arc::new(Mutex::new(level.to_owned())), handle })
}

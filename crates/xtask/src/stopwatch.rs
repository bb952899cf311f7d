//! How long a step took. The only file of `xtask` that asks for the time; nothing depends on the answer.

use std::time::{Duration, Instant};

/// Started when a step starts.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts to measure.
    #[allow(clippy::disallowed_methods, reason = "durations of build steps, for people to read")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

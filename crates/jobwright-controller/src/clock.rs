//! The only room that reads clocks.
//!
//! Invariant: [`now`] is the wall clock, which the API's timestamps are made of; waits are measured on the monotonic
//! clock, so a clock that is set back makes nobody wait longer.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jobwright_core::{Millis, Timestamp};
use tokio::time::Instant;

/// The present time.
#[must_use]
pub fn now() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "the one clock of this crate")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// A moment of the monotonic clock, for measuring how long something takes.
#[must_use]
pub fn instant() -> Instant {
    Instant::now()
}

/// When a wait until `at` is over; at once if it is past.
#[must_use]
pub fn until(at: Timestamp) -> Instant {
    let Millis(wait) = at - now();
    // Whoever waits for longer looks again after an hour, in case the wall clock was set.
    instant() + Duration::from_millis(u64::try_from(wait).unwrap_or(0)).min(Duration::from_secs(3_600))
}

//! How many requests per second are sent, if that is limited (`--kube-api-qps`, `--kube-api-burst`).
//!
//! Invariant: a token is taken for each request that is sent, and only then; without a limit nothing is counted.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::Clock;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::time::Instant;

use crate::clock;

/// A bucket of tokens; one comes back in each `1 / qps` seconds.
#[derive(Debug)]
pub struct Pace {
    bucket: Option<DefaultDirectRateLimiter>,
}

impl Pace {
    /// At most `burst` requests at once and `qps` per second; `qps` of 0 or less is no limit.
    #[must_use]
    pub fn new(qps: f64, burst: u32) -> Self {
        let quota = (qps > 0.0)
            .then(|| Quota::with_period(Duration::from_secs_f64(1.0 / qps)))
            .flatten()
            .map(|quota| quota.allow_burst(NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN)));
        Self { bucket: quota.map(RateLimiter::direct) }
    }

    /// Takes a token, or says when there will be one.
    ///
    /// # Errors
    /// None is left; the moment when to ask again.
    pub fn take(&self) -> Result<(), Instant> {
        let Some(bucket) = &self.bucket else { return Ok(()) };
        let wait =
            |not_yet: governor::NotUntil<_>| not_yet.wait_time_from(governor::clock::DefaultClock::default().now());
        bucket.check().map_err(|not_yet| clock::instant() + wait(not_yet))
    }

    /// Waits for a token and takes it.
    pub async fn wait(&self) {
        while let Err(at) = self.take() {
            tokio::time::sleep_until(at).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_let_through_and_then_one_waits() {
        let pace = Pace::new(0.001, 3);
        assert_eq!(
            [pace.take().is_ok(), pace.take().is_ok(), pace.take().is_ok(), pace.take().is_ok()],
            [true, true, true, false]
        );
    }

    #[test]
    fn without_a_limit_nobody_waits() {
        let pace = Pace::new(0.0, 1);
        assert!((0..1_000).all(|_| pace.take().is_ok()));
    }
}

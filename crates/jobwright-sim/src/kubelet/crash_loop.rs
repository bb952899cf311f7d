//! How long a kubelet waits before it starts a container again (Kubernetes, `CrashLoopBackOff`).
//!
//! Invariant: the first restart comes at once; then the delay doubles from 10 seconds to 5 minutes.

use jobwright_core::Millis;

const BASE_SECONDS: i64 = 10;
const CAP_SECONDS: i64 = 300;

/// From the end of a container to its next start, if it was started again so often already.
pub(super) fn delay(restarts: u32) -> Millis {
    match restarts {
        0 => Millis::ZERO,
        n => Millis::from_seconds((BASE_SECONDS << (n - 1).min(10)).min(CAP_SECONDS)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_to_five_minutes() {
        let seconds: Vec<i64> = (0..8).map(|n| delay(n).0 / 1_000).collect();
        assert_eq!(seconds, [0, 10, 20, 40, 80, 160, 300, 300]);
        assert_eq!(delay(u32::MAX).0, 300_000);
    }
}

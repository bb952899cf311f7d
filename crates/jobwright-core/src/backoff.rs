//! How long to wait after failures before pods are made again (BKO-1 to BKO-10).
//!
//! Invariant: the delay depends only on finish times of pods and on `now`; delay(n) grows with n up to
//! ten minutes.

use crate::mutant::{Mutant, is_planted};
use crate::time::{Millis, Timestamp};

/// Delay after the first failure (CST-3).
const BASE: Millis = Millis::from_seconds(10);
/// Longest delay (CST-3).
const CAP: Millis = Millis::from_seconds(600);

/// Failures since the last success of a Job (BKO-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BackoffRecord {
    /// How many.
    pub(crate) failures: u32,
    /// When the last of them finished.
    pub(crate) last_failure: Option<Timestamp>,
}

impl BackoffRecord {
    /// The record after pods ended, by their finish times (BKO-2).
    pub(crate) fn after(
        self,
        succeeded: impl Iterator<Item = Timestamp>,
        failed: impl Iterator<Item = Timestamp> + Clone,
    ) -> Self {
        let last_success = succeeded.max();
        let fresh = failed.filter(|at| last_success.is_none_or(|success| *at > success));
        let base = if last_success.is_some() { Self::default() } else { self };
        let count = u32::try_from(fresh.clone().count()).unwrap_or(u32::MAX);
        if count == 0 {
            return base;
        }
        Self { failures: base.failures.saturating_add(count), last_failure: fresh.max() }
    }

    /// The nominal delay (BKO-6, BKO-7).
    pub(crate) fn delay(self) -> Millis {
        match self.failures {
            0 => Millis::ZERO,
            // Six doublings of ten seconds are above the cap.
            n => Millis((BASE.0 << (n - 1).min(6)).min(CAP.0)),
        }
    }

    /// What is left of the delay (BKO-6).
    pub(crate) fn remaining(self, now: Timestamp) -> Millis {
        let Some(last) = self.last_failure.filter(|_| !is_planted(Mutant::NoBackoff)) else { return Millis::ZERO };
        let elapsed = now - last;
        Millis((self.delay().0 - elapsed.0).max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::iter::empty;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(seconds)
    }

    fn record(failures: u32, last: i64) -> BackoffRecord {
        BackoffRecord { failures, last_failure: Some(at(last)) }
    }

    #[test]
    fn delays_double_from_ten_seconds_to_ten_minutes_bko_7() {
        let delays = [0, 1, 2, 3, 4, 5, 6, 7, 40].map(|n| record(n, 0).delay().0 / 1_000);
        assert_eq!(delays, [0, 10, 20, 40, 80, 160, 320, 600, 600]);
    }

    #[test]
    fn a_success_resets_and_later_failures_count_bko_2() {
        let none = BackoffRecord::default();
        let fails = [at(3), at(7), at(5)];
        assert_eq!(none.after(empty(), empty()), none);
        assert_eq!(none.after(empty(), fails.into_iter()), record(3, 7));
        assert_eq!(record(2, 1).after(empty(), fails.into_iter()), record(5, 7));
        assert_eq!(record(2, 1).after([at(9)].into_iter(), empty()), none);
        assert_eq!(record(2, 1).after([at(5)].into_iter(), fails.into_iter()), record(1, 7));
        assert_eq!(record(2, 1).after([at(7)].into_iter(), fails.into_iter()), none);
    }

    #[test]
    fn what_is_left_of_a_delay_bko_6() {
        assert_eq!(record(1, 2).remaining(at(5)).0, 7_000);
        assert_eq!(record(1, 2).remaining(at(12)).0, 0);
        assert_eq!(record(1, 20).remaining(at(5)).0, 25_000);
        assert_eq!(BackoffRecord::default().remaining(at(5)).0, 0);
    }
}

//! How long to wait after failures before pods are made again (BKO-1 to BKO-10).
//!
//! Invariant: the delay depends only on finish times of pods and on `now`; delay(n) grows with n up to
//! the longest that is allowed, ten minutes by default.

use crate::controller::PodBackoff;
use crate::mutant::{Mutant, is_planted};
use crate::time::{Millis, Timestamp};

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
    pub(crate) fn delay(self, allowed: PodBackoff) -> Millis {
        let Some(doublings) = self.failures.checked_sub(1) else { return Millis::ZERO };
        let factor = 1_i64.checked_shl(doublings).filter(|factor| *factor > 0).unwrap_or(i64::MAX);
        Millis(allowed.first.0.saturating_mul(factor).min(allowed.longest.0))
    }

    /// What is left of the delay (BKO-6).
    pub(crate) fn remaining(self, allowed: PodBackoff, now: Timestamp) -> Millis {
        let Some(last) = self.last_failure.filter(|_| !is_planted(Mutant::NoBackoff)) else { return Millis::ZERO };
        let elapsed = now - last;
        Millis((self.delay(allowed).0 - elapsed.0).max(0))
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
        let delays = |allowed| [0, 1, 2, 3, 4, 5, 6, 7, 40, 64, 99].map(|n| record(n, 0).delay(allowed).0 / 1_000);
        assert_eq!(delays(PodBackoff::default()), [0, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600]);
        let short = PodBackoff { first: Millis::from_seconds(1), longest: Millis::from_seconds(3) };
        assert_eq!(delays(short), [0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
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
        assert_eq!(record(1, 2).remaining(PodBackoff::default(), at(5)).0, 7_000);
        assert_eq!(record(1, 2).remaining(PodBackoff::default(), at(12)).0, 0);
        assert_eq!(record(1, 20).remaining(PodBackoff::default(), at(5)).0, 25_000);
        assert_eq!(BackoffRecord::default().remaining(PodBackoff::default(), at(5)).0, 0);
    }
}

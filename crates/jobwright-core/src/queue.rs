//! The work queue: one place per key, one pending delay per key, a retry delay per key (EVQ-1 to EVQ-8).
//!
//! Invariants: a key is never handed out while it is being worked on; a pending delay only ever moves
//! earlier; a key that is added while it is worked on is handed out again afterwards.

use alloc::collections::VecDeque;

use crate::controller::Queued;
use crate::ordered::{OrderedMap, OrderedSet};
use crate::output::WakeReason;
use crate::time::{Millis, Timestamp};

/// First delay after a failed sync (CST-2).
const RETRY_BASE: Millis = Millis::from_seconds(1);
/// Longest delay after failed syncs (CST-2).
const RETRY_CAP: Millis = Millis::from_seconds(60);

#[derive(Clone, Debug, Default)]
struct Place {
    /// Waits in `ready`, or will once it is done.
    wanted: bool,
    /// Handed out and not done.
    busy: bool,
    /// The pending delayed add.
    delayed: Option<(Timestamp, WakeReason)>,
    /// Failed syncs since the last success.
    failures: u32,
}

/// A queue of keys of one kind.
#[derive(Clone, Debug)]
pub(crate) struct WorkQueue<K> {
    places: OrderedMap<K, Place>,
    ready: VecDeque<K>,
    delays: OrderedSet<(Timestamp, K)>,
    busy: usize,
    /// First and longest delay after a failed sync.
    retry: (Millis, Millis),
    /// What holds for the retries of all keys together.
    overall: Option<Bucket>,
}

/// A bucket of tokens, one for each retry: [`Bucket::BURST`] at first, and one more in each [`Bucket::REFILL`] (TTL-8).
#[derive(Clone, Debug, Default)]
struct Bucket {
    /// When the bucket is full again.
    full_at: Timestamp,
}

impl Bucket {
    const BURST: i64 = 100;
    const REFILL: Millis = Millis(100);

    /// Takes a token; returns how long one has to wait for it.
    fn take(&mut self, now: Timestamp) -> Millis {
        self.full_at = self.full_at.max(now) + Self::REFILL;
        let missing = self.full_at - now;
        Millis((missing.0 - Self::BURST * Self::REFILL.0).max(0))
    }
}

impl<K> Default for WorkQueue<K> {
    fn default() -> Self {
        Self::with_retry(RETRY_BASE, RETRY_CAP)
    }
}

impl<K> WorkQueue<K> {
    /// A queue with other retry delays: the first, and the longest.
    pub(crate) fn with_retry(base: Millis, cap: Millis) -> Self {
        let (places, ready, delays) = (OrderedMap::new(), VecDeque::new(), OrderedSet::new());
        Self { places, ready, delays, busy: 0, retry: (base, cap), overall: None }
    }

    /// The same queue with a limit on the retries of all its keys together.
    pub(crate) fn with_overall_limit(mut self) -> Self {
        self.overall = Some(Bucket::default());
        self
    }
}

impl<K: Ord + Clone> WorkQueue<K> {
    /// Adds a key now. A pending delay stays (EVQ-3).
    pub(crate) fn add(&mut self, key: &K) {
        let place = self.places.entry(key);
        if place.wanted {
            return;
        }
        place.wanted = true;
        if !place.busy {
            self.ready.push_back(key.clone());
        }
    }

    /// Adds a key after a delay; at once if there is none. Only an earlier time replaces a pending one.
    pub(crate) fn add_after(&mut self, key: &K, delay: Millis, why: WakeReason, now: Timestamp) {
        if delay <= Millis::ZERO {
            return self.add(key);
        }
        let at = now + delay;
        let place = self.places.entry(key);
        match place.delayed {
            Some((pending, _)) if pending <= at => return,
            Some((pending, _)) => {
                self.delays.remove(&(pending, key.clone()));
            }
            None => {}
        }
        place.delayed = Some((at, why));
        self.delays.insert((at, key.clone()));
    }

    /// Adds a key whose work failed, after a delay that doubles with each failure (EVQ-8).
    pub(crate) fn add_after_failure(&mut self, key: &K, now: Timestamp) {
        let place = self.places.entry(key);
        let doubled = self.retry.0.0.checked_shl(place.failures.min(20)).unwrap_or(i64::MAX);
        place.failures = place.failures.saturating_add(1);
        let own = Millis(doubled.min(self.retry.1.0));
        let delay = self.overall.as_mut().map_or(own, |bucket| own.max(bucket.take(now)));
        self.add_after(key, delay, WakeReason::Retry, now);
    }

    /// The work on a key succeeded: the next failure begins with the shortest delay again.
    pub(crate) fn forget_failures(&mut self, key: &K) {
        if let Some(place) = self.places.get_mut(key) {
            place.failures = 0;
        }
    }

    /// Moves the keys whose delay is over into the line; returns why the given ones were waiting.
    pub(crate) fn advance(&mut self, now: Timestamp, mut due: impl FnMut(&K, WakeReason)) {
        while let Some((at, key)) = self.delays.first().cloned().filter(|(at, _)| *at <= now) {
            self.delays.remove(&(at, key.clone()));
            let why = self.places.get_mut(&key).and_then(|place| place.delayed.take());
            if let Some((_, why)) = why {
                due(&key, why);
            }
            self.add(&key);
        }
    }

    /// The next key to work on.
    pub(crate) fn take(&mut self) -> Option<K> {
        let key = self.ready.pop_front()?;
        let place = self.places.entry(&key);
        place.wanted = false;
        place.busy = true;
        self.busy += 1;
        Some(key)
    }

    /// The work on a key is over.
    pub(crate) fn done(&mut self, key: &K) {
        let Some(place) = self.places.get_mut(key).filter(|place| place.busy) else { return };
        place.busy = false;
        self.busy -= 1;
        if place.wanted {
            self.ready.push_back(key.clone());
        } else if place.delayed.is_none() && place.failures == 0 {
            self.places.remove(key);
        }
    }

    /// How many keys there are.
    pub(crate) fn sizes(&self) -> Queued {
        Queued { ready: self.ready.len(), busy: self.busy, delayed: self.delays.len() }
    }

    /// How many keys are being worked on.
    pub(crate) const fn busy(&self) -> usize {
        self.busy
    }

    /// Each place: whether it is wanted, when its delay is over, how often its work failed.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (bool, Option<Timestamp>, u32)> {
        self.places.values().map(|place| (place.wanted, place.delayed.map(|(at, _)| at), place.failures))
    }

    /// The earliest pending delay.
    pub(crate) fn next_delay(&self) -> Option<(Timestamp, WakeReason, &K)> {
        let (at, key) = self.delays.first()?;
        let (_, why) = self.places.get(key)?.delayed?;
        Some((*at, why, key))
    }

    /// When this key is handed out next, as far as is known.
    pub(crate) fn next_of(&self, key: &K, now: Timestamp) -> Option<(Timestamp, WakeReason)> {
        let place = self.places.get(key)?;
        if place.wanted { Some((now, WakeReason::Batch)) } else { place.delayed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp(0);

    fn due(queue: &mut WorkQueue<u8>, at: i64) -> Option<u8> {
        queue.advance(Timestamp(at), |_, _| {});
        queue.take()
    }

    #[test]
    fn a_delay_only_moves_earlier_evq_3() {
        let mut queue = WorkQueue::default();
        queue.add_after(&1, Millis(2_000), WakeReason::PodBackoff, T0);
        queue.add_after(&1, Millis(5_000), WakeReason::Batch, T0);
        assert_eq!(queue.next_delay(), Some((Timestamp(2_000), WakeReason::PodBackoff, &1)));
        queue.add_after(&1, Millis(1_000), WakeReason::Batch, T0);
        assert_eq!(due(&mut queue, 999), None);
        assert_eq!(due(&mut queue, 1_000), Some(1));
        assert_eq!(queue.next_delay(), None);
    }

    #[test]
    fn an_immediate_add_keeps_the_pending_delay_evq_3() {
        let mut queue = WorkQueue::default();
        queue.add_after(&1, Millis(2_000), WakeReason::Batch, T0);
        queue.add(&1);
        assert_eq!(queue.take(), Some(1));
        queue.done(&1);
        assert_eq!(due(&mut queue, 2_000), Some(1));
    }

    #[test]
    fn a_key_added_while_busy_runs_again_evq_1() {
        let mut queue = WorkQueue::default();
        queue.add(&1);
        assert_eq!(queue.take(), Some(1));
        queue.add(&1);
        queue.add(&1);
        assert_eq!(queue.take(), None);
        queue.done(&1);
        assert_eq!((queue.take(), queue.take()), (Some(1), None));
    }

    #[test]
    fn retries_double_to_a_minute_and_success_resets_evq_8() {
        let mut queue = WorkQueue::default();
        let mut delays = alloc::vec::Vec::new();
        for _ in 0..8 {
            queue.add_after_failure(&1, T0);
            let at = queue.next_delay().map(|(at, ..)| at).unwrap();
            delays.push(at.0 / 1_000);
            assert_eq!(due(&mut queue, at.0), Some(1));
            queue.done(&1);
        }
        assert_eq!(delays, [1, 2, 4, 8, 16, 32, 60, 60]);
        queue.forget_failures(&1);
        queue.add_after_failure(&1, T0);
        assert_eq!(queue.next_delay().map(|(at, ..)| at), Some(Timestamp(1_000)));
    }

    #[test]
    fn a_hundred_retries_are_free_and_ten_a_second_follow_ttl_8() {
        let mut queue = WorkQueue::with_retry(Millis(5), Millis(1_000_000)).with_overall_limit();
        let mut delay_of = |key: u16, now: i64| {
            queue.add_after_failure(&key, Timestamp(now));
            queue.next_of(&key, Timestamp(now)).map(|(at, _)| at.0 - now)
        };
        let delays: alloc::vec::Vec<_> = (0..103).map(|key| delay_of(key, 0)).collect();
        assert_eq!(&delays[98..], [Some(5), Some(5), Some(100), Some(200), Some(300)]);
        assert_eq!(delay_of(200, 10_000), Some(5));
    }
}

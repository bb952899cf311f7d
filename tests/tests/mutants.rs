//! For each law a controller with a planted bug, which the law has to catch in the generated worlds.
//!
//! The bugs sit between the controller and the API server, where the observer's books cannot know of them.

use std::sync::atomic::{AtomicU64, Ordering};

use jobwright_core::{Effect, JobStatus, Rule, Write};
use jobwright_sim::world::Tampered;
use jobwright_tests::laws;
use jobwright_tests::observer::Law;
use jobwright_tests::worlds;

/// The same call with another status.
fn with_status(write: &Write, change: impl FnOnce(&mut JobStatus)) -> Tampered {
    let mut effect = write.effect.clone();
    if let Effect::UpdateStatus { status, .. } = &mut effect {
        change(status);
    }
    Tampered::Instead(effect)
}

fn caught(law: Law, tamper: fn(&Write) -> Tampered) -> bool {
    laws::caught(&worlds::general(), law, |plan| laws::single(plan, Some(tamper)))
}

#[test]
fn a_controller_that_does_not_store_uids_first_breaks_the_law_of_storing_first() {
    fn swallows_the_first_status(write: &Write) -> Tampered {
        if write.why == Rule::StoreStatus { Tampered::Swallow } else { Tampered::Pass }
    }
    assert!(caught(Law::Persisted, swallows_the_first_status));
}

#[test]
fn a_controller_that_forgets_one_uid_breaks_the_law_of_storing_first() {
    fn forgets_one(write: &Write) -> Tampered {
        if write.why != Rule::StoreStatus {
            return Tampered::Pass;
        }
        with_status(write, |status| {
            if let Some(uncounted) = &mut status.uncounted {
                uncounted.failed.pop();
            }
        })
    }
    assert!(caught(Law::Persisted, forgets_one));
}

#[test]
fn a_controller_that_forgets_an_index_breaks_the_law_of_storing_first() {
    fn forgets_indexes(write: &Write) -> Tampered {
        if write.why != Rule::StoreStatus {
            return Tampered::Pass;
        }
        with_status(write, |status| {
            status.completed_indexes.clear();
            status.succeeded = 0;
        })
    }
    assert!(caught(Law::Persisted, forgets_indexes));
}

#[test]
fn a_controller_that_counts_a_failure_twice_breaks_the_law_of_counting() {
    fn counts_one_more(write: &Write) -> Tampered {
        if write.why != Rule::StoreCounters {
            return Tampered::Pass;
        }
        with_status(write, |status| status.failed += i32::from(status.failed > 0))
    }
    assert!(caught(Law::Counting, counts_one_more));
}

#[test]
fn a_controller_that_loses_a_success_breaks_the_law_of_counting() {
    fn counts_one_less(write: &Write) -> Tampered {
        if write.why != Rule::StoreCounters {
            return Tampered::Pass;
        }
        with_status(write, |status| status.succeeded -= i32::from(status.succeeded > 0))
    }
    assert!(caught(Law::Counting, counts_one_less));
}

#[test]
fn a_controller_that_stores_a_uid_again_breaks_the_law_of_counting() {
    fn keeps_waiting(write: &Write) -> Tampered {
        static LAST: std::sync::Mutex<Option<JobStatus>> = std::sync::Mutex::new(None);
        let Effect::UpdateStatus { status, .. } = &write.effect else { return Tampered::Pass };
        let Ok(mut last) = LAST.lock() else { return Tampered::Pass };
        let before = if write.why == Rule::StoreStatus { last.replace((**status).clone()) } else { None };
        match before.and_then(|before| before.uncounted) {
            Some(old) if !old.failed.is_empty() => with_status(write, |status| {
                let waiting = status.uncounted.get_or_insert_default();
                waiting
                    .failed
                    .extend(old.failed.iter().filter(|uid| !waiting.failed.contains(uid)).cloned().collect::<Vec<_>>());
            }),
            _ => Tampered::Pass,
        }
    }
    assert!(caught(Law::Counting, keeps_waiting));
}

#[test]
fn a_controller_that_ends_for_another_reason_than_it_announced_breaks_inv_8() {
    fn changes_its_mind(write: &Write) -> Tampered {
        if write.why != Rule::StoreCounters {
            return Tampered::Pass;
        }
        with_status(write, |status| {
            if let Some(last) = status.conditions.last_mut() {
                last.reason = "Other".into();
            }
        })
    }
    assert!(caught(Law::Invariant("INV-8"), changes_its_mind));
}

#[test]
fn a_controller_that_gives_another_reason_early_in_its_life_breaks_the_law_of_restarts() {
    fn tells_its_age(write: &Write) -> Tampered {
        if write.id.0 > 6 {
            return Tampered::Pass;
        }
        with_status(write, |status| {
            for condition in &mut status.conditions {
                condition.reason = "Young".into();
            }
        })
    }
    let caught = laws::caught(&worlds::paired::paired(), Law::Restart, |pair| laws::restart(pair, Some(tells_its_age)));
    assert!(caught);
}

#[test]
fn a_controller_that_counts_its_calls_in_a_global_breaks_the_law_of_equal_traces() {
    fn skips_every_seventh(_: &Write) -> Tampered {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        if CALLS.fetch_add(1, Ordering::Relaxed) % 7 == 6 { Tampered::Swallow } else { Tampered::Pass }
    }
    let check = |plan: &worlds::Plan| laws::same_trace(plan, Some(skips_every_seventh));
    assert!(laws::caught(&worlds::general(), Law::SameTrace, check));
}

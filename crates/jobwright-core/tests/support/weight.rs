//! What a fleet weighs, counted at the allocator.
//!
//! Invariant: the count is of the bytes asked for by this process; nothing else may allocate meanwhile.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use crate::fleet::{self, Fleet};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes that a controller keeps for each of `size` pods.
pub(crate) fn per_pod(size: u32, fleet: Fleet) -> f64 {
    let mut core = fleet::controller(size, fleet);
    let region = Region::new(COUNTED);
    fleet::list(&mut core, fleet::pods(size, fleet));
    // A grown block is counted as taken once more; `bytes_reallocated` is only what it grew by.
    let change = region.change();
    let kept = change.bytes_allocated - change.bytes_deallocated;
    drop(core);
    f64::from(u32::try_from(kept).unwrap_or(u32::MAX)) / f64::from(size)
}

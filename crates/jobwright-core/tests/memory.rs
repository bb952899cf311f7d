//! What the ledger and its maps may weigh. A test binary of its own: it counts at the allocator.

#[path = "support/fleet.rs"]
mod fleet;
#[path = "support/weight.rs"]
mod weight;

use fleet::Fleet;

/// Bytes that a pod may take with everything that refers to it.
const BYTES_PER_POD_MAX: f64 = 100.0;

// One test: the count is of the whole process.
#[test]
fn a_pod_of_a_large_job_takes_at_most_100_bytes() {
    for fleet in [Fleet::FinishedButTen, Fleet::Running] {
        let bytes = weight::per_pod(20_000, fleet);
        assert!(bytes <= BYTES_PER_POD_MAX, "{fleet:?}: {bytes:.1} bytes per pod");
    }
}

//! How many bytes the controller keeps for each pod of a large Job, counted at the allocator.

#[path = "../tests/support/fleet.rs"]
mod fleet;
#[path = "../tests/support/weight.rs"]
mod weight;

use fleet::Fleet;

fn main() {
    for (name, fleet) in [("all finished but ten", Fleet::FinishedButTen), ("all running", Fleet::Running)] {
        for size in [1_000, 100_000] {
            println!("{size:>7} pods, {name}: {:.1} bytes per pod", weight::per_pod(size, fleet));
        }
    }
}

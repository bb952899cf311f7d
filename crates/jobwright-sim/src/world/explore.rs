//! What a walk through all that can happen needs of a world.
//!
//! Invariant: none of it is about decisions; a world that forgets does the same as one that does not.

use jobwright_core::Resource;

use super::World;
use crate::kubelet::Kubelet;

impl World {
    /// The same world for one who never asks about its past: no decisions, no history, no events.
    #[must_use]
    pub(crate) fn forgetful(mut self) -> Self {
        self.forgets = true;
        self.restart_controller();
        self
    }

    /// The kubelet, for planning what pods do.
    pub(crate) const fn kubelet_mut(&mut self) -> Option<&mut Kubelet> {
        self.kubelet.as_mut()
    }

    /// How many pods were made so far, by index.
    pub(crate) fn pods_made(&self) -> Vec<(Option<u32>, u32)> {
        self.kubelet.iter().flat_map(Kubelet::made).collect()
    }

    /// Whether a watch event of the resource waits.
    pub(crate) fn withholds(&self, resource: Resource) -> bool {
        self.watches.withholds(resource)
    }
}

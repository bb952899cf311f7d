//! What the controller can have seen: the stored objects, except where its watch is held.
//!
//! Some laws bind the controller to what it can know (an end that its watch has not shown cannot be
//! counted), so the observer follows the watches too, by the actions that hold and release them.
//!
//! Invariant: a watch that is not held shows what is stored; a controller that starts lists everything.

use jobwright_core::Resource;
use jobwright_sim::scenario::WatchAct;

use super::snapshot::{Objects, Snapshot};

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    /// Where the watch of Jobs stands still; `None` while it flows.
    jobs: Option<Objects>,
    pods: Option<Objects>,
}

impl View {
    /// Objects as the controller has seen them.
    pub(super) fn of<'a>(&'a self, resource: Resource, stored: &'a Snapshot) -> &'a Objects {
        let held = match resource {
            Resource::Jobs => &self.jobs,
            Resource::Pods => &self.pods,
        };
        held.as_ref().unwrap_or(stored.of(resource))
    }

    /// Whether a watch stands still.
    pub(super) const fn is_held(&self, resource: Resource) -> bool {
        match resource {
            Resource::Jobs => self.jobs.is_some(),
            Resource::Pods => self.pods.is_some(),
        }
    }

    /// A watch was held, released or dropped.
    pub(super) fn act(&mut self, act: WatchAct, resource: Resource, stored: &Snapshot) {
        let held = match resource {
            Resource::Jobs => &mut self.jobs,
            Resource::Pods => &mut self.pods,
        };
        match act {
            WatchAct::Hold => {
                held.get_or_insert_with(|| stored.of(resource).clone());
            }
            WatchAct::Release | WatchAct::Drop => *held = None,
        }
    }

    /// The controller lists everything; a watch that is held stands still there.
    pub(super) fn list(&mut self, stored: &Snapshot) {
        for (held, resource) in [(&mut self.jobs, Resource::Jobs), (&mut self.pods, Resource::Pods)] {
            if held.is_some() {
                *held = Some(stored.of(resource).clone());
            }
        }
    }
}

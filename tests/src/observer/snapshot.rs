//! What the API server holds, kept from one moment to the next so that two moments can be compared.
//!
//! Invariant: objects are kept by UID, so an object that takes the name of another is another object.

use std::collections::BTreeMap;
use std::sync::Arc;

use jobwright_core::Resource;
use jobwright_sim::api_server::ApiServer;
use jobwright_sim::object;
use serde_json::Value;

/// Objects by UID.
pub(super) type Objects = BTreeMap<String, Arc<Value>>;

/// Jobs and pods at one moment.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    pub(super) jobs: Objects,
    pub(super) pods: Objects,
    version: u64,
}

/// What became of one object between two moments.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) resource: Resource,
    /// As it was; `None` if it is new.
    pub(super) old: Option<Arc<Value>>,
    /// As it is; `None` if it is gone.
    pub(super) new: Option<Arc<Value>>,
}

impl Change {
    /// The object as it is, or as it was last.
    pub(super) fn object(&self) -> Option<&Arc<Value>> {
        self.new.as_ref().or(self.old.as_ref())
    }
}

impl Snapshot {
    /// The objects of a resource.
    pub(super) const fn of(&self, resource: Resource) -> &Objects {
        match resource {
            Resource::Jobs => &self.jobs,
            Resource::Pods => &self.pods,
        }
    }

    /// What has changed since this moment.
    pub(super) fn changes(&self, api: &ApiServer) -> Vec<Change> {
        if api.version() == self.version {
            return Vec::new();
        }
        let mut changes = Vec::new();
        for resource in [Resource::Jobs, Resource::Pods] {
            let before = self.of(resource);
            let now: Objects =
                api.list(resource).map(|object| (object::uid(object).to_owned(), Arc::clone(object))).collect();
            for (uid, old) in before {
                match now.get(uid) {
                    Some(new) if Arc::ptr_eq(old, new) => {}
                    new => changes.push(Change { resource, old: Some(Arc::clone(old)), new: new.cloned() }),
                }
            }
            let added = now.iter().filter(|(uid, _)| !before.contains_key(*uid));
            changes.extend(added.map(|(_, new)| Change { resource, old: None, new: Some(Arc::clone(new)) }));
        }
        changes
    }

    /// Moves on to the moment after these changes.
    pub(super) fn advance(&mut self, changes: &[Change], version: u64) {
        self.version = version;
        for change in changes {
            let Some(object) = change.object() else { continue };
            let uid = object::uid(object).to_owned();
            let objects = match change.resource {
                Resource::Jobs => &mut self.jobs,
                Resource::Pods => &mut self.pods,
            };
            match &change.new {
                Some(new) => objects.insert(uid, Arc::clone(new)),
                None => objects.remove(&uid),
            };
        }
    }
}

//! Has the cache caught up with the controller's own writes? (CON-1 to CON-4, gate `StaleControllerConsistencyJob`)
//!
//! Invariant: a record is kept only until the cache is seen to be as new as it; resource versions of one
//! resource are compared with each other and with nothing else.

use crate::ids::{ResourceVersion, Text, Uid, text};
use crate::input::Resource;

/// The newest versions that the watches have shown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Synced {
    jobs: ResourceVersion,
    pods: ResourceVersion,
}

impl Synced {
    /// The watch of a resource has shown this version.
    pub(crate) fn saw(&mut self, resource: Resource, version: ResourceVersion) {
        let seen = self.of_mut(resource);
        *seen = (*seen).max(version);
    }

    const fn of(self, resource: Resource) -> ResourceVersion {
        match resource {
            Resource::Jobs => self.jobs,
            Resource::Pods => self.pods,
        }
    }

    const fn of_mut(&mut self, resource: Resource) -> &mut ResourceVersion {
        match resource {
            Resource::Jobs => &mut self.jobs,
            Resource::Pods => &mut self.pods,
        }
    }
}

/// The newest versions that writes for one Job returned.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnWrites {
    job: Option<Uid>,
    newest: Synced,
}

impl OwnWrites {
    /// A write for this Job returned a version; another Job of the same name begins a new record.
    pub(crate) fn wrote(&mut self, job: &Uid, resource: Resource, version: ResourceVersion) {
        if self.job.as_ref() != Some(job) {
            *self = Self { job: Some(job.clone()), newest: Synced::default() };
        }
        self.newest.saw(resource, version);
    }

    /// Forgets the writes for a Job that is gone or finished.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Which resources are behind, as bits.
    pub(crate) fn behind(&self, synced: Synced) -> u64 {
        let resources = [Resource::Jobs, Resource::Pods];
        resources
            .into_iter()
            .fold(0, |bits, resource| bits << 1 | u64::from(synced.of(resource) < self.newest.of(resource)))
    }

    /// The resource that is behind, if one is; a fresh verdict clears the record (CON-2).
    pub(crate) fn stale(&mut self, synced: Synced) -> Option<Stale> {
        let behind = |resource| {
            let (read, written) = (synced.of(resource), self.newest.of(resource));
            // An unknown version cannot be compared, and counts as fresh.
            (read != ResourceVersion::default() && read < written).then_some(Stale { resource, read, written })
        };
        let stale = behind(Resource::Jobs).or_else(|| behind(Resource::Pods));
        if stale.is_none() {
            self.forget();
        }
        stale
    }
}

/// A cache that is behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stale {
    pub(crate) resource: Resource,
    read: ResourceVersion,
    written: ResourceVersion,
}

impl Stale {
    /// The error of the sync (CON-3).
    pub(crate) fn error(self) -> Text {
        let resource = match self.resource {
            Resource::Jobs => "jobs.batch",
            Resource::Pods => "pods",
        };
        let (read, written) = (self.read, self.written);
        text(format_args!(
            "read version: {read} is not as new as written version: {written} for group resource {resource}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_fresh_when_it_shows_the_newest_write_con_2() {
        let (job, other) = (Uid::new("a"), Uid::new("b"));
        let mut synced = Synced::default();
        let mut writes = OwnWrites::default();
        writes.wrote(&job, Resource::Pods, ResourceVersion(7));
        assert_eq!(writes.clone().stale(synced), None);
        synced.saw(Resource::Pods, ResourceVersion(6));
        let stale = writes.stale(synced).map(Stale::error);
        let error = "read version: 6 is not as new as written version: 7 for group resource pods";
        assert_eq!(stale.as_deref(), Some(error));
        writes.wrote(&other, Resource::Jobs, ResourceVersion(3));
        assert_eq!(writes.stale(synced), None, "another Job under the same name");
        writes.wrote(&job, Resource::Pods, ResourceVersion(7));
        synced.saw(Resource::Pods, ResourceVersion(9));
        assert_eq!(writes.stale(synced), None);
    }
}

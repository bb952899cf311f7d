//! The controller's watches: changes on their way from the API server to the controller.
//!
//! Invariant: changes of one resource arrive in the order in which they were made. A change of a
//! resource that is not held arrives even if an older one of the other resource waits.

use std::collections::VecDeque;
use std::sync::Arc;

use jobwright_api::read;
use jobwright_core::digest::Mix;
use jobwright_core::input::{Input, RelistStep, Resource};
use jobwright_core::{JobKey, PodKey, ResourceVersion, Uid};
use serde_json::Value;

use crate::api_server::{ApiServer, Change};
use crate::object;

/// Changes that the controller has not seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watches {
    waiting: VecDeque<Change>,
    jobs_held: bool,
    pods_held: bool,
}

impl Watches {
    /// A change was made.
    pub(crate) fn push(&mut self, change: Change) {
        self.waiting.push_back(change);
    }

    /// Lets the events of a resource wait, or lets them go.
    pub(crate) const fn hold(&mut self, resource: Resource, held: bool) {
        match resource {
            Resource::Jobs => self.jobs_held = held,
            Resource::Pods => self.pods_held = held,
        }
    }

    /// Nobody listens: what waits is lost.
    pub(crate) fn forget(&mut self) {
        self.waiting.clear();
    }

    /// The watch of a resource breaks: what waits of it is lost.
    pub(crate) fn lose(&mut self, resource: Resource) {
        self.waiting.retain(|change| change.resource != resource);
    }

    const fn is_held(&self, resource: Resource) -> bool {
        match resource {
            Resource::Jobs => self.jobs_held,
            Resource::Pods => self.pods_held,
        }
    }

    /// Whether an event of the resource waits.
    pub(crate) fn withholds(&self, resource: Resource) -> bool {
        self.waiting.iter().any(|change| change.resource == resource)
    }

    /// What is held, and what waits; `colour` stands for the object of a change.
    pub(crate) fn digest(&self, colour: &mut dyn FnMut(&Change) -> u64, mix: &mut Mix) {
        mix.add(u64::from(self.jobs_held) | u64::from(self.pods_held) << 1);
        let sum = |sum: u64, change: &Change| sum.wrapping_add(colour(change) ^ u64::from(change.gone));
        mix.add(self.waiting.iter().fold(self.waiting.len() as u64, sum));
    }

    /// Takes out what arrives now.
    pub(crate) fn arriving(&mut self) -> Vec<Input> {
        let all = std::mem::take(&mut self.waiting);
        let (held, free): (VecDeque<Change>, Vec<Change>) = if self.jobs_held || self.pods_held {
            let mut free = Vec::new();
            let mut held = VecDeque::new();
            for change in all {
                if self.is_held(change.resource) { held.push_back(change) } else { free.push(change) }
            }
            (held, free)
        } else {
            (VecDeque::new(), all.into())
        };
        self.waiting = held;
        free.iter().filter_map(input_of).collect()
    }
}

/// A list of everything, as a controller makes it when it starts or when a watch broke.
pub(crate) fn list(api: &ApiServer, resource: Resource) -> Vec<Input> {
    let mut inputs = vec![Input::Relist(resource, RelistStep::Begin)];
    inputs.extend(api.list(resource).filter_map(|object| observed(resource, object)));
    inputs.push(Input::Relist(resource, RelistStep::Done(ResourceVersion(api.version()))));
    inputs
}

fn input_of(change: &Change) -> Option<Input> {
    if !change.gone {
        return observed(change.resource, &change.object);
    }
    let (namespace, name) = (object::namespace(&change.object), object::name(&change.object));
    let uid = Uid::new(object::uid(&change.object));
    let version = ResourceVersion(object::version(&change.object));
    Some(match change.resource {
        Resource::Jobs => Input::JobGone(JobKey::new(namespace, name), uid, version),
        Resource::Pods => Input::PodGone(PodKey::new(namespace, name), uid, version),
    })
}

/// Every stored object was readable when it was stored, so nothing is left out here.
fn observed(resource: Resource, object: &Arc<Value>) -> Option<Input> {
    match resource {
        Resource::Jobs => read::job(object).ok().map(|job| Input::Job(Box::new(job))),
        Resource::Pods => read::pod(object).ok().map(|pod| Input::Pod(Box::new(pod))),
    }
}

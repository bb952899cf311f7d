//! The simulated API server: objects in memory, resource versions, and a log of changes for watches.
//!
//! Invariant: each change of an object gives it a new resource version and one entry in the log; a
//! change that changes nothing gives neither. Objects are shared, so a clone of the whole server is cheap.

mod deletion;
mod error;
mod jobs;
mod pod_rules;
mod pods;
mod template_rules;
mod update_rules;

use jobwright_core::OrderedMap;
use std::sync::Arc;

use jobwright_api::validate::FieldError;
use jobwright_core::{Gates, Resource, Timestamp};
use serde_json::Value;

pub use deletion::{DeletePod, Propagation};
pub(crate) use deletion::{FOREGROUND, ORPHAN};
pub use error::{ApiError, Cause, Reason, resource_text};

use crate::object;
use crate::rng::Rng;

/// Namespace and name of an object.
pub type ObjectName = (String, String);

/// One entry of the log that watches read.
#[derive(Clone, Debug)]
pub struct Change {
    /// Of which resource.
    pub resource: Resource,
    /// The object as it is now, or as it was last if it is gone.
    pub object: Arc<Value>,
    /// Whether it is gone.
    pub gone: bool,
}

/// The API server and its storage.
#[derive(Clone, Debug)]
pub struct ApiServer {
    rng: Rng,
    version: u64,
    jobs: OrderedMap<ObjectName, Arc<Value>>,
    pods: OrderedMap<ObjectName, Arc<Value>>,
    log: Vec<Change>,
    gates: Gates,
}

impl ApiServer {
    /// An empty server; uids and generated names follow from the seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let gates = Gates::default();
        Self {
            rng: Rng::new(seed),
            version: 0,
            jobs: OrderedMap::new(),
            pods: OrderedMap::new(),
            log: Vec::new(),
            gates,
        }
    }

    /// Sets the gates; only those that the rules of updates ask for matter here (UPD-41).
    pub const fn set_gates(&mut self, gates: Gates) {
        self.gates = gates;
    }

    const fn table(&self, resource: Resource) -> &OrderedMap<ObjectName, Arc<Value>> {
        match resource {
            Resource::Jobs => &self.jobs,
            Resource::Pods => &self.pods,
        }
    }

    const fn table_mut(&mut self, resource: Resource) -> &mut OrderedMap<ObjectName, Arc<Value>> {
        match resource {
            Resource::Jobs => &mut self.jobs,
            Resource::Pods => &mut self.pods,
        }
    }

    /// The version of the newest change.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// All objects of a resource, by namespace and name.
    pub fn list(&self, resource: Resource) -> impl Iterator<Item = &Arc<Value>> {
        self.table(resource).values()
    }

    /// One object.
    ///
    /// # Errors
    /// 404 if it is not there.
    pub fn get(&self, resource: Resource, namespace: &str, name: &str) -> Result<Arc<Value>, ApiError> {
        let key = (namespace.to_owned(), name.to_owned());
        self.table(resource).get(&key).cloned().ok_or_else(|| ApiError::not_found(resource, name))
    }

    /// Takes out the changes since the last call, oldest first.
    pub fn take_log(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.log)
    }

    /// A uid that no object has.
    pub fn new_uid(&mut self) -> String {
        self.rng.uid()
    }

    fn next_version(&mut self) -> u64 {
        self.version += 1;
        self.version
    }

    /// Stores an object under its name and tells the watches.
    fn put(&mut self, resource: Resource, mut object: Value) -> Arc<Value> {
        let version = self.next_version();
        object::set(&mut object, &["metadata", "resourceVersion"], version.to_string());
        let key = key_of(&object);
        let object = Arc::new(object);
        self.table_mut(resource).insert(key, Arc::clone(&object));
        self.log.push(Change { resource, object: Arc::clone(&object), gone: false });
        object
    }

    /// Removes an object and tells the watches.
    fn remove(&mut self, resource: Resource, object: &Arc<Value>) {
        self.next_version();
        self.table_mut(resource).remove(&key_of(object));
        self.log.push(Change { resource, object: Arc::clone(object), gone: true });
    }

    /// Stores what became of `old`. Nothing happens if nothing changed; an object that is being deleted
    /// goes when its last finalizer goes and its grace period is 0 (ENV-2).
    fn update(&mut self, resource: Resource, old: &Arc<Value>, new: Value) -> Arc<Value> {
        if **old == new {
            return Arc::clone(old);
        }
        let deleting = object::is_terminating(old);
        let grace = object::integer(old, &["metadata", "deletionGracePeriodSeconds"]).unwrap_or(0);
        if deleting && grace == 0 && object::finalizers(&new).is_empty() && !object::finalizers(old).is_empty() {
            // The answer shows the change with the last stored version; the watch shows the end.
            let last = Arc::new(new);
            self.remove(resource, &last);
            return last;
        }
        self.put(resource, new)
    }
}

/// A refusal, if anything is wrong.
fn refuse(kind: &str, name: &str, errors: impl IntoIterator<Item = FieldError>) -> Result<(), ApiError> {
    let cause =
        |error: FieldError| Cause { kind: error.kind.reason().to_owned(), detail: error.cause(), field: error.field };
    let causes: Vec<Cause> = errors.into_iter().map(cause).collect();
    if causes.is_empty() { Ok(()) } else { Err(ApiError::invalid(kind, name, causes)) }
}

/// Whether two values of a field mean something else; absent, `null` and empty are the same.
fn differs(one: Option<&Value>, other: Option<&Value>) -> bool {
    let spec = |value: Option<&Value>| serde_json::json!({"spec": {"field": value}});
    jobwright_api::validate::spec_changed(&spec(one), &spec(other))
}

fn key_of(object: &Value) -> ObjectName {
    (object::namespace(object).to_owned(), object::name(object).to_owned())
}

/// The API's text for the present second.
fn wire_time(now: Timestamp) -> String {
    jobwright_api::time::format(now)
}

/// What a person cannot change by a patch: who an object is and how its deletion stands.
fn keep_identity(old: &Value, new: &mut Value) {
    let fields = ["name", "namespace", "uid", "creationTimestamp", "resourceVersion", "generation", "generateName"];
    let deletion = ["deletionTimestamp", "deletionGracePeriodSeconds"];
    for field in fields.into_iter().chain(deletion) {
        match object::at(old, &["metadata", field]) {
            Some(value) => object::set(new, &["metadata", field], value.clone()),
            None => object::unset(new, &["metadata", field]),
        }
    }
}

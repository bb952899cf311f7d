//! Jobs: creation, changes by people, and the status subresource.
//!
//! Invariant: a stored Job is defaulted (ENV-5), valid, and readable as a core view.

use std::sync::Arc;

use jobwright_api::{defaults, patch, prepare, read, status_rules, validate, write};
use jobwright_core::{JobView, Resource, Timestamp};
use serde_json::Value;

use super::{ApiError, ApiServer, keep_identity, refuse, wire_time};
use crate::object;

/// How messages name the kind.
const KIND: &str = "Job.batch";

impl ApiServer {
    /// POST of a Job: defaulted, prepared and validated as the API server does.
    ///
    /// # Errors
    /// 422 if it breaks a rule, 409 if the name is taken.
    pub fn create_job(&mut self, manifest: &Value, now: Timestamp) -> Result<Arc<Value>, ApiError> {
        let mut job = manifest.clone();
        if object::namespace(&job).is_empty() {
            object::set(&mut job, &["metadata", "namespace"], "default");
        }
        if object::name(&job).is_empty() {
            let name = format!("{}{}", object::text(&job, &["metadata", "generateName"]), self.rng.suffix());
            object::set(&mut job, &["metadata", "name"], name);
        }
        let name = object::name(&job).to_owned();
        let uid = self.new_uid();
        readable(&job)?;
        prepare::create(&mut job, &uid);
        object::set(&mut job, &["metadata", "creationTimestamp"], wire_time(now));
        refuse(KIND, &name, validate::create(&job))?;
        if self.get(Resource::Jobs, object::namespace(&job), &name).is_ok() {
            return Err(ApiError::already_exists(Resource::Jobs, &name));
        }
        Ok(self.put(Resource::Jobs, job))
    }

    /// Stores a Job as it is, status included, for a session that starts from an existing state.
    ///
    /// # Errors
    /// 400 if it is no Job, 422 if it breaks a rule.
    pub fn restore_job(&mut self, mut job: Value) -> Result<Arc<Value>, ApiError> {
        defaults::apply(&mut job);
        let uid = object::uid(&job).to_owned();
        prepare::generate_selector(&mut job, &uid);
        readable(&job)?;
        refuse(KIND, object::name(&job), validate::create(&job))?;
        if object::integer(&job, &["metadata", "generation"]).is_none() {
            object::set(&mut job, &["metadata", "generation"], 1);
        }
        Ok(self.put(Resource::Jobs, job))
    }

    /// A user's JSON merge patch on a Job (UPD-5).
    ///
    /// # Errors
    /// 404 if it is not there, 422 if the result breaks a rule.
    pub fn patch_job(&mut self, namespace: &str, name: &str, change: &Value) -> Result<Arc<Value>, ApiError> {
        let old = self.get(Resource::Jobs, namespace, name)?;
        let mut new = Value::clone(&old);
        patch::merge(&mut new, change);
        keep_identity(&old, &mut new);
        match old.get("status") {
            Some(status) => object::set(&mut new, &["status"], status.clone()),
            None => object::unset(&mut new, &["status"]),
        }
        defaults::apply(&mut new);
        readable(&new)?;
        let mut errors = validate::update(&new);
        errors.extend(super::update_rules::check(&old, &new, self.gates));
        errors.extend(super::update_rules::no_new_finalizers(&old, &new));
        refuse(KIND, name, errors)?;
        if validate::spec_changed(&old, &new) {
            let generation = object::integer(&old, &["metadata", "generation"]).unwrap_or(0);
            object::set(&mut new, &["metadata", "generation"], generation + 1);
        }
        Ok(self.update(Resource::Jobs, &old, new))
    }

    /// A user's JSON merge patch on the status of a Job; `"$now"` in it stands for the present time.
    ///
    /// # Errors
    /// 404 if it is not there, 422 if the result breaks a rule.
    pub fn patch_job_status(
        &mut self,
        namespace: &str,
        name: &str,
        change: &Value,
        now: Timestamp,
    ) -> Result<Arc<Value>, ApiError> {
        let old = self.get(Resource::Jobs, namespace, name)?;
        let mut new = Value::clone(&old);
        patch::merge(&mut new, change);
        let mut status = new.get("status").cloned().unwrap_or_default();
        put_now(&mut status, &wire_time(now));
        self.set_status(&old, status)
    }

    /// PUT of a Job's status (ENV-4).
    ///
    /// # Errors
    /// 404 if it is not there, 409 if it is another one or has changed, 422 if the status breaks a rule.
    pub fn put_job_status(
        &mut self,
        (namespace, name): (&str, &str),
        uid: &str,
        version: u64,
        status: Value,
    ) -> Result<Arc<Value>, ApiError> {
        let old = self.get(Resource::Jobs, namespace, name)?;
        let is = object::uid(&old);
        if is != uid {
            let why = format!("Precondition failed: UID in precondition: {uid}, UID in object meta: {is}");
            return Err(ApiError::conflict(Resource::Jobs, name, &why));
        }
        if object::version(&old) != version {
            let why = "the object has been modified; please apply your changes to the latest version and try again";
            return Err(ApiError::conflict(Resource::Jobs, name, why));
        }
        self.set_status(&old, status)
    }

    fn set_status(&mut self, old: &Arc<Value>, status: Value) -> Result<Arc<Value>, ApiError> {
        let mut new = Value::clone(old);
        // The writer read the Job with its defaults, and they are stored with its first write (DEF-4).
        defaults::apply(&mut new);
        object::set(&mut new, &["status"], status);
        let read = readable(&new)?;
        refuse(KIND, object::name(old), status_rules::check(old, &new))?;
        // Stored is what was understood: a count of 0 is the same as none, and no change if there was none.
        object::set(&mut new, &["status"], write::status(&read.status));
        Ok(self.update(Resource::Jobs, old, new))
    }

    /// Takes a finalizer off a Job, as the garbage collector does; a Job that is gone needs nothing.
    pub(crate) fn remove_job_finalizer(&mut self, job: &Value, finalizer: &str) {
        if let Ok(old) = self.get(Resource::Jobs, object::namespace(job), object::name(job)) {
            let mut new = Value::clone(&old);
            object::remove_finalizer(&mut new, finalizer);
            self.update(Resource::Jobs, &old, new);
        }
    }
}

/// The API server's decoder refuses values of the wrong type.
fn readable(job: &Value) -> Result<JobView, ApiError> {
    read::job(job).map_err(|error| ApiError::bad_request(&error.to_string()))
}

fn put_now(value: &mut Value, now: &str) {
    match value {
        Value::String(text) if text == "$now" => now.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| put_now(item, now)),
        Value::Object(map) => map.values_mut().for_each(|item| put_now(item, now)),
        _ => {}
    }
}

//! Pods: creation with generated names, and changes.
//!
//! Invariant: a stored pod has a name, a uid, a creation time and a phase.

use std::sync::Arc;

use jobwright_core::{Resource, Timestamp};
use serde_json::Value;

use super::{ApiError, ApiServer, keep_identity, pod_rules, refuse, update_rules, wire_time};
use crate::object;

/// What is left of a name prefix when 5 characters have to fit behind it (CST-10).
const PREFIX_LIMIT: usize = 58;

impl ApiServer {
    /// POST of a pod; its name may be left to `generateName` (ENV-1).
    ///
    /// # Errors
    /// 409 if the name is taken, 400 if it is no pod.
    pub fn create_pod(&mut self, mut pod: Value, now: Timestamp) -> Result<Arc<Value>, ApiError> {
        if object::namespace(&pod).is_empty() {
            object::set(&mut pod, &["metadata", "namespace"], "default");
        }
        let namespace = object::namespace(&pod).to_owned();
        if object::name(&pod).is_empty() {
            let name = self.free_name(&namespace, object::text(&pod, &["metadata", "generateName"]));
            object::set(&mut pod, &["metadata", "name"], name);
        } else if self.get(Resource::Pods, &namespace, object::name(&pod)).is_ok() {
            return Err(ApiError::already_exists(Resource::Pods, object::name(&pod)));
        }
        object::set(&mut pod, &["metadata", "uid"], self.new_uid());
        object::set(&mut pod, &["metadata", "creationTimestamp"], wire_time(now));
        object::set(&mut pod, &["status"], serde_json::json!({"phase": "Pending"}));
        readable(&pod)?;
        Ok(self.put(Resource::Pods, pod))
    }

    fn free_name(&mut self, namespace: &str, prefix: &str) -> String {
        let end = prefix.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= PREFIX_LIMIT).last();
        let prefix = &prefix[..end.unwrap_or(0)];
        loop {
            let name = format!("{prefix}{}", self.rng.suffix());
            if self.get(Resource::Pods, namespace, &name).is_err() {
                return name;
            }
        }
    }

    /// Stores a pod as it is, for a session that starts from an existing state.
    ///
    /// # Errors
    /// 400 if it is no pod.
    pub fn restore_pod(&mut self, pod: Value) -> Result<Arc<Value>, ApiError> {
        readable(&pod)?;
        Ok(self.put(Resource::Pods, pod))
    }

    /// PATCH of a pod by whoever may change its `spec` and `metadata`.
    ///
    /// # Errors
    /// 404 if it is not there, 400 if the result is no pod or another one, 422 if it has a new finalizer although it is
    /// being deleted, or what stays as it is has changed.
    pub fn patch_pod(
        &mut self,
        namespace: &str,
        name: &str,
        change: impl FnOnce(&mut Value),
    ) -> Result<Arc<Value>, ApiError> {
        let old = self.get(Resource::Pods, namespace, name)?;
        let mut new = Value::clone(&old);
        change(&mut new);
        pod_rules::check(&old, &new)?;
        keep_identity(&old, &mut new);
        if let Some(status) = old.get("status") {
            object::set(&mut new, &["status"], status.clone());
        }
        readable(&new)?;
        refuse("Pod", name, update_rules::no_new_finalizers(&old, &new))?;
        Ok(self.update(Resource::Pods, &old, new))
    }

    /// A change of a pod by its kubelet or by the scheduler: `status`, and `spec.nodeName`.
    ///
    /// # Errors
    /// 404 if it is not there.
    pub fn change_pod_status(
        &mut self,
        namespace: &str,
        name: &str,
        change: impl FnOnce(&mut Value),
    ) -> Result<Arc<Value>, ApiError> {
        let old = self.get(Resource::Pods, namespace, name)?;
        let mut new = Value::clone(&old);
        change(&mut new);
        Ok(self.update(Resource::Pods, &old, new))
    }
}

/// The API server's decoder refuses values of the wrong type.
fn readable(pod: &Value) -> Result<(), ApiError> {
    jobwright_api::read::pod(pod).map(drop).map_err(|error| ApiError::bad_request(&error.to_string()))
}

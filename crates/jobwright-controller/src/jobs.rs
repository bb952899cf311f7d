//! The Jobs as they are stored, for the writes that need more than decisions do: the template of new pods, the
//! metadata of a status update.
//!
//! Invariant: kept as JSON text, a few kB each, because a tree of values would be many times that. A write for a
//! Job that is gone, or was replaced under its name, finds nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jobwright_core::{JobKey, Uid};
use serde_json::{Value, json};

/// The parts of one Job.
#[derive(Debug)]
pub struct Document {
    uid: Uid,
    /// Everything but `spec` and `status`.
    head: Box<str>,
    /// `spec.template` and the names that a pod gets from its Job.
    template: Box<str>,
}

impl Document {
    /// Takes what is kept out of a Job.
    #[must_use]
    pub fn new(job: &mut Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let uid = Uid::new(&text(&job["metadata"]["uid"]));
        let template = job.get_mut("spec").and_then(|spec| spec.get_mut("template")).map(Value::take);
        let template = json!({"metadata": {}, "spec": {"template": template}}).to_string();
        let head = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": job["metadata"]}).to_string();
        Self { uid, head: head.into(), template: template.into() }
    }
}

/// Which part of a Job a write is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// For a status update.
    Head,
    /// For new pods.
    Template,
}

/// All Jobs that are watched.
#[derive(Debug, Default)]
pub struct Jobs {
    documents: BTreeMap<JobKey, Document>,
    /// What the list that is under way has shown.
    listed: Option<BTreeSet<JobKey>>,
    /// The template that was read last: pods are created many at a time.
    last: Option<(JobKey, Uid, Arc<Value>)>,
}

impl Jobs {
    /// A Job was seen.
    pub fn put(&mut self, key: JobKey, document: Document) {
        self.forget_last(&key);
        if let Some(listed) = &mut self.listed {
            listed.insert(key.clone());
        }
        self.documents.insert(key, document);
    }

    /// A Job is gone.
    pub fn remove(&mut self, key: &JobKey, uid: &Uid) {
        if self.documents.get(key).is_some_and(|document| document.uid == *uid) {
            self.forget_last(key);
            self.documents.remove(key);
        }
    }

    /// A list of all Jobs begins.
    pub fn list_begins(&mut self) {
        self.listed = Some(BTreeSet::new());
    }

    /// The list is over: Jobs that it did not show are gone.
    pub fn list_ends(&mut self) {
        let Some(listed) = self.listed.take() else { return };
        self.documents.retain(|key, _| listed.contains(key));
        self.last = None;
    }

    /// A part of the Job with this UID.
    pub fn part(&mut self, key: &JobKey, uid: &Uid, part: Part) -> Option<Arc<Value>> {
        if let (Part::Template, Some((of, whose, value))) = (part, &self.last)
            && (of, whose) == (key, uid)
        {
            return Some(value.clone());
        }
        let document = self.documents.get(key).filter(|document| document.uid == *uid)?;
        let text = if part == Part::Head { &document.head } else { &document.template };
        let value: Arc<Value> = Arc::new(serde_json::from_str(text).ok()?);
        if part == Part::Template {
            self.last = Some((key.clone(), uid.clone(), value.clone()));
        }
        Some(value)
    }

    fn forget_last(&mut self, key: &JobKey) {
        if self.last.as_ref().is_some_and(|(of, _, _)| of == key) {
            self.last = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(uid: &str, image: &str) -> Document {
        let mut job = json!({
            "metadata": {"name": "j", "uid": uid, "labels": {"a": "b"}},
            "spec": {"template": {"spec": {"image": image}}, "parallelism": 1},
            "status": {"active": 1},
        });
        Document::new(&mut job)
    }

    #[test]
    fn parts_are_those_of_the_job_with_that_uid() {
        let (mut jobs, key) = (Jobs::default(), JobKey::new("n", "j"));
        let (old, new) = (Uid::new("old"), Uid::new("new"));
        jobs.put(key.clone(), job("old", "one"));
        let image = |jobs: &mut Jobs, uid| {
            jobs.part(&key, uid, Part::Template).map(|part| part["spec"]["template"]["spec"]["image"].clone())
        };
        assert_eq!(image(&mut jobs, &old), Some("one".into()));
        assert_eq!(image(&mut jobs, &old), Some("one".into()), "from memory");
        assert_eq!(image(&mut jobs, &new), None);
        jobs.put(key.clone(), job("old", "two"));
        assert_eq!(image(&mut jobs, &old), Some("two".into()));
        jobs.put(key.clone(), job("new", "three"));
        jobs.remove(&key, &old);
        assert_eq!((image(&mut jobs, &old), image(&mut jobs, &new)), (None, Some("three".into())));
        let head = jobs.part(&key, &new, Part::Head).unwrap();
        assert_eq!((&head["metadata"]["labels"]["a"], head.get("spec"), head.get("status")), (&"b".into(), None, None));
        jobs.list_begins();
        assert_eq!(image(&mut jobs, &new), Some("three".into()));
        jobs.list_ends();
        assert_eq!(image(&mut jobs, &new), None, "the list did not show it");
    }
}

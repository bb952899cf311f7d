//! The Kubernetes Events of a sync (section 22).
//!
//! Invariant: types, reasons and messages are upstream's to the letter.

use super::Sync;
use super::desk::Desk;
use crate::ids::Text;
use crate::output::{EventType, JobEvent};
use crate::record::Trace;

impl Sync {
    /// Something expected happened.
    pub(super) fn normal<T: Trace>(&self, reason: &'static str, message: Text, desk: &mut Desk<'_, T>) {
        self.event(EventType::Normal, reason.into(), message, desk);
    }

    /// Something happened that a person may have to look at.
    pub(super) fn warning<T: Trace>(&self, reason: Text, message: Text, desk: &mut Desk<'_, T>) {
        self.event(EventType::Warning, reason, message, desk);
    }

    fn event<T: Trace>(&self, kind: EventType, reason: Text, message: Text, desk: &mut Desk<'_, T>) {
        desk.event(JobEvent { job: self.job.key.clone(), uid: self.job.uid.clone(), kind, reason, message });
    }
}

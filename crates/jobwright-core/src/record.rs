//! Decision records: what a sync looked at, what it decided and what it wrote.
//!
//! Invariant: a record is filled by the code that decides, when it decides. With [`Silent`] all of it
//! folds away; [`Recorder`] keeps it.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::ids::{JobKey, PodKey, Text, Uid, WriteId};
use crate::input::{Answer, ApiFailure};
use crate::ordered::OrderedMap;
use crate::output::{Effect, JobEvent, WakeReason, WakeUp, Write};
use crate::pod::PodPhase;
use crate::rule::{Rule, RuleStage};
use crate::time::{Millis, Timestamp};

/// What a record is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// One sync of a Job.
    Job(JobKey),
    /// Work on a pod without a living Job (ORP-4).
    Pod(PodKey),
    /// The time to live of a finished Job (TTL-3).
    TimeToLive(JobKey),
}

/// Why a sync ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The Job appeared.
    JobAdded,
    /// The Job's spec changed, or its deletion began.
    JobSpecChanged,
    /// The Job's status or metadata changed.
    JobChanged,
    /// The Job is gone.
    JobGone,
    /// A pod appeared.
    PodAdded(PodKey),
    /// A pod changed; phase before and after, and whether it is being deleted now.
    PodChanged(PodKey, PodPhase, PodPhase, bool),
    /// A pod is gone.
    PodGone(PodKey),
    /// A wait is over.
    Timer(WakeReason),
}

/// The name of a number in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the message catalogue says what each is")]
pub enum FactName {
    Succeeded,
    SucceededUncounted,
    SucceededNew,
    Failed,
    FailedUncounted,
    FailedNew,
    Active,
    Ready,
    Terminating,
    Parallelism,
    Completions,
    Wanted,
    Missing,
    Surplus,
    BackoffLimit,
    Restarts,
    StartTime,
    Deadline,
    Elapsed,
    Remaining,
    Delay,
    Failures,
    LastFailure,
    CreationsOpen,
    DeletionsOpen,
    Count,
    Limit,
    Indexes,
    FailedIndexes,
    RuleIndex,
    Expiry,
    Reason,
    Condition,
    Error,
    Manager,
}

/// A value in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactValue {
    /// How many.
    Count(i64),
    /// When.
    Time(Timestamp),
    /// How long.
    Length(Millis),
    /// A text of the API.
    Text(Text),
}

/// A named value.
pub type Fact = (FactName, FactValue);

/// A rule that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Which.
    pub rule: Rule,
    /// Whether it fired.
    pub fired: bool,
    /// The numbers that it looked at.
    pub facts: Vec<Fact>,
}

/// A write of a sync and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRecord {
    /// Its id.
    pub id: WriteId,
    /// The call.
    pub effect: Effect,
    /// Why.
    pub why: Rule,
    /// `None` while there is no answer.
    pub answer: Option<Result<Option<PodKey>, ApiFailure>>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// About what.
    pub subject: Subject,
    /// UID of the Job, if it is known.
    pub job_uid: Option<Uid>,
    /// When it was made.
    pub at: Timestamp,
    /// What led to it, in order.
    pub triggers: Vec<Trigger>,
    /// The rules that were looked at, in the order of evaluation.
    pub tried: Vec<Tried>,
    /// The writes, in order.
    pub writes: Vec<WriteRecord>,
    /// The events, in order.
    pub events: Vec<JobEvent>,
    /// When the same key runs next if nothing happens, and why.
    pub next: Option<WakeUp>,
    /// The error with which the sync ended.
    pub error: Option<Text>,
}

impl Record {
    /// The rule that says most about this decision: of the rules that fired, the one that a reader asks for.
    #[must_use]
    pub fn rule(&self) -> Option<Rule> {
        self.tried.iter().filter(|t| t.fired).map(|t| t.rule).max_by_key(|rule| weight(*rule))
    }

    /// The rule that says most about where its subject stands. What is put on record and what follows from that are
    /// the bookkeeping of a sync, and count only where nothing else fired.
    #[must_use]
    pub fn standing(&self) -> Option<&Tried> {
        let fired = || self.tried.iter().filter(|t| t.fired);
        let stands = fired().filter(|t| t.rule.stage() < RuleStage::Tracking).max_by_key(|t| weight(t.rule));
        stands.or_else(|| fired().max_by_key(|t| weight(t.rule)))
    }
}

/// How much a rule says about a sync in which it fired; of equal ones the later wins.
fn weight(rule: Rule) -> u8 {
    match rule {
        Rule::BackoffLimitExceeded
        | Rule::RestartLimitReached
        | Rule::DeadlineExceeded
        | Rule::CompletionsReached
        | Rule::PodFailurePolicy
        | Rule::MaxFailedIndexesExceeded
        | Rule::FailedIndexes
        | Rule::SuccessPolicy
        | Rule::UnknownCompletionMode => 9,
        Rule::Finish => 8,
        Rule::SuccessCriteriaMet | Rule::FailureTarget => 7,
        Rule::MarkSuspended | Rule::MarkResumed | Rule::SuspendPods => 6,
        Rule::CreatePods | Rule::SurplusPods | Rule::CreationStopped => 5,
        Rule::BackoffWait | Rule::IndexBackoffWait => 4,
        Rule::AccountSucceeded | Rule::AccountFailed | Rule::AccountFailedIndexes | Rule::OrphanReleased => 3,
        Rule::CountLeftOver
        | Rule::CountReleased
        | Rule::ReleasePods
        | Rule::ReleaseFailed
        | Rule::AdoptPod
        | Rule::ReleaseStray => 2,
        Rule::EnoughPods => 0,
        _ => 1,
    }
}

/// Receives decisions while they are made.
pub trait Trace {
    /// Something will make this subject run.
    fn queued(&mut self, subject: &Subject, trigger: impl FnOnce() -> Trigger);
    /// A decision begins.
    fn begins(&mut self, subject: &Subject, uid: Option<&Uid>, now: Timestamp);
    /// A rule was looked at.
    fn tried(&mut self, subject: &Subject, rule: Rule, fired: bool, facts: impl FnOnce() -> Vec<Fact>);
    /// A write goes out.
    fn wrote(&mut self, subject: &Subject, write: &Write);
    /// A write was answered.
    fn answered(&mut self, subject: &Subject, id: WriteId, answer: &Answer);
    /// An event goes out.
    fn emitted(&mut self, subject: &Subject, event: &JobEvent);
    /// The decision is over.
    fn ends(&mut self, subject: &Subject, next: impl FnOnce() -> Option<WakeUp>, error: Option<&Text>);
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Trace for Silent {
    fn queued(&mut self, _: &Subject, _: impl FnOnce() -> Trigger) {}
    fn begins(&mut self, _: &Subject, _: Option<&Uid>, _: Timestamp) {}
    fn tried(&mut self, _: &Subject, _: Rule, _: bool, _: impl FnOnce() -> Vec<Fact>) {}
    fn wrote(&mut self, _: &Subject, _: &Write) {}
    fn answered(&mut self, _: &Subject, _: WriteId, _: &Answer) {}
    fn emitted(&mut self, _: &Subject, _: &JobEvent) {}
    fn ends(&mut self, _: &Subject, _: impl FnOnce() -> Option<WakeUp>, _: Option<&Text>) {}
}

/// Keeps every decision until it is taken out.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    triggers: OrderedMap<Subject, Vec<Trigger>>,
    open: OrderedMap<Subject, Record>,
    done: VecDeque<Record>,
    muted: bool,
}

impl Recorder {
    /// One that keeps nothing, for hosts that sometimes do not look.
    #[must_use]
    pub fn muted() -> Self {
        Self { muted: true, ..Self::default() }
    }

    /// Keeps nothing from now on, or everything; decisions that are under way are dropped with what they have.
    pub fn mute(&mut self, muted: bool) {
        *self = if muted { Self::muted() } else { Self { muted: false, ..core::mem::take(self) } };
    }

    /// The oldest decision that is complete.
    pub fn take(&mut self) -> Option<Record> {
        self.done.pop_front()
    }

    /// The decisions that are under way: some write is not answered yet.
    pub fn open(&self) -> impl Iterator<Item = &Record> {
        self.open.values()
    }
}

impl Trace for Recorder {
    fn queued(&mut self, subject: &Subject, trigger: impl FnOnce() -> Trigger) {
        if self.muted {
            return;
        }
        self.triggers.entry(subject).push(trigger());
    }

    fn begins(&mut self, subject: &Subject, uid: Option<&Uid>, now: Timestamp) {
        if self.muted {
            return;
        }
        let record = Record {
            subject: subject.clone(),
            job_uid: uid.cloned(),
            at: now,
            triggers: self.triggers.remove(subject).unwrap_or_default(),
            tried: Vec::new(),
            writes: Vec::new(),
            events: Vec::new(),
            next: None,
            error: None,
        };
        self.open.insert(subject.clone(), record);
    }

    fn tried(&mut self, subject: &Subject, rule: Rule, fired: bool, facts: impl FnOnce() -> Vec<Fact>) {
        if let Some(record) = self.open.get_mut(subject) {
            record.tried.push(Tried { rule, fired, facts: facts() });
        }
    }

    fn wrote(&mut self, subject: &Subject, write: &Write) {
        if let Some(record) = self.open.get_mut(subject) {
            let effect = write.effect.clone();
            record.writes.push(WriteRecord { id: write.id, effect, why: write.why, answer: None });
        }
    }

    fn answered(&mut self, subject: &Subject, id: WriteId, answer: &Answer) {
        let write = self.open.get_mut(subject).and_then(|r| r.writes.iter_mut().find(|w| w.id == id));
        if let Some(write) = write {
            write.answer = Some(answer.clone().into_result().map(|written| match written.reply {
                crate::input::Reply::Pod(key, _) => Some(key),
                _ => None,
            }));
        }
    }

    fn emitted(&mut self, subject: &Subject, event: &JobEvent) {
        if let Some(record) = self.open.get_mut(subject) {
            record.events.push(event.clone());
        }
    }

    fn ends(&mut self, subject: &Subject, next: impl FnOnce() -> Option<WakeUp>, error: Option<&Text>) {
        if let Some(mut record) = self.open.remove(subject) {
            record.next = next();
            record.error = error.cloned();
            self.done.push_back(record);
        }
    }
}

//! Sessions: a scenario that a person steps through, rewinds, and interferes with.
//!
//! A session is its text, its seed and what the person did. Everything else follows: going back means
//! taking the nearest checkpoint and playing the same moves again.
//!
//! Invariants: a session is never half done: what fails leaves it as it was. What a person does discards
//! the future that was seen before.

mod ahead;
mod checkpoints;
mod deeds;
mod export;
mod frame;
mod marks;
mod moves;
mod pod_event;
mod pod_frame;
mod stage;
mod until;

use std::collections::VecDeque;
use std::sync::Arc;

use jobwright_api::card::{self, Card};
use jobwright_api::diagnostic::Code;
use jobwright_api::yaml::Span;
use jobwright_api::{Catalogue, Diagnostic};
use jobwright_core::record::Record;
use jobwright_core::{Millis, Timestamp, WakeReason};

pub use deeds::{Injection, Refusal};
pub use export::Export;
pub use pod_event::PodEvent;
pub use until::{RunEnd, Until};

use crate::explain::Explanation;
use crate::kubelet::Outcomes;
use crate::scenario::{self, Document};
use checkpoints::Checkpoints;
use deeds::Planned;
pub(crate) use stage::refusal;
use stage::{Moved, Stage};

/// As many moves without a decision end a step; only a world without controller comes near it.
const MOVES_LIMIT: u64 = 5_000_000;

/// How a session is set up, besides its text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Scripts of how pods end; they replace those of the text. Empty: those of the text.
    pub outcomes: String,
    /// Where uids and names come from.
    pub seed: u64,
}

/// A decision that was shown.
#[derive(Clone, Debug)]
struct Shown {
    record: Record,
    /// The rule and the sentence, for the list of past decisions.
    rule: String,
    title: String,
    /// Until when it lets new pods wait.
    backoff_until: Option<Timestamp>,
    /// The fields of the manifest that took part.
    fields: Vec<String>,
}

/// A scenario on its way.
#[derive(Clone, Debug)]
pub struct Session {
    document: Arc<Document>,
    /// Scripts that came beside the text.
    outcomes: Arc<str>,
    stage: Stage,
    /// Decisions that are complete and not shown: one move can end several.
    waiting: VecDeque<Record>,
    /// Decisions that were shown, those after the present moment too until a deed changes it.
    known: Vec<Shown>,
    /// How many of them lie at or before the present moment.
    visible: usize,
    /// What the person did, in order.
    deeds: Vec<Planned>,
    checkpoints: Checkpoints,
}

impl Session {
    /// Reads a Job or a scenario; nothing is decided yet.
    ///
    /// # Errors
    /// All that is wrong with the text or the scripts.
    pub fn from_text(text: &str, options: &Options) -> Result<Self, Vec<Diagnostic>> {
        let mut document = scenario::read(text)?;
        if !options.outcomes.trim().is_empty() {
            document.scenario.outcomes = Some(read_outcomes(&options.outcomes)?);
        }
        let scenario = Arc::new(document.scenario.clone());
        let stage = Stage::new(&scenario, options.seed).map_err(|error| stage::refusal(&error))?;
        let checkpoints = Checkpoints::new(&stage);
        let document = Arc::new(document);
        let outcomes = options.outcomes.as_str().into();
        Ok(Self {
            document,
            outcomes,
            stage,
            waiting: VecDeque::new(),
            known: Vec::new(),
            visible: 0,
            deeds: Vec::new(),
            checkpoints,
        })
    }

    /// The same session from its start, which stops once more than `pods` pods were made; 100,000 if not set.
    #[must_use]
    pub fn with_pods_limit(mut self, pods: usize) -> Self {
        self.rewind(0);
        self.stage.pods_limit = pods;
        self.checkpoints = Checkpoints::new(&self.stage);
        self
    }

    /// Decisions shown so far.
    #[must_use]
    pub fn decisions(&self) -> u32 {
        u32::try_from(self.visible).unwrap_or(u32::MAX)
    }

    /// Virtual time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Millis {
        self.stage.elapsed()
    }

    /// API calls that the controller made.
    #[must_use]
    pub const fn calls(&self) -> u64 {
        self.stage.world.calls()
    }

    /// What was read.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Why the Job is where it is, of a session that starts from a dump.
    #[must_use]
    pub fn explanation(&self) -> Option<&Explanation> {
        self.document.explanation.as_deref()
    }

    /// The record of a decision, from 1.
    #[must_use]
    pub fn record(&self, decision: u32) -> Option<&Record> {
        self.shown().get((decision as usize).checked_sub(1)?).map(|shown| &shown.record)
    }

    /// The card of a decision, from 1.
    #[must_use]
    pub fn card(&self, decision: u32) -> Option<Card> {
        let record = self.record(decision)?;
        Some(card::build(record, decision, self.stage.start, Catalogue::current()))
    }

    /// Goes to the end of the next decision; false if there is none, and then everything that happens by
    /// itself has happened.
    pub fn step(&mut self) -> bool {
        self.step_within(None)
    }

    /// The same, but not beyond a time.
    fn step_within(&mut self, limit: Option<Timestamp>) -> bool {
        for _ in 0..MOVES_LIMIT {
            if let Some(record) = self.waiting.pop_front() {
                self.show(record);
                return true;
            }
            if self.advance(limit) == Moved::Ended {
                return false;
            }
        }
        false
    }

    /// Goes to the end of the next call of the controller or of the next decision; false if there is neither.
    pub fn step_write(&mut self) -> bool {
        for _ in 0..MOVES_LIMIT {
            if let Some(record) = self.waiting.pop_front() {
                self.show(record);
                return true;
            }
            match self.advance(None) {
                Moved::Worked => {}
                Moved::Wrote => return true,
                Moved::Ended => return false,
            }
        }
        false
    }

    /// Goes back to the end of the decision before; false at the start.
    pub fn step_back(&mut self) -> bool {
        // From the middle of a decision it is the end of the one before.
        if self.writes_behind() > 0 {
            return self.seek(self.decisions());
        }
        match self.decisions().checked_sub(1) {
            Some(before) => self.seek(before),
            None => false,
        }
    }

    /// Goes to the end of a decision, forwards or backwards; false if the session ends before it.
    pub fn seek(&mut self, decision: u32) -> bool {
        // Forwards the same way serves: a moment that was kept may be nearer.
        if decision <= self.decisions() || self.checkpoints.is_between(self.decisions(), decision) {
            self.rewind(decision);
        }
        while self.decisions() < decision {
            if !self.step() {
                return false;
            }
        }
        true
    }

    /// Takes the nearest checkpoint and plays the same moves again.
    fn rewind(&mut self, decision: u32) {
        let (at, stage, waiting) = self.checkpoints.nearest(decision);
        (self.stage, self.waiting) = (stage, waiting);
        self.visible = at as usize;
        self.repeat_deeds();
        while self.decisions() < decision && self.step() {}
    }

    /// A session that goes its own way from here.
    #[must_use]
    pub fn fork(&self) -> Self {
        self.clone()
    }

    /// One move, with what the person did at this place before it.
    fn advance(&mut self, limit: Option<Timestamp>) -> Moved {
        self.repeat_deeds();
        let moved = self.stage.advance(limit);
        self.waiting.extend(self.stage.world.take_records());
        moved
    }

    fn show(&mut self, record: Record) {
        let step = self.decisions().saturating_add(1);
        // What was shown before a rewind is the same again.
        if self.visible == self.known.len() {
            let card = card::build(&record, step, self.stage.start, Catalogue::current());
            let waits = record.next.as_ref().filter(|next| next.why == WakeReason::PodBackoff);
            let backoff_until = waits.map(|next| next.at);
            let fields = took_part(&record, card.fields);
            self.known.push(Shown { fields, record, rule: card.rule, title: card.title, backoff_until });
        }
        self.visible += 1;
        self.checkpoints.offer(step, &self.stage, &self.waiting);
        // A moment that was left by a deed is shown with the deed done.
        self.repeat_deeds();
    }

    /// The decisions up to the present moment.
    fn shown(&self) -> &[Shown] {
        self.known.get(..self.visible).unwrap_or_default()
    }

    /// A deed changes what comes: decisions that were seen after this moment are forgotten.
    fn forget_future(&mut self) {
        self.known.truncate(self.visible);
        self.checkpoints.forget_after(self.decisions());
    }
}

/// The fields and the statements of the specification that took part in a decision.
fn took_part(record: &Record, mut fields: Vec<String>) -> Vec<String> {
    for id in record.tried.iter().filter(|tried| tried.fired).flat_map(|tried| tried.rule.spec_ids()) {
        fields.push((*id).to_owned());
    }
    fields
}

/// Scripts that came beside the text.
fn read_outcomes(text: &str) -> Result<Outcomes, Vec<Diagnostic>> {
    Outcomes::parse(text).map_err(|error| {
        let place = Span::point(1, error.at + 1);
        vec![Diagnostic::error(Code::Invalid, place, error.message).at_field("outcomes")]
    })
}

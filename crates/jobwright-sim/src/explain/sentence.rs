//! From the record of one look to sentences.
//!
//! Invariant: the rule that stands for the Job picks the text by its slug: `sim.explain.held.` if pods are in trouble
//! and there is such a text, else `sim.explain.why.`, else the title of the card. Nothing is decided again.

use jobwright_api::record::slugs;
use jobwright_api::{Catalogue, card, time};
use jobwright_core::record::{FactName, FactValue, Record, Tried};
use jobwright_core::rule::{Rule, RuleStage};
use jobwright_core::{Timestamp, WakeUp};

use super::blocks::{self, Block};
use super::dump::Taken;
use crate::reconcile::{self, Reconciled};
use crate::text::say;

/// The rules by which a Job waits for something.
const WAITS: [Rule; 9] = [
    Rule::ManagedByOther,
    Rule::UnknownCompletionMode,
    Rule::EndHeldBack,
    Rule::ExpectationsOpen,
    Rule::JobDeleting,
    Rule::SuspendPods,
    Rule::BackoffWait,
    Rule::IndexBackoffWait,
    Rule::FinishWaits,
];

/// Tells one look.
pub(super) struct Teller<'a> {
    /// The sync of the Job and the rule that stands for it.
    standing: Option<(&'a Record, &'a Tried)>,
    wake: Option<&'a WakeUp>,
    reconciled: &'a Reconciled,
    now: Timestamp,
    origin: Timestamp,
    blocks: Vec<Block>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(
        record: Option<&'a Record>,
        wake: Option<&'a WakeUp>,
        reconciled: &'a Reconciled,
        taken: &Taken,
        now: Timestamp,
    ) -> Self {
        let standing = record.and_then(|record| Some((record, record.standing()?)));
        let origin = reconcile::origin(&taken.job, now);
        let mut teller = Self { standing, wake, reconciled, now, origin, blocks: Vec::new() };
        teller.blocks = blocks::of_pods(&taken.pods, &taken.events, now);
        if teller.rule() == Some(Rule::CreatePods) {
            let refused = blocks::refused(&taken.job, &taken.events);
            teller.blocks.splice(0..0, refused);
        }
        teller
    }

    fn rule(&self) -> Option<Rule> {
        self.standing.map(|(_, tried)| tried.rule)
    }

    /// Why the Job is where it is.
    pub(super) fn why(&self) -> String {
        let Some((record, tried)) = self.standing else { return say("rule.none.title", &[]) };
        let slug = tried.rule.slug();
        let mut ids = vec![["sim.explain.why.", slug].concat(), ["rule.", slug, ".title"].concat()];
        let mut held = String::new();
        if tried.rule == Rule::AlreadyFinished {
            ids.insert(0, ["sim.explain.end.", reason(tried)].concat());
        } else if let Some(block) = self.blocks.first() {
            let refused = block.kind == "refused";
            ids.insert(0, ["sim.explain.held.", if refused { "refused" } else { slug }].concat());
            held = short(block);
        }
        let known = ids.iter().find(|id| Catalogue::current().get(id, &[]).is_some());
        let id = known.map_or(slug, String::as_str);
        card::tell(record, tried, id, &[("held", &held)], self.origin)
    }

    /// What happens next, and when.
    pub(super) fn next(&self) -> String {
        if let Some(calls) = self.calls() {
            let refused = self.blocks.first().is_some_and(|block| block.kind == "refused");
            let id = if refused { "sim.explain.next.again" } else { "sim.explain.next.writes" };
            return say(id, &[("calls", &calls)]);
        }
        if let Some(wake) = self.wake {
            let left = (wake.at - self.now).0.max(0) / 1_000;
            let why = say(&["wake.", slugs::wake(wake.why)].concat(), &[]);
            let values = [("time", &*time::format(wake.at)), ("seconds", &left.to_string()), ("why", &why)];
            return say("sim.explain.next.wake", &values);
        }
        match self.rule() {
            Some(Rule::AlreadyFinished) => say("sim.explain.next.ended", &[]),
            Some(rule) if rule.stage() == RuleStage::Gate => say("sim.explain.next.nothing", &[]),
            _ => say("sim.explain.next.change", &[]),
        }
    }

    /// The calls of all decisions in few words.
    fn calls(&self) -> Option<String> {
        let mut calls = String::new();
        for write in self.reconciled.decisions.iter().flat_map(|card| &card.writes) {
            if !calls.is_empty() {
                calls.push_str("; ");
            }
            let count = write.count.to_string();
            calls.push_str(&say("sim.explain.call", &[("what", &write.what), ("count", &count)]));
        }
        (!calls.is_empty()).then_some(calls)
    }

    /// What stands in the way: the rules that wait, and the pods in trouble.
    pub(super) fn into_blocks(self) -> Vec<Block> {
        let Some((record, _)) = self.standing else { return self.blocks };
        let waits = record.tried.iter().filter(|tried| tried.fired && WAITS.contains(&tried.rule));
        let mut blocks = Vec::new();
        for tried in waits {
            let kind = tried.rule.slug().to_owned();
            let text = card::tell(record, tried, &["rule.", &kind, ".why"].concat(), &[], self.origin);
            blocks.push(Block { kind, reason: String::new(), pods: Vec::new(), text });
        }
        blocks.extend(self.blocks);
        blocks
    }
}

/// A trouble within another sentence.
fn short(block: &Block) -> String {
    let values = [("count", &*block.pods.len().to_string()), ("reason", &block.reason)];
    let named = if block.reason.is_empty() { ".unnamed" } else { "" };
    say(&["sim.explain.short.", &block.kind, named].concat(), &values)
}

/// The reason of the condition that ended the Job.
fn reason(tried: &Tried) -> &str {
    let reason = tried.facts.iter().find(|(name, _)| *name == FactName::Reason);
    match reason {
        Some((_, FactValue::Text(text))) => text,
        _ => "",
    }
}

//! Tells a decision record.
//!
//! Invariant: numbers come from the record; nothing is decided again.

use jobwright_core::record::{FactName, FactValue, Record, Tried, Trigger};
use jobwright_core::rule::RuleStage;
use jobwright_core::{EventType, JobEvent, Millis, Timestamp};

use super::{Card, InputLine, NextLine, TriedLine, writes};
use crate::Catalogue;
use crate::record::{slugs, v1alpha1};

/// Tells a record as the decision number `step` of a session that began at `origin`.
#[must_use]
pub fn build(record: &Record, step: u32, origin: Timestamp, catalogue: &Catalogue) -> Card {
    let teller = Teller { record, origin, catalogue };
    let rule = record.rule();
    let main = record.tried.iter().find(|tried| tried.fired && Some(tried.rule) == rule);
    let slug = rule.map_or("", jobwright_core::Rule::slug);
    Card {
        step,
        at_ms: (record.at - origin).0,
        rule: slug.to_owned(),
        title: teller.of_rule(main, "title"),
        trigger: teller.trigger(),
        why: teller.of_rule(main, "why"),
        tried: record.tried.iter().map(|tried| teller.tried(tried)).collect(),
        inputs: teller.inputs(),
        fields: fields(record),
        writes: writes::lines(&record.writes, catalogue),
        events: record.events.iter().map(event).collect(),
        next: record.next.as_ref().map(|next| NextLine {
            at_ms: (next.at - origin).0,
            text: catalogue.text(&format!("wake.{}", slugs::wake(next.why)), &[]),
        }),
        error: record.error.as_ref().map(ToString::to_string),
        record: v1alpha1::Record::from(record),
    }
}

/// A text of the catalogue with the numbers of a rule put in, and further values.
#[must_use]
pub fn tell(record: &Record, tried: &Tried, id: &str, further: &[(&str, &str)], origin: Timestamp) -> String {
    Teller { record, origin, catalogue: Catalogue::current() }.say_with(id, tried, further)
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The fields of the rules that fired, each once.
fn fields(record: &Record) -> Vec<String> {
    let mut all: Vec<&str> = Vec::new();
    for field in record.tried.iter().filter(|tried| tried.fired).flat_map(|tried| slugs::fields(tried.rule)) {
        if !all.contains(field) {
            all.push(field);
        }
    }
    owned(&all)
}

fn event(event: &JobEvent) -> [String; 3] {
    let kind: EventType = event.kind;
    [kind.as_str().to_owned(), event.reason.to_string(), event.message.to_string()]
}

struct Teller<'a> {
    record: &'a Record,
    origin: Timestamp,
    catalogue: &'a Catalogue,
}

impl Teller<'_> {
    /// A sentence about the rule that says most.
    fn of_rule(&self, main: Option<&Tried>, what: &str) -> String {
        match main {
            Some(tried) => self.say(&format!("rule.{}.{what}", tried.rule.slug()), tried),
            None => self.catalogue.text(&format!("rule.none.{what}"), &[]),
        }
    }

    /// A text with the numbers of a rule; for a number that it does not have, that of another rule.
    fn say(&self, id: &str, tried: &Tried) -> String {
        self.say_with(id, tried, &[])
    }

    fn say_with(&self, id: &str, tried: &Tried, further: &[(&str, &str)]) -> String {
        let unset = self.catalogue.text("value.unset", &[]);
        let mut values: Vec<(&str, String)> = Vec::new();
        for name in slugs::FACTS {
            let value = self.value(tried, *name).unwrap_or_else(|| unset.clone());
            values.push((slugs::fact(*name), value));
        }
        values.push(("failedTotal", self.sum(&[FactName::Failed, FactName::FailedUncounted, FactName::FailedNew])));
        let mut all = further.to_vec();
        all.extend(values.iter().map(|(name, value)| (*name, value.as_str())));
        self.catalogue.text(id, &all)
    }

    fn value(&self, tried: &Tried, name: FactName) -> Option<String> {
        let own = fact(tried, name);
        let value = own.or_else(|| self.decisive().find_map(|other| fact(other, name)))?;
        Some(self.show(value))
    }

    fn sum(&self, names: &[FactName]) -> String {
        let count = |name: &FactName| match self.decisive().find_map(|tried| fact(tried, *name)) {
            Some(FactValue::Count(count)) => *count,
            _ => 0,
        };
        names.iter().map(count).sum::<i64>().to_string()
    }

    /// The rules whose numbers describe the Job. Those of tracking count what this sync moves.
    fn decisive(&self) -> impl Iterator<Item = &Tried> {
        self.record.tried.iter().filter(|tried| tried.rule.stage() < RuleStage::Tracking)
    }

    fn show(&self, value: &FactValue) -> String {
        match value {
            FactValue::Count(count) => count.to_string(),
            FactValue::Time(at) => self.length("value.at", *at - self.origin),
            FactValue::Length(length) => self.length("value.seconds", *length),
            FactValue::Text(text) => text.to_string(),
        }
    }

    fn length(&self, id: &str, length: Millis) -> String {
        self.catalogue.text(id, &[("seconds", &seconds(length))])
    }

    /// A rung of the ladder. A rule without numbers that did not fire has nothing more to say than "no".
    fn tried(&self, tried: &Tried) -> TriedLine {
        let slug = tried.rule.slug();
        let silent = tried.facts.is_empty() && !tried.fired;
        let id = if silent { "tried.no".to_owned() } else { format!("rule.{slug}.short") };
        TriedLine {
            rule: slug.to_owned(),
            stage: self.catalogue.text(&format!("stage.{}", slugs::stage(tried.rule.stage())), &[]),
            fired: tried.fired,
            text: self.say(&id, tried),
            spec_ids: owned(tried.rule.spec_ids()),
            fields: owned(slugs::fields(tried.rule)),
        }
    }

    fn trigger(&self) -> String {
        let Some(first) = self.record.triggers.first() else {
            return self.catalogue.text("trigger.none", &[]);
        };
        let sentence = self.one_trigger(first);
        match self.record.triggers.len() - 1 {
            0 => sentence,
            more => self.catalogue.text("trigger.more", &[("first", &sentence), ("count", &more.to_string())]),
        }
    }

    fn one_trigger(&self, trigger: &Trigger) -> String {
        let id = format!("trigger.{}", slugs::trigger(trigger));
        match trigger {
            Trigger::Timer(reason) => self.catalogue.text(&format!("{id}.{}", slugs::wake(*reason)), &[]),
            Trigger::PodAdded(pod) | Trigger::PodGone(pod) => self.catalogue.text(&id, &[("pod", &pod.name)]),
            Trigger::PodChanged(pod, from, to, deleting) => {
                let (from, to) = (slugs::phase(*from), slugs::phase(*to));
                let id = match (from == to, deleting) {
                    (false, _) => id,
                    (true, true) => "trigger.pod-deleting".to_owned(),
                    (true, false) => "trigger.pod-touched".to_owned(),
                };
                self.catalogue.text(&id, &[("pod", &pod.name), ("from", from), ("to", to)])
            }
            _ => self.catalogue.text(&id, &[]),
        }
    }

    /// The numbers that describe the Job, each once.
    fn inputs(&self) -> Vec<InputLine> {
        let passing = [FactName::Count, FactName::Limit, FactName::Error, FactName::Condition];
        let named = slugs::FACTS.iter().filter(|name| !passing.contains(name));
        let line = |name: &FactName| {
            let value = self.decisive().find_map(|tried| fact(tried, *name))?;
            let label = self.catalogue.text(&format!("fact.{}", slugs::fact(*name)), &[]);
            Some(InputLine { label, value: self.show(value) })
        };
        named.filter_map(line).collect()
    }
}

fn fact(tried: &Tried, name: FactName) -> Option<&FactValue> {
    tried.facts.iter().find(|(of, _)| *of == name).map(|(_, value)| value)
}

/// Seconds with at most three decimals and no needless zero.
fn seconds(length: Millis) -> String {
    let (sign, size) = (if length.0 < 0 { "-" } else { "" }, length.0.unsigned_abs());
    let text = format!("{sign}{}.{:03}", size / 1_000, size % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_no_needless_zero() {
        for (length, text) in [(0, "0"), (1_000, "1"), (10_500, "10.5"), (-250, "-0.25"), (100_000, "100")] {
            assert_eq!(seconds(Millis(length)), text);
        }
    }
}

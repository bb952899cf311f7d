//! Reads typed fields out of a YAML node and collects what is wrong.
//!
//! Invariant: a field of the wrong type gives one error and reads as absent; an unknown field gives one
//! error; nothing else happens.

use jobwright_core::OrderedMap;

use jobwright_api::Diagnostic;
use jobwright_api::diagnostic::Code;
use jobwright_api::yaml::{Kind, Node};
use jobwright_core::Millis;

use crate::text::say;

/// Collects the errors of one text.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) errors: Vec<Diagnostic>,
}

impl Reader {
    /// Notes an error at a node; the sentence is `sim.scenario.<id>` of the catalogue.
    pub(super) fn error(&mut self, code: Code, node: &Node, field: &str, id: &str, values: &[(&str, &str)]) {
        let message = say(&format!("sim.scenario.{id}"), values);
        let diagnostic = Diagnostic::error(code, node.span, message);
        self.errors.push(if field.is_empty() { diagnostic } else { diagnostic.at_field(field) });
    }

    /// Notes that two actions stand in one step.
    pub(super) fn two(&mut self, second: &Node, field: &str, names: (&str, &str)) {
        self.error(Code::Invalid, second, field, "two", &[("first", names.0), ("second", names.1)]);
    }

    /// Checks that a node is a mapping with these fields only. `null` is an empty mapping.
    pub(super) fn fields(&mut self, node: &Node, path: &str, known: &[&str]) {
        match &node.value {
            Kind::Null => {}
            Kind::Mapping(members) => {
                for (key, _) in members {
                    if !known.contains(&key.text()) {
                        let values = [("field", key.text()), ("known", &known.join(", "))];
                        self.error(Code::UnknownField, key, &join(path, key.text()), "unknown-field", &values);
                    }
                }
            }
            _ => self.wrong(node, path, "object"),
        }
    }

    /// Notes a wrong type; what is expected is `sim.scenario.<expected>` of the catalogue.
    pub(super) fn wrong(&mut self, node: &Node, path: &str, expected: &str) {
        self.wrong_text(node, path, &say(&format!("sim.scenario.{expected}"), &[]));
    }

    fn wrong_text(&mut self, node: &Node, path: &str, expected: &str) {
        self.error(Code::WrongType, node, path, "expected", &[("expected", expected)]);
    }

    fn read<'a, T>(
        &mut self,
        parent: &'a Node,
        (path, name): (&str, &str),
        expected: &str,
        convert: impl FnOnce(&'a Node) -> Option<T>,
    ) -> Option<T> {
        let node = present(parent, name)?;
        let value = convert(node);
        if value.is_none() {
            self.wrong(node, &join(path, name), expected);
        }
        value
    }

    /// A text; numbers and booleans do not count as one.
    pub(super) fn text(&mut self, parent: &Node, path: &str, name: &str) -> Option<String> {
        self.read(parent, (path, name), "string", |node| match &node.value {
            Kind::String(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// One of a few words.
    pub(super) fn word(&mut self, parent: &Node, path: &str, name: &str, words: &[&str]) -> Option<String> {
        let node = present(parent, name)?;
        if words.contains(&node.text()) {
            return Some(node.text().to_owned());
        }
        let expected = say("sim.scenario.word", &[("words", &words.join(", "))]);
        self.wrong_text(node, &join(path, name), &expected);
        None
    }

    /// A boolean.
    pub(super) fn flag(&mut self, parent: &Node, path: &str, name: &str) -> Option<bool> {
        self.read(parent, (path, name), "flag", |node| match node.value {
            Kind::Bool(flag) => Some(flag),
            _ => None,
        })
    }

    /// A whole number.
    pub(super) fn integer(&mut self, parent: &Node, path: &str, name: &str) -> Option<i64> {
        self.read(parent, (path, name), "integer", |node| match node.value {
            Kind::Int(number) => Some(number),
            _ => None,
        })
    }

    /// A whole number from 0 to 2147483647.
    pub(super) fn count(&mut self, parent: &Node, path: &str, name: &str) -> Option<u32> {
        self.read(parent, (path, name), "count", |node| match node.value {
            Kind::Int(number) => u32::try_from(number).ok().filter(|n| *n <= i32::MAX as u32),
            _ => None,
        })
    }

    /// Seconds, with fractions down to a millisecond; at most 100 years.
    pub(super) fn seconds(&mut self, parent: &Node, path: &str, name: &str) -> Option<Millis> {
        let limit = 100.0 * 366.0 * 86_400.0;
        self.read(parent, (path, name), "seconds", |node| {
            let seconds = match node.value {
                Kind::Int(number) => number as f64,
                Kind::Float(number) => number,
                _ => return None,
            };
            (0.0..=limit).contains(&seconds).then(|| Millis((seconds * 1_000.0).round() as i64))
        })
    }

    /// A map from texts to texts.
    pub(super) fn texts(&mut self, parent: &Node, path: &str, name: &str) -> OrderedMap<String, String> {
        let read = self.read(parent, (path, name), "texts", |node| match &node.value {
            Kind::Mapping(members) => members
                .iter()
                .map(|(key, value)| match &value.value {
                    Kind::String(text) => Some((key.text().to_owned(), text.clone())),
                    _ => None,
                })
                .collect::<Option<OrderedMap<_, _>>>(),
            _ => None,
        });
        read.unwrap_or_default()
    }

    /// The items of a list.
    pub(super) fn items<'a>(&mut self, parent: &'a Node, path: &str, name: &str) -> &'a [Node] {
        let read = self.read(parent, (path, name), "list", |node| match &node.value {
            Kind::Sequence(items) => Some(items.as_slice()),
            _ => None,
        });
        read.unwrap_or_default()
    }
}

/// The member of that name, unless it is absent or null.
pub(super) fn present<'a>(parent: &'a Node, name: &str) -> Option<&'a Node> {
    parent.member(name).filter(|node| node.value != Kind::Null)
}

/// The member of that name; null counts as there (`succeed:` with nothing behind it).
pub(super) fn named<'a>(parent: &'a Node, name: &str) -> Option<&'a Node> {
    parent.member(name)
}

/// `path.name`
pub(super) fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

//! From the events of the YAML parser to nodes.
//!
//! Invariant: an anchor that is not complete cannot be named, so no alias leads back to itself; what
//! aliases add is paid for from one budget.

use std::borrow::Cow;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, StrInput, Tag};

use super::node::{Kind, Node, Span};
use super::scalar::{self, ScalarError};
use super::{ALIAS_BUDGET, MAX_DEPTH, Members, Stream};
use crate::catalogue::say;
use crate::diagnostic::{Code, Diagnostic};

/// Reads all documents.
pub(super) fn read(text: &str) -> Result<Stream, Diagnostic> {
    let mut builder = Builder {
        parser: Parser::new_from_str(text),
        anchors: Vec::new(),
        budget: ALIAS_BUDGET,
        stream: Stream::default(),
    };
    loop {
        match builder.next()? {
            (Event::StreamEnd, _) => return Ok(builder.stream),
            (Event::StreamStart | Event::DocumentEnd | Event::Nothing, _) => {}
            (Event::DocumentStart(_), _) => builder.anchors.clear(),
            (event, span) => {
                let node = builder.node(event, span, 0)?;
                builder.stream.documents.push(node);
            }
        }
    }
}

struct Builder<'a> {
    parser: Parser<'a, StrInput<'a>>,
    /// Complete anchored nodes with what a copy costs, sorted by their numbers.
    anchors: Vec<(usize, Node, usize)>,
    budget: usize,
    stream: Stream,
}

impl<'a> Builder<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Diagnostic> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, Span::new(place(span.start), place(span.end)))),
            Some(Err(error)) => Err(syntax(&error)),
            None => Ok((Event::StreamEnd, Span::START)),
        }
    }

    /// The node that begins with an event.
    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Node, Diagnostic> {
        if depth > MAX_DEPTH {
            return Err(too_deep(span));
        }
        let (node, anchor) = match event {
            Event::Alias(anchor) => return self.alias(anchor, span),
            Event::Scalar(text, style, anchor, tag) => (scalar_node(text, style, tag, span)?, anchor),
            Event::SequenceStart(anchor, _) => (self.sequence(span, depth)?, anchor),
            Event::MappingStart(anchor, tag) => {
                if tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "binary") {
                    return Err(Diagnostic::error(Code::Syntax, span, say("error.yaml-tag", &[])));
                }
                (self.mapping(span, depth)?, anchor)
            }
            _ => (Node { span, value: Kind::Null }, 0),
        };
        if anchor != 0 {
            // Inner anchors have higher numbers and are complete before outer ones.
            let at = self.anchors.partition_point(|(other, ..)| *other < anchor);
            self.anchors.insert(at, (anchor, node.clone(), cost(&node)));
        }
        Ok(node)
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<Node, Diagnostic> {
        let found = self.anchors.binary_search_by_key(&anchor, |(other, ..)| *other).ok();
        let Some((_, node, cost)) = found.and_then(|at| self.anchors.get(at)) else {
            return Err(Diagnostic::error(Code::Syntax, span, say("error.alias-of-itself", &[])));
        };
        self.budget = self
            .budget
            .checked_sub(*cost)
            .ok_or_else(|| Diagnostic::error(Code::TooManyAliases, span, say("error.too-many-aliases", &[])))?;
        Ok(Node { span, value: node.value.clone() })
    }

    fn sequence(&mut self, start: Span, depth: usize) -> Result<Node, Diagnostic> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, end) => return Ok(Node { span: to(start, end), value: Kind::Sequence(items) }),
                (event, span) => items.push(self.node(event, span, depth + 1)?),
            }
        }
    }

    fn mapping(&mut self, start: Span, depth: usize) -> Result<Node, Diagnostic> {
        let mut members = Members::default();
        loop {
            let (event, span) = match self.next()? {
                (Event::MappingEnd, end) => {
                    return Ok(Node { span: to(start, end), value: Kind::Mapping(members.list) });
                }
                next => next,
            };
            let is_merge = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<");
            let written = match &event {
                Event::Scalar(text, ..) => text.clone(),
                _ => Cow::default(),
            };
            let key = self.node(event, span, depth + 1)?;
            let (event, span) = self.next()?;
            let value = self.node(event, span, depth + 1)?;
            if is_merge {
                self.merge(&mut members, key.span, value)?;
            } else {
                self.stream.add(&mut members, text_key(key, &written)?, value);
            }
        }
    }

    /// A merge key: members of other mappings, as if they stood here; of a list the first one wins.
    fn merge(&mut self, members: &mut Members, key: Span, value: Node) -> Result<(), Diagnostic> {
        let sources = match value.value {
            Kind::Sequence(items) => items,
            _ => vec![value],
        };
        for source in sources.into_iter().rev() {
            let Kind::Mapping(list) = source.value else {
                return Err(Diagnostic::error(Code::Syntax, key, say("error.merge", &[])));
            };
            for (name, value) in list {
                self.stream.add(members, name, value);
            }
        }
        Ok(())
    }
}

fn scalar_node(
    text: Cow<'_, str>,
    style: ScalarStyle,
    tag: Option<Cow<'_, Tag>>,
    span: Span,
) -> Result<Node, Diagnostic> {
    let tag = tag.map(|tag| format!("{}{}", tag.handle, tag.suffix)).filter(|tag| tag != "!");
    let value = match (&tag, style) {
        (Some(tag), _) => scalar::tagged(tag, &text),
        (None, ScalarStyle::Plain) => scalar::plain(&text),
        (None, _) => Ok(Kind::String(text.clone().into_owned())),
    };
    let value = value.map_err(|error| {
        let message = match error {
            ScalarError::NotFinite => say("error.not-finite", &[("text", &text)]),
            ScalarError::NotOfTag => {
                say("error.not-of-tag", &[("text", &text), ("tag", tag.as_deref().unwrap_or_default())])
            }
            ScalarError::UnknownTag => say("error.yaml-tag", &[]),
        };
        Diagnostic::error(Code::Syntax, span, message)
    })?;
    Ok(Node { span, value })
}

/// A key as text, as it is when the mapping becomes JSON; a fraction stays as it is `written`.
fn text_key(key: Node, written: &str) -> Result<Node, Diagnostic> {
    let text = match key.value {
        Kind::String(text) => text,
        Kind::Int(number) => number.to_string(),
        Kind::Float(_) => written.to_owned(),
        Kind::Bool(is) => is.to_string(),
        Kind::Null | Kind::Sequence(_) | Kind::Mapping(_) => {
            return Err(Diagnostic::error(Code::Syntax, key.span, say("error.key", &[])));
        }
    };
    Ok(Node { span: key.span, value: Kind::String(text) })
}

/// What a copy of a node costs: one for each node, and the bytes of its texts.
fn cost(node: &Node) -> usize {
    1 + match &node.value {
        Kind::String(text) => text.len(),
        Kind::Sequence(items) => items.iter().map(cost).sum(),
        Kind::Mapping(members) => members.iter().map(|(key, value)| cost(key) + cost(value)).sum(),
        _ => 0,
    }
}

fn to(start: Span, end: Span) -> Span {
    Span { end_line: end.end_line, end_column: end.end_column, ..start }
}

fn place(marker: Marker) -> (usize, usize) {
    (marker.line(), marker.col() + 1)
}

fn syntax(error: &ScanError) -> Diagnostic {
    let (line, column) = place(*error.marker());
    // The parser has a limit of its own for flow collections, and reads ahead.
    if error.info() == "recursion limit exceeded" {
        return too_deep(Span::point(line, column));
    }
    Diagnostic::error(Code::Syntax, Span::point(line, column), say("error.yaml", &[("reason", error.info())]))
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(Code::TooDeep, span, say("error.too-deep", &[("max", &MAX_DEPTH.to_string())]))
}

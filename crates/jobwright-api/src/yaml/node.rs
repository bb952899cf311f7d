//! Values with their places.
//!
//! Invariant: keys of a mapping are texts, each once; lines and columns count from 1.

use serde_json::{Map, Value};

/// A range of the text. Lines and columns count characters from 1; the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The line where it begins.
    pub line: u32,
    /// The column where it begins.
    pub column: u32,
    /// The line where it ends.
    pub end_line: u32,
    /// The column after its last character.
    pub end_column: u32,
}

impl Span {
    /// The beginning of the text.
    pub const START: Self = Self { line: 1, column: 1, end_line: 1, end_column: 1 };

    /// An empty range at a line and a column.
    #[must_use]
    pub fn point(line: usize, column: usize) -> Self {
        Self::new((line, column), (line, column))
    }

    /// From a line and column to another one.
    #[must_use]
    pub fn new(from: (usize, usize), to: (usize, usize)) -> Self {
        let cut = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { line: cut(from.0), column: cut(from.1), end_line: cut(to.0), end_column: cut(to.1) }
    }
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it stands; that of an alias is where the alias stands.
    pub span: Span,
    /// What it is.
    pub value: Kind,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`, `~` or nothing.
    Null,
    /// `true`, and in YAML also `yes`, `on` and the like.
    Bool(bool),
    /// An integer; in YAML also an integral float such as `3.0`.
    Int(i64),
    /// Another number; in JSON each one with a decimal point or an exponent. Always finite.
    Float(f64),
    /// A text.
    String(String),
    /// A list.
    Sequence(Vec<Node>),
    /// An object: keys, which are texts, and values.
    Mapping(Vec<(Node, Node)>),
}

impl From<Value> for Node {
    /// The same without places: everything stands at the start of a text that nobody has.
    fn from(value: Value) -> Self {
        let value = match value {
            Value::Null => Kind::Null,
            Value::Bool(is) => Kind::Bool(is),
            Value::Number(number) => {
                number.as_i64().map_or_else(|| Kind::Float(number.as_f64().unwrap_or_default()), Kind::Int)
            }
            Value::String(text) => Kind::String(text),
            Value::Array(items) => Kind::Sequence(items.into_iter().map(Self::from).collect()),
            Value::Object(members) => {
                let node = |name| Self { span: Span::START, value: Kind::String(name) };
                Kind::Mapping(members.into_iter().map(|(name, value)| (node(name), Self::from(value))).collect())
            }
        };
        Self { span: Span::START, value }
    }
}

impl Node {
    /// The value without places.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match &self.value {
            Kind::Null => Value::Null,
            Kind::Bool(is) => Value::Bool(*is),
            Kind::Int(number) => Value::from(*number),
            Kind::Float(number) => Value::from(*number),
            Kind::String(text) => Value::String(text.clone()),
            Kind::Sequence(items) => items.iter().map(Self::to_value).collect(),
            Kind::Mapping(members) => {
                let mut object = Map::new();
                for (key, value) in members {
                    object.insert(key.text().to_owned(), value.to_value());
                }
                Value::Object(object)
            }
        }
    }

    /// The text, if it is one; else the empty text.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.value {
            Kind::String(text) => text,
            _ => "",
        }
    }

    /// The value of a member of a mapping.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Self> {
        self.entry(name).map(|(_, value)| value)
    }

    fn entry(&self, name: &str) -> Option<&(Self, Self)> {
        match &self.value {
            Kind::Mapping(members) => members.iter().find(|(key, _)| key.text() == name),
            _ => None,
        }
    }

    /// The node at a path such as `spec.template.spec.containers[0].name` or `metadata.labels[a.b/c]`.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Self> {
        self.walk(path).map_err(|_| ()).ok().map(|(_, node)| node)
    }

    /// Where to point for a path: the key of the field if it is there, else the nearest thing around it.
    #[must_use]
    pub fn locate(&self, path: &str) -> Span {
        match self.walk(path) {
            Ok((span, _)) | Err(span) => span,
        }
    }

    /// The path of the field whose key stands at a place.
    #[must_use]
    pub fn path_of_key(&self, place: Span) -> Option<String> {
        match &self.value {
            Kind::Mapping(members) => members.iter().find_map(|(key, value)| {
                let name = key.text();
                if key.span == place {
                    return Some(name.to_owned());
                }
                let rest = value.path_of_key(place)?;
                Some(if rest.starts_with('[') { format!("{name}{rest}") } else { format!("{name}.{rest}") })
            }),
            Kind::Sequence(items) => items.iter().enumerate().find_map(|(at, item)| {
                let rest = item.path_of_key(place)?;
                Some(if rest.starts_with('[') { format!("[{at}]{rest}") } else { format!("[{at}].{rest}") })
            }),
            _ => None,
        }
    }

    /// Follows a path as far as it goes: the place and the node, or the place of the last step.
    fn walk(&self, path: &str) -> Result<(Span, &Self), Span> {
        let (mut span, mut node) = (self.span, self);
        for step in Steps(path) {
            let next = match (&node.value, step.parse::<usize>()) {
                (Kind::Sequence(items), Ok(at)) => items.get(at).map(|item| (item.span, item)),
                _ => node.entry(step).map(|(key, value)| (key.span, value)),
            };
            (span, node) = next.ok_or(span)?;
        }
        Ok((span, node))
    }
}

/// The steps of a path: names between dots, and what stands in brackets.
struct Steps<'a>(&'a str);

impl<'a> Iterator for Steps<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.0.trim_start_matches('.');
        if rest.is_empty() {
            return None;
        }
        if let Some(inner) = rest.strip_prefix('[') {
            let (step, rest) = inner.split_once(']').unwrap_or((inner, ""));
            self.0 = rest;
            return Some(step);
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (step, rest) = rest.split_at(end);
        self.0 = rest;
        Some(step)
    }
}

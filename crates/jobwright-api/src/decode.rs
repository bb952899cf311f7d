//! From a node to the object that the API's decoder leaves: typed, without `null`, without unknown fields.
//!
//! Invariant: everything that is wrong is found in one pass; what is wrong is left out of the object.

use serde_json::{Map, Value};

use crate::catalogue::say;
use crate::diagnostic::{Code, Diagnostic};
use crate::quantity::Quantity;
use crate::schema::{Fields, Type};
use crate::time;
use crate::yaml::{Kind, Node};

/// As many errors are collected.
const ERRORS_MAX: usize = 50;

/// A decoded object and what was wrong with it.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// The object.
    pub(crate) value: Value,
    /// Wrong types ([`Code::WrongType`]) and unknown fields ([`Code::UnknownField`]), in the order of the text,
    /// at most [`ERRORS_MAX`].
    pub(crate) errors: Vec<Diagnostic>,
}

/// Decodes a node as an object of the schema (VAL-6).
pub(crate) fn decode(node: &Node, object: &'static str) -> Decoded {
    let mut decoder = Decoder { errors: Vec::new() };
    let value = decoder.value(node, Type::Object(object), &mut String::new()).unwrap_or_default();
    Decoded { value, errors: decoder.errors }
}

struct Decoder {
    errors: Vec<Diagnostic>,
}

impl Decoder {
    /// The value of a node as a type; `None` if it is of another one.
    fn value(&mut self, node: &Node, of: Type, path: &mut String) -> Option<Value> {
        match (of, &node.value) {
            (Type::Any, _) => Some(node.to_value()),
            (Type::String, Kind::String(_)) | (Type::Bool, Kind::Bool(_)) | (Type::Int64, Kind::Int(_)) => {
                Some(node.to_value())
            }
            (Type::Int32, Kind::Int(number)) if i32::try_from(*number).is_ok() => Some(node.to_value()),
            (Type::Port, Kind::String(_)) | (Type::Quantity, Kind::Int(_) | Kind::Float(_)) => Some(node.to_value()),
            (Type::Port, Kind::Int(number)) if i32::try_from(*number).is_ok() => Some(node.to_value()),
            (Type::Quantity, Kind::String(text)) if Quantity::parse(text.trim()).is_some() => Some(node.to_value()),
            (Type::Time, Kind::String(text)) if time::parse(text).is_some() => Some(node.to_value()),
            (Type::Object(name), Kind::Mapping(members)) => Some(self.object(members, name, path)),
            (Type::Map(inner), Kind::Mapping(members)) => Some(self.map(members, Type::parse(inner), path)),
            (Type::List(inner), Kind::Sequence(items)) => Some(self.list(items, Type::parse(inner), path)),
            _ => {
                if self.errors.len() >= ERRORS_MAX {
                    return None;
                }
                let values = [("expected", expected(of)), ("found", found(&node.value))];
                let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
                let message = say("error.wrong-type", &values);
                self.errors.push(Diagnostic::error(Code::WrongType, node.span, message).at_field(path.clone()));
                None
            }
        }
    }

    fn object(&mut self, members: &[(Node, Node)], object: &'static str, path: &mut String) -> Value {
        let fields = Fields::of(object);
        let mut out = Map::new();
        for (key, node) in members {
            let length = path.len();
            push_name(path, key.text());
            match fields.get(key.text()) {
                None => self.unknown(key, fields, path),
                Some(_) if node.value == Kind::Null => {}
                Some(of) => {
                    if let Some(value) = self.value(node, of, path) {
                        out.insert(key.text().to_owned(), value);
                    }
                }
            }
            path.truncate(length);
        }
        Value::Object(out)
    }

    fn unknown(&mut self, key: &Node, fields: Fields, path: &str) {
        if self.errors.len() >= ERRORS_MAX {
            return;
        }
        let meant = fields.similar(key.text());
        let message = match meant {
            Some(meant) => say("error.unknown-field-similar", &[("field", path), ("meant", meant)]),
            None => say("error.unknown-field", &[("field", path)]),
        };
        let error = Diagnostic::error(Code::UnknownField, key.span, message).at_field(path);
        self.errors.push(Diagnostic { meant, ..error });
    }

    fn map(&mut self, members: &[(Node, Node)], of: Type, path: &mut String) -> Value {
        let mut out = Map::new();
        for (key, node) in members {
            let length = path.len();
            path.push('[');
            path.push_str(key.text());
            path.push(']');
            if let Some(value) = self.element(node, of, path) {
                out.insert(key.text().to_owned(), value);
            }
            path.truncate(length);
        }
        Value::Object(out)
    }

    fn list(&mut self, items: &[Node], of: Type, path: &mut String) -> Value {
        let mut out = Vec::with_capacity(items.len());
        for (at, node) in items.iter().enumerate() {
            let length = path.len();
            path.push('[');
            path.push_str(&at.to_string());
            path.push(']');
            out.extend(self.element(node, of, path));
            path.truncate(length);
        }
        Value::Array(out)
    }

    /// An element of a list or an object with any names; `null` is its zero value (VAL-6).
    fn element(&mut self, node: &Node, of: Type, path: &mut String) -> Option<Value> {
        if node.value != Kind::Null {
            return self.value(node, of, path);
        }
        Some(match of {
            Type::String => Value::String(String::new()),
            Type::Int32 | Type::Int64 | Type::Quantity => Value::from(0),
            Type::Bool => Value::Bool(false),
            Type::Object(_) => Value::Object(Map::new()),
            _ => Value::Null,
        })
    }
}

fn push_name(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

fn expected(of: Type) -> String {
    let id = match of {
        Type::String => "type.string",
        Type::Int32 => "type.int32",
        Type::Int64 => "type.int64",
        Type::Bool => "type.bool",
        Type::Time => "type.time",
        Type::Quantity => "type.quantity",
        Type::Port => "type.port",
        Type::Object(_) | Type::Map(_) | Type::Any => "type.object",
        Type::List(_) => "type.list",
    };
    say(id, &[])
}

fn found(value: &Kind) -> String {
    let (id, text) = match value {
        Kind::Null => ("found.null", String::new()),
        Kind::Bool(is) => ("found.bool", is.to_string()),
        Kind::Int(number) => ("found.number", number.to_string()),
        Kind::Float(_) => ("found.fraction", String::new()),
        Kind::String(text) => ("found.string", shorten(text)),
        Kind::Sequence(_) => ("found.list", String::new()),
        Kind::Mapping(_) => ("found.object", String::new()),
    };
    say(id, &[("value", &text)])
}

/// The beginning of a text, for a message.
fn shorten(text: &str) -> String {
    const LENGTH: usize = 40;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

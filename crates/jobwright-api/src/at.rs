//! A place in an object: the value that is there, and the path that leads to it.
//!
//! Invariant: `null` and "not there" are the same, as the API reads them; the path is only written
//! out when somebody asks.

use jobwright_core::Timestamp;
use serde_json::{Map, Value};

use crate::read::ReadError;

/// A value that may be absent, and its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'a> {
    value: Option<&'a Value>,
    step: Step<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root,
    Field(&'a At<'a>, &'a str),
    Key(&'a At<'a>, &'a str),
    Item(&'a At<'a>, usize),
}

impl<'a> At<'a> {
    /// The object itself; its path is empty.
    pub(crate) fn root(value: &'a Value) -> Self {
        Self { value: Some(value), step: Step::Root }
    }

    /// A member.
    pub(crate) fn get<'b>(&'b self, name: &'b str) -> At<'b> {
        let value = self.value.and_then(|v| v.get(name)).filter(|v| !v.is_null());
        At { value, step: Step::Field(self, name) }
    }

    /// What is there, as if it were a member of this object: some checks report a field under another name.
    pub(crate) fn holding<'b>(&'b self, field: &At<'b>, name: &'b str) -> At<'b> {
        At { value: field.value, step: Step::Field(self, name) }
    }

    /// Another value, with the path of this one.
    pub(crate) fn showing(&self, value: &At<'a>) -> At<'a> {
        At { value: value.value, ..*self }
    }

    /// The entry of an object with any names; its path is `limits[cpu]`.
    pub(crate) fn key<'b>(&'b self, name: &'b str) -> At<'b> {
        At { step: Step::Key(self, name), ..self.get(name) }
    }

    /// The element of a list at an index that need not be there.
    pub(crate) fn item(&self, at: usize) -> At<'_> {
        At { value: self.value.and_then(|v| v.get(at)).filter(|v| !v.is_null()), step: Step::Item(self, at) }
    }

    /// The elements of a list; none if it is no list. A `null` element is an absent value (VAL-6).
    ///
    /// A list is made: an iterator with closures would be compiled anew for each use.
    pub(crate) fn items(&self) -> std::vec::IntoIter<At<'_>> {
        let items = self.value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut found = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            found.push(At { value: Some(item).filter(|v| !v.is_null()), step: Step::Item(self, at) });
        }
        found.into_iter()
    }

    /// The members of an object; none if it is no object.
    pub(crate) fn members(&self) -> std::vec::IntoIter<(&'a String, At<'_>)> {
        let mut found = Vec::new();
        if let Some(members) = self.value.and_then(Value::as_object) {
            for (name, value) in members {
                let value = Some(value).filter(|v| !v.is_null());
                found.push((name, At { value, step: Step::Field(self, name) }));
            }
        }
        found.into_iter()
    }

    /// Whether there is something.
    pub(crate) fn is_set(&self) -> bool {
        self.value.is_some()
    }

    /// What is there.
    pub(crate) fn value(&self) -> Option<&'a Value> {
        self.value
    }

    /// The text that is there, if it is one.
    pub(crate) fn str(&self) -> Option<&'a str> {
        self.value.and_then(Value::as_str)
    }

    /// The integer that is there, if it is one.
    pub(crate) fn int(&self) -> Option<i64> {
        self.value.and_then(Value::as_i64)
    }

    /// Whether `true` is there.
    pub(crate) fn is_true(&self) -> bool {
        self.value == Some(&Value::Bool(true))
    }

    /// The object that is there, if it is one.
    pub(crate) fn map(&self) -> Option<&'a Map<String, Value>> {
        self.value.and_then(Value::as_object)
    }

    /// The path, for example `spec.template.spec.containers[0].name`.
    pub(crate) fn path(&self) -> String {
        match self.step {
            Step::Root => String::new(),
            Step::Item(parent, at) => format!("{}[{at}]", parent.path()),
            Step::Key(parent, name) => format!("{}[{name}]", parent.path()),
            Step::Field(parent, name) => match parent.path() {
                path if path.is_empty() => name.to_owned(),
                path => format!("{path}.{name}"),
            },
        }
    }

    fn read<T>(
        &self,
        expected: &'static str,
        convert: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, ReadError> {
        let wrong = || ReadError { field: self.path(), expected };
        self.value.map(|value| convert(value).ok_or_else(wrong)).transpose()
    }

    /// A text, or an error if something else is there.
    pub(crate) fn read_str(&self) -> Result<Option<&'a str>, ReadError> {
        self.read("a string", Value::as_str)
    }

    /// An `int32`, or an error if something else is there.
    pub(crate) fn read_i32(&self) -> Result<Option<i32>, ReadError> {
        self.read("a 32-bit integer", |v| v.as_i64().and_then(|n| i32::try_from(n).ok()))
    }

    /// An `int64`, or an error if something else is there.
    pub(crate) fn read_i64(&self) -> Result<Option<i64>, ReadError> {
        self.read("a 64-bit integer", Value::as_i64)
    }

    /// A boolean, or an error if something else is there.
    pub(crate) fn read_bool(&self) -> Result<Option<bool>, ReadError> {
        self.read("true or false", Value::as_bool)
    }

    /// A time, or an error if something else is there.
    pub(crate) fn read_time(&self) -> Result<Option<Timestamp>, ReadError> {
        self.read("an RFC 3339 time", |v| v.as_str().and_then(crate::time::parse))
    }
}

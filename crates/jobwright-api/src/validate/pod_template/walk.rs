//! Tables of checks, and the one function that walks them.
//!
//! Invariant: rows are carried out in their order, which is the API server's; a field that is not there is
//! judged as its zero value where the API has no pointer for it.

use serde_json::Value;

use super::forms::{self, Form};
use crate::at::At;
use crate::places::Places;
use crate::validate::error::{ErrorKind, FieldError, print, quote};

/// Checks of an object: the name of the field, or nothing for the object itself, and what it must fulfil.
pub(super) type Rows = &'static [(&'static str, Check)];

/// What a row demands.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// It is there and not empty; with the detail of the error.
    Required(&'static str),
    /// The same; if it fails, the rows after it are left out.
    Needed(&'static str),
    /// It is there, and has this form.
    Name(Form),
    /// If it is not empty, it has this form.
    Form(Form),
    /// It has this form; what is not there counts as empty.
    Always(Form),
    /// If it is there, it is an integer in this range; else the detail.
    Int(i64, i64, &'static str),
    /// The same; what is not there counts as 0.
    Number(i64, i64, &'static str),
    /// If it is there, it is one of these.
    OneOf(&'static [&'static str]),
    /// If it is not empty, it is one of these.
    Known(&'static [&'static str]),
    /// It is one of these; what is not there counts as empty.
    MustBe(&'static [&'static str]),
    /// If it is there, these rows hold.
    Object(Rows),
    /// These rows hold for each element.
    Each(Rows),
    /// The first of these members that is there is judged, each further one refused.
    First(&'static Choice),
    /// A check of its own, whether it is there or not.
    By(fn(&mut Checker<'_>, &At<'_>)),
}

/// Members of which one may be there.
pub(super) struct Choice {
    /// Name and rows.
    pub(super) members: &'static [(&'static str, Rows)],
    /// The names that errors have instead: of a member, in the error about a second member, and else.
    pub(super) renamed: &'static [(&'static str, &'static str, &'static str)],
    /// The error of a second member.
    pub(super) second: &'static str,
    /// The error of the object if there is none, if that is one.
    pub(super) none: Option<&'static str>,
}

pub(super) const NOT_NEGATIVE: Check = Check::Int(0, i64::MAX, "must be greater than or equal to 0");
pub(super) const REQUIRED: Check = Check::Required("");

/// What is found, and what checks ask about the whole pod.
pub(super) struct Checker<'a> {
    /// The errors, in order.
    pub(super) errors: &'a mut Vec<FieldError>,
    /// The pod's specification.
    pub(super) pod: At<'a>,
    /// The positions of the valid volumes by their names.
    pub(super) volumes: Places,
}

impl Checker<'_> {
    /// Carries out the rows for an object.
    pub(super) fn walk(&mut self, at: &At<'_>, rows: Rows) {
        for (name, check) in rows {
            let field = if name.is_empty() { *at } else { at.get(name) };
            if !self.check(&field, *check) {
                return;
            }
        }
    }

    /// Carries out one check; whether those after it are to follow.
    fn check(&mut self, field: &At<'_>, check: Check) -> bool {
        let text = text(field);
        match check {
            Check::Required(detail) | Check::Needed(detail) if is_empty(field) => {
                self.required(field, detail);
                return !matches!(check, Check::Needed(_));
            }
            Check::Name(_) if text.is_empty() => self.required(field, ""),
            Check::Required(_) | Check::Needed(_) => {}
            Check::Form(_) | Check::Known(_) if text.is_empty() => {}
            Check::Name(form) | Check::Form(form) | Check::Always(form) => self.form(field, form, text),
            Check::Int(..) | Check::OneOf(_) | Check::Object(_) if !field.is_set() => {}
            Check::Int(low, high, detail) | Check::Number(low, high, detail) => {
                let number = field.int().unwrap_or_default();
                if number < low || number > high {
                    self.add(ErrorKind::Invalid, field, Some(number.to_string()), detail);
                }
            }
            Check::OneOf(known) | Check::Known(known) | Check::MustBe(known) => {
                if !known.contains(&text) {
                    self.not_supported(field, text, known);
                }
            }
            Check::Object(rows) => self.walk(field, rows),
            Check::Each(rows) => field.items().for_each(|item| self.walk(&item, rows)),
            Check::First(choice) => self.first(field, choice),
            Check::By(check) => check(self, field),
        }
        true
    }

    fn first(&mut self, at: &At<'_>, choice: &Choice) {
        let mut is_taken = false;
        for (name, rows) in choice.members {
            let member = at.get(name);
            if !member.is_set() {
                continue;
            }
            let renamed = choice.renamed.iter().find(|(known, ..)| known == name);
            let (_, as_second, as_first) = renamed.copied().unwrap_or((name, name, name));
            if is_taken {
                self.forbidden(&at.get(as_second), choice.second);
            } else {
                self.walk(&at.holding(&member, as_first), rows);
            }
            is_taken = true;
        }
        if let Some(detail) = choice.none.filter(|_| !is_taken) {
            self.required(at, detail);
        }
    }

    /// Adds an error.
    pub(super) fn add(&mut self, kind: ErrorKind, at: &At<'_>, value: Option<String>, detail: &str) {
        self.errors.push(FieldError { kind, field: at.path(), value, detail: detail.to_owned() });
    }

    /// A value that must be there is not.
    pub(super) fn required(&mut self, at: &At<'_>, detail: &str) {
        self.add(ErrorKind::Required, at, None, detail);
    }

    /// A value that must not be there is.
    pub(super) fn forbidden(&mut self, at: &At<'_>, detail: &str) {
        self.add(ErrorKind::Forbidden, at, None, detail);
    }

    /// The value that is there breaks a rule; if none is, it counts as an empty text.
    pub(super) fn invalid(&mut self, at: &At<'_>, detail: &str) {
        let value = at.value().map_or_else(|| quote(""), print);
        self.add(ErrorKind::Invalid, at, Some(value), detail);
    }

    /// A text breaks a rule.
    pub(super) fn invalid_text(&mut self, at: &At<'_>, text: &str, detail: &str) {
        self.add(ErrorKind::Invalid, at, Some(quote(text)), detail);
    }

    /// A text is none of those that are known.
    pub(super) fn not_supported(&mut self, at: &At<'_>, text: &str, known: &[&str]) {
        let mut detail = String::from("supported values: ");
        for (at, value) in known.iter().enumerate() {
            detail.push_str(if at == 0 { "" } else { ", " });
            detail.push_str(&quote(value));
        }
        self.add(ErrorKind::NotSupported, at, Some(quote(text)), &detail);
    }

    /// A text stands twice.
    pub(super) fn duplicate(&mut self, at: &At<'_>, text: &str) {
        self.add(ErrorKind::Duplicate, at, Some(quote(text)), "");
    }

    /// A name names nothing.
    pub(super) fn not_found(&mut self, at: &At<'_>, text: &str, detail: &str) {
        self.add(ErrorKind::NotFound, at, Some(quote(text)), detail);
    }

    /// Judges a text by a form, reported at a field.
    pub(super) fn form(&mut self, at: &At<'_>, form: Form, text: &str) {
        for message in forms::messages(form, text) {
            self.invalid_text(at, text, &message);
        }
    }

    /// The valid volume of a name.
    pub(super) fn volume(&self, name: &str) -> Option<&Value> {
        let at = self.volumes.get(name)?;
        self.pod.value()?.get("volumes")?.get(at)
    }
}

/// The text that is there, or the empty one.
pub(super) fn text<'b>(at: &At<'b>) -> &'b str {
    at.str().unwrap_or_default()
}

/// Nothing, an empty text or an empty list.
fn is_empty(at: &At<'_>) -> bool {
    match at.value() {
        None => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    }
}

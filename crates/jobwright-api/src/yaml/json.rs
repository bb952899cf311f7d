//! JSON with places.
//!
//! Invariant: exactly the texts that RFC 8259 allows are read; a number with a decimal point or an
//! exponent stays a float, because the API refuses it for an integer field (VAL-6).

use super::node::{Kind, Node, Span};
use super::{MAX_DEPTH, Members, Stream, decimal, escape};
use crate::catalogue::say;
use crate::diagnostic::{Code, Diagnostic};

/// Reads all values of a text.
pub(super) fn read(text: &str) -> Result<Stream, Diagnostic> {
    let mut reader = Reader { text, at: 0, line: 1, column: 1, counted: 0, stream: Stream::default() };
    loop {
        reader.skip_space();
        if reader.peek().is_none() {
            return Ok(reader.stream);
        }
        let node = reader.value(0)?;
        reader.stream.documents.push(node);
    }
}

struct Reader<'a> {
    text: &'a str,
    /// The next byte.
    at: usize,
    /// Line and column of the byte `counted`.
    line: usize,
    column: usize,
    counted: usize,
    stream: Stream,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.peek() {
            self.at += 1;
            if byte == b'\n' {
                (self.line, self.column, self.counted) = (self.line + 1, 1, self.at);
            }
        }
    }

    /// Line and column of the next byte. No token but space spans lines.
    fn place(&mut self) -> (usize, usize) {
        let passed = self.text.get(self.counted..self.at).unwrap_or_default();
        self.column += passed.chars().count();
        self.counted = self.at;
        (self.line, self.column)
    }

    fn error(&mut self, reason: &str) -> Diagnostic {
        let (line, column) = self.place();
        Diagnostic::error(Code::Syntax, Span::point(line, column), say(reason, &[]))
    }

    fn value(&mut self, depth: usize) -> Result<Node, Diagnostic> {
        if depth > MAX_DEPTH {
            let (line, column) = self.place();
            let message = say("error.too-deep", &[("max", &MAX_DEPTH.to_string())]);
            return Err(Diagnostic::error(Code::TooDeep, Span::point(line, column), message));
        }
        let start = self.place();
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { span: Span::new(start, self.place()), value })
    }

    fn word(&mut self) -> Result<Kind, Diagnostic> {
        let rest = &self.text[self.at..];
        for (word, value) in [("null", Kind::Null), ("true", Kind::Bool(true)), ("false", Kind::Bool(false))] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.error("error.json-value"))
    }

    fn number(&mut self) -> Result<Kind, Diagnostic> {
        let is_part = |b: &u8| b.is_ascii_digit() || b"+-.eE".contains(b);
        let length = self.text.as_bytes()[self.at..].iter().take_while(|b| is_part(b)).count();
        let text = &self.text[self.at..self.at + length];
        if !is_json_number(text) {
            return Err(self.error("error.json-number"));
        }
        let integer = if text.contains(['.', 'e', 'E']) { None } else { text.parse().ok().map(Kind::Int) };
        let number = integer.or_else(|| decimal::parse(text).map(Kind::Float));
        let number = number.ok_or_else(|| self.error("error.json-number"))?;
        self.at += length;
        Ok(number)
    }

    fn string(&mut self) -> Result<String, Diagnostic> {
        let body = &self.text.as_bytes()[self.at + 1..];
        let mut length = 0;
        loop {
            match body.get(length) {
                Some(b'"') => break,
                Some(b'\\') => length += 2,
                Some(b' '..) => length += 1,
                _ => return Err(self.error("error.json-string")),
            }
        }
        let (from, to) = (self.at + 1, self.at + 1 + length);
        let text = self.text.get(from..to).and_then(escape::unescape);
        let text = text.ok_or_else(|| self.error("error.json-string"))?;
        self.at = to + 1;
        Ok(text)
    }

    fn array(&mut self, depth: usize) -> Result<Kind, Diagnostic> {
        let mut items = Vec::new();
        while self.separator(b']', items.is_empty())? {
            items.push(self.value(depth + 1)?);
        }
        Ok(Kind::Sequence(items))
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Diagnostic> {
        let mut members = Members::default();
        while self.separator(b'}', members.list.is_empty())? {
            if self.peek() != Some(b'"') {
                return Err(self.error("error.json-key"));
            }
            let key = self.value(depth + 1)?;
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.error("error.json-colon"));
            }
            self.at += 1;
            self.skip_space();
            let value = self.value(depth + 1)?;
            self.stream.add(&mut members, key, value);
        }
        Ok(Kind::Mapping(members.list))
    }

    /// Steps over the opening bracket or the comma; false at the end of the collection.
    fn separator(&mut self, close: u8, first: bool) -> Result<bool, Diagnostic> {
        if first {
            self.at += 1;
        }
        self.skip_space();
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                return Ok(false);
            }
            Some(b',') if !first => self.at += 1,
            _ if first => {}
            _ => return Err(self.error("error.json-comma")),
        }
        self.skip_space();
        if self.peek().is_none() {
            return Err(self.error("error.json-comma"));
        }
        Ok(true)
    }
}

/// The form of a number: no leading zero, and digits around the point and after the exponent.
fn is_json_number(text: &str) -> bool {
    let size = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = size.find(['e', 'E']).map_or((size, "0"), |at| (&size[..at], &size[at + 1..]));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    [whole, fraction, exponent].iter().all(|part| is_digits(part)) && (whole == "0" || !whole.starts_with('0'))
}

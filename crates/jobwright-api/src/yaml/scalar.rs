//! What a scalar means: the types of YAML 1.1 as Kubernetes reads them, with a few forms of 1.2.
//!
//! Invariant: a number is finite; an integral one that fits is an integer, because on its way to the
//! API server it becomes JSON (VAL-6).

use super::decimal;
use super::node::Kind;

/// Why a scalar cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarError {
    /// Infinite or not a number: JSON has no such value.
    NotFinite,
    /// It does not fit its tag.
    NotOfTag,
    /// Its tag is not read.
    UnknownTag,
}

/// The prefix of YAML's own tags, which is written `!!`.
const YAML_TAGS: &str = "tag:yaml.org,2002:";

/// A scalar with a tag, whole as `tag:yaml.org,2002:int` or `!own`.
pub(super) fn tagged(tag: &str, text: &str) -> Result<Kind, ScalarError> {
    let string = || Ok(Kind::String(text.to_owned()));
    let Some(tag) = tag.strip_prefix(YAML_TAGS) else { return string() };
    let value = match tag {
        "str" | "timestamp" => return string(),
        "null" | "bool" | "int" | "float" => plain(text)?,
        _ => return Err(ScalarError::UnknownTag),
    };
    let fits = match tag {
        "null" => value == Kind::Null,
        "bool" => matches!(value, Kind::Bool(_)),
        "int" => matches!(value, Kind::Int(_)),
        _ => matches!(value, Kind::Int(_) | Kind::Float(_)),
    };
    if fits { Ok(value) } else { Err(ScalarError::NotOfTag) }
}

/// A scalar without quotes and without a tag.
pub(super) fn plain(text: &str) -> Result<Kind, ScalarError> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Kind::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Kind::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Err(ScalarError::NotFinite),
        _ if matches!(text.trim_start_matches(['+', '-']), ".inf" | ".Inf" | ".INF") => {
            return Err(ScalarError::NotFinite);
        }
        _ => number(text).unwrap_or_else(|| Kind::String(text.to_owned())),
    })
}

/// A number; underscores between the digits do not count.
fn number(text: &str) -> Option<Kind> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
        return None;
    }
    let digits = text.replace('_', "");
    integer(&digits).map(Kind::Int).or_else(|| float(&digits))
}

/// An integer: decimal, `0x`, `0o`, `0b`, or octal after a leading 0.
fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'o' | b'O', ..] => (8, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if !digits.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None; // A second sign.
    }
    let size = i128::from_str_radix(digits, radix).ok()?;
    i64::try_from(if negative { -size } else { size }).ok()
}

/// A decimal fraction, with or without an exponent; one that is too large stays a text.
fn float(text: &str) -> Option<Kind> {
    decimal::parse(text).map(|number| integral(number).map_or(Kind::Float(number), Kind::Int))
}

/// The integer that a float is, if it is one that fits.
fn integral(number: f64) -> Option<i64> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    #[allow(clippy::cast_possible_truncation, reason = "within the limit, and integral")]
    (number.fract() == 0.0 && number.abs() < LIMIT).then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_follow_yaml_1_1_val_6() {
        let string = |text: &str| Kind::String(text.to_owned());
        for (text, value) in [
            ("", Kind::Null),
            ("~", Kind::Null),
            ("Null", Kind::Null),
            ("nULL", string("nULL")),
            ("y", Kind::Bool(true)),
            ("OFF", Kind::Bool(false)),
            ("oN", string("oN")),
            ("3", Kind::Int(3)),
            ("+3", Kind::Int(3)),
            ("-0", Kind::Int(0)),
            ("010", Kind::Int(8)),
            ("-010", Kind::Int(-8)),
            ("0o10", Kind::Int(8)),
            ("08", Kind::Int(8)),
            ("0x1F", Kind::Int(31)),
            ("-0b11", Kind::Int(-3)),
            ("1_000", Kind::Int(1000)),
            ("0x", string("0x")),
            ("0b12", string("0b12")),
            ("--1", string("--1")),
            ("0x-1", string("0x-1")),
            ("3.0", Kind::Int(3)),
            ("1e1", Kind::Int(10)),
            ("2.5", Kind::Float(2.5)),
            (".5", Kind::Float(0.5)),
            ("5.", Kind::Int(5)),
            ("1e21", Kind::Float(1e21)),
            ("1e999", string("1e999")),
            ("9223372036854775807", Kind::Int(i64::MAX)),
            ("9223372036854775808", Kind::Float(9_223_372_036_854_775_808.0)),
            ("1:30", string("1:30")),
            ("2001-01-01", string("2001-01-01")),
            ("0-1", string("0-1")),
            ("1.2.3", string("1.2.3")),
            ("1e", string("1e")),
            ("1e5.", string("1e5.")),
            ("-.5", Kind::Float(-0.5)),
            ("+.5e3", Kind::Int(500)),
            ("1.5E+3", Kind::Int(1500)),
            ("..", string("..")),
            ("infinity", string("infinity")),
            ("+infinity", string("+infinity")),
            ("_1", string("_1")),
            ("é", string("é")),
        ] {
            assert_eq!(plain(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn a_tag_decides_also_for_a_quoted_text() {
        let tag = |name: &str| format!("{YAML_TAGS}{name}");
        for (name, text, value) in [
            ("int", "0x10", Ok(Kind::Int(16))),
            ("str", "1", Ok(Kind::String("1".into()))),
            ("float", "3", Ok(Kind::Int(3))),
            ("bool", "yes", Ok(Kind::Bool(true))),
            ("null", "", Ok(Kind::Null)),
            ("int", "3.5", Err(ScalarError::NotOfTag)),
            ("bool", "1", Err(ScalarError::NotOfTag)),
            ("binary", "aGk=", Err(ScalarError::UnknownTag)),
        ] {
            assert_eq!(tagged(&tag(name), text), value, "{name} {text}");
        }
        assert_eq!(tagged("!own", "1"), Ok(Kind::String("1".into())));
    }

    #[test]
    fn what_json_cannot_say_is_an_error() {
        for text in [".nan", ".inf", "-.Inf", "+.INF"] {
            assert_eq!(plain(text), Err(ScalarError::NotFinite), "{text}");
        }
    }
}

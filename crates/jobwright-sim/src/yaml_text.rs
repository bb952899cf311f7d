//! Writes scenarios as YAML.
//!
//! Invariant: what is written reads back as the same value (`scenario::read`).

use jobwright_core::Millis;
use serde_json::Value;

/// Writes a value in block style, each line after `indent` spaces; a mapping or list begins a new line.
pub(crate) fn yaml(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                newline(indent, out);
                scalar(name, out);
                out.push(':');
                inner(member, indent + 2, out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                newline(indent, out);
                out.push_str("- ");
                let mut text = String::new();
                yaml(item, indent + 2, &mut text);
                out.push_str(text.trim_start());
            }
        }
        Value::String(text) => scalar(text, out),
        other => out.push_str(&other.to_string()),
    }
}

fn inner(value: &Value, indent: usize, out: &mut String) {
    let nested = matches!(value, Value::Object(members) if !members.is_empty())
        || matches!(value, Value::Array(items) if !items.is_empty());
    if !nested {
        out.push(' ');
    }
    yaml(value, indent, out);
}

fn newline(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// A text, in quotes unless it can only be read as a text.
fn scalar(text: &str, out: &mut String) {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    let words = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"];
    let is_word = words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if first && text.bytes().all(safe) && !is_word {
        out.push_str(text);
    } else {
        out.push_str(&Value::from(text).to_string());
    }
}

/// Seconds with as many decimals as it takes.
pub(crate) fn seconds(time: Millis) -> String {
    let (whole, rest) = (time.0 / 1_000, time.0 % 1_000);
    if rest == 0 {
        return whole.to_string();
    }
    let text = format!("{whole}.{rest:03}");
    text.trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_reads_back() {
        let value = json!({"a": {"b": [1, "x", {"c": null, "d": "yes"}], "e": []}, "f": "1: 2", "g/h": {}, "i": true, "j": [[1]]});
        let mut text = String::new();
        yaml(&value, 0, &mut text);
        let nodes = jobwright_api::yaml::parse(&text, jobwright_api::yaml::Mode::Strict).expect(&text);
        assert_eq!(nodes[0].to_value(), value, "{text}");
    }

    #[test]
    fn times_are_seconds() {
        assert_eq!([0, 5_000, 1_500, 250].map(|time| seconds(Millis(time))), ["0", "5", "1.5", "0.25"]);
    }
}

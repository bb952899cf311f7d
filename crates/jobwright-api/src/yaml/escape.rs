//! The escapes of JSON strings (RFC 8259, section 7).
//!
//! Invariant: half of a surrogate pair is no character, and makes the string wrong.

/// The text of a string from between its quotes; `None` if an escape is wrong.
pub(super) fn unescape(body: &str) -> Option<String> {
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let kind = after.chars().next()?;
        rest = &after[kind.len_utf8()..];
        out.push(match kind {
            '"' | '\\' | '/' => kind,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => unicode(&mut rest)?,
            _ => return None,
        });
    }
    out.push_str(rest);
    Some(out)
}

/// The character of a `\u` escape, of which a pair may be needed.
fn unicode(rest: &mut &str) -> Option<char> {
    let high = unit(rest)?;
    if !(0xd800..0xdc00).contains(&high) {
        return char::from_u32(high);
    }
    *rest = rest.strip_prefix("\\u")?;
    let low = unit(rest)?;
    (0xdc00..0xe000).contains(&low).then(|| char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)))?
}

/// Four hexadecimal digits.
fn unit(rest: &mut &str) -> Option<u32> {
    let digits = rest.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    *rest = &rest[4..];
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_rfc_8259() {
        for (body, text) in [
            ("plain ä", Some("plain ä")),
            (r#"\"\\\/\b\f\n\r\t"#, Some("\"\\/\u{8}\u{c}\n\r\t")),
            (r"\u00e4\ud83d\ude00!", Some("ä😀!")),
            (r"\x", None),
            (r"\u12", None),
            (r"\u+123", None),
            (r"\ud83d", None),
            (r"\ud83d\n", None),
            (r"\ude00", None),
            ("\\", None),
            (r"\ä", None),
        ] {
            assert_eq!(unescape(body).as_deref(), text, "{body}");
        }
    }
}

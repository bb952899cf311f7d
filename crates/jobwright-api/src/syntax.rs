//! The syntax of names, labels and keys, with the API's messages.
//!
//! Invariant: each check gives the messages in the API server's order; none is "valid".

/// A DNS-1123 label may have this many characters.
const DNS_LABEL_MAX: usize = 63;
/// A DNS-1123 subdomain may have this many characters.
const DNS_SUBDOMAIN_MAX: usize = 253;
/// A name part of a qualified name, and a label value, may have this many bytes.
const NAME_PART_MAX: usize = 63;

fn is_lower_or_digit(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Lower-case letters, digits and dashes, with a letter or digit at both ends; of any length.
fn has_dns_label_form(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    ends.iter().all(|end| end.is_some_and(|b| is_lower_or_digit(*b)))
        && bytes.iter().all(|b| is_lower_or_digit(*b) || *b == b'-')
}

/// Letters, digits, `-`, `_` and `.`, with a letter or digit at both ends.
fn has_name_form(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    ends.iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b))
}

/// Whether a text is a DNS-1123 subdomain, the form of most object names.
#[must_use]
pub fn is_dns_subdomain(text: &str) -> bool {
    dns_subdomain(text).is_empty()
}

/// What is wrong with a DNS-1123 subdomain.
#[must_use]
pub fn dns_subdomain(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > DNS_SUBDOMAIN_MAX {
        messages.push(too_long(DNS_SUBDOMAIN_MAX, "characters"));
    }
    if !text.split('.').all(has_dns_label_form) {
        messages.push(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
             start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
             '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                .to_owned(),
        );
    }
    messages
}

/// What is wrong with a DNS-1123 label.
#[must_use]
pub fn dns_label(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > DNS_LABEL_MAX {
        messages.push(too_long(DNS_LABEL_MAX, "characters"));
    }
    if !has_dns_label_form(text) {
        let message = if dns_subdomain(text).is_empty() { "must not contain dots" } else { DNS_LABEL };
        messages.push(message.to_owned());
    }
    messages
}

const DNS_LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must \
     start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/// Of DNS names the API server counts characters, of labels and keys bytes; only the word differs.
fn too_long(max: usize, unit: &str) -> String {
    format!("must be no more than {max} {unit}")
}

/// What is wrong with a qualified name such as `example.com/my-name`; the part before the `/` may be absent.
#[must_use]
pub fn qualified_name(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    let name = match text.split('/').collect::<Vec<_>>()[..] {
        [name] => name,
        [prefix, name] => {
            if prefix.is_empty() {
                messages.push("prefix part must be non-empty".to_owned());
            } else {
                messages.extend(dns_subdomain(prefix).into_iter().map(|message| format!("prefix part {message}")));
            }
            name
        }
        _ => {
            let form = "a valid label key ";
            let rest = " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
            return vec![format!("{form}{NAME_PART}{rest}")];
        }
    };
    if name.is_empty() {
        messages.push("name part must be non-empty".to_owned());
    } else if name.len() > NAME_PART_MAX {
        messages.push(format!("name part {}", too_long(NAME_PART_MAX, "bytes")));
    }
    if !has_name_form(name) {
        messages.push(format!("name part {NAME_PART}"));
    }
    messages
}

const NAME_PART: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
     alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
     '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/// What is wrong with the value of a label.
#[must_use]
pub fn label_value(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > NAME_PART_MAX {
        messages.push(too_long(NAME_PART_MAX, "bytes"));
    }
    if !text.is_empty() && !has_name_form(text) {
        messages.push(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
             start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used \
             for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
                .to_owned(),
        );
    }
    messages
}

/// What is wrong with the path of an HTTP address.
#[must_use]
pub fn http_path(text: &str) -> Option<String> {
    const FORM: &str = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
    let fits =
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:".contains(&b));
    (!fits).then(|| format!("Invalid path (regex used for validation is '{FORM}')"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_labels() {
        for (text, subdomain, label) in [
            ("a", true, true),
            ("a-1", true, true),
            ("a.b", true, false),
            ("", false, false),
            ("-a", false, false),
            ("A", false, false),
            ("a..b", false, false),
        ] {
            assert_eq!(is_dns_subdomain(text), subdomain, "{text}");
            assert_eq!(dns_label(text).is_empty(), label, "{text}");
        }
        assert_eq!(dns_label("a.b"), ["must not contain dots"]);
        assert_eq!(dns_label(&"a".repeat(64)), ["must be no more than 63 characters"]);
        assert_eq!(dns_subdomain(&"a".repeat(254)), ["must be no more than 253 characters"]);
    }

    #[test]
    fn qualified_names_and_values_val_53() {
        for (text, count) in [("a", 0), ("x.io/a_B", 0), ("", 2), ("x.io/", 2), ("/a", 1), ("a/b/c", 1), ("A.io/b", 1)]
        {
            assert_eq!(qualified_name(text).len(), count, "{text}");
        }
        for (text, fits) in [("", true), ("My_value.1", true), ("-a", false), ("a b", false)] {
            assert_eq!(label_value(text).is_empty(), fits, "{text}");
        }
        assert!(http_path("foo/bar").is_none() && http_path("a b").is_some());
    }
}

//! The forms of texts in a pod template, with the API server's messages.
//!
//! Invariant: no message is "valid"; several come in the API server's order.

use super::addresses::Address;
use crate::syntax;

/// What a text must look like.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// A DNS-1123 label.
    Label,
    /// A DNS-1123 subdomain.
    Subdomain,
    /// The same, or with a dash at its end.
    SubdomainPrefix,
    /// A DNS-1123 subdomain whose labels may have underscores.
    SearchDomain,
    /// The key of a label.
    Qualified,
    /// The value of a label.
    LabelValue,
    /// The name of an environment variable.
    EnvName,
    /// A key of a `ConfigMap` or a Secret.
    ConfigKey,
    /// The name of a port.
    PortName,
    /// The name of an HTTP header.
    HeaderName,
    /// A path without `..` in it.
    NoBacksteps,
    /// The same, and relative.
    Relative,
    /// The same, and not beginning with `..`.
    NotReserved,
    /// A path that begins with `/`.
    Absolute,
    /// An IP address.
    Ip,
}

const ENV_NAME: &str =
    "a valid environment variable name must consist only of printable ASCII characters other than '='";
const CONFIG_KEY: &str = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  \
     or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const HEADER_NAME: &str = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', \
     regex used for validation is '[-A-Za-z0-9]+')";
const SEARCH_DOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' \
     or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
     '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

/// What is wrong with a text.
pub(super) fn messages(form: Form, text: &str) -> Vec<String> {
    let rules: &[(bool, &str)] = match form {
        Form::Label => return syntax::dns_label(text),
        Form::Subdomain => return syntax::dns_subdomain(text),
        Form::SubdomainPrefix => {
            let prefix = text.strip_suffix('-').filter(|prefix| !prefix.is_empty());
            return syntax::dns_subdomain(&prefix.map_or_else(|| text.to_owned(), |prefix| [prefix, "a"].concat()));
        }
        Form::Qualified => return syntax::qualified_name(text),
        Form::LabelValue => return syntax::label_value(text),
        Form::SearchDomain => {
            &[(text.len() > 253, "must be no more than 253 characters"), (!is_search_domain(text), SEARCH_DOMAIN)]
        }
        Form::EnvName => &[
            (text.is_empty(), "environment variable name must be non-empty"),
            (!text.bytes().all(|b| (b' '..=b'~').contains(&b) && b != b'='), ENV_NAME),
        ],
        Form::ConfigKey => &[
            (text.len() > 253, "must be no more than 253 characters"),
            (!consists_of(text, "-._"), CONFIG_KEY),
            (text == ".", "must not be '.'"),
            (text == "..", "must not be '..'"),
            (text.starts_with("..") && text != "..", "must not start with '..'"),
        ],
        Form::PortName => &[
            (text.len() > 15, "must be no more than 15 characters"),
            (
                !consists_of(text, "-") || text.bytes().any(|b| b.is_ascii_uppercase()),
                "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
            ),
            (!text.bytes().any(|b| b.is_ascii_lowercase()), "must contain at least one letter (a-z)"),
            (text.contains("--"), "must not contain consecutive hyphens"),
            (text.starts_with('-') || text.ends_with('-'), "must not begin or end with a hyphen"),
        ],
        Form::HeaderName => &[(!consists_of(text, "-"), HEADER_NAME)],
        Form::NoBacksteps | Form::Relative | Form::NotReserved => &[
            (!matches!(form, Form::NoBacksteps) && text.starts_with('/'), "must be a relative path"),
            (has_backsteps(text), "must not contain '..'"),
            (
                matches!(form, Form::NotReserved) && text.starts_with("..") && !text.starts_with("../"),
                "must not start with '..'",
            ),
        ],
        Form::Absolute => &[(!text.starts_with('/'), "must be an absolute path")],
        Form::Ip => {
            let found = Address::parse(text).map(|address| address.problem());
            let problem = found.unwrap_or(Some("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"));
            return problem.into_iter().map(str::to_owned).collect();
        }
    };
    rules.iter().filter(|(is_broken, _)| *is_broken).map(|(_, message)| (*message).to_owned()).collect()
}

/// Whether a path has an element `..`.
pub(super) fn has_backsteps(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}

/// At least one character, all of them letters, digits or one of these.
fn consists_of(text: &str, others: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
}

fn is_search_domain(text: &str) -> bool {
    text.split('.').all(|label| {
        let label = label.strip_prefix('_').unwrap_or(label);
        consists_of(label, "-_") && !label.starts_with(['-', '_']) && !label.ends_with(['-', '_'])
    }) && !text.bytes().any(|b| b.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_texts_val_78() {
        for (form, text, count) in [
            (Form::EnvName, "A.b-c d", 0),
            (Form::EnvName, "A=b", 1),
            (Form::EnvName, "Ä", 1),
            (Form::ConfigKey, "a.b", 0),
            (Form::ConfigKey, "..", 1),
            (Form::ConfigKey, "a/b", 1),
            (Form::PortName, "http", 0),
            (Form::PortName, "80", 1),
            (Form::PortName, "", 2),
            (Form::PortName, "-a--b", 2),
            (Form::HeaderName, "X-A", 0),
            (Form::HeaderName, "X_A", 1),
            (Form::NoBacksteps, "/a/../b", 1),
            (Form::Relative, "/a", 1),
            (Form::NotReserved, "..a", 1),
            (Form::NotReserved, "../a", 1),
            (Form::SubdomainPrefix, "a-", 0),
            (Form::Subdomain, "a-", 1),
            (Form::SearchDomain, "_tcp.example.com", 0),
            (Form::SearchDomain, "A", 1),
            (Form::Ip, "10.9.8.7", 0),
            (Form::Ip, "010.9.8.7", 1),
            (Form::Ip, "10.9.8", 1),
            (Form::Ip, "10.9.8.256", 1),
            (Form::Ip, "2001:db8::ffff", 0),
            (Form::Ip, "::", 0),
            (Form::Ip, "::ffff:1.2.3.4", 1),
            (Form::Ip, "1:2:3:4:5:6:7", 1),
            (Form::Ip, "1::2::3", 1),
            (Form::Ip, "", 1),
        ] {
            assert_eq!(messages(form, text).len(), count, "{text}");
        }
    }
}

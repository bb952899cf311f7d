//! Files of a volume that are in each other's way: a warning.
//!
//! Invariant: paths are compared as directories are, in the order in which they stand.

use super::walk::text;
use crate::at::At;
use crate::validate::Warning;
use crate::validate::error::quote;

/// A path, and what brings it.
type Source = (String, String);

/// The warnings about a volume; they name the volume and not its path.
pub(super) fn check(volume: &At<'_>, warn: &mut dyn FnMut(Warning)) {
    let name = volume.get("name");
    let head = ["volume ", &quote(text(&name)), " ("].concat();
    let mut say = |parts: &[&str]| {
        warn(Warning { field: volume.path(), text: [&head, &*parts.concat()].concat(), is_whole: true });
    };
    for (field, of, kind) in
        [("configMap", "name", "ConfigMap "), ("secret", "secretName", "Secret "), ("downwardAPI", "", "DownwardAPI")]
    {
        let source = volume.get(field);
        let called = source.get(of);
        let shown = if of.is_empty() { String::new() } else { quote(text(&called)) };
        let mut before = Vec::new();
        for path in items(&source, "") {
            compare(&path, &before, &mut |pair| say(&[kind, &shown, "): overlapping paths: ", pair]));
            before.push(path);
        }
    }
    let mut before = Vec::new();
    let projected = volume.get("projected");
    for source in projected.get("sources").items() {
        if !source.members().any(|(_, value)| value.is_set()) {
            say(&["Projected) has no sources provided"]);
        }
        for path in of_source(&source) {
            compare(&path, &before, &mut |pair| say(&["Projected): overlapping paths: ", pair]));
            before.push(path);
        }
    }
}

fn of_source(source: &At<'_>) -> Vec<Source> {
    for (field, of, kind) in
        [("configMap", "name", "ConfigMap "), ("secret", "name", "Secret "), ("downwardAPI", "", "DownwardAPI")]
    {
        let part = source.get(field);
        if part.get("items").is_set() {
            let called = part.get(of);
            let shown = if of.is_empty() { String::new() } else { quote(text(&called)) };
            return items(&part, &[kind, &shown].concat());
        }
    }
    let (token, bundle, pair) =
        (source.get("serviceAccountToken"), source.get("clusterTrustBundle"), source.get("podCertificate"));
    let path = |part: &At<'_>, field: &str| trimmed(text(&part.get(field)));
    if token.is_set() {
        return vec![(path(&token, "path"), "ServiceAccountToken".to_owned())];
    }
    if bundle.is_set() {
        let (name, signer) = (bundle.get("name"), bundle.get("signerName"));
        let called = name.str().or(signer.str()).unwrap_or_default();
        return vec![(path(&bundle, "path"), ["ClusterTrustBundle ", &quote(called)].concat())];
    }
    let mut found = Vec::new();
    for (field, kind) in
        [("certificateChainPath", "chain"), ("keyPath", "key"), ("credentialBundlePath", "credential bundle")]
    {
        if !text(&pair.get(field)).is_empty() {
            found.push((path(&pair, field), ["PodCertificate ", kind].concat()));
        }
    }
    found
}

fn items(source: &At<'_>, kind: &str) -> Vec<Source> {
    source.get("items").items().map(|item| (trimmed(text(&item.get("path"))), kind.to_owned())).collect()
}

fn trimmed(path: &str) -> String {
    path.trim_end_matches('/').to_owned()
}

/// Each pair in which one path is the other, or within it.
fn compare(this: &Source, before: &[Source], say: &mut dyn FnMut(&str)) {
    let is_within =
        |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    for other in before {
        if !this.0.is_empty() && !other.0.is_empty() && (is_within(&this.0, &other.0) || is_within(&other.0, &this.0)) {
            say(&[&*shown(this), " with ", &shown(other)].concat());
        }
    }
}

fn shown((path, kind): &Source) -> String {
    if kind.is_empty() { quote(path) } else { [&*quote(path), " (", kind, ")"].concat() }
}

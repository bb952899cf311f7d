//! Volumes that are put together from several sources.
//!
//! Invariant: each source has one kind, and no path stands twice.

use super::env::{self, FIELDS_OF_VOLUMES};
use super::forms::Form;
use super::scheduling::label_selector;
use super::volumes::KEY_TO_PATH;
use super::walk::{Check, Checker, REQUIRED, Rows, text};
use crate::at::At;
use crate::places::Places;
use crate::syntax;
use crate::validate::ErrorKind;
use crate::validate::error::quote;
use crate::validate::metadata;

const KEY_TYPES: &[&str] = &["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const CERTIFICATE: Rows = &[
    ("signerName", Check::By(signer)),
    ("userAnnotations", Check::By(user_annotations)),
    ("keyType", Check::MustBe(KEY_TYPES)),
    ("maxExpirationSeconds", Check::Int(3600, i64::MAX, "if provided, maxExpirationSeconds must be >= 3600")),
    ("", Check::By(longest)),
];
/// Bytes of a domain, and of a whole name of a signer.
const DOMAIN_MAX: usize = 253;
const SIGNER_MAX: usize = 571;

/// A projected volume.
pub(super) fn projected(checker: &mut Checker<'_>, volume: &At<'_>) {
    let mut paths = Places::default();
    for source in volume.get("sources").items() {
        let mut kinds = 0;
        for kind in
            ["secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate"]
        {
            let part = source.get(kind);
            if !part.is_set() {
                continue;
            }
            kinds += 1;
            match kind {
                "serviceAccountToken" => token(checker, volume, &part),
                "clusterTrustBundle" => {
                    bundle(checker, &part);
                    once(checker, volume, &mut paths, text(&part.get("path")), None);
                }
                "podCertificate" => certificate(checker, volume, &part, &mut paths),
                "downwardAPI" => {
                    for item in part.get("items").items() {
                        downward_file(checker, &part.showing(&item));
                        items_path(checker, volume, &mut paths, &item, None);
                    }
                }
                _ => {
                    checker.walk(&part, &[("name", REQUIRED)]);
                    for item in part.get("items").items() {
                        checker.walk(&item, KEY_TO_PATH);
                        items_path(checker, volume, &mut paths, &item, Some(text(&part.get("name"))));
                    }
                }
            }
        }
        if kinds > 1 {
            checker.forbidden(&source, "may not specify more than 1 volume type per source");
        }
    }
}

fn items_path(checker: &mut Checker<'_>, volume: &At<'_>, paths: &mut Places, item: &At<'_>, shown: Option<&str>) {
    let path = item.get("path");
    if !text(&path).is_empty() {
        once(checker, volume, paths, text(&path), shown);
    }
}

/// A path stands once; the error is reported at the volume, with the path or what has it.
fn once(checker: &mut Checker<'_>, volume: &At<'_>, paths: &mut Places, path: &str, shown: Option<&str>) {
    if !paths.is_new(path) {
        checker.invalid_text(volume, shown.unwrap_or(path), "conflicting duplicate paths");
    }
}

/// A file that shows a field or a resource of the pod.
pub(super) fn downward_file(checker: &mut Checker<'_>, file: &At<'_>) {
    checker.walk(file, &[("path", REQUIRED), ("path", Check::Form(Form::NotReserved))]);
    let (field, resource) = (file.get("fieldRef"), file.get("resourceFieldRef"));
    match (field.is_set(), resource.is_set()) {
        (true, both) => {
            env::field_ref(checker, &field, FIELDS_OF_VOLUMES);
            if both {
                let detail = "fieldRef and resourceFieldRef can not be specified simultaneously";
                checker.invalid_text(file, "resource", detail);
            }
        }
        (false, true) => env::resource_ref(checker, &resource, true),
        (false, false) => checker.required(file, "one of fieldRef and resourceFieldRef is required"),
    }
    checker.walk(file, &[("mode", super::volumes::MODE)]);
}

/// A token; the errors of its path are reported at the volume.
fn token(checker: &mut Checker<'_>, volume: &At<'_>, token: &At<'_>) {
    let seconds = token.get("expirationSeconds");
    for (low, high, detail) in [
        (600, i64::MAX, "may not specify a duration less than 10 minutes"),
        (i64::MIN, 1 << 32, "may not specify a duration larger than 2^32 seconds"),
    ] {
        if seconds.int().is_some_and(|seconds| seconds < low || seconds > high) {
            checker.invalid(&seconds, detail);
        }
    }
    let path = token.get("path");
    let shown = volume.holding(&path, "path");
    if text(&path).is_empty() {
        checker.required(&shown, "");
    } else {
        checker.form(&shown, Form::NotReserved, text(&path));
    }
}

/// A bundle of certificates, by its name or by its signer.
fn bundle(checker: &mut Checker<'_>, bundle: &At<'_>) {
    let (name, by, selector) = (bundle.get("name"), bundle.get("signerName"), bundle.get("labelSelector"));
    match (name.str(), by.str()) {
        (Some(_), Some(_)) => checker.invalid(bundle, "only one of name and signerName may be used"),
        (Some(called), None) => {
            if called.is_empty() {
                checker.required(&name, "must be a valid object name");
            }
            let own = called.rsplit_once(':').map_or(called, |(_, own)| own);
            for message in syntax::dns_subdomain(own) {
                checker.invalid(&name, &["not a valid clustertrustbundlename: ", &message].concat());
            }
            if selector.is_set() {
                checker.invalid(&selector, "labelSelector must be unset if name is specified");
            }
        }
        (None, Some(called)) => {
            if called.is_empty() {
                checker.required(&by, "must be a valid signer name");
            }
            signer(checker, &by);
            label_selector(checker, &selector);
        }
        (None, None) => checker.required(bundle, "either name or signerName must be specified"),
    }
    checker.walk(bundle, &[("path", REQUIRED), ("path", Check::Form(Form::NotReserved))]);
}

fn certificate(checker: &mut Checker<'_>, volume: &At<'_>, part: &At<'_>, paths: &mut Places) {
    checker.walk(part, CERTIFICATE);
    let mut count = 0;
    for field in ["credentialBundlePath", "keyPath", "certificateChainPath"] {
        let path = part.get(field);
        if !text(&path).is_empty() {
            count += 1;
            checker.form(&path, Form::NotReserved, text(&path));
            once(checker, volume, paths, text(&path), None);
        }
    }
    if count == 0 {
        checker.required(part, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath");
    }
}

/// The signers of the project itself give certificates for a day, others for 91 days.
fn longest(checker: &mut Checker<'_>, part: &At<'_>) {
    let (seconds, by) = (part.get("maxExpirationSeconds"), part.get("signerName"));
    let domain = text(&by).split('/').next().unwrap_or_default();
    let is_own = domain == "kubernetes.io" || domain.ends_with(".kubernetes.io");
    let most = if is_own { "86400" } else { "7862400" };
    if seconds
        .int()
        .is_some_and(|seconds| seconds.to_string().len() > most.len() || seconds > most.parse().unwrap_or(0))
    {
        checker.invalid(&seconds, &["if provided, maxExpirationSeconds must be <= ", most].concat());
    }
}

/// The name of a signer: a domain and a path of one element.
fn signer(checker: &mut Checker<'_>, at: &At<'_>) {
    let name = text(at);
    let Some((domain, path)) = name.split_once('/').filter(|(_, path)| !path.contains('/')) else {
        if name.is_empty() {
            checker.required(at, "");
        } else {
            let detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
            checker.invalid(at, detail);
        }
        return;
    };
    if domain.len() > DOMAIN_MAX {
        checker.add(ErrorKind::TooLong, at, None, "may not be more than 253 bytes");
    }
    labels(checker, at, domain, syntax::dns_label);
    if !domain.contains('.') {
        checker.invalid_text(at, domain, "should be a domain with at least two segments separated by dots");
    }
    labels(checker, at, path, syntax::dns_subdomain);
    if name.len() > SIGNER_MAX {
        checker.add(ErrorKind::TooLong, at, None, "may not be more than 571 bytes");
    }
}

/// The first wrong label of a name.
fn labels(checker: &mut Checker<'_>, at: &At<'_>, name: &str, judge: fn(&str) -> Vec<String>) {
    for label in name.split('.') {
        let messages = judge(label);
        for message in &messages {
            checker.invalid_text(at, name, &["validating label ", &quote(label), ": ", message].concat());
        }
        if !messages.is_empty() {
            return;
        }
    }
}

/// Keys with a domain; they are judged, and shown, in lower case.
fn user_annotations(checker: &mut Checker<'_>, at: &At<'_>) {
    for (key, _) in at.members() {
        let key = key.to_ascii_lowercase();
        if key.is_empty() {
            checker.required(at, "");
            continue;
        }
        let messages = syntax::qualified_name(&key);
        for message in &messages {
            checker.invalid_text(at, &key, message);
        }
        if messages.is_empty() && !key.contains('/') {
            checker.invalid_text(at, &key, "must be a domain-prefixed key (such as \"acme.io/foo\")");
        }
    }
    metadata::size(at, &at.path(), checker.errors);
}

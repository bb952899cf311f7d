//! Who may depend on whom, from cargo's metadata.
//!
//! Invariant: the table below is the whole truth about normal dependencies of the product's crates (development
//! dependencies are free); a crate that is not in it is a finding. What reaches the browser is checked through all
//! levels.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};

use super::finding::Finding;
use crate::source::Source;

/// What each crate may depend on.
const MAY_USE: [(&str, &[&str]); 9] = [
    ("jobwright-core", &[]),
    ("jobwright-api", &["jobwright-core", "serde", "serde_json", "thiserror", YAML_PARSER, "ts-rs"]),
    ("jobwright-sim", &["jobwright-core", "jobwright-api", "serde", "serde_json", "thiserror", "ts-rs"]),
    (
        "jobwright-wasm",
        &[
            "jobwright-sim",
            "jobwright-api",
            "wasm-bindgen",
            "serde",
            "serde-wasm-bindgen",
            "js-sys",
            "console_error_panic_hook",
        ],
    ),
    (
        "jobwright-cli",
        &[
            "jobwright-sim",
            "jobwright-api",
            "clap",
            "clap_complete",
            "clap_mangen",
            "http",
            "k8s-openapi",
            "kube",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
        ],
    ),
    (
        "jobwright-controller",
        &[
            "jobwright-core",
            "jobwright-api",
            "axum",
            "clap",
            "futures",
            "governor",
            "http",
            "hyper-util",
            "jiff",
            "k8s-openapi",
            "kube",
            "prometheus-client",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tower",
            "tracing",
            "tracing-subscriber",
        ],
    ),
    ("jobwright-cluster", ANYTHING),
    ("jobwright-tests", ANYTHING),
    ("xtask", ANYTHING),
];

/// The one YAML parser; `docs/decisions/0002-yaml-reader.md` says why this one.
const YAML_PARSER: &str = "saphyr-parser";

/// Crates that never reach a user: their dependencies are a matter of taste.
const ANYTHING: &[&str] = &["*"];

/// The crate that reaches the browser, and what must not come with it: too big, or a source of chance.
const BROWSER: &str = "jobwright-wasm";
const NOT_IN_BROWSER: [&str; 5] = ["k8s-openapi", "kube", "rand", "getrandom", "chrono"];

/// The crate that has to do without the standard library.
const BARE: &str = "crates/jobwright-core/src/lib.rs";

/// Dependencies that the table does not allow.
pub(super) fn check(metadata: &Metadata) -> Vec<Finding> {
    let mut findings: Vec<_> = metadata.workspace_packages().into_iter().flat_map(direct).collect();
    findings.extend(browser(metadata));
    findings
}

fn direct(package: &Package) -> Vec<Finding> {
    let name = package.name.as_str();
    let Some((_, allowed)) = MAY_USE.iter().find(|(crate_name, _)| *crate_name == name) else {
        return vec![complaint(package, format!("the layering table of xtask does not know {name}"))];
    };
    let normal = package.dependencies.iter().filter(|dependency| dependency.kind == DependencyKind::Normal);
    let wrong = normal.filter(|dependency| *allowed != ANYTHING && !allowed.contains(&dependency.name.as_str()));
    wrong.map(|dependency| complaint(package, format!("{name} must not depend on {}", dependency.name))).collect()
}

fn browser(metadata: &Metadata) -> Vec<Finding> {
    let packages = metadata.workspace_packages();
    let Some(start) = packages.iter().find(|package| package.name.as_str() == BROWSER) else { return Vec::new() };
    let reached = reach(metadata, &start.id);
    let wrong = metadata
        .packages
        .iter()
        .filter(|package| reached.contains(&package.id) && NOT_IN_BROWSER.contains(&package.name.as_str()));
    wrong.map(|package| complaint(start, format!("{} reaches the browser through {BROWSER}", package.name))).collect()
}

/// Everything that a package needs at run time, itself included.
fn reach<'a>(metadata: &'a Metadata, start: &'a PackageId) -> BTreeSet<&'a PackageId> {
    let nodes = metadata.resolve.as_ref().map(|resolve| resolve.nodes.as_slice()).unwrap_or_default();
    let mut reached = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        let node = nodes.iter().find(|node| node.id == *id);
        let normal = node
            .into_iter()
            .flat_map(|node| &node.deps)
            .filter(|dependency| dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal));
        open.extend(normal.map(|dependency| &dependency.pkg).filter(|id| reached.insert(id)));
    }
    reached
}

fn complaint(package: &Package, text: String) -> Finding {
    let folder = package.manifest_path.parent().and_then(|folder| folder.file_name()).unwrap_or_default();
    let place = if folder == "tests" { "tests/Cargo.toml".to_owned() } else { format!("crates/{folder}/Cargo.toml") };
    Finding::at(&place, 1, text)
}

/// The core says `#![no_std]`.
pub(super) fn no_std(source: &Source, file: &syn::File) -> Vec<Finding> {
    let bare = file.attrs.iter().any(|attribute| attribute.path().is_ident("no_std"));
    match source.path == BARE && !bare {
        true => vec![Finding::of(source, 1, "the core must do without the standard library: `#![no_std]`")],
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::{lines, planted};
    use super::*;

    /// Metadata as cargo would print it, of two crates where the first depends on the second.
    fn metadata(name: &str, dependency: &str) -> Metadata {
        let package = |name: &str, dependencies: &str| {
            format!(
                "{{\"name\":\"{name}\",\"version\":\"0.1.0\",\"id\":\"{name}\",\"source\":null,\"dependencies\":[{dependencies}],\
                 \"targets\":[],\"features\":{{}},\"manifest_path\":\"/x/crates/{name}/Cargo.toml\",\"edition\":\"2024\",\
                 \"license\":null,\"license_file\":null,\"description\":null,\"readme\":null,\"repository\":null,\"homepage\":null,\
                 \"documentation\":null,\"links\":null,\"publish\":null,\"default_run\":null,\"rust_version\":null,\"metadata\":null,\
                 \"authors\":[],\"categories\":[],\"keywords\":[]}}"
            )
        };
        let needs = format!(
            "{{\"name\":\"{dependency}\",\"source\":null,\"req\":\"*\",\"kind\":null,\"rename\":null,\"optional\":false,\
             \"uses_default_features\":true,\"features\":[],\"target\":null,\"registry\":null}}"
        );
        let edge = format!(
            "{{\"name\":\"{dependency}\",\"pkg\":\"{dependency}\",\"dep_kinds\":[{{\"kind\":null,\"target\":null}}]}}"
        );
        let text = format!(
            "{{\"packages\":[{},{}],\"workspace_members\":[\"{name}\"],\"resolve\":{{\"nodes\":[\
             {{\"id\":\"{name}\",\"dependencies\":[\"{dependency}\"],\"deps\":[{edge}],\"features\":[]}},\
             {{\"id\":\"{dependency}\",\"dependencies\":[],\"deps\":[],\"features\":[]}}],\"root\":null}},\
             \"workspace_root\":\"/x\",\"target_directory\":\"/x/target\",\"version\":1,\"metadata\":null}}",
            package(name, &needs),
            package(dependency, "")
        );
        serde_json::from_str(&text).expect("metadata")
    }

    #[test]
    fn a_dependency_that_the_table_lacks_is_found() {
        let found = lines(check(&metadata("jobwright-core", "serde")));
        assert_eq!(found, ["crates/jobwright-core/Cargo.toml:1: jobwright-core must not depend on serde"]);
        assert_eq!(check(&metadata("jobwright-api", "serde")), []);
        assert_eq!(check(&metadata("xtask", "walkdir")), []);
    }

    #[test]
    fn a_crate_that_the_table_lacks_is_found() {
        assert_eq!(check(&metadata("jobwright-new", "serde")).len(), 1);
    }

    #[test]
    fn what_must_not_reach_the_browser_is_found() {
        let found = lines(check(&metadata(BROWSER, "k8s-openapi")));
        assert!(found.iter().any(|line| line.ends_with("k8s-openapi reaches the browser through jobwright-wasm")));
    }

    #[test]
    fn the_core_without_no_std_is_found() {
        let file = |text: &str| syn::parse_file(text).expect("Rust");
        assert_eq!(no_std(&planted(BARE, ""), &file("//! Core.")).len(), 1);
        assert_eq!(no_std(&planted(BARE, ""), &file("//! Core.\n#![no_std]")), []);
        assert_eq!(no_std(&planted("crates/jobwright-api/src/lib.rs", ""), &file("")), []);
    }
}

//! The house style as a check: what a reviewer would otherwise have to look for.
//!
//! Invariant: each check is a pure function from a file (or from cargo's metadata) to findings, and each finding
//! has a place. What Clippy and ESLint can check is left to them.

mod citations;
mod finding;
mod layering;
mod length;
mod module_docs;
mod rooms;
mod words;

use anyhow::{Context, Result, bail};

use crate::repo::Repo;
use crate::source::Source;
use crate::spec::Catalogue;
use finding::Finding;

/// Checks the whole repository; an error says how many findings were printed.
pub(crate) fn tidy(repo: &Repo) -> Result<()> {
    let findings = findings(repo)?;
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: nothing to complain about");
            Ok(())
        }
        count => bail!("tidy: {count} complaints, listed above"),
    }
}

fn findings(repo: &Repo) -> Result<Vec<Finding>> {
    let catalogue = Catalogue::read(repo)?;
    let mut findings = Vec::new();
    for source in Source::all(repo)? {
        findings.extend(length::file(&source));
        findings.extend(words::check(&source));
        findings.extend(citations::check(&source, &catalogue));
        match source.is("rs") {
            true => findings.extend(rust(&source)?),
            false => findings.extend(module_docs::typescript(&source)),
        }
    }
    let metadata = cargo_metadata::MetadataCommand::new().current_dir(repo.root()).exec()?;
    findings.extend(layering::check(&metadata));
    Ok(findings)
}

fn rust(source: &Source) -> Result<Vec<Finding>> {
    let file = syn::parse_file(&source.text).with_context(|| format!("{} is not Rust", source.path))?;
    let mut findings = module_docs::rust(source, &file);
    findings.extend(length::functions(source, &file));
    findings.extend(rooms::rust(source));
    findings.extend(layering::no_std(source, &file));
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Style as a test: `cargo test` fails where `cargo xtask tidy` would.
    #[test]
    fn this_repository_is_tidy() {
        let found = findings(&Repo::find().expect("a checkout")).expect("readable");
        let lines: Vec<_> = found.iter().map(Finding::to_string).collect();
        assert!(lines.is_empty(), "{}", lines.join("\n"));
    }
}

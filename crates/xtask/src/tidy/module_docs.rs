//! Each source file says at its top what it is.

use super::finding::Finding;
use crate::source::Source;

/// A Rust file without `//!`.
pub(super) fn rust(source: &Source, file: &syn::File) -> Vec<Finding> {
    let documented = file.attrs.iter().any(|attribute| attribute.path().is_ident("doc"));
    if documented { Vec::new() } else { vec![Finding::of(source, 1, "the file has no module documentation (`//!`)")] }
}

/// A TypeScript or JavaScript file that does not start with a comment.
pub(super) fn typescript(source: &Source) -> Vec<Finding> {
    let is_script = ["ts", "js", "mjs"].iter().any(|extension| source.is(extension));
    let first = source.text.trim_start();
    match is_script && !first.starts_with("//") && !first.starts_with("/*") {
        true => vec![Finding::of(source, 1, "the file does not say at its top what it is")],
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::planted;
    use super::*;

    fn rust_findings(text: &str) -> usize {
        rust(&planted("x.rs", text), &syn::parse_file(text).expect("Rust")).len()
    }

    #[test]
    fn a_rust_file_needs_inner_documentation() {
        assert_eq!(rust_findings("//! What it is.\nfn f() {}"), 0);
        assert_eq!(rust_findings("#![no_std]\n//! What it is."), 0);
        assert_eq!(rust_findings("// A comment.\nfn f() {}"), 1);
        assert_eq!(rust_findings("/// Of the function.\nfn f() {}"), 1);
    }

    #[test]
    fn a_script_starts_with_a_comment() {
        assert_eq!(typescript(&planted("x.ts", "// What it is.\nlet a;")).len(), 0);
        assert_eq!(typescript(&planted("x.ts", "\n/** What it is. */")).len(), 0);
        assert_eq!(typescript(&planted("x.ts", "let a;")).len(), 1);
        assert_eq!(typescript(&planted("x.css", "a {}")).len(), 0);
    }
}

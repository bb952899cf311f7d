//! Small rooms: no source file over 400 lines, no function over 60.
//!
//! A function counts from its `fn` line to its closing brace, as parsed. TypeScript functions are counted by ESLint
//! (`max-lines-per-function` in `web/eslint.config.js`).

use syn::visit::{self, Visit};

use super::finding::Finding;
use crate::source::Source;

const FILE_LINES: usize = 400;
const FUNCTION_LINES: usize = 60;
const COUNTED: [&str; 4] = ["rs", "ts", "js", "mjs"];

/// A file that is too long.
pub(super) fn file(source: &Source) -> Option<Finding> {
    let lines = source.text.lines().count();
    let too_long = COUNTED.iter().any(|extension| source.is(extension)) && lines > FILE_LINES;
    too_long.then(|| Finding::of(source, lines, format!("the file has {lines} lines, more than {FILE_LINES}")))
}

/// Functions that are too long.
pub(super) fn functions(source: &Source, file: &syn::File) -> Vec<Finding> {
    let mut visitor = Functions { source, findings: Vec::new() };
    visitor.visit_file(file);
    visitor.findings
}

struct Functions<'a> {
    source: &'a Source,
    findings: Vec<Finding>,
}

impl Functions<'_> {
    fn measure(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let start = signature.fn_token.span.start().line;
        let lines = block.brace_token.span.close().end().line + 1 - start;
        if lines > FUNCTION_LINES {
            let text = format!("function {} has {lines} lines, more than {FUNCTION_LINES}", signature.ident);
            self.findings.push(Finding::of(self.source, start, text));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.measure(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::{lines, planted};
    use super::*;

    fn function(name: &str, body_lines: usize) -> String {
        format!("fn {name}() {{\n{}}}\n", "    let _ = 1;\n".repeat(body_lines))
    }

    fn of(text: &str) -> Vec<String> {
        let source = planted("x.rs", text);
        lines(functions(&source, &syn::parse_file(text).expect("Rust")))
    }

    #[test]
    fn a_function_over_sixty_lines_is_found_wherever_it_is() {
        let long = function("long", 59);
        assert_eq!(of(&function("fits", 58)), Vec::<String>::new());
        assert_eq!(of(&format!("/// Doc.\n{long}")), ["x.rs:2: function long has 61 lines, more than 60"]);
        assert_eq!(of(&format!("struct S;\nimpl S {{\n{long}}}")).len(), 1);
        assert_eq!(of(&format!("trait T {{\n{long}}}")).len(), 1);
        assert_eq!(of(&format!("mod tests {{ fn outer() {{\n{long}}} }}")).len(), 2);
    }

    #[test]
    fn a_file_over_four_hundred_lines_is_found() {
        assert_eq!(file(&planted("x.rs", &"\n".repeat(400))), None);
        let found: Vec<_> = file(&planted("x.ts", &"\n".repeat(401))).into_iter().collect();
        assert_eq!(lines(found), ["x.ts:401: the file has 401 lines, more than 400"]);
        assert_eq!(file(&planted("x.md", &"\n".repeat(999))), None);
    }
}

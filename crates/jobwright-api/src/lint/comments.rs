//! Comments that silence lints: `# jobwright: allow(ID, ID)`.
//!
//! The YAML parser drops comments, so lines are looked at here. Invariant: what looks like such a comment inside
//! of a text (a script in a block scalar, a quoted argument) is none; work is bounded by [`COMMENTS_MAX`].

use crate::yaml::{Kind, Node, Span};

/// As many comments of a document are looked at.
const COMMENTS_MAX: usize = 1_000;
/// What the comment begins with.
const HEAD: &str = "# jobwright:";

/// The comments of a text, read once for all of its documents, in its order.
#[derive(Debug)]
pub struct Comments(Vec<Comment>);

#[derive(Debug)]
struct Comment {
    /// Its document lies between these lines: from the `---` before it up to the next one.
    section: (u32, u32),
    /// Its beginning.
    place: Span,
    /// The line that it is about.
    about: u32,
    /// The ids, with their places.
    ids: Vec<(String, Span)>,
}

/// An id that a comment allows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Allow<'a> {
    /// The line that it is about; `None` for the whole document.
    pub(super) line: Option<u32>,
    /// The id as it is written.
    pub(super) id: &'a str,
    /// Where the id stands.
    pub(super) span: Span,
}

impl Comments {
    /// Of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let mut comments: Vec<Comment> = Vec::new();
        let mut section = 0;
        for (at, line) in lines.iter().enumerate() {
            let number = Span::point(at + 1, 1).line;
            if line.starts_with("---") || line.starts_with("...") {
                for comment in comments.iter_mut().rev().take_while(|comment| comment.section.1 == u32::MAX) {
                    comment.section.1 = number;
                }
                section = number;
            }
            let Some((start, ids)) = ids(line) else { continue };
            let column = |byte: usize| line.get(..byte).unwrap_or_default().chars().count() + 1;
            let place = Span::point(at + 1, column(line.find(HEAD).unwrap_or_default()));
            let mut byte = start;
            let mut places = Vec::new();
            for id in ids.split(',') {
                let from = byte + id.len() - id.trim_start().len();
                let end = from + id.trim().len();
                places.push((id.trim().to_owned(), Span::new((at + 1, column(from)), (at + 1, column(end)))));
                byte += id.len() + 1;
            }
            comments.push(Comment { section: (section, u32::MAX), place, about: about(&lines, at), ids: places });
        }
        Self(comments)
    }

    /// What the comments of a document allow.
    pub(super) fn in_document(&self, document: &Node) -> Vec<Allow<'_>> {
        let first = document.span.line;
        let mut allows = Vec::new();
        let before = self.0.partition_point(|comment| comment.section.1 <= first);
        let own = self.0.iter().skip(before).take_while(|comment| comment.section.0 <= first);
        for comment in own.take(COMMENTS_MAX).filter(|comment| !is_text(document, comment.place)) {
            let line = (comment.place.line >= first).then_some(comment.about);
            allows.extend(comment.ids.iter().map(|(id, span)| Allow { line, id, span: *span }));
        }
        allows
    }
}

/// Where the ids begin in a line, and they, separated by commas; `None` if there is no such comment.
fn ids(line: &str) -> Option<(usize, &str)> {
    let head = line.find(HEAD)?;
    let before = line.get(..head)?;
    if !before.is_empty() && !before.ends_with([' ', '\t']) {
        return None;
    }
    let rest = line.get(head + HEAD.len()..)?;
    let inner = rest.trim_start().strip_prefix("allow(")?;
    let (ids, _) = inner.split_once(')')?;
    Some((line.len() - inner.len(), ids))
}

/// The line that a comment is about, from 1: its own, or if nothing else stands in it the next one with content.
fn about(lines: &[&str], at: usize) -> u32 {
    let is_bare = |line: &&str| line.trim_start().is_empty() || line.trim_start().starts_with('#');
    let rest = lines.get(at..).unwrap_or_default();
    let skipped = rest.iter().take_while(|line| is_bare(line)).count();
    u32::try_from(at + skipped + 1).unwrap_or(u32::MAX)
}

/// Whether a place lies inside of a text of the document.
fn is_text(node: &Node, place: Span) -> bool {
    let (from, to) = ((node.span.line, node.span.column), (node.span.end_line, node.span.end_column));
    if !(from..to).contains(&(place.line, place.column)) {
        return false;
    }
    match &node.value {
        Kind::String(_) => true,
        Kind::Sequence(items) => items.iter().any(|item| is_text(item, place)),
        Kind::Mapping(members) => members.iter().any(|(key, value)| is_text(key, place) || is_text(value, place)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    fn allowed(text: &str, document: usize) -> Vec<(Option<u32>, String)> {
        let documents = yaml::read(text).unwrap().documents;
        let comments = Comments::of(text);
        let allows = comments.in_document(&documents[document]);
        allows.into_iter().map(|allow| (allow.line, allow.id.to_owned())).collect()
    }

    #[test]
    fn a_comment_is_about_its_line_the_next_one_or_the_document() {
        for (text, wanted) in [
            ("# jobwright: allow(a, b)\na: 1\n", &[(None, "a"), (None, "b")][..]),
            ("a: 1 # jobwright: allow(x)\n", &[(Some(1), "x")]),
            ("a: 1\n# jobwright: allow(x)\n\n# why\nb: 2\n", &[(Some(5), "x")]),
            ("a: 1\nb:\n  # jobwright:allow(x)\n  c: 2\n", &[(Some(4), "x")]),
            ("a: 1 # jobwright: deny(x)\n", &[]),
            ("a: 'b # jobwright: allow(x)'\nc: 1\n", &[]),
            ("a: |\n  b\n  # jobwright: allow(x)\n  c\nd: 1\n", &[]),
            ("a: \"b\n  # jobwright: allow(x)\n  c\"\nd: 1\n", &[]),
            ("a: >-\n  b # jobwright: allow(x)\nd: 1 # jobwright: allow(y)\n", &[(Some(3), "y")]),
        ] {
            let wanted: Vec<_> = wanted.iter().map(|(line, id)| (*line, (*id).to_owned())).collect();
            assert_eq!(allowed(text, 0), wanted, "{text}");
        }
    }

    #[test]
    fn each_document_has_its_own_comments() {
        let text = "# jobwright: allow(a)\na: 1\n---\n# jobwright: allow(b)\nb: 1\n--- # jobwright: allow(c)\nc: 1\n";
        for (document, id) in ["a", "b", "c"].into_iter().enumerate() {
            assert_eq!(allowed(text, document), [(None, id.to_owned())]);
        }
    }

    #[test]
    fn an_id_has_its_place() {
        let text = "a: é # jobwright: allow(x,  yy)\n";
        let documents = yaml::read(text).unwrap().documents;
        let comments = Comments::of(text);
        let spans: Vec<_> = comments.in_document(&documents[0]).iter().map(|allow| allow.span).collect();
        assert_eq!(spans, [Span::new((1, 25), (1, 26)), Span::new((1, 29), (1, 31))]);
    }
}

//! Words that no file may have: reminders instead of work, paths that lead out of the repository, hosts of package
//! registries, and in scripts the clock and chance.

use super::finding::Finding;
use crate::source::Source;

/// A word, where it is looked for, and what to say.
struct Word {
    text: &'static str,
    applies: fn(&Source) -> bool,
    complaint: &'static str,
}

// Written in two halves, so that this file is as clean as the others.
const WORDS: [Word; 11] = [
    Word { text: concat!("TO", "DO"), applies: is_ours, complaint: "a reminder: do it, or file it" },
    Word { text: concat!("FIX", "ME"), applies: is_ours, complaint: "a reminder: do it, or file it" },
    Word { text: concat!("../", "shared"), applies: any, complaint: "a path that leads out of the repository" },
    Word { text: concat!("/wo", "rk/"), applies: any, complaint: "a path that leads out of the repository" },
    Word { text: concat!("/ho", "me/"), applies: any, complaint: "a path of one machine" },
    Word { text: concat!("/ro", "ot/"), applies: any, complaint: "a path of one machine" },
    Word { text: concat!("\"resol", "ved\": \"http"), applies: any, complaint: "the host of a package registry" },
    Word { text: concat!("registry.", "npmjs"), applies: any, complaint: "the host of a package registry" },
    Word { text: concat!("Date", ".now"), applies: is_script, complaint: "time comes from the engine: no clock here" },
    Word {
        text: concat!("new ", "Date()"),
        applies: is_script,
        complaint: "time comes from the engine: no clock here",
    },
    Word { text: concat!("Math", ".random"), applies: is_script, complaint: "no chance here" },
];

/// The words in a file, line by line.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let words: Vec<_> = WORDS.iter().filter(|word| (word.applies)(source)).collect();
    let lines = source.text.lines().enumerate();
    let found = lines.flat_map(|(number, line)| {
        let here = words.iter().filter(move |word| has_word(line, word.text));
        here.map(move |word| Finding::of(source, number + 1, format!("{}: {}", word.complaint, word.text)))
    });
    found.collect()
}

/// True if the line has the text and it is not a part of a longer word.
fn has_word(line: &str, text: &str) -> bool {
    line.match_indices(text).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + text.len()..].chars().next();
        let inside = |neighbour: Option<char>| neighbour.is_some_and(char::is_alphanumeric);
        let letters = text.chars().all(char::is_alphanumeric);
        !letters || !(inside(before) || inside(after))
    })
}

fn any(_: &Source) -> bool {
    true
}

/// The spec quotes others; the lock files are made by tools.
fn is_ours(source: &Source) -> bool {
    !source.path.starts_with("docs/spec/") && !source.path.ends_with("package-lock.json")
}

fn is_script(source: &Source) -> bool {
    ["ts", "js", "mjs"].iter().any(|extension| source.is(extension))
}

#[cfg(test)]
mod tests {
    use super::super::finding::{lines, planted};
    use super::*;

    #[test]
    fn each_word_is_found_at_its_line() {
        for word in &WORDS {
            let found = lines(check(&planted("web/src/a.ts", &format!("// Fine.\n// {}\n", word.text))));
            assert_eq!(found, [format!("web/src/a.ts:2: {}: {}", word.complaint, word.text)]);
        }
    }

    #[test]
    fn parts_of_words_and_other_files_are_left_alone() {
        assert_eq!(check(&planted("a.rs", concat!("const TO", "DOS: u8 = 1;"))), []);
        assert_eq!(check(&planted("docs/spec/x.md", concat!("a TO", "DO of others"))), []);
        assert_eq!(check(&planted("a.md", concat!("Date", ".now"))), []);
    }
}

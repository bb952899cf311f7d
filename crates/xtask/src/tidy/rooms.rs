//! Things that only certain rooms may have: the clock and chance; and what no room may have: hash maps.
//!
//! Rust is looked at token by token, so that comments and texts do not count.

use proc_macro2::{TokenStream, TokenTree};

use super::finding::Finding;
use crate::source::Source;

/// Rooms that may ask for the time: durations of build steps, for people to read; the host of real clusters; its benchmark.
const CLOCK: [&str; 4] = [
    "crates/xtask/src/stopwatch.rs",
    "crates/jobwright-controller/src/clock.rs",
    "crates/jobwright-cli/src/live.rs",
    "tests/cluster/src/bin/bench-cluster/main.rs",
];

/// The room that makes numbers up, from a seed; and the one that makes keys, which must not come from one.
const CHANCE: [&str; 2] = ["crates/jobwright-sim/src/rng.rs", "tests/cluster/src/keys.rs"];

/// Something that is kept in a room, or out of all of them.
struct Rule {
    words: &'static [&'static str],
    rooms: &'static [&'static str],
    complaint: &'static str,
}

const RULES: [Rule; 4] = [
    Rule { words: &["SystemTime", "now"], rooms: &CLOCK, complaint: "time goes in as data: no clock here" },
    Rule { words: &["Instant", "now"], rooms: &CLOCK, complaint: "time goes in as data: no clock here" },
    Rule { words: &["HashMap"], rooms: &[], complaint: "the order of a HashMap is chance: use BTreeMap" },
    Rule { words: &["HashSet"], rooms: &[], complaint: "the order of a HashSet is chance: use BTreeSet" },
];

const CHANCE_WORDS: [&str; 7] =
    ["rand", "fastrand", "getrandom", "thread_rng", "RandomState", "DefaultHasher", "SmallRng"];

/// Clocks, chance and hash maps in a Rust file.
pub(super) fn rust(source: &Source) -> Vec<Finding> {
    let Ok(tokens) = source.text.parse::<TokenStream>() else { return Vec::new() };
    let mut idents = Vec::new();
    collect(tokens, &mut idents);
    let mut findings = Vec::new();
    for rule in RULES.iter().filter(|rule| !rule.rooms.contains(&source.path.as_str())) {
        let places = idents.windows(rule.words.len()).filter(|window| matches(window, rule.words));
        findings.extend(places.filter_map(|place| Some(Finding::of(source, place.first()?.1, rule.complaint))));
    }
    if !CHANCE.contains(&source.path.as_str()) {
        let places = idents.iter().filter(|(word, _)| CHANCE_WORDS.contains(&word.as_str()));
        findings.extend(places.map(|(word, line)| Finding::of(source, *line, format!("no chance here: {word}"))));
    }
    findings
}

fn matches(window: &[(String, usize)], words: &[&str]) -> bool {
    window.iter().map(|(word, _)| word.as_str()).eq(words.iter().copied())
}

/// Every identifier with its line, groups opened.
fn collect(tokens: TokenStream, idents: &mut Vec<(String, usize)>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect(group.stream(), idents),
            TokenTree::Ident(ident) => idents.push((ident.to_string(), ident.span().start().line)),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::{lines, planted};
    use super::*;

    const PLANTED: [(&str, &str); 5] = [
        ("fn f() {\n    let t = std::time::SystemTime::now();\n}", "no clock here"),
        ("fn f() {\n    let t = Instant::now();\n}", "no clock here"),
        ("fn f() {\n    let m: HashMap<u8, u8>;\n}", "use BTreeMap"),
        ("fn f() {\n    let m: HashSet<u8>;\n}", "use BTreeSet"),
        ("fn f() {\n    let n = rand::random();\n}", "no chance here: rand"),
    ];

    #[test]
    fn what_is_planted_is_found_at_its_line() {
        for (text, complaint) in PLANTED {
            let found = lines(rust(&planted("crates/a/src/b.rs", text)));
            assert_eq!(found.len(), 1, "{text}");
            assert!(found[0].starts_with("crates/a/src/b.rs:2: ") && found[0].ends_with(complaint), "{found:?}");
        }
    }

    #[test]
    fn rooms_comments_and_texts_are_left_alone() {
        assert_eq!(rust(&planted(CLOCK[0], PLANTED[1].0)), []);
        assert_eq!(rust(&planted(CHANCE[0], PLANTED[4].0)), []);
        assert_eq!(rust(&planted("x.rs", "// Instant::now()\nconst A: &str = \"HashMap\";")), []);
        assert_eq!(rust(&planted("x.rs", "fn now(instant: Instant) -> Instant { instant }")), []);
    }
}

//! Texts for people, by id: one catalogue per language, used by terminal and page alike.
//!
//! A text may hold `{name}` for a value, and `{name:one|other|none}` for words that depend on whether
//! the value is 1 or 0; without a third form 0 takes the second. `{name}` works inside of such words
//! too, for the same name only.
//!
//! Invariant: a missing id or value never fails; it shows as itself, and a test finds it.

use std::sync::OnceLock;

/// The texts of one language.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// Ids and texts, sorted by id.
    texts: Vec<(&'static str, &'static str)>,
}

impl Catalogue {
    /// The English catalogue: `catalogue/en.json` without the texts that only the page shows.
    #[must_use]
    pub fn english() -> &'static Self {
        static ENGLISH: OnceLock<Catalogue> = OnceLock::new();
        ENGLISH.get_or_init(|| {
            let lines = include_str!(concat!(env!("OUT_DIR"), "/en.tsv")).lines();
            Self { texts: lines.filter_map(|line| line.split_once('\t')).collect() }
        })
    }

    /// The text of an id with the values put in; the id itself if there is none.
    #[must_use]
    pub fn text(&self, id: &str, values: &[(&str, &str)]) -> String {
        self.get(id, values).unwrap_or_else(|| id.to_owned())
    }

    /// The text of an id, if there is one.
    #[must_use]
    pub fn get(&self, id: &str, values: &[(&str, &str)]) -> Option<String> {
        let at = self.texts.binary_search_by(|(other, _)| other.cmp(&id)).ok()?;
        self.texts.get(at).map(|(_, template)| fill(template, values))
    }

    /// Every id.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|(id, _)| *id)
    }
}

/// A text of the English catalogue.
pub(crate) fn english(id: &str, values: &[(&str, &str)]) -> String {
    Catalogue::english().text(id, values)
}

/// Puts values into a template.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some(end) = closing(after) else {
            out.push('{');
            rest = after;
            continue;
        };
        let (slot, after) = (&after[..end], &after[end + 1..]);
        let (name, words) = slot.split_once(':').map_or((slot, None), |(name, words)| (name, Some(words)));
        let value = values.iter().find(|(of, _)| *of == name).map(|(_, value)| *value);
        match (value, words) {
            (Some(value), None) => out.push_str(value),
            (Some(value), Some(words)) => out.push_str(&choose(words, value).replace(&format!("{{{name}}}"), value)),
            (None, _) => out.push_str(slot),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Where the brace closes that is open at the beginning.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.bytes().position(|byte| {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        depth < 0
    })
}

/// The form for a value: for 1, for everything else, and for 0 if there is one.
fn choose<'a>(words: &'a str, value: &str) -> &'a str {
    let forms: Vec<&str> = words.splitn(3, '|').collect();
    match (value, &forms[..]) {
        ("1", [one, ..]) => one,
        ("0", [_, _, none]) => none,
        (_, [_, other, ..]) => other,
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_plurals_are_put_in() {
        for (template, values, text) in [
            ("plain", &[][..], "plain"),
            ("{n} {n:pod|pods}", &[("n", "1")], "1 pod"),
            ("{n} {n:pod|pods}", &[("n", "2")], "2 pods"),
            ("{a}-{b}", &[("b", "x"), ("a", "y")], "y-x"),
            ("so{n:: one| {n}|, none}!", &[("n", "1")], "so: one!"),
            ("so{n:: one| {n}|, none}!", &[("n", "3")], "so 3!"),
            ("so{n:: one| {n}|, none}!", &[("n", "0")], "so, none!"),
            ("{gone}", &[], "gone"),
            ("open {n", &[("n", "1")], "open {n"),
        ] {
            assert_eq!(fill(template, values), text, "{template}");
        }
    }

    #[test]
    fn an_unknown_id_shows_as_itself() {
        assert_eq!(Catalogue::english().text("no.such.id", &[]), "no.such.id");
    }
}

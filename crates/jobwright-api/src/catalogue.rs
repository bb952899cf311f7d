//! Texts for people, by id: one catalogue per language, used by terminal and page alike.
//!
//! The terminal has English built in. WebAssembly carries no texts: the page hands those of its language in.
//!
//! A text may hold `{name}` for a value, and `{name:one|other|none}` for words that depend on whether
//! the value is 1 or 0; without a third form 0 takes the second. `{name}` works inside of such words
//! too, for the same name only.
//!
//! Invariant: a missing id or value never fails; it shows as itself, and a test finds it.

use std::borrow::Cow;
use std::sync::OnceLock;

/// The texts of one language.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// Ids and texts, sorted by id.
    texts: Vec<(Cow<'static, str>, Cow<'static, str>)>,
}

/// The catalogue that was handed in.
static INSTALLED: OnceLock<Catalogue> = OnceLock::new();

impl Catalogue {
    /// The catalogue in use: the one that was handed in, else English.
    #[must_use]
    pub fn current() -> &'static Self {
        INSTALLED.get().unwrap_or_else(Self::english)
    }

    /// Takes over the texts of a language: ids and texts, as in `catalogue/en.json`. Only the first ones count: texts
    /// that were given out stay as they are.
    pub fn install(texts: impl Iterator<Item = (String, String)>) {
        let mut texts: Vec<_> = texts.map(|(id, text)| (Cow::Owned(id), Cow::Owned(text))).collect();
        jobwright_core::ordered::sort_by(&mut texts, |a: &(Cow<'_, str>, Cow<'_, str>), b| a.0.cmp(&b.0));
        let _ = INSTALLED.set(Self { texts });
    }

    /// The English catalogue: `catalogue/en.json` without the texts that only the page shows. Empty in WebAssembly.
    #[must_use]
    pub fn english() -> &'static Self {
        static ENGLISH: OnceLock<Catalogue> = OnceLock::new();
        ENGLISH.get_or_init(|| {
            let lines = include_str!(concat!(env!("OUT_DIR"), "/en.tsv")).lines();
            let texts = lines.filter_map(|line| line.split_once('\t'));
            Self { texts: texts.map(|(id, text)| (Cow::Borrowed(id), Cow::Borrowed(text))).collect() }
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
        let at = self.texts.binary_search_by(|(other, _)| other.as_ref().cmp(id)).ok()?;
        self.texts.get(at).map(|(_, template)| fill(template, values))
    }

    /// Every id.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|(id, _)| id.as_ref())
    }
}

/// A text of the catalogue in use.
pub(crate) fn say(id: &str, values: &[(&str, &str)]) -> String {
    Catalogue::current().text(id, values)
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

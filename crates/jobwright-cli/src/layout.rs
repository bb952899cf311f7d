//! Lines and columns of text output.
//!
//! Invariant: no line is longer than [`WIDTH`] unless a single word is.

use jobwright_api::Catalogue;

/// Columns of a line.
pub(crate) const WIDTH: usize = 110;

/// Columns of the headings.
const HEAD: usize = 9;

/// A space at which no line is broken; it is printed as a space.
pub(crate) const NO_BREAK: &str = "\u{a0}";

/// A heading and a text behind it, wrapped under itself at spaces.
pub(crate) fn block(head: &str, text: &str) -> String {
    let mut out = String::new();
    let mut line = format!("{head:<HEAD$}");
    let mut empty = true;
    for word in text.split(' ') {
        let length = line.chars().count() + word.chars().count() + 1;
        if !empty && length > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(HEAD);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out.replace(NO_BREAK, " ")
}

/// Several lines under one heading.
pub(crate) fn list(head: &str, lines: &[String]) -> String {
    let heads = std::iter::once(head).chain(std::iter::repeat(""));
    heads.zip(lines).map(|(head, line)| block(head, line)).collect()
}

/// Pads each cell to the width of its column; the last column stays as it is.
pub(crate) fn table(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Milliseconds as seconds: `1.25s`, `80s`.
pub(crate) fn seconds(ms: i64) -> String {
    let (whole, rest) = (ms.div_euclid(1_000), ms.rem_euclid(1_000));
    let text = format!("{whole}.{rest:03}");
    format!("{}s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A text of the catalogue.
pub(crate) fn say(id: &str, values: &[(&str, &str)]) -> String {
    Catalogue::english().text(id, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        for (ms, text) in [(0, "0s"), (80_000, "80s"), (1_250, "1.25s"), (1_001, "1.001s"), (100, "0.1s")] {
            assert_eq!(seconds(ms), text);
        }
    }

    #[test]
    fn long_texts_stay_under_their_heading() {
        let text = block("WHY", &"word ".repeat(60));
        assert!(text.lines().count() > 2 && text.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(text.lines().skip(1).all(|line| line.starts_with(&" ".repeat(HEAD))));
    }

    #[test]
    fn columns_are_aligned() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert_eq!(table(&[row(&["a", "bb", "c"]), row(&["aaa", "b", ""])]), ["a    bb  c", "aaa  b"]);
    }
}

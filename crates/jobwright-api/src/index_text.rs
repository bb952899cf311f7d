//! The strict reader of index lists such as `1,3-5` (IDX-9), as validation uses it.
//!
//! Invariant: the first error wins, in the order of the text.

/// What is wrong with a list of indexes; the texts are the API server's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexTextError {
    /// A part has more than two pieces.
    #[error(
        "the fragment \"{0}\" violates the requirement that an index interval can have at most two parts separated by '-'"
    )]
    TooManyPieces(String),
    /// A piece is no integer.
    #[error("cannot convert string to integer for index: \"{0}\"")]
    NotAnInteger(String),
    /// An index is not below `completions`.
    #[error("too large index: \"{0}\"")]
    TooLarge(String),
    /// An index is not above the one before it.
    #[error("non-increasing order, previous: {0}, current: {1}")]
    NotIncreasing(i64, i64),
}

/// Reads a list of indexes into runs of first and last index.
///
/// # Errors
/// The first thing that is wrong.
pub fn parse_strict(text: &str, completions: i64) -> Result<Vec<(i64, i64)>, IndexTextError> {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    if text.is_empty() {
        return Ok(runs);
    }
    for part in text.split(',') {
        let run = part_of(part, completions)?;
        if let Some((_, before)) = runs.last().filter(|(_, before)| run.0 <= *before) {
            return Err(IndexTextError::NotIncreasing(*before, run.0));
        }
        runs.push(run);
    }
    Ok(runs)
}

fn part_of(part: &str, completions: i64) -> Result<(i64, i64), IndexTextError> {
    let mut pieces = part.split('-');
    let (first, second) = (pieces.next().unwrap_or_default(), pieces.next());
    if pieces.next().is_some() {
        return Err(IndexTextError::TooManyPieces(part.to_owned()));
    }
    let index = |piece: &str| {
        let number = integer(piece).ok_or_else(|| IndexTextError::NotAnInteger(piece.to_owned()))?;
        if number < completions { Ok(number) } else { Err(IndexTextError::TooLarge(piece.to_owned())) }
    };
    let first = index(first)?;
    let Some(second) = second else { return Ok((first, first)) };
    let last = index(second)?;
    if last > first { Ok((first, last)) } else { Err(IndexTextError::NotIncreasing(first, last)) }
}

/// Go's `strconv.Atoi`: an optional sign and digits. (A minus sign cannot reach this: it separates pieces.)
fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// How many indexes a text lists; the parts that cannot be read do not count.
#[must_use]
pub fn total(runs: &[(i64, i64)]) -> i64 {
    runs.iter().map(|(first, last)| last - first + 1).sum()
}

/// The runs of the parts that can be read, whatever their order (STV-24).
#[must_use]
pub fn parse_parts(text: &str, completions: i64) -> Vec<(i64, i64)> {
    text.split(',').filter_map(|part| part_of(part, completions).ok()).collect()
}

/// The first index that both lists have.
#[must_use]
pub fn first_common(one: &[(i64, i64)], other: &[(i64, i64)]) -> Option<i64> {
    let (mut a, mut b) = (one.iter(), other.iter());
    let (mut left, mut right) = (a.next()?, b.next()?);
    loop {
        if left.1 < right.0 {
            left = a.next()?;
        } else if right.1 < left.0 {
            right = b.next()?;
        } else {
            return Some(left.0.max(right.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strict_reader_names_the_first_error_idx_9() {
        for (text, result) in [
            ("", Ok(0)),
            ("0", Ok(1)),
            ("1,2,3", Ok(3)),
            ("0-2,4", Ok(4)),
            ("+1", Ok(1)),
            (
                "0-1-2",
                Err(
                    "the fragment \"0-1-2\" violates the requirement that an index interval can have at most two parts separated by '-'",
                ),
            ),
            ("1-", Err("cannot convert string to integer for index: \"\"")),
            ("a", Err("cannot convert string to integer for index: \"a\"")),
            (" 1", Err("cannot convert string to integer for index: \" 1\"")),
            ("5", Err("too large index: \"5\"")),
            ("3-1", Err("non-increasing order, previous: 3, current: 1")),
            ("0-2,2", Err("non-increasing order, previous: 2, current: 2")),
            ("5-x", Err("too large index: \"5\"")),
        ] {
            let read = parse_strict(text, 5).map(|runs| total(&runs)).map_err(|error| error.to_string());
            assert_eq!(read, result.map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn overlap_stv_24() {
        for (one, other, common) in
            [("0-2", "3", None), ("0-2,5", "2-4", Some(2)), ("0,4", "1-3,4", Some(4)), ("x,4", "4", Some(4))]
        {
            assert_eq!(first_common(&parse_parts(one, 9), &parse_parts(other, 9)), common, "{one} {other}");
        }
    }
}

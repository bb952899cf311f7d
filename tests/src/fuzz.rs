//! What holds for any bytes: one function for each fuzz target.
//!
//! The targets in `fuzz/` call these with what the fuzzer makes up, and a test calls them with the corpus that is
//! committed there. Invariant: bytes that are nothing to judge are fine; only a broken promise is an error.

use jobwright_api::{Diagnostic, index_text as lists, manifest as manifests};
use jobwright_core::IndexSet;

use crate::laws;
use crate::worlds;

/// Longer texts only make the fuzzer slow.
const TEXT_LIMIT: usize = 1 << 16;

/// Text to manifest: findings lie in the text, and a Job that was read reads the same from its own JSON.
///
/// # Errors
/// What is broken, in a sentence.
pub fn manifest(bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(TEXT_LIMIT)]);
    let lines = text.split(['\n', '\r']).count();
    for finding in jobwright_sim::scenario::diagnose(&text) {
        lies_within(&finding, lines)?;
    }
    let Ok(job) = manifests::read_job(&text) else { return Ok(()) };
    let json = job.value.to_string();
    match manifests::read_job(&json) {
        Ok(again) if again.value == job.value => Ok(()),
        Ok(again) => Err(format!("reads back as another Job:\n{json}\n{}", again.value)),
        Err(errors) => Err(format!("does not read back: {errors:?}\n{json}")),
    }
}

fn lies_within(finding: &Diagnostic, lines: usize) -> Result<(), String> {
    let (first, last) = (finding.line as usize, finding.end_line as usize);
    let ordered = (finding.line, finding.column) <= (finding.end_line, finding.end_column);
    // A file that stops too early is reported behind its last line.
    if first >= 1 && finding.column >= 1 && ordered && last <= lines + 1 {
        Ok(())
    } else {
        Err(format!("{lines} lines, but {finding:?}"))
    }
}

/// Bytes to inputs: each is a choice of what happens in a world, and each world has to keep the laws.
///
/// # Errors
/// The law that is broken, and the world as a scenario.
pub fn inputs(bytes: &[u8]) -> Result<(), String> {
    let plan = worlds::from_bytes(bytes);
    laws::single(&plan, None).map_err(|breach| format!("{breach}\n{plan:?}"))
}

/// Text to index list: the strict and the lenient reader agree where both read it, and printing is read back.
///
/// # Errors
/// What is broken, in a sentence.
pub fn index_text(bytes: &[u8]) -> Result<(), String> {
    let (head, rest) = bytes.split_at(bytes.len().min(4));
    let completions = head.iter().fold(0_u32, |n, byte| n << 8 | u32::from(*byte)) % 1_000_001;
    let text = String::from_utf8_lossy(rest);
    let set = IndexSet::parse_lenient(&text, completions);
    let printed = set.to_string();
    if IndexSet::parse_lenient(&printed, completions) != set {
        return Err(format!("`{text}` prints as `{printed}`, which is another set"));
    }
    if set.last().is_some_and(|last| last.0 >= completions) {
        return Err(format!("`{text}` has an index that is not below {completions}"));
    }
    let Ok(runs) = lists::parse_strict(&text, i64::from(completions)) else { return Ok(()) };
    let count = set.runs().map(|(first, last)| u64::from(last - first) + 1).sum::<u64>();
    if lists::total(&runs).cast_unsigned() == count {
        Ok(())
    } else {
        Err(format!("`{text}`: the strict reader has {runs:?}, the lenient one `{printed}`"))
    }
}

//! How a simulated pod ends.
//!
//! The annotation says it: steps with commas between them (`run 2s`, `exit 1`, `never`), for all pods or by index, as in
//! `index 3,5-7: exit 1; else: run 1s, exit 0`. Without it the command of the first container is looked at for `sleep N`,
//! `exit N`, `true` and `false`, as demonstrations have them; and without those a pod succeeds after a second. Times are
//! those of `sleep`, and `ms`: `500ms`, `0.5`, `2s`, `1m`, `1h`.
//!
//! Invariant: whatever is written there, the pod ends, after a second if the time cannot be read; only `never` and
//! `sleep infinity` run until they are deleted. Nothing is run.

use std::time::Duration;

/// The annotation of the pod template.
pub const ANNOTATION: &str = "simulation.jobwright.dev/outcome";

/// What happens to a pod once it has a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How long it runs; `None`: until it is deleted.
    pub runs: Option<Duration>,
    /// How its containers end.
    pub exit_code: i32,
}

/// Without a word about it.
const USUAL: Outcome = Outcome { runs: Some(Duration::from_secs(1)), exit_code: 0 };

/// Reads the annotation for a pod of an index.
#[must_use]
pub fn of_annotation(text: &str, index: Option<u32>) -> Outcome {
    for part in text.split(';') {
        match part.trim().split_once(':') {
            None => return of_steps(part),
            Some((when, steps)) if applies(when.trim(), index) => return of_steps(steps),
            Some(_) => {}
        }
    }
    USUAL
}

fn applies(when: &str, index: Option<u32>) -> bool {
    if when == "else" {
        return true;
    }
    let Some((indexes, index)) = when.strip_prefix("index ").zip(index) else { return false };
    indexes.split(',').any(|part| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let bounds = from.trim().parse::<u32>().ok().zip(to.trim().parse::<u32>().ok());
        bounds.is_some_and(|(from, to)| (from..=to).contains(&index))
    })
}

fn of_steps(steps: &str) -> Outcome {
    let mut outcome = Outcome { runs: Some(Duration::ZERO), exit_code: 0 };
    for step in steps.split(',').map(str::trim) {
        match step.split_once(' ') {
            Some(("run", time)) => outcome.runs = duration(time).or(USUAL.runs),
            Some(("exit", code)) => outcome.exit_code = code.trim().parse().unwrap_or(1),
            _ if step == "never" => outcome.runs = None,
            _ => {}
        }
    }
    outcome
}

/// `500ms`, `0.5`, `2s`, `1m` or `1h`.
fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3_600.0), ("", 1.0)];
    let (number, unit) = units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))?;
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * unit).ok()
}

/// Reads the command of a container.
#[must_use]
pub fn of_command(words: &[String]) -> Outcome {
    let line = words.join(" ");
    let all: Vec<&str> =
        line.split([' ', ';', '&', '|', '\n', '\t', '"', '\'']).filter(|word| !word.is_empty()).collect();
    let after = |name: &str| all.windows(2).find(|pair| pair[0] == name).map(|pair| pair[1]);
    let mut outcome = USUAL;
    match after("sleep") {
        Some("infinity" | "inf") => outcome.runs = None,
        Some(time) => outcome.runs = duration(time).or(USUAL.runs),
        None => {}
    }
    if let Some(code) = after("exit").and_then(|code| code.parse().ok()) {
        outcome.exit_code = code;
    } else if all.last() == Some(&"false") {
        outcome.exit_code = 1;
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(millis: u64, exit_code: i32) -> Outcome {
        Outcome { runs: Some(Duration::from_millis(millis)), exit_code }
    }

    #[test]
    fn an_annotation_says_how_long_and_how() {
        assert_eq!(of_annotation("run 2s, exit 42", None), after(2_000, 42));
        assert_eq!(of_annotation("exit 1", Some(3)), after(0, 1));
        assert_eq!(of_annotation("never", None).runs, None);
        let by_index = "index 3,5-7: exit 1; else: run 500ms, exit 0";
        assert_eq!([2, 3, 6, 8].map(|index| of_annotation(by_index, Some(index)).exit_code), [0, 1, 1, 0]);
        assert_eq!(of_annotation("index 3: exit 1", None), USUAL);
    }

    #[test]
    fn a_time_that_cannot_be_read_is_a_second() {
        for text in ["run", "run ", "run soon", "run -1s", "run NaN", "run inf", "run 1e300h"] {
            assert!(of_annotation(text, None).runs.is_some_and(|runs| runs <= Duration::from_secs(1)), "{text}");
        }
        assert_eq!([of_annotation("run 1m", None), of_annotation("run 0.25", None)], [after(60_000, 0), after(250, 0)]);
    }

    #[test]
    fn the_annotation_is_in_the_api_group() {
        assert_eq!(ANNOTATION, format!("simulation.{}/outcome", jobwright_api::names::API_GROUP));
    }

    #[test]
    fn a_command_of_a_demonstration_is_understood() {
        let of = |words: &[&str]| of_command(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["sh", "-c", "sleep 5; exit 3"]), after(5_000, 3));
        assert_eq!(of(&["false"]), after(1_000, 1));
        assert_eq!(of(&["sleep", "1.5m"]), after(90_000, 0));
        assert_eq!(of(&["sleep", "infinity"]).runs, None);
        assert_eq!(of(&["perl", "-Mbignum=bpi", "-wle", "print bpi(2000)"]), USUAL);
    }
}

//! A sequence of named steps, each with a heading and its duration.
//!
//! Invariant: the first step that fails ends the sequence; the error says which one it was.

use std::time::Duration;

use anyhow::{Context, Result};

use crate::stopwatch::Stopwatch;

/// The steps so far.
pub(crate) struct Steps {
    total: Stopwatch,
    done: Vec<(&'static str, Duration)>,
}

impl Steps {
    /// Starts the clock of the whole sequence.
    pub(crate) fn start() -> Self {
        Self { total: Stopwatch::start(), done: Vec::new() }
    }

    /// Carries out one step between a heading and a line with its duration.
    pub(crate) fn step(&mut self, name: &'static str, work: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("\n=== {name}");
        let watch = Stopwatch::start();
        let result = work();
        let took = watch.elapsed();
        self.done.push((name, took));
        let verdict = if result.is_ok() { "ok" } else { "FAILED" };
        println!("=== {name}: {verdict} after {}", seconds(took));
        result.with_context(|| format!("stopped at step \"{name}\""))
    }

    /// Prints how long each step took.
    pub(crate) fn summary(&self) {
        println!("\n=== all {} steps ok after {}", self.done.len(), seconds(self.total.elapsed()));
        for (name, took) in &self.done {
            println!("{:>9}  {name}", seconds(*took));
        }
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_step_is_named_with_its_cause() {
        let mut steps = Steps::start();
        steps.step("first", || Ok(())).expect("fine");
        let error = steps.step("second", || anyhow::bail!("no luck")).expect_err("must fail");
        assert_eq!(format!("{error:#}"), "stopped at step \"second\": no luck");
        assert_eq!(steps.done.len(), 2);
    }
}

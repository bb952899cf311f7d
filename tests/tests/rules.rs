//! Every rule of the catalogue is fired by a scenario.
//!
//! The scenarios are the recorded ones, and those of `tests/scenarios/rules`,
//! each made for one rule that no recorded one fires.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use jobwright_core::record::Record;
use jobwright_core::{
    CompletionMode, Config, Controller, Input, JobKey, JobSpec, JobStatus, JobView, Output, Recorder, RelistStep,
    Resource, ResourceVersion, Rule, Timestamp, Uid,
};
use jobwright_tests::run::decisions;

/// All decisions of all scenarios.
fn all_decisions() -> Result<Vec<Record>, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["hand", "random"] {
        for entry in fs::read_dir(jobwright_tests::recorded().join(folder))? {
            paths.extend(Some(entry?.path()).filter(|path| path.extension().is_some_and(|end| end == "yaml")));
        }
    }
    paths.sort();
    for entry in fs::read_dir(jobwright_tests::rule_scenarios())? {
        paths.push(entry?.path());
    }
    let mut records = Vec::new();
    for path in paths {
        let document = jobwright_sim::scenario::read(&fs::read_to_string(&path)?);
        let document = document.map_err(|errors| format!("{}: {errors:?}", path.display()))?;
        // Some recorded scenarios are about a Job that is refused: nothing is decided there.
        records.extend(decisions(&document.scenario, 1).unwrap_or_default());
    }
    records.extend(unknown_completion_mode());
    Ok(records)
}

/// The API server of this version would refuse such a Job; one of a later version would not (SYNC-8).
fn unknown_completion_mode() -> Vec<Record> {
    let job = JobView {
        key: JobKey::new("default", "job"),
        uid: Uid::new("00000000-0000-0000-0000-00000000a0b0"),
        resource_version: ResourceVersion(1),
        generation: 1,
        deletion_timestamp: None,
        spec: JobSpec { completion_mode: CompletionMode::Unknown, ..JobSpec::default() },
        status: JobStatus::default(),
    };
    let now = Timestamp::from_seconds(0);
    let mut controller = Controller::new(Config::default(), Recorder::default());
    for resource in [Resource::Jobs, Resource::Pods] {
        controller.handle(Input::Relist(resource, RelistStep::Begin), now);
        if resource == Resource::Jobs {
            controller.handle(Input::Job(Box::new(job.clone())), now);
        }
        controller.handle(Input::Relist(resource, RelistStep::Done(ResourceVersion(1))), now);
    }
    while !matches!(controller.poll(now), Output::Sleep(_)) {}
    std::iter::from_fn(|| controller.trace_mut().take()).collect()
}

#[test]
fn each_rule_that_can_fire_is_fired() -> Result<(), Box<dyn Error>> {
    let records = all_decisions()?;
    let tried = records.iter().flat_map(|record| &record.tried);
    let fired: BTreeSet<Rule> = tried.filter(|tried| tried.fired).map(|tried| tried.rule).collect();
    let silent: Vec<&Rule> = Rule::ALL.iter().filter(|rule| !fired.contains(rule)).collect();
    assert!(silent.is_empty(), "no scenario fires {silent:?}");
    Ok(())
}
#[test]
fn every_decision_looks_at_rules_in_the_order_of_the_catalogue() -> Result<(), Box<dyn Error>> {
    for record in all_decisions()? {
        let rules: Vec<Rule> = record.tried.iter().map(|tried| tried.rule).collect();
        assert!(rules.is_sorted_by(|before, after| before < after), "{:?}: {rules:?}", record.subject);
    }
    Ok(())
}

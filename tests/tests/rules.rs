//! Every rule of the catalogue is fired by a scenario, and `docs/parity.md` says by which.
//!
//! The scenarios are the recorded ones, those of public reports, and those of `tests/scenarios/rules`, each made for one
//! rule that no recorded one fires.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use jobwright_core::record::Record;
use jobwright_core::{
    CompletionMode, Config, Controller, Input, JobKey, JobSpec, JobStatus, JobView, Output, Recorder, RelistStep,
    Resource, ResourceVersion, Rule, Timestamp, Uid,
};
use jobwright_tests::run::decisions;

const TABLE_BEGINS: &str = "<!-- The table is generated: `cargo xtask bless` writes it. -->\n";
const TABLE_ENDS: &str = "\n<!-- The table ends. -->";

/// A scenario's name, and what was decided in it.
type Told = (String, Vec<Record>);

/// All decisions of all scenarios; the scenarios run once for all tests.
fn all_decisions() -> Result<&'static [Told], &'static str> {
    static TOLD: OnceLock<Result<Vec<Told>, String>> = OnceLock::new();
    let told = TOLD.get_or_init(|| decide_all().map_err(|error| error.to_string()));
    told.as_deref().map_err(String::as_str)
}

fn decide_all() -> Result<Vec<Told>, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    let recorded = ["hand", "random", "more"].map(|folder| jobwright_tests::recorded().join(folder));
    for folder in recorded.into_iter().chain([jobwright_tests::rule_scenarios(), jobwright_tests::reports()]) {
        for entry in fs::read_dir(folder)? {
            paths.extend(Some(entry?.path()).filter(|path| path.extension().is_some_and(|end| end == "yaml")));
        }
    }
    paths.sort();
    let mut told = Vec::new();
    for path in paths {
        let document = jobwright_sim::scenario::read(&fs::read_to_string(&path)?);
        let document = document.map_err(|errors| format!("{}: {errors:?}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // Some recorded scenarios are about a Job that is refused: nothing is decided there.
        told.push((name, decisions(&document.scenario, 1).unwrap_or_default()));
    }
    told.push(("a Job of a later version".to_owned(), unknown_completion_mode()));
    Ok(told)
}

/// The rules that fired in these decisions.
fn fired(records: &[Record]) -> BTreeSet<Rule> {
    let tried = records.iter().flat_map(|record| &record.tried);
    tried.filter(|tried| tried.fired).map(|tried| tried.rule).collect()
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
    let fired: BTreeSet<Rule> = all_decisions()?.iter().flat_map(|(_, records)| fired(records)).collect();
    let silent: Vec<&Rule> = Rule::ALL.iter().filter(|rule| !fired.contains(rule)).collect();
    assert!(silent.is_empty(), "no scenario fires {silent:?}");
    Ok(())
}

#[test]
fn every_decision_looks_at_rules_in_the_order_of_the_catalogue() -> Result<(), Box<dyn Error>> {
    for record in all_decisions()?.iter().flat_map(|(_, records)| records) {
        let rules: Vec<Rule> = record.tried.iter().map(|tried| tried.rule).collect();
        assert!(rules.is_sorted_by(|before, after| before < after), "{:?}: {rules:?}", record.subject);
    }
    Ok(())
}

/// The table of `docs/parity.md` is made from the catalogue and from what fires in the scenarios. With the environment
/// variable `INSTA_UPDATE=always`, as `cargo xtask bless` sets it, it is written anew.
#[test]
fn the_table_of_the_parity_page_is_up_to_date() -> Result<(), Box<dyn Error>> {
    let path = jobwright_tests::parity();
    let page = fs::read_to_string(&path)?;
    let (head, rest) = page.split_once(TABLE_BEGINS).ok_or("the page has no table")?;
    let (_, tail) = rest.split_once(TABLE_ENDS).ok_or("the table has no end")?;
    let wanted = format!("{head}{TABLE_BEGINS}{}{TABLE_ENDS}{tail}", table(all_decisions()?)?);
    if std::env::var_os("INSTA_UPDATE").is_some_and(|wish| wish == "always") {
        fs::write(&path, wanted)?;
    } else {
        assert!(page == wanted, "docs/parity.md is not what the scenarios show: run `cargo xtask bless`");
    }
    Ok(())
}

/// One row for each rule that can fire.
fn table(told: &[Told]) -> Result<String, Box<dyn Error>> {
    let by_scenario: Vec<(&String, BTreeSet<Rule>)> =
        told.iter().map(|(name, records)| (name, fired(records))).collect();
    let sources = jobwright_tests::core_sources()?;
    let mut table =
        "\n| rule | of the spec | module of the core | fired in | for example |\n|---|---|---|---|---|\n".to_owned();
    for rule in Rule::ALL {
        let scenarios: Vec<&str> =
            by_scenario.iter().filter(|(_, fired)| fired.contains(rule)).map(|(name, _)| name.as_str()).collect();
        let variant = format!("Rule::{rule:?}");
        let names = |(_, text): &&(String, String)| {
            text.match_indices(&variant).any(|(at, _)| !text[at + variant.len()..].starts_with(char::is_alphanumeric))
        };
        let modules: Vec<String> = sources.iter().filter(names).map(|(module, _)| format!("`{module}`")).collect();
        let (ids, modules) = (rule.spec_ids().join(", "), modules.join(", "));
        let some: Vec<String> = scenarios.iter().take(3).map(|name| format!("`{name}`")).collect();
        writeln!(table, "| `{}` | {ids} | {modules} | {} | {} |", rule.slug(), scenarios.len(), some.join(", "))?;
    }
    Ok(table)
}

//! Races that exploration reaches. Each walk asks for the race; the first moment that shows it ends the walk.

use jobwright_core::{Answer, Effect, FailureKind, Gates, Millis, Resource, Timestamp};
use jobwright_sim::explore::{self, Judge, Watchdog};
use jobwright_sim::object;
use jobwright_sim::scenario::{self, Action};
use jobwright_sim::world::{Tick, World};
use jobwright_tests::checker::Checker;
use jobwright_tests::observer::{Breach, Law, Status};
use jobwright_tests::run::Run;
use jobwright_tests::scopes::{Walk, job, walk};
use serde_json::{Value, json};

/// Stops where a question is answered.
#[derive(Clone, Debug)]
struct Asks<Q>(Q);

impl<Q: FnMut(&World, Tick) -> Option<String> + Clone> Judge for Asks<Q> {
    type Broken = String;

    fn ticked(&mut self, world: &World, tick: Tick) -> Result<(), String> {
        (self.0)(world, tick).map_or(Ok(()), Err)
    }

    fn acted(&mut self, _: &World, _: &Action) -> Result<(), String> {
        Ok(())
    }

    fn ended(&self, _: &World) -> Result<(), String> {
        Ok(())
    }
}

/// Walks until the question is answered; the witness in one line. It runs as a scenario, and the question is answered there too.
fn shown<Q>(walk: &Walk, question: Q) -> Result<String, String>
where
    Q: FnMut(&World, Tick) -> Option<String> + Clone,
{
    let report =
        explore::walk(&walk.subject, &walk.scope, Asks(question.clone()), &mut |_| {}).map_err(|e| e.message)?;
    let states = report.walked.states;
    let (answer, witness) = report.broken.ok_or(format!("{} is not reached in {states} states", walk.name))?;
    let witness = witness.ok_or(format!("{} has no witness", walk.name))?;
    let text = witness.scenario(&walk.subject, &walk.name);
    let document = scenario::read(&text).map_err(|errors| format!("{errors:?}\n{text}"))?;
    let found = replayed(&document.scenario, question)?;
    assert!(found.is_some(), "{}: the witness does not show it\n{text}", walk.name);
    println!("{}: {answer}, {states} states: {}", walk.name, witness.line());
    Ok(witness.line())
}

fn replayed<Q>(scenario: &scenario::Scenario, mut question: Q) -> Result<Option<String>, String>
where
    Q: FnMut(&World, Tick) -> Option<String>,
{
    let (mut world, created) = World::begin(scenario, explore::SEED);
    created.map_err(|error| error.to_string())?;
    let start = world.now();
    let mut steps = scenario.later_steps().iter().peekable();
    let end = steps.clone().last().map_or(start, |step| start + step.at) + scenario.settle;
    loop {
        let tick = world.tick();
        if let Some(answer) = question(&world, tick) {
            return Ok(Some(answer));
        }
        let Tick::Idle(next) = tick else { continue };
        let step = steps.peek().map(|step| start + step.at);
        match next.into_iter().chain(step).min().filter(|at| *at <= end) {
            None => return Ok(None),
            Some(at) if Some(at) == step && next.is_none_or(|next| next > at) => {
                world.set_time(at);
                if let Some(action) = steps.next().and_then(|step| step.action.as_ref()) {
                    world.perform(action);
                }
            }
            Some(at) => world.set_time(at),
        }
    }
}

/// The status that the controller has just stored.
fn stored(world: &World, tick: Tick) -> Option<Status> {
    let call = world.last_call().filter(|_| tick == Tick::Wrote)?;
    let is_stored = matches!((&call.write.effect, &call.answer), (Effect::UpdateStatus { .. }, Answer::Done(_)));
    world.job().filter(|_| is_stored).map(|job| Status::of(&job))
}

fn pods(world: &World, phase: &str) -> usize {
    let is = |pod: &&std::sync::Arc<Value>| object::text(pod, &["status", "phase"]) == phase;
    world.api().list(Resource::Pods).filter(is).filter(|pod| !object::is_terminating(pod)).count()
}

fn never(spec: Value) -> Value {
    job(spec, "Never")
}

/// RACE-2 is closed in the core: one decision sees one cache and one memory. So an old cache of pods, even without the
/// freshness check (CON-3), makes no counted pod look new.
#[test]
fn race_2_expected_removals_and_pods_are_read_at_once() -> Result<(), String> {
    for faults in [[0, 0, 1, 0], [0, 0, 0, 1]] {
        let spec = json!({"completions": 2, "parallelism": 2, "backoffLimit": 1});
        let mut walk = walk("RACE-2", never(spec), "0,1", faults, 2_000)?;
        walk.subject.gates = Gates { stale_controller_consistency: false, ..Gates::default() };
        let report =
            explore::walk(&walk.subject, &walk.scope, Counts::default(), &mut |_| {}).map_err(|e| e.message)?;
        assert!(report.broken.is_none(), "{:?}", report.broken);
    }
    Ok(())
}

/// Judges counting alone: without the freshness check an old Job gets too many pods, and that is no race but what the check is for.
#[derive(Clone, Debug, Default)]
struct Counts(Checker);

impl Judge for Counts {
    type Broken = Breach;

    fn ticked(&mut self, world: &World, tick: Tick) -> Result<(), Breach> {
        self.0.ticked(world, tick).or_else(|breach| if breach.law == Law::Counting { Err(breach) } else { Ok(()) })
    }

    fn acted(&mut self, world: &World, action: &Action) -> Result<(), Breach> {
        self.0.acted(world, action)
    }

    fn began(&mut self, world: &World) {
        self.0.began(world);
    }

    fn ended(&self, _: &World) -> Result<(), Breach> {
        Ok(())
    }

    fn known(&self, uid: &str) -> u64 {
        self.0.known(uid)
    }
}

/// A pod that is first seen while it is being deleted (here after a lost watch) does not meet its expectation, and nothing wakes
/// the controller when that expires (INV-34).
#[test]
fn race_3_a_pod_that_is_first_seen_dying_is_waited_for() -> Result<(), String> {
    let mut walk = walk("RACE-3", never(json!({"completions": 1})), "0,delete@0s", [0, 0, 0, 1], 3_000)?;
    walk.scope.held_max = 4;
    let report = explore::walk(&walk.subject, &walk.scope, Watchdog::default(), &mut |_| {}).map_err(|e| e.message)?;
    let stuck = report.ends.iter().find(|end| !end.end.is_finished()).ok_or("RACE-3 is not reached")?;
    let witness = stuck.witness.as_ref().ok_or("RACE-3 has no witness")?;
    println!("RACE-3: {}", witness.line());
    let text = witness.scenario(&walk.subject, "RACE-3");
    let document = scenario::read(&text).map_err(|errors| format!("{errors:?}"))?;
    let mut run = Run::new(&document.scenario, explore::SEED, None)?;
    run.to_end().map_err(|breach| breach.to_string())?;
    let status = run.world.job().map(|job| Status::of(&job)).ok_or("the Job is gone")?;
    assert!(!status.is_finished() && run.world.history().lives().len() == 1, "{}", witness.line());
    Ok(())
}

/// A pod whose DELETE failed is still ready, and is no longer in `ready`.
#[test]
fn race_5_ready_is_reduced_though_the_deletion_failed() -> Result<(), String> {
    let spec = json!({"completions": 2, "parallelism": 2, "backoffLimit": 0});
    let walk = walk("RACE-5", never(spec), "1", [0, 1, 0, 0], 3_000)?;
    shown(&walk, |world, tick| {
        let status = stored(world, tick)?;
        let running = i64::try_from(pods(world, "Running")).ok()?;
        (status.active == running && status.ready < running)
            .then(|| format!("{} ready of {running} that run", status.ready))
    })?;
    Ok(())
}

/// A suspended Job has no start time; if it fails then, the API server refuses its end (SUS-9).
#[test]
fn race_7_the_end_of_a_suspended_job_is_refused() -> Result<(), String> {
    let mut walk = walk("RACE-7", never(json!({"backoffLimit": 1})), "1", [0; 4], 3_000)?;
    walk.scope.patches = vec![json!({"spec": {"suspend": true}}), json!({"spec": {"backoffLimit": 0}})];
    shown(&walk, |world, tick| {
        let call = world.last_call().filter(|_| tick == Tick::Wrote)?;
        match (&call.write.effect, &call.answer) {
            (Effect::UpdateStatus { .. }, Answer::Failed(failure)) if failure.kind == FailureKind::Invalid => {
                Some(failure.message.to_string())
            }
            _ => None,
        }
    })?;
    Ok(())
}

/// An ignored failure whose finalizer could not be removed counts as another one for the delay, if the status changes
/// in the next sync (TRK-35, BKO-3).
#[test]
fn race_10_an_ignored_failure_lengthens_the_delay_twice() -> Result<(), String> {
    let ignore = json!({"rules": [{"action": "Ignore", "onExitCodes": {"operator": "In", "values": [42]}}]});
    let spec = json!({"completions": 2, "parallelism": 2, "podFailurePolicy": ignore});
    let walk = walk("RACE-10", never(spec), "42", [0, 1, 0, 0], 5_000)?;
    shown(&walk, |world, tick| {
        let call = world.last_call().filter(|_| tick == Tick::Wrote)?;
        let made = matches!((&call.write.effect, &call.answer), (Effect::CreatePod(_), Answer::Done(_)));
        let ends: Vec<_> = world.api().list(Resource::Pods).filter_map(|pod| ended(pod)).collect();
        let waited = world.now() - *ends.iter().max()?;
        let longest = Millis::from_seconds(10 << (ends.len() - 1));
        let is_late = made && waited.0 > longest.0 + 5_000;
        is_late.then(|| format!("a pod {} s after failure {}", waited.0 / 1_000, ends.len()))
    })?;
    Ok(())
}

/// When the first container of a pod ended.
fn ended(pod: &Value) -> Option<Timestamp> {
    let first = object::list(pod, &["status", "containerStatuses"]).first()?;
    jobwright_api::time::parse(object::text(first, &["state", "terminated", "finishedAt"]))
}

/// A Job completes by count while a pod that it made was not seen yet; that pod runs on.
#[test]
fn race_11_a_pod_that_was_not_seen_outlives_the_completion() -> Result<(), String> {
    let spec = json!({"completions": 2, "parallelism": 2, "completionMode": "Indexed"});
    let mut walk = walk("RACE-11", never(spec), "0,1", [0, 0, 1, 0], 20_000)?;
    // With the freshness check nothing is decided until the pod was seen.
    walk.subject.gates = Gates { stale_controller_consistency: false, ..Gates::default() };
    walk.scope.held_max = 4;
    walk.scope.patches = vec![json!({"spec": {"completions": 1, "parallelism": 1}})];
    shown(&walk, |world, tick| {
        let status = stored(world, tick)?;
        let left = pods(world, "Running") + pods(world, "Pending");
        (status.is("Complete") && left > 0).then(|| format!("complete with {left} pod that nobody deletes"))
    })?;
    Ok(())
}

/// With the gate off a suspended Job keeps its start time, and the resumed Job is judged by it (SUS-8).
#[test]
fn race_16_a_resumed_job_has_used_up_its_time() -> Result<(), String> {
    let mut walk = walk("RACE-16", never(json!({"activeDeadlineSeconds": 20})), "hang", [0; 4], 3_000)?;
    walk.subject.gates = Gates { mutable_scheduling_directives: false, ..Gates::default() };
    walk.scope.patches = vec![json!({"spec": {"suspend": true}}), json!({"spec": {"suspend": false}})];
    let mut was_suspended = false;
    let line = shown(&walk, move |world, tick| {
        let status = stored(world, tick)?;
        let fails = was_suspended && status.is("FailureTarget");
        was_suspended = status.is("Suspended");
        fails.then(|| "failed at the resumption".to_owned())
    })?;
    assert!(line.contains("\"suspend\":false"), "{line}");
    Ok(())
}

/// An index that waits for its back-off keeps its slot, though another could run.
#[test]
fn race_17_a_waiting_index_keeps_its_slot() -> Result<(), String> {
    let spec = json!({"completions": 2, "parallelism": 1, "completionMode": "Indexed", "backoffLimitPerIndex": 1});
    let walk = walk("RACE-17", never(spec), "0,1", [0; 4], 1_000)?;
    let mut since = None;
    let line = shown(&walk, move |world, _| {
        let active = world.api().list(Resource::Pods).any(|pod| !object::phase(pod).is_terminal());
        if !active && world.job().is_some_and(|job| !Status::of(&job).is_decided()) {
            since.get_or_insert(world.now());
            return None;
        }
        let waited = world.now() - since.take()?;
        let never_ran = !world.api().list(Resource::Pods).any(|pod| object::completion_index(pod) == Some(1));
        (never_ran && waited >= Millis::from_seconds(5))
            .then(|| "no pod ran, though index 1 waited for nothing".to_owned())
    })?;
    assert!(line.starts_with("idx0: 1"), "{line}");
    Ok(())
}

//! Races that need a person or a fault of a kind that walks do not have, each as a scenario, and what is seen when.

use jobwright_core::{Millis, Resource};
use jobwright_sim::world::{ORIGIN, World};
use jobwright_sim::{object, scenario};
use jobwright_tests::state;

/// A Job with this specification, pods that do this, and these steps.
fn text(spec: &str, outcomes: &str, steps: &[&str]) -> String {
    let template = "template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}]}}";
    let job = format!("{{apiVersion: batch/v1, kind: Job, metadata: {{name: job}}, spec: {{{spec}, {template}}}}}");
    let steps: String = steps.iter().map(|step| format!("- {{{step}}}\n")).collect();
    format!("outcomes: {outcomes}\njob: {job}\nsteps:\n{steps}")
}

/// Runs a scenario and compares each row at its second; the world at the end.
fn check(text: &str, rows: &[(i64, &str)]) -> Result<World, String> {
    let document = scenario::read(text).map_err(|errors| format!("{errors:?}\n{text}"))?;
    let (mut world, created) = World::begin(&document.scenario, 1);
    created.map_err(|error| error.to_string())?;
    let mut steps = document.scenario.later_steps().iter().peekable();
    let mut wrong = Vec::new();
    for (seconds, line) in rows {
        let moment = ORIGIN + Millis::from_seconds(*seconds);
        while let Some(step) = steps.next_if(|step| ORIGIN + step.at <= moment) {
            world.run_to(ORIGIN + step.at);
            if let Some(refused) = step.action.as_ref().and_then(|action| world.perform(action).refused) {
                return Err(format!("at {:?}: refused: {refused}", step.at));
            }
        }
        world.run_to(moment);
        wrong.extend(state::differences(line, &world)?.into_iter().map(|what| format!("at {seconds} s: {what}")));
    }
    if wrong.is_empty() { Ok(world) } else { Err(wrong.join("\n")) }
}

fn events(world: &World, reason: &str) -> usize {
    world.events().iter().filter(|event| event.event.reason == reason).count()
}

/// A `FailureTarget` with status False that a person put in front hides the True one that the controller adds.
#[test]
fn race_6_a_false_condition_in_front_hides_the_true_one() -> Result<(), String> {
    let by_hand = "at: 2.5, job: {statusPatch: {status: {conditions: [{type: FailureTarget, status: 'False'}]}}}";
    let end = "conditions not FailureTarget: FailureTarget:BackoffLimitExceeded FailureTarget:BackoffLimitExceeded \
               Failed:BackoffLimitExceeded";
    let rows = [(3, "conditions not FailureTarget:"), (30, end)];
    // The Job fails all the same; each sync adds the condition once more.
    check(&text("backoffLimit: 0, parallelism: 2, completions: 2", "\"1,hang\"", &[by_hand]), &rows)?;
    Ok(())
}

/// Creations that are refused because the namespace goes away stay expected: nothing is made for 5 minutes, and nothing then
/// wakes the Job.
#[test]
fn race_8_swallowed_creations_stay_expected() -> Result<(), String> {
    let fault = "at: 0, fault: {verb: create, resource: pods, count: 2, error: nsterminating}";
    let rows = [(0, "active 2, pods 0"), (60, "active 0, made 0"), (400, "active 0, made 0, conditions none")];
    check(&text("parallelism: 2, completions: 2", "0", &[fault]), &rows)?;
    Ok(())
}

/// The finalizer is off and the deletion fails: the pod runs on, and nobody counts its success (DEL-7).
#[test]
fn race_12_a_pod_without_finalizer_runs_on_uncounted() -> Result<(), String> {
    let steps = [
        "at: 2, fault: {verb: delete, resource: pods, count: 9, error: internal}",
        "at: 3, job: {patch: {spec: {suspend: true}}}",
    ];
    let rows = [(4, "active 1, pods 1, tracked 0"), (60, "succeeded 0, pods 1, tracked 0")];
    check(&text("completions: 1", "0@10s", &steps), &rows)?;
    Ok(())
}

/// What the controller remembers of a Job that it has finished goes late, and is of that Job alone: the next one of the name runs.
#[test]
fn race_15_a_job_of_the_same_name_runs() -> Result<(), String> {
    let steps = ["at: 20, job: {delete: {propagation: background}}", "at: 22, job: {recreate: true}"];
    let rows = [(19, "succeeded 1"), (21, "gone yes"), (23, "active 1, conditions none"), (60, "succeeded 1, made 2")];
    check(&text("completions: 1", "0", &steps), &rows)?;
    Ok(())
}

/// `Suspended` is told before its write, and again when the write meets a conflict.
#[test]
fn race_18_an_event_before_its_write_is_repeated() -> Result<(), String> {
    let steps = [
        "at: 3, fault: {verb: update, resource: jobs, subresource: status, error: conflict}",
        "at: 4, job: {patch: {spec: {suspend: true}}}",
    ];
    let world = check(&text("completions: 1", "hang", &steps), &[(60, "conditions Suspended:JobSuspended")])?;
    assert_eq!(events(&world, "Suspended"), 2);
    Ok(())
}

/// `Completed` is told after the last write, and lost if the controller dies in between.
#[test]
fn race_18_an_event_after_the_last_write_is_lost() -> Result<(), String> {
    let complete = "conditions SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached";
    let mut told = Vec::new();
    for writes in 1..=3 {
        let crash = format!("at: 3, crash: {{afterWrites: {writes}}}");
        told.push(events(&check(&text("completions: 1", "0", &[&crash]), &[(60, complete)])?, "Completed"));
    }
    assert_eq!(told, [1, 1, 0]);
    Ok(())
}

/// Owners that a template names are left out; the Job is the only one (CRE-9).
#[test]
fn race_13_a_pod_has_no_owner_but_its_job() -> Result<(), String> {
    let owner = "ownerReferences: [{apiVersion: v1, kind: Node, name: a, uid: b}]";
    let text =
        text("completions: 1", "0", &["at: 9"]).replace("template: {", &format!("template: {{metadata: {{{owner}}}, "));
    assert!(text.contains("kind: Node"), "{text}");
    let world = check(&text, &[(2, "active 1")])?;
    let owners: Vec<_> =
        world.api().list(Resource::Pods).map(|pod| object::list(pod, &["metadata", "ownerReferences"])).collect();
    let kinds: Vec<_> =
        owners.iter().flat_map(|owners| owners.iter()).map(|owner| object::text(owner, &["kind"])).collect();
    assert_eq!(kinds, ["Job"]);
    Ok(())
}

/// Where upstream's API server panics, there are errors as for 0 completions (VAL-70).
#[test]
fn race_14_a_success_policy_without_completions_is_refused() {
    let manifest = "{apiVersion: batch/v1, kind: Job, metadata: {name: job}, spec: {completionMode: Indexed, parallelism: 2, successPolicy: {rules: \
                    [{succeededIndexes: '0'}]}, template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}]}}}}";
    let findings = scenario::diagnose(manifest);
    let fields: Vec<_> = findings.iter().filter_map(|finding| finding.field.as_deref()).collect();
    assert!(fields.contains(&"spec.completions") && fields.len() > 1, "{findings:?}");
}

//! The generated worlds use everything that `tests/recorded/FORMAT.md` and its additions let happen, as
//! far as this version acts on it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use jobwright_sim::fault::{CallKind, FaultError};
use jobwright_tests::laws::{self, Broken};
use jobwright_tests::worlds;
use serde_json::Value;

/// What each action is, in words: `pods fail initContainer`, `fault create pods internal applied`.
fn words(action: &Value, found: &mut BTreeSet<String>) {
    let Some((name, inner)) = action.as_object().and_then(|map| map.iter().next()) else { return };
    if name == "fault" {
        let text = |field: &str| inner.get(field).and_then(Value::as_str).unwrap_or_default();
        let applied = if inner.get("applied") == Some(&Value::Bool(true)) { " applied" } else { "" };
        found.insert(format!("fault {} {} {}{applied}", text("verb"), text("resource"), text("error")));
        return;
    }
    match inner {
        Value::String(word) => drop(found.insert(format!("{name} {word}"))),
        Value::Object(members) => {
            for (member, value) in members {
                found.insert(format!("{name} {member}"));
                let deeper = value.as_object().into_iter().flatten();
                found.extend(deeper.map(|(field, value)| match value {
                    Value::String(word) => format!("{name} {member} {word}"),
                    _ => format!("{name} {member} {field}"),
                }));
                if let (true, Some(resource)) = (name == "watch", value.as_str()) {
                    found.insert(format!("watch {member} {resource}"));
                }
                let spec = value.get("spec").and_then(Value::as_object).into_iter().flatten();
                found.extend(spec.map(|(field, _)| format!("{name} {member} {field}")));
            }
        }
        _ => {}
    }
}

fn expected() -> Vec<String> {
    let fixed = "pods run|pods ready|pods succeed|pods fail|pods restart|pods condition|pods delete|pods terminated|\
        pods vanish|pods patch|pods index|pods phase|pods count|pods order|pods fail exitCode|pods fail setup|\
        pods fail side|pods fail Evicted|pods fail conditions|pods fail noStatuses|pods restart times|\
        pods restart proxy|pods delete grace|pods terminated Succeeded|job patch parallelism|job patch suspend|\
        job patch backoffLimit|job patch activeDeadlineSeconds|job delete|job delete background|\
        job delete foreground|job delete orphan|job recreate|controller stop|controller start|\
        controller restart|watch hold pods|watch hold jobs|watch release pods|watch release jobs|watch drop pods|\
        watch drop jobs|crash afterWrites";
    let mut all: Vec<String> = fixed.split('|').map(str::to_owned).collect();
    for call in CallKind::ALL {
        let (verb, resource, _) = call.words();
        for error in FaultError::ALL {
            all.push(format!("fault {verb} {resource} {}", error.as_str()));
            all.push(format!("fault {verb} {resource} {} applied", error.as_str()));
        }
    }
    all
}

#[test]
fn every_action_and_every_fault_is_in_the_worlds() -> Result<(), Broken> {
    let found = RefCell::new(BTreeSet::new());
    laws::hold(&worlds::general(), false, |plan| {
        for step in &plan.steps {
            words(&step.action, &mut found.borrow_mut());
        }
        Ok(())
    })?;
    let found = found.into_inner();
    let missing: Vec<String> = expected().into_iter().filter(|action| !found.contains(action)).collect();
    assert!(missing.is_empty(), "never happens: {missing:?}");
    Ok(())
}

#[test]
fn every_kind_of_job_is_in_the_worlds() -> Result<(), Broken> {
    let found = RefCell::new(BTreeSet::new());
    laws::hold(&worlds::general(), false, |plan| {
        let spec = |path: &str| plan.job.pointer(&format!("/spec/{path}")).cloned().unwrap_or_default();
        let mode = match (spec("completions"), spec("completionMode")) {
            (Value::Null, _) => "work queue",
            (_, Value::Null) => "completions",
            _ => "Indexed",
        };
        let policy = spec("template/spec/restartPolicy");
        let suspended = if spec("suspend") == Value::Bool(true) { "suspended" } else { "started" };
        let mover = if plan.outcomes.is_some() { "scripts" } else { "steps" };
        found.borrow_mut().insert(format!("{mode} {} {suspended} {mover}", policy.as_str().unwrap_or_default()));
        Ok(())
    })?;
    assert_eq!(found.into_inner().len(), 3 * 2 * 2 * 2);
    Ok(())
}

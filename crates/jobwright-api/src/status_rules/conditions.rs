//! Rules for conditions: what may be true together, and what never becomes untrue again.

use super::Update;

/// STV-10, STV-11
pub(super) fn exclusive_ends(update: &mut Update<'_>) {
    let (old, new) = (&update.old, &update.new);
    let ended_twice = (update.complete_changed() || old.failed != new.failed) && new.complete && new.failed;
    let target = old.failure_target != new.failure_target;
    let failing = (update.complete_changed() || target) && new.complete && new.failure_target;
    if ended_twice {
        update.bad_conditions("cannot set Complete=True and Failed=true conditions");
    }
    if failing {
        update.bad_conditions("cannot set Complete=True and FailureTarget=true conditions");
    }
}

/// STV-15, STV-16: an end is announced before it is there.
pub(super) fn announced_ends(update: &mut Update<'_>) {
    let (old, new) = (&update.old, &update.new);
    let failed = old.failed != new.failed || update.changed("failedIndexes");
    let success = old.success_criteria_met != new.success_criteria_met;
    let failed = failed && new.failed && !new.failure_target;
    let complete = (update.complete_changed() || success) && new.complete && !new.success_criteria_met;
    if failed {
        update.bad_conditions("cannot set Failed=True condition without the FailureTarget=true condition");
    }
    if complete {
        update.bad_conditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
    }
}

/// STV-3, STV-4, STV-5
pub(super) fn success(update: &mut Update<'_>) {
    let new = &update.new;
    let (success, failed, target) = (new.success_criteria_met, new.failed, new.failure_target);
    let without_success = update.spec.success_policy && new.complete && !success;
    if success && failed {
        update.bad_conditions("cannot set SuccessCriteriaMet=True and Failed=true conditions");
    }
    if success && target {
        update.bad_conditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
    }
    if without_success {
        update.bad_conditions("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
    }
}

/// STV-27
pub(super) fn stays_true(update: &mut Update<'_>) {
    let (old, new) = (&update.old, &update.new);
    let lost = [
        ("Failed", old.failed && !new.failed),
        ("Complete", old.complete && !new.complete),
        ("FailureTarget", old.failure_target && !new.failure_target),
    ];
    for (kind, _) in lost.into_iter().filter(|(_, lost)| *lost) {
        update.bad_conditions(format!("cannot disable the terminal {kind}=True condition"));
    }
}

/// STV-6, STV-7
pub(super) fn success_stays(update: &mut Update<'_>) {
    let (old, new) = (&update.old, &update.new);
    let lost = old.success_criteria_met && !new.success_criteria_met;
    let late = old.complete && !old.success_criteria_met && new.success_criteria_met;
    if lost {
        update.bad_conditions("cannot disable the SuccessCriteriaMet=True condition");
    }
    if late {
        update.bad_conditions("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
    }
}

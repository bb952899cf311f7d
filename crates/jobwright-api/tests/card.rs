//! Cards and records of decisions that are put together by hand.

use jobwright_api::record::v1alpha1;
use jobwright_api::{Catalogue, card};
use jobwright_core::record::{FactName as F, FactValue, Record, Subject, Tried, Trigger, WriteRecord};
use jobwright_core::{
    ApiFailure, Effect, FailureKind, JobKey, JobStatus, Millis, NewPod, PodKey, PodPhase, PodRef, ResourceVersion,
    Rule, Timestamp, Uid, WakeReason, WakeUp, WriteId,
};

const ORIGIN: Timestamp = Timestamp(946_688_400_000);

fn record(tried: Vec<Tried>, writes: Vec<WriteRecord>) -> Record {
    Record {
        subject: Subject::Job(JobKey::new("default", "train")),
        job_uid: Some(Uid::new("u1")),
        at: ORIGIN + Millis(12_250),
        triggers: vec![Trigger::PodChanged(PodKey::new("default", "p1"), PodPhase::Running, PodPhase::Failed, false)],
        tried,
        writes,
        events: vec![],
        next: Some(WakeUp { at: ORIGIN + Millis(22_250), why: WakeReason::PodBackoff, job: None }),
        error: None,
    }
}

fn tried(rule: Rule, fired: bool, facts: &[(F, i64)]) -> Tried {
    Tried { rule, fired, facts: facts.iter().map(|(name, n)| (*name, FactValue::Count(*n))).collect() }
}

fn wrote(effect: Effect, why: Rule, answer: Option<Result<Option<PodKey>, ApiFailure>>) -> WriteRecord {
    WriteRecord { id: WriteId(1), effect, why, answer }
}

fn create() -> Effect {
    Effect::CreatePod(NewPod {
        job: JobKey::new("default", "train"),
        job_uid: Uid::new("u1"),
        index: None,
        index_failures: None,
        index_ignored_failures: None,
    })
}

fn creation() -> Record {
    let ladder = [(F::Failed, 1), (F::FailedUncounted, 0), (F::FailedNew, 0), (F::BackoffLimit, 6)];
    let pods = [
        (F::Parallelism, 3),
        (F::Completions, 5),
        (F::Succeeded, 1),
        (F::Active, 1),
        (F::Wanted, 3),
        (F::Missing, 2),
        (F::Count, 2),
    ];
    let done = Some(Ok(Some(PodKey::new("default", "train-a1"))));
    let refused = Some(Err(ApiFailure { kind: FailureKind::Conflict, message: "changed".into() }));
    let status = Effect::UpdateStatus {
        job: JobKey::new("default", "train"),
        uid: Uid::new("u1"),
        resource_version: ResourceVersion(7),
        status: Box::new(JobStatus { active: 3, succeeded: 1, ..JobStatus::default() }),
    };
    record(
        vec![
            tried(Rule::AlreadyFinished, false, &[]),
            tried(Rule::BackoffLimitExceeded, false, &ladder),
            tried(Rule::CreatePods, true, &pods),
        ],
        vec![
            wrote(create(), Rule::CreatePods, done.clone()),
            wrote(create(), Rule::CreatePods, done),
            wrote(status, Rule::StoreStatus, refused),
        ],
    )
}

#[test]
fn a_creation_is_told_with_its_numbers() {
    let card = card::build(&creation(), 3, ORIGIN, Catalogue::english());
    assert_eq!((card.step, card.at_ms, card.rule.as_str()), (3, 12_250, "create-pods"));
    assert_eq!(card.title, "2 pods are created: 2 of 3 wanted are missing");
    assert_eq!(card.why, "parallelism 3, completions 5 and 1 succeeded leave 3 wanted. 1 is active, so 2 are missing.");
    assert_eq!(card.trigger, "Pod p1 went from Running to Failed.");
    let ladder: Vec<_> = card.tried.iter().map(|line| (line.fired, line.text.as_str())).collect();
    assert_eq!(ladder, [(false, "no"), (false, "1 failed, limit 6"), (true, "2 of 3 missing")]);
    let next = card.next.unwrap();
    assert_eq!((next.at_ms, next.text.as_str()), (22_250, "A failed pod may be replaced."));
    let inputs: Vec<_> = card.inputs.iter().map(|line| format!("{} {}", line.label, line.value)).collect();
    assert!(inputs.contains(&"Wanted 3".to_owned()) && inputs.contains(&"Failed, counted 1".to_owned()), "{inputs:?}");
}

#[test]
fn neighbouring_writes_of_a_kind_are_folded() {
    let card = card::build(&creation(), 3, ORIGIN, Catalogue::english());
    let lines: Vec<_> = card
        .writes
        .iter()
        .map(|line| (line.verb.as_str(), line.what.as_str(), line.count, line.accepted, line.answer.as_str()))
        .collect();
    assert_eq!(
        lines,
        [
            ("POST", "create a pod", 2, Some(true), "accepted"),
            ("PUT", "store the status: 3 active, 1 succeeded", 1, Some(false), "conflict: changed"),
        ]
    );
}

#[test]
fn a_write_that_stands_alone_names_its_pod() {
    let pod = PodRef { key: PodKey::new("default", "train-b2"), uid: Uid::new("p") };
    let writes = vec![wrote(Effect::DeletePod(pod), Rule::SurplusPods, None)];
    let card = card::build(&record(vec![], writes), 1, ORIGIN, Catalogue::english());
    assert_eq!(card.writes[0].what, "delete pod train-b2");
    assert_eq!((card.writes[0].accepted, card.writes[0].answer.as_str()), (None, "no answer yet"));
    assert_eq!((card.rule.as_str(), card.title.as_str()), ("", "Nothing changes"));
}

#[test]
fn a_record_is_json_and_comes_back() {
    let json = serde_json::to_value(v1alpha1::Record::from(&creation())).unwrap();
    assert_eq!(json["apiVersion"], "jobwright.dev/v1alpha1");
    assert_eq!(json["at"], "2000-01-01T01:00:12.250Z");
    assert_eq!(json["rule"], "create-pods");
    assert_eq!(json["tried"][1]["facts"][3], serde_json::json!({"name": "backoffLimit", "count": 6}));
    assert_eq!(json["writes"][0]["answer"], serde_json::json!({"accepted": true, "pod": "train-a1"}));
    assert_eq!(json["writes"][2]["status"], serde_json::json!({"active": 3, "succeeded": 1}));
    assert_eq!(json["writes"][2]["answer"]["failure"], "conflict");
    let back: v1alpha1::Record = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(back).unwrap(), json);
}

#[test]
fn every_rule_has_a_sentence_without_open_slots() {
    for rule in Rule::ALL {
        for fired in [true, false] {
            let card = card::build(&record(vec![tried(*rule, fired, &[])], vec![]), 1, ORIGIN, Catalogue::english());
            for text in [&card.title, &card.why, &card.tried[0].text, &card.tried[0].stage] {
                assert!(!text.is_empty() && !text.contains(['{', '}']) && !text.contains("rule."), "{rule:?}: {text}");
            }
        }
    }
}

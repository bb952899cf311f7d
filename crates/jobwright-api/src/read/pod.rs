//! A Pod.
//!
//! Invariant: a list keeps its order; an annotation that cannot be read counts as absent (IDX-18).

use std::sync::Arc;

use jobwright_core::pod::{ContainerStatus, ControllerRef, PodCondition, Terminated};
use jobwright_core::selector::Labels;
use jobwright_core::{CompletionIndex, ConditionStatus, Deletion, PodKey, PodPhase, PodView, Text, Timestamp};

use super::{ReadError, resource_version, uid};
use crate::at::At;
use crate::names;

/// Seconds from year 1, Go's zero time, to 1970; a stored zero time means "not set".
const ZERO_TIME: Timestamp = Timestamp::from_seconds(-62_135_596_800);

/// Reads a pod (OBJ-10, OBJ-11).
pub(super) fn pod_view(pod: &At<'_>) -> Result<PodView, ReadError> {
    let metadata = pod.get("metadata");
    let spec = pod.get("spec");
    let status = pod.get("status");
    let annotations = metadata.get("annotations");
    let annotation = |name| annotations.get(name).read_str().map(|text| text.and_then(CompletionIndex::parse));
    let text = |name| metadata.get(name).read_str().map(Option::unwrap_or_default);
    Ok(PodView {
        key: PodKey::new(text("namespace")?, text("name")?),
        uid: uid(&metadata)?,
        resource_version: resource_version(&metadata)?,
        created: metadata.get("creationTimestamp").read_time()?.unwrap_or_default(),
        deletion: deletion(&metadata)?,
        labels: labels(&metadata.get("labels"))?,
        index: annotation(names::COMPLETION_INDEX)?,
        index_failures: annotation(names::INDEX_FAILURE_COUNT)?.map_or(0, |count| count.0),
        index_ignored_failures: annotation(names::INDEX_IGNORED_FAILURE_COUNT)?.map_or(0, |count| count.0),
        tracking_finalizer: has_tracking_finalizer(&metadata),
        controller: controller(&metadata.get("ownerReferences"))?,
        scheduled: spec.get("nodeName").read_str()?.is_some_and(|node| !node.is_empty()),
        phase: phase(status.get("phase").read_str()?.unwrap_or_default()),
        conditions: conditions(&status.get("conditions"))?,
        containers: containers(&status.get("containerStatuses"), &[])?,
        init_containers: containers(&status.get("initContainerStatuses"), &restartable(&spec)?)?,
    })
}

fn has_tracking_finalizer(metadata: &At<'_>) -> bool {
    metadata.get("finalizers").items().any(|name| name.str() == Some(names::TRACKING_FINALIZER))
}

fn deletion(metadata: &At<'_>) -> Result<Option<Deletion>, ReadError> {
    let grace_seconds = metadata.get("deletionGracePeriodSeconds").read_i64()?.unwrap_or_default();
    Ok(metadata.get("deletionTimestamp").read_time()?.map(|at| Deletion { at, grace_seconds }))
}

/// Labels, sorted by key; the JSON map is sorted already.
fn labels(labels: &At<'_>) -> Result<Labels, ReadError> {
    let read = |(key, value): (&String, At<'_>)| {
        Ok((well_known(key, &names::LABELS), value.read_str()?.unwrap_or_default().to_owned()))
    };
    labels.members().map(read).collect()
}

/// A text, without an allocation if it is one of these.
fn well_known(text: &str, these: &[&'static str]) -> Text {
    these.iter().find(|one| **one == text).map_or_else(|| Text::Owned(text.to_owned()), |one| Text::Borrowed(one))
}

/// The owner reference with `controller: true` (OBJ-14).
fn controller(owners: &At<'_>) -> Result<Option<ControllerRef>, ReadError> {
    let Some(owner) = owners.items().find(|owner| owner.get("controller").is_true()) else { return Ok(None) };
    let text = |name| owner.get(name).read_str().map(Option::unwrap_or_default);
    Ok(Some(ControllerRef {
        api_version: well_known(text("apiVersion")?, &[names::BATCH_V1]),
        kind: well_known(text("kind")?, &[names::JOB]),
        name: Arc::from(text("name")?),
        uid: uid(&owner)?,
    }))
}

/// An empty or unknown phase is `Pending` (GLO-2, DEL-5).
fn phase(text: &str) -> PodPhase {
    match text {
        "Running" => PodPhase::Running,
        "Succeeded" => PodPhase::Succeeded,
        "Failed" => PodPhase::Failed,
        "Unknown" => PodPhase::Unknown,
        _ => PodPhase::Pending,
    }
}

fn conditions(list: &At<'_>) -> Result<Vec<PodCondition>, ReadError> {
    let read = |item: At<'_>| {
        Ok(PodCondition {
            kind: well_known(item.get("type").read_str()?.unwrap_or_default(), &names::CONDITIONS),
            status: ConditionStatus::parse(item.get("status").read_str()?.unwrap_or_default()),
            last_transition: item.get("lastTransitionTime").read_time()?.filter(|at| *at != ZERO_TIME),
        })
    };
    list.items().map(read).collect()
}

/// Names of the init containers that are started again: the sidecars (BKO-20).
fn restartable<'a>(spec: &'a At<'a>) -> Result<Vec<String>, ReadError> {
    let mut names = Vec::new();
    for container in spec.get("initContainers").items() {
        if container.get("restartPolicy").str() == Some("Always") {
            names.extend(container.get("name").read_str()?.map(str::to_owned));
        }
    }
    Ok(names)
}

fn containers(list: &At<'_>, restartable: &[String]) -> Result<Vec<ContainerStatus>, ReadError> {
    let read = |item: At<'_>| {
        let name = item.get("name").read_str()?.unwrap_or_default().to_owned();
        let state = item.get("state");
        let terminated = terminated(&state.get("terminated"))?;
        Ok(ContainerStatus {
            restartable: restartable.contains(&name),
            name,
            restart_count: item.get("restartCount").read_i32()?.unwrap_or_default(),
            terminated,
        })
    };
    list.items().map(read).collect()
}

fn terminated(state: &At<'_>) -> Result<Option<Terminated>, ReadError> {
    if !state.is_set() {
        return Ok(None);
    }
    Ok(Some(Terminated {
        exit_code: state.get("exitCode").read_i32()?.unwrap_or_default(),
        finished_at: state.get("finishedAt").read_time()?.filter(|at| *at != ZERO_TIME),
    }))
}

//! A moment of a world in a few words, for tables of what is expected when.
//!
//! A line such as `active 1, failed 2, conditions FailureTarget:DeadlineExceeded` names some of the facts;
//! those that it leaves out may be anything.
//!
//! Invariant: a name that is no fact is an error, so that no row can pass by a slip.

use std::collections::BTreeMap;

use jobwright_api::names::TRACKING_FINALIZER;
use jobwright_core::Resource;
use jobwright_sim::object;
use jobwright_sim::world::World;

use crate::observer::Status;

/// All facts of this moment, by name. `gone` stands for a Job that is not there.
#[must_use]
pub fn facts(world: &World) -> BTreeMap<&'static str, String> {
    let job = world.job();
    let status = job.as_ref().map(|job| Status::of(job)).unwrap_or_default();
    let pods: Vec<_> = world.api().list(Resource::Pods).collect();
    let tracked = pods.iter().filter(|pod| object::finalizers(pod).contains(&TRACKING_FINALIZER)).count();
    let waiting = status.waiting_succeeded.len() + status.waiting_failed.len();
    let conditions = status.conditions.iter().map(|condition| {
        let not = if condition.holds { "" } else { "not " };
        format!("{not}{}:{}", condition.kind, condition.reason)
    });
    let conditions: Vec<String> = conditions.collect();
    let failed_indexes = job.as_ref().map_or("", |job| object::text(job, &["status", "failedIndexes"])).to_owned();
    // Names of pods have a part that is made up.
    let hide = |message: String, pod: &std::sync::Arc<serde_json::Value>| message.replace(object::name(pod), "POD");
    let message =
        pods.iter().fold(status.conditions.last().map_or(String::new(), |c| c.message.clone()), |m, p| hide(m, p));
    let number = |n: i64| n.to_string();
    let count = |n: usize| n.to_string();
    BTreeMap::from([
        ("gone", if job.is_some() { "no" } else { "yes" }.to_owned()),
        ("active", number(status.active)),
        ("ready", number(status.ready)),
        ("terminating", number(status.terminating)),
        ("succeeded", number(status.succeeded)),
        ("failed", number(status.failed)),
        ("waiting", count(waiting)),
        ("indexes", if status.index_text.is_empty() { "none".to_owned() } else { status.index_text.clone() }),
        ("failed-indexes", if failed_indexes.is_empty() { "none".to_owned() } else { failed_indexes }),
        ("message", message),
        ("started", since_start(&status.start)),
        ("completed", since_start(&status.completion)),
        ("pods", count(pods.len())),
        ("made", count(world.history().lives().len())),
        ("tracked", count(tracked)),
        ("conditions", if conditions.is_empty() { "none".to_owned() } else { conditions.join(" ") }),
    ])
}

/// Seconds from the start of the world, or `never`.
fn since_start(time: &str) -> String {
    let seconds = jobwright_api::time::parse(time).map(|at| (at - jobwright_sim::world::ORIGIN).0 / 1_000);
    seconds.map_or("never".to_owned(), |seconds| seconds.to_string())
}

/// The facts that differ from a line.
///
/// # Errors
/// A name in the line is none of the facts.
pub fn differences(line: &str, world: &World) -> Result<Vec<String>, String> {
    let facts = facts(world);
    let mut differences = Vec::new();
    for part in line.split(", ") {
        let (name, expected) = part.split_once(' ').ok_or_else(|| format!("`{part}` gives no value"))?;
        let is = facts.get(name).ok_or_else(|| format!("`{name}` is no fact"))?;
        if is != expected {
            differences.push(format!("{name} is {is}, expected {expected}"));
        }
    }
    Ok(differences)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_fails_for_a_wrong_value_and_for_a_name_that_is_no_fact() {
        let world = World::new(1, None);
        assert_eq!(differences("gone yes, active 0, conditions none", &world), Ok(Vec::new()));
        assert_eq!(differences("active 1", &world), Ok(vec!["active is 0, expected 1".to_owned()]));
        assert!(differences("actve 0", &world).is_err());
        assert!(differences("active", &world).is_err());
    }
}

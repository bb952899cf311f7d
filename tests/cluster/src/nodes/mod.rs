//! Nodes that pretend to run pods: they bind, start, end and remove them as a kubelet would, and run nothing.
//! `docs/decisions/0011-simulated-nodes.md` says why these and not another simulator.
//!
//! Invariants: a pod goes through Pending, Running and an end, never back; a pod that is being deleted ends first and is
//! then removed; a bounded number of requests are under way.

pub mod outcome;
mod pod;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use futures::TryStreamExt;
use http::Request;
use kube::Client;
use kube::core::WatchEvent;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use pod::{Life, Pod};

/// Requests under way at a time.
const AT_ONCE: usize = 48;

/// How fast pods are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// As their outcome says, and seen to run.
    #[default]
    AsSaid,
    /// Ended as soon as they have a node, never seen to run: for loads.
    Instant,
}

/// The nodes, until they are dropped.
#[derive(Debug)]
pub struct Nodes {
    watching: JoinHandle<()>,
}

impl Nodes {
    /// Starts them.
    #[must_use]
    pub fn start(client: Client, speed: Speed) -> Self {
        let requests = Arc::new(Semaphore::new(AT_ONCE));
        Self { watching: tokio::spawn(watch(Life { client, requests, speed })) }
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

/// What is under way for a pod, by its UID.
#[derive(Default)]
struct Lives {
    tasks: BTreeMap<String, (Stage, JoinHandle<()>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Lives,
    Dies,
}

async fn watch(life: Life) {
    let mut lives = Lives::default();
    loop {
        // Whatever went wrong, beginning anew is right: what is under way is known by UID.
        let _ = follow(&life, &mut lives).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// All pods that are there, and then each change.
async fn follow(life: &Life, lives: &mut Lives) -> Result<()> {
    let path =
        "/api/v1/pods?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    let events = life.client.request_events::<Pod>(Request::get(path).body(Vec::new())?).await?;
    futures::pin_mut!(events);
    while let Some(event) = events.try_next().await? {
        match event {
            WatchEvent::Added(pod) | WatchEvent::Modified(pod) => lives.seen(life, pod),
            WatchEvent::Deleted(pod) => {
                if let Some((_, task)) = lives.tasks.remove(&pod.metadata.uid) {
                    task.abort();
                }
            }
            WatchEvent::Bookmark(_) => {}
            WatchEvent::Error(_) => return Ok(()),
        }
    }
    Ok(())
}

impl Lives {
    fn seen(&mut self, life: &Life, pod: Pod) {
        let stage = if pod.metadata.deletion_timestamp.is_some() { Stage::Dies } else { Stage::Lives };
        let known = self.tasks.get(&pod.metadata.uid).map(|(stage, _)| *stage);
        if known == Some(stage) || known == Some(Stage::Dies) || (stage == Stage::Lives && pod.has_ended()) {
            return;
        }
        let (life, uid) = (life.clone(), pod.metadata.uid.clone());
        let task = tokio::spawn(async move {
            match stage {
                Stage::Lives => life.live(&pod).await,
                Stage::Dies => life.die(&pod).await,
            }
        });
        if let Some((_, before)) = self.tasks.insert(uid, (stage, task)) {
            before.abort();
        }
    }
}

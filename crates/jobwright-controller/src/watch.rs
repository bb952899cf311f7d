//! Lists a resource and follows its changes (`docs/decisions/0010-native-host.md` says why not with `kube::runtime`).
//!
//! Invariants: the core gets a list as one piece, from `Begin` to `Done` with the version of the list, and each change
//! in the order of the watch; a watch goes on where the last one ended, and only an expired version makes a new
//! list. Reading stops while the core is behind: nothing is buffered without bound.

use std::marker::PhantomData;
use std::time::Duration;

use futures::TryStreamExt;
use jobwright_core::{Input, RelistStep, ResourceVersion};
use kube::Client;
use kube::core::WatchEvent;
use serde::Deserialize;
use tokio::sync::mpsc::Sender;
use tokio::time::Instant;

use crate::clock;
use crate::shown::{Kind, Shown};

/// Objects per page of a list: some 2 MB of typical pods.
const PAGE: u32 = 250;
/// When the API server ends a watch by itself; another one follows at once.
const WATCH_SECONDS: u32 = 290;
/// How long nothing may come before a watch counts as dead.
const IDLE: Duration = Duration::from_secs(150);
/// Delay after a failed request: the first, and the longest.
const RETRY: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(15));

/// One watch over all namespaces, or over some.
pub struct Watch<K> {
    client: Client,
    /// Empty: all.
    namespaces: Vec<String>,
    to: Sender<Shown>,
    kind: PhantomData<K>,
}

/// Why a watch has ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// The version is too old: everything must be listed again.
    Expired,
    /// Nobody takes what is shown.
    Closed,
}

#[derive(Deserialize)]
struct Page<T> {
    metadata: PageMeta,
    #[serde(default = "Vec::new")]
    items: Vec<T>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageMeta {
    #[serde(default)]
    resource_version: String,
    #[serde(default, rename = "continue")]
    next: String,
}

impl<K: Kind> Watch<K> {
    /// A watch that hands over to `to`.
    #[must_use]
    pub fn new(client: Client, namespaces: Vec<String>, to: Sender<Shown>) -> Self {
        let namespaces = if namespaces.is_empty() { vec![String::new()] } else { namespaces };
        Self { client, namespaces, to, kind: PhantomData }
    }

    /// Lists and follows until nobody takes what is shown.
    pub async fn run(self) {
        let mut retry = Retry::default();
        loop {
            let end = match self.list().await {
                Ok(versions) => {
                    retry = Retry::default();
                    self.follow_all(&versions).await
                }
                Err(error) => {
                    tracing::warn!(resource = K::PLURAL, %error, "cannot list");
                    retry.wait().await;
                    End::Expired
                }
            };
            if end == End::Closed || self.to.is_closed() {
                return;
            }
            tracing::info!(resource = K::PLURAL, "listing");
        }
    }

    /// Shows everything that is there; returns the version of each namespace's list.
    async fn list(&self) -> Result<Vec<String>, kube::Error> {
        self.tell(Shown::Input(Input::Relist(K::RESOURCE, RelistStep::Begin))).await;
        let mut versions = Vec::new();
        for namespace in &self.namespaces {
            versions.push(self.list_one(namespace).await?);
        }
        let newest = versions.iter().map(|version| ResourceVersion::parse(version)).max().unwrap_or_default();
        self.tell(Shown::Input(Input::Relist(K::RESOURCE, RelistStep::Done(newest)))).await;
        Ok(versions)
    }

    async fn list_one(&self, namespace: &str) -> Result<String, kube::Error> {
        let mut next = String::new();
        loop {
            let page: Page<K::Wire> =
                self.client.request(get(&format!("{}?limit={PAGE}{next}", K::path(namespace)))?).await?;
            for object in page.items {
                self.show(K::seen(object)).await;
            }
            if page.metadata.next.is_empty() {
                return Ok(page.metadata.resource_version);
            }
            next = format!("&continue={}", page.metadata.next);
        }
    }

    /// Follows every namespace; the first that must be listed again ends all.
    async fn follow_all(&self, versions: &[String]) -> End {
        let each = self.namespaces.iter().zip(versions);
        let following = each.map(|(namespace, version)| Box::pin(self.follow(namespace, version.clone())));
        futures::future::select_all(following).await.0
    }

    async fn follow(&self, namespace: &str, mut version: String) -> End {
        let mut retry = Retry::default();
        loop {
            let began = clock::instant();
            match self.watch_once(namespace, &mut version).await {
                Ok(None) => {}
                Ok(Some(end)) => return end,
                Err(kube::Error::Api(status)) if status.code == 410 => return End::Expired,
                Err(error) => tracing::debug!(resource = K::PLURAL, %error, "the watch broke off"),
            }
            // A watch that lasted is no failure.
            if began.elapsed() > RETRY.1 {
                retry = Retry::default();
            }
            retry.wait().await;
        }
    }

    /// One watch request; `version` goes along with what it shows.
    async fn watch_once(&self, namespace: &str, version: &mut String) -> Result<Option<End>, kube::Error> {
        let options = format!("watch=true&allowWatchBookmarks=true&timeoutSeconds={WATCH_SECONDS}");
        let path = format!("{}?{options}&resourceVersion={version}", K::path(namespace));
        let events = self.client.request_events::<K::Wire>(get(&path)?).await?;
        futures::pin_mut!(events);
        // A connection that died shows nothing, not even the bookmark that comes once a minute.
        while let Some(event) = tokio::time::timeout(IDLE, events.try_next()).await.unwrap_or(Ok(None))? {
            let shown = match event {
                WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                    K::version(&object).clone_into(version);
                    K::seen(object)
                }
                WatchEvent::Deleted(object) => {
                    K::version(&object).clone_into(version);
                    K::gone(object)
                }
                WatchEvent::Bookmark(bookmark) => {
                    *version = bookmark.metadata.resource_version;
                    continue;
                }
                WatchEvent::Error(status) => return Err(kube::Error::Api(status)),
            };
            if !self.show(shown).await {
                return Ok(Some(End::Closed));
            }
        }
        Ok(None)
    }

    async fn show(&self, shown: Result<Shown, jobwright_api::read::ReadError>) -> bool {
        match shown {
            Ok(shown) => self.tell(shown).await,
            Err(error) => {
                tracing::error!(resource = K::PLURAL, %error, "an object cannot be read and is left out");
                true
            }
        }
    }

    async fn tell(&self, shown: Shown) -> bool {
        self.to.send(shown).await.is_ok()
    }
}

fn get(path: &str) -> Result<http::Request<Vec<u8>>, kube::Error> {
    http::Request::get(path)
        .body(Vec::new())
        .map_err(|error| kube::Error::BuildRequest(kube::core::request::Error::BuildRequest(error)))
}

/// The delay before something is tried again: it doubles each time.
#[derive(Debug)]
pub struct Retry {
    next: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self { next: RETRY.0 }
    }
}

impl Retry {
    /// Waits; the next wait is twice as long.
    pub async fn wait(&mut self) {
        tokio::time::sleep_until(self.until()).await;
    }

    /// When the wait that begins now is over.
    pub fn until(&mut self) -> Instant {
        let delay = self.next;
        self.next = (delay * 2).min(RETRY.1);
        clock::instant() + delay
    }
}

//! A proxy in front of the API server that counts, holds, refuses and cuts.
//!
//! Invariants: what it refuses was not carried out, what it loses or holds was; without orders it changes nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use kube::Client;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

/// The largest body of a request.
const BODY_MAX: usize = 16 << 20;

/// What happens to a write instead of being carried out and answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Refused with a code and reason; not carried out.
    Refused(u16, &'static str),
    /// Refused with 429 and `Retry-After`; not carried out.
    Busy,
    /// Carried out, and the answer is an error of something in between.
    Lost,
}

/// The proxy, until it is dropped.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    client: Server,
    orders: Mutex<Orders>,
    cut: watch::Sender<u32>,
}

/// The client of the server behind; it has no debug text of its own.
struct Server(Client);

impl std::fmt::Debug for Server {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Client")
    }
}

#[derive(Debug, Default)]
struct Orders {
    /// By verb and resource, for example `create pods`.
    counts: BTreeMap<String, u64>,
    writes: u64,
    /// After how many more writes the next answer is held for ever, and who is told.
    hold: Option<(u64, oneshot::Sender<()>)>,
    /// All further requests are held: the controller is being ended.
    held: bool,
    /// Every so many writes something goes wrong.
    fault: Option<(u64, Fault)>,
    /// Watches that are to be told that their version is too old.
    expire: u32,
}

impl Proxy {
    /// Starts one in front of the server of a client, with the rights of that client.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start(client: Client) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        let (orders, cut) = (Mutex::default(), watch::channel(0).0);
        let shared = Arc::new(Shared { client: Server(client), orders, cut });
        let router = Router::new().fallback(pass).with_state(shared.clone());
        let serving = tokio::spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { port, shared, serving })
    }

    /// Its address.
    #[must_use]
    pub fn server(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Requests by verb and resource so far, for example `create pods`.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<String, u64> {
        self.shared.orders().counts.clone()
    }

    /// Holds the answer to the n-th write from now on, and everything after it; tells when it was carried out.
    #[must_use]
    pub fn hold_after(&self, writes: u64) -> oneshot::Receiver<()> {
        let (tell, told) = oneshot::channel();
        self.shared.orders().hold = Some((writes, tell));
        told
    }

    /// Lets everything through again.
    pub fn let_go(&self) {
        let mut orders = self.shared.orders();
        orders.hold = None;
        orders.held = false;
    }

    /// Every n-th write meets a fault.
    pub fn fault(&self, every: u64, fault: Fault) {
        self.shared.orders().fault = Some((every, fault));
    }

    /// Ends all watches; the next `expired` ones are told that their version is too old.
    pub fn cut_watches(&self, expired: u32) {
        self.shared.orders().expire = expired;
        self.shared.cut.send_modify(|times| *times += 1);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Shared {
    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is done with one request.
enum Plan {
    Pass,
    Hold,
    Refuse(Fault),
    Lose,
    Expire,
}

impl Orders {
    fn plan(&mut self, call: &str, is_write: bool) -> Plan {
        *self.counts.entry(call.to_owned()).or_default() += 1;
        if self.held {
            return Plan::Hold;
        }
        if call.starts_with("watch") && self.expire > 0 {
            self.expire -= 1;
            return Plan::Expire;
        }
        if !is_write {
            return Plan::Pass;
        }
        self.writes += 1;
        if let Some((left, _)) = &mut self.hold {
            *left = left.saturating_sub(1);
        }
        match self.fault {
            Some((every, fault)) if self.writes.is_multiple_of(every) => match fault {
                Fault::Lost => Plan::Lose,
                refused => Plan::Refuse(refused),
            },
            _ => Plan::Pass,
        }
    }

    /// Whether the write that was carried out is the one to hold; from then on everything is held.
    fn is_last(&mut self) -> bool {
        match self.hold.take() {
            Some((0, tell)) => {
                self.held = true;
                let _ = tell.send(());
                true
            }
            other => {
                self.hold = other;
                false
            }
        }
    }
}

async fn pass(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (call, is_write) = name(&request);
    let plan = shared.orders().plan(&call, is_write);
    match plan {
        Plan::Hold => return std::future::pending().await,
        Plan::Refuse(fault) => return refusal(fault),
        Plan::Expire => return status(410, "Expired", None),
        Plan::Pass | Plan::Lose => {}
    }
    let answer = forward(&shared, request).await;
    if is_write && shared.orders().is_last() {
        return std::future::pending().await;
    }
    match (plan, answer) {
        (Plan::Lose, _) => (StatusCode::BAD_GATEWAY, "the answer was lost").into_response(),
        (_, Ok(answer)) => answer,
        (_, Err(error)) => (StatusCode::BAD_GATEWAY, format!("{error:#}")).into_response(),
    }
}

async fn forward(shared: &Shared, request: Request) -> Result<Response> {
    let (mut head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, BODY_MAX).await?;
    for name in [header::HOST, header::AUTHORIZATION, header::CONTENT_LENGTH] {
        head.headers.remove(name);
    }
    let path = head.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let mut sent =
        http::Request::builder().method(head.method).uri(path).body(kube::client::Body::from(body.to_vec()))?;
    *sent.headers_mut() = head.headers;
    let answer = shared.client.0.send(sent).await?;
    let (head, body) = answer.into_parts();
    let mut cut = shared.cut.subscribe();
    let until_cut = async move {
        let _ = cut.changed().await;
    };
    let chunks = Body::new(body).into_data_stream().take_until(Box::pin(until_cut));
    Ok(Response::from_parts(head, Body::from_stream(chunks)))
}

/// `create pods`, `update jobs/status`, `watch jobs` …, and whether it writes something that Jobs are about.
fn name(request: &Request) -> (String, bool) {
    let parts: Vec<&str> = request.uri().path().trim_matches('/').split('/').collect();
    let rest = match parts.iter().position(|part| *part == "namespaces") {
        Some(at) => parts.get(at + 2..).unwrap_or_default(),
        None => parts.get(if parts.first() == Some(&"api") { 2 } else { 3 }..).unwrap_or_default(),
    };
    let resource = rest.first().copied().unwrap_or_default();
    let part = rest.get(2).map(|part| format!("/{part}")).unwrap_or_default();
    let query = request.uri().query().unwrap_or_default();
    let verb = match *request.method() {
        Method::GET if query.contains("watch=true") => "watch",
        Method::GET if rest.len() > 1 => "get",
        Method::GET => "list",
        Method::POST => "create",
        Method::PUT => "update",
        Method::PATCH => "patch",
        _ => "delete",
    };
    let is_write = !matches!(verb, "watch" | "get" | "list") && matches!(resource, "pods" | "jobs");
    (format!("{verb} {resource}{part}"), is_write)
}

fn refusal(fault: Fault) -> Response {
    match fault {
        Fault::Busy => status(429, "TooManyRequests", Some("1")),
        Fault::Refused(code, reason) => status(code, reason, None),
        Fault::Lost => StatusCode::BAD_GATEWAY.into_response(),
    }
}

fn status(code: u16, reason: &str, retry_after: Option<&'static str>) -> Response {
    let body = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": format!("the proxy says {reason}"), "reason": reason, "code": code,
    });
    let code = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = (code, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response();
    if let Some(seconds) = retry_after {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(seconds));
    }
    answer
}

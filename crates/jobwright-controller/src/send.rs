//! Carries one request to the API server and brings its answer back.
//!
//! Invariants: a server that says when to come back is asked again then, as Kubernetes' own clients do; whatever
//! happens becomes an answer or a failure with the API's text (EVT-31), never a panic.

use std::time::Duration;

use jobwright_api::write::Request;
use jobwright_core::{ApiFailure, FailureKind};
use kube::Client;
use kube::client::Body;
use serde::Deserialize;

/// How often a request is repeated because the server asked for it.
const REPEATS: u32 = 10;
/// Longest time that a server may ask for.
const LONGEST: Duration = Duration::from_secs(60);
/// Longest time without an answer; the API server gives up after 60 s itself.
const TIMEOUT: Duration = Duration::from_secs(65);
/// Who the API server notes as having set a field (`metadata.managedFields`).
const FIELD_MANAGER: &str = "jobwright-controller";

/// Why there is no object in an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The server refused.
    #[error("{}", .0.message)]
    Refused(ApiFailure),
    /// No answer came; it may have been carried out.
    #[error("{0}")]
    Lost(String),
}

/// Sends and returns the body of the answer.
///
/// # Errors
/// The server refused, or nothing came back.
pub async fn send(client: &Client, request: &Request) -> Result<Vec<u8>, SendError> {
    let body = request.body.as_ref().map(ToString::to_string).unwrap_or_default();
    for _ in 0..REPEATS {
        match tokio::time::timeout(TIMEOUT, once(client, request, body.clone())).await {
            Err(_) => return Err(SendError::Lost(format!("{} {}: no answer in time", request.verb, request.path))),
            Ok(Ok(Outcome::ComeBack(after))) => tokio::time::sleep(after).await,
            Ok(Ok(Outcome::Body(body))) => return Ok(body),
            Ok(Err(error)) => return Err(error),
        }
    }
    let message = "the server asked to come back too often".into();
    Err(SendError::Refused(ApiFailure { kind: FailureKind::TooManyRequests, message }))
}

enum Outcome {
    Body(Vec<u8>),
    ComeBack(Duration),
}

async fn once(client: &Client, request: &Request, body: String) -> Result<Outcome, SendError> {
    let manager = if matches!(&*request.verb, "GET" | "DELETE") {
        String::new()
    } else {
        format!("?fieldManager={FIELD_MANAGER}")
    };
    let content_type = request.content_type.as_deref().unwrap_or("application/json");
    let sent = http::Request::builder()
        .method(&*request.verb)
        .uri(format!("{}{manager}", request.path))
        .header(http::header::CONTENT_TYPE, content_type)
        .header(http::header::ACCEPT, "application/json")
        .body(Body::from(body.into_bytes()))
        .map_err(|error| SendError::Lost(error.to_string()))?;
    let lost = |error: kube::Error| SendError::Lost(chain(&error));
    let answer = client.send(sent).await.map_err(lost)?;
    let (status, come_back) = (answer.status(), come_back(&answer));
    let body = answer.into_body().collect_bytes().await.map_err(lost)?;
    match come_back {
        _ if status.is_success() => Ok(Outcome::Body(body.into())),
        Some(after) => Ok(Outcome::ComeBack(after)),
        None => Err(SendError::Refused(failure(status.as_u16(), &body))),
    }
}

/// What `Retry-After` of a busy server says.
fn come_back(answer: &http::Response<Body>) -> Option<Duration> {
    let busy = answer.status() == 429 || answer.status().is_server_error();
    let seconds = answer.headers().get(http::header::RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    busy.then_some(Duration::from_secs(seconds).min(LONGEST))
}

/// An error with its causes: the outermost one often says little.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = [&text, ": ", &cause_text].concat();
        }
        next = cause.source();
    }
    text
}

#[derive(Deserialize)]
struct Status {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    #[serde(default)]
    causes: Vec<Cause>,
}

#[derive(Deserialize)]
struct Cause {
    #[serde(default)]
    reason: String,
}

/// A refusal: the API's `Status`, or the bare code of something in between.
fn failure(code: u16, body: &[u8]) -> ApiFailure {
    let Ok(status) = serde_json::from_slice::<Status>(body) else {
        let text = String::from_utf8_lossy(body);
        let text: String = text.trim().chars().take(200).collect();
        return ApiFailure {
            kind: of_code(code),
            message: format!("the server answered with code {code}: {text}").into(),
        };
    };
    let terminating = || {
        let causes = status.details.iter().flat_map(|details| &details.causes);
        causes.into_iter().any(|cause| cause.reason == "NamespaceTerminating")
    };
    let kind = match &*status.reason {
        "AlreadyExists" => FailureKind::AlreadyExists,
        "Forbidden" if terminating() => FailureKind::NamespaceTerminating,
        _ => of_code(code),
    };
    ApiFailure { kind, message: status.message.into() }
}

const fn of_code(code: u16) -> FailureKind {
    match code {
        403 => FailureKind::Forbidden,
        404 => FailureKind::NotFound,
        409 => FailureKind::Conflict,
        422 => FailureKind::Invalid,
        429 => FailureKind::TooManyRequests,
        500 => FailureKind::Internal,
        504 => FailureKind::Timeout,
        _ => FailureKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_apart_by_code_reason_and_cause_cre_13() {
        let of = |code, body: &str| failure(code, body.as_bytes());
        let status = |reason: &str, causes: &str| {
            format!(r#"{{"kind":"Status","reason":"{reason}","message":"m","details":{{"causes":{causes}}}}}"#)
        };
        assert_eq!(of(409, &status("AlreadyExists", "[]")).kind, FailureKind::AlreadyExists);
        assert_eq!(of(409, &status("Conflict", "[]")).kind, FailureKind::Conflict);
        assert_eq!(of(403, &status("Forbidden", "[]")).kind, FailureKind::Forbidden);
        let terminating = of(403, &status("Forbidden", r#"[{"reason":"NamespaceTerminating"}]"#));
        assert_eq!((terminating.kind, &*terminating.message), (FailureKind::NamespaceTerminating, "m"));
        let strange = of(502, "<html>bad gateway</html>");
        assert_eq!(
            (strange.kind, &*strange.message),
            (FailureKind::Other, "the server answered with code 502: <html>bad gateway</html>")
        );
    }
}

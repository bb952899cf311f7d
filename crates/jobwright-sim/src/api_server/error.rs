//! How the simulated API server refuses a call.
//!
//! Invariant: reasons, texts and causes are those of a Kubernetes `Status`, because event messages
//! print them (EVT-31).

use jobwright_core::{ApiFailure, FailureKind, Resource};

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// The machine's word.
    pub reason: Reason,
    /// The person's sentence.
    pub message: String,
    /// The fields at fault.
    pub causes: Vec<Cause>,
}

/// `reason` of a `Status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// 404
    NotFound,
    /// 409 on a creation
    AlreadyExists,
    /// 409 on a change
    Conflict,
    /// 422
    Invalid,
    /// 403
    Forbidden,
    /// 429
    TooManyRequests,
    /// 504
    Timeout,
    /// 500
    InternalError,
    /// 400
    BadRequest,
}

impl Reason {
    /// The API's text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "NotFound",
            Self::AlreadyExists => "AlreadyExists",
            Self::Conflict => "Conflict",
            Self::Invalid => "Invalid",
            Self::Forbidden => "Forbidden",
            Self::TooManyRequests => "TooManyRequests",
            Self::Timeout => "Timeout",
            Self::InternalError => "InternalError",
            Self::BadRequest => "BadRequest",
        }
    }

    /// What decisions make of it.
    #[must_use]
    pub const fn kind(self) -> FailureKind {
        match self {
            Self::NotFound => FailureKind::NotFound,
            Self::AlreadyExists => FailureKind::AlreadyExists,
            Self::Conflict => FailureKind::Conflict,
            Self::Invalid => FailureKind::Invalid,
            Self::Forbidden => FailureKind::Forbidden,
            Self::TooManyRequests => FailureKind::TooManyRequests,
            Self::Timeout => FailureKind::Timeout,
            Self::InternalError => FailureKind::Internal,
            Self::BadRequest => FailureKind::Other,
        }
    }
}

/// One cause of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The kind of error, for example `FieldValueInvalid`.
    pub kind: String,
    /// The path of the field.
    pub field: String,
    /// What is wrong with it.
    pub detail: String,
}

/// The text for a resource in messages.
#[must_use]
pub const fn resource_text(resource: Resource) -> &'static str {
    match resource {
        Resource::Jobs => "jobs.batch",
        Resource::Pods => "pods",
    }
}

impl ApiError {
    fn new(reason: Reason, message: String) -> Self {
        Self { reason, message, causes: Vec::new() }
    }

    /// There is no such object.
    #[must_use]
    pub fn not_found(resource: Resource, name: &str) -> Self {
        Self::new(Reason::NotFound, format!("{} \"{name}\" not found", resource_text(resource)))
    }

    /// There is an object of that name.
    #[must_use]
    pub fn already_exists(resource: Resource, name: &str) -> Self {
        Self::new(Reason::AlreadyExists, format!("{} \"{name}\" already exists", resource_text(resource)))
    }

    /// The object is not what the caller thinks.
    #[must_use]
    pub fn conflict(resource: Resource, name: &str, why: &str) -> Self {
        let resource = resource_text(resource);
        Self::new(Reason::Conflict, format!("Operation cannot be fulfilled on {resource} \"{name}\": {why}"))
    }

    /// The object breaks rules.
    #[must_use]
    pub fn invalid(kind: &str, name: &str, causes: Vec<Cause>) -> Self {
        let mut listed: Vec<String> = causes.iter().map(|c| format!("{}: {}", c.field, c.detail)).collect();
        let text = match listed.len() {
            1 => listed.remove(0),
            _ => format!("[{}]", listed.join(", ")),
        };
        let message = format!("{kind} \"{name}\" is invalid: {text}");
        Self { reason: Reason::Invalid, message, causes }
    }

    /// The object is none of its kind.
    #[must_use]
    pub fn bad_request(why: &str) -> Self {
        Self::new(Reason::BadRequest, why.to_owned())
    }

    /// As the core reads it.
    #[must_use]
    pub fn to_failure(&self) -> ApiFailure {
        ApiFailure { kind: self.reason.kind(), message: self.message.clone().into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_kubernetes_evt_31() {
        assert_eq!(ApiError::not_found(Resource::Pods, "a").to_string(), "pods \"a\" not found");
        let exists = ApiError::already_exists(Resource::Jobs, "job");
        assert_eq!(exists.to_string(), "jobs.batch \"job\" already exists");
        let cause = |field: &str| Cause { kind: "FieldValueInvalid".into(), field: field.into(), detail: "no".into() };
        let one = ApiError::invalid("Job.batch", "job", vec![cause("a")]);
        assert_eq!(one.to_string(), "Job.batch \"job\" is invalid: a: no");
        let two = ApiError::invalid("Job.batch", "job", vec![cause("a"), cause("b")]);
        assert_eq!(two.to_string(), "Job.batch \"job\" is invalid: [a: no, b: no]");
    }
}

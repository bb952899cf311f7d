//! Names and numbers that identify things.
//!
//! Invariant: two values are equal exactly when the API's texts are; printing a value gives that text.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use core::fmt;

/// A text that is either part of the program or made at run time: reasons and messages.
pub type Text = Cow<'static, str>;

/// The `metadata.uid` of an object.
///
/// A UUID in its usual form is kept as 16 bytes; any other text is kept as it is, because a person
/// may write any text into `status.uncountedTerminatedPods` (SEEN-4).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uid(Repr);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    /// In the order in which it is written.
    Uuid([u8; 16]),
    Other(Arc<str>),
}

impl Uid {
    /// Reads a uid; every text is one.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(uuid_bits(text).map_or_else(|| Repr::Other(text.into()), |bits| Repr::Uuid(bits.to_be_bytes())))
    }

    /// The UUID of these bytes.
    pub(crate) const fn from_uuid(bytes: [u8; 16]) -> Self {
        Self(Repr::Uuid(bytes))
    }

    /// The bytes, if it is a UUID.
    pub(crate) const fn uuid(&self) -> Option<[u8; 16]> {
        if let Repr::Uuid(bytes) = self.0 { Some(bytes) } else { None }
    }

    /// True for the empty text, which is no uid that the API server gives.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Repr::Other(text) if text.is_empty())
    }
}

/// The bits of a lower-case UUID in 8-4-4-4-12 form.
fn uuid_bits(text: &str) -> Option<u128> {
    let bytes = text.as_bytes();
    if bytes.len() != 36 {
        return None;
    }
    bytes.iter().enumerate().try_fold(0_u128, |bits, (at, byte)| {
        if matches!(at, 8 | 13 | 18 | 23) {
            return (*byte == b'-').then_some(bits);
        }
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        Some(bits << 4 | u128::from(digit))
    })
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Other(text) => f.write_str(text),
            Repr::Uuid(bytes) => {
                let bits = u128::from_be_bytes(*bytes);
                write!(
                    f,
                    "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
                    bits >> 96,
                    bits >> 80 & 0xffff,
                    bits >> 64 & 0xffff,
                    bits >> 48 & 0xffff,
                    bits & 0xffff_ffff_ffff
                )
            }
        }
    }
}

impl fmt::Debug for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Namespace and name of a Job: the key of the work queue (EVQ-1).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobKey {
    /// `metadata.namespace`
    pub namespace: Arc<str>,
    /// `metadata.name`
    pub name: Arc<str>,
}

impl JobKey {
    /// The key of the Job `name` in `namespace`.
    #[must_use]
    pub fn new(namespace: &str, name: &str) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }
}

impl fmt::Display for JobKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// Namespace and name of a Pod.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PodKey {
    /// `metadata.namespace`
    pub namespace: Arc<str>,
    /// `metadata.name`
    pub name: Arc<str>,
}

impl PodKey {
    /// The key of the pod `name` in `namespace`.
    #[must_use]
    pub fn new(namespace: &str, name: &str) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }
}

/// A completion index of an Indexed Job, counted from 0 (GLO-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CompletionIndex(pub u32);

impl CompletionIndex {
    /// Reads the annotation `batch.kubernetes.io/job-completion-index` as Go's `Atoi` does: an optional
    /// sign and digits. Anything else, a negative number or one above 2147483647 is no index.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let number = atoi(text)?;
        u32::try_from(number).ok().filter(|n| *n <= i32::MAX as u32).map(Self)
    }
}

/// Go's `strconv.Atoi` on 64 bits.
pub(crate) fn atoi(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// A `metadata.resourceVersion` read as a number; 0 is "none".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceVersion(pub u64);

impl ResourceVersion {
    /// Reads the API's text; one that is no number is "none", and compares as older than all others.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self(text.parse().unwrap_or(0))
    }
}

impl fmt::Display for ResourceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Ties an answer to the write that it answers; unique within the life of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WriteId(pub u64);

/// A printed form of anything, for messages that the API shows.
pub(crate) fn text(args: fmt::Arguments<'_>) -> Text {
    args.as_str().map_or_else(|| Cow::Owned(alloc::fmt::format(args)), Cow::Borrowed)
}

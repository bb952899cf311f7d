//! Points in time and lengths of time, in whole milliseconds.
//!
//! Invariant: nothing here reads a clock. The API stores whole seconds (`metav1.Time`), so a value
//! that was stored and read back is a multiple of 1,000 ms: see [`Timestamp::on_wire`].

use core::ops::{Add, Sub};

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The point `seconds` after 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1_000))
    }

    /// This time as the API stores it: cut, not rounded, to whole seconds (BKO-10, DDL-7).
    #[must_use]
    pub const fn on_wire(self) -> Self {
        Self(self.0.div_euclid(1_000) * 1_000)
    }
}

/// A length of time in milliseconds; negative when it points to the past.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub i64);

impl Millis {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// `seconds` seconds.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1_000))
    }
}

impl Add<Millis> for Timestamp {
    type Output = Self;
    fn add(self, by: Millis) -> Self {
        Self(self.0.saturating_add(by.0))
    }
}

impl Sub<Millis> for Timestamp {
    type Output = Self;
    fn sub(self, by: Millis) -> Self {
        Self(self.0.saturating_sub(by.0))
    }
}

impl Sub for Timestamp {
    type Output = Millis;
    fn sub(self, earlier: Self) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl Sub for Millis {
    type Output = Self;
    fn sub(self, less: Self) -> Self {
        Self(self.0.saturating_sub(less.0))
    }
}

//! The Job controller for real clusters: watches in, writes out, around [`jobwright_core`].
//!
//! ```text
//!   watch ──▶ drive ──▶ core ──▶ drive ──▶ writes ──▶ API server
//!     ▲                             ├────▶ events
//!     └── API server                └────▶ metrics ──▶ serve
//! ```
//!
//! Invariants: nothing here knows a rule about Jobs; time is read in [`clock`] only; while this replica does not
//! lead, it observes and writes nothing; each write of the core is answered exactly once, also if nobody answers it.

pub mod args;
pub mod clock;
pub mod config;
pub mod connect;
pub mod drive;
pub mod events;
pub mod gates;
pub mod jobs;
pub mod lease;
pub mod logs;
pub mod metrics;
pub mod pace;
pub mod run;
pub mod send;
pub mod serve;
pub mod shown;
pub mod watch;
pub mod writes;

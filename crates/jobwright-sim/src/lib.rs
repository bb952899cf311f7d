//! A deterministic cluster around the core: API server, kubelet, garbage collector and clock, with
//! scenarios, sessions that can be stepped and rewound, and the comparison with recorded traces.
//!
//! Invariants: same text, same seed, same run. The core is driven as any host drives it; nothing here
//! looks into its state. Only [`rng`] makes numbers up.

pub mod api_server;
pub mod explain;
pub mod explore;
pub mod fault;
pub mod garbage_collector;
pub mod kubelet;
pub mod object;
pub mod pod_garbage_collector;
pub mod reconcile;
pub mod replay;
pub mod rng;
pub mod scenario;
pub mod session;
mod text;
pub mod trace;
pub mod view;
pub mod world;
mod yaml_text;

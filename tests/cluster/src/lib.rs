//! A cluster for tests and for trying things out: a real etcd and a real kube-apiserver, nodes that only pretend to
//! run pods, and the controller as a process.
//!
//! Invariants: everything listens on loopback, lives in a folder of its own and ends with its owner; nothing here knows a
//! rule about Jobs.

pub mod controller;
pub mod job;
mod keys;
pub mod kubeconfig;
pub mod nodes;
pub mod part;
pub mod plane;
pub mod proxy;

pub use controller::ControllerProcess;
pub use nodes::{Nodes, Speed};
pub use plane::{Options, Plane, control_plane};

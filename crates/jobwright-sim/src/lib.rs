//! placeholder
pub mod view;

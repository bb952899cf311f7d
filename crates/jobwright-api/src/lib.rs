//! placeholder
pub mod card;

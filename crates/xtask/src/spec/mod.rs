//! The rules of `docs/spec`: their ids, where they are defined, who cites them, and how each is covered.

pub(crate) mod catalogue;
pub(crate) mod citations;
pub(crate) mod coverage;
pub(crate) mod ids;
pub(crate) mod report;

pub(crate) use catalogue::Catalogue;

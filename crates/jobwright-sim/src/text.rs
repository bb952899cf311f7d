//! Texts for people, from the message catalogue.
//!
//! Invariant: every sentence that this crate gives to a person stands in the catalogue under `sim.`.

use jobwright_api::Catalogue;

/// The text of an id with values put in.
pub(crate) fn say(id: &str, values: &[(&str, &str)]) -> String {
    Catalogue::current().text(id, values)
}

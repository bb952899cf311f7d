//! The defects and undefined orders of upstream that `docs/spec` lists as RACE-1 to RACE-19, each with what shows it.
//!
//! A walk finds those that a small Job reaches by itself, and gives a witness that runs as a scenario. For the others a
//! scenario, a recorded trace or another test shows what happens, or why nothing can. `docs/parity.md` has the table.

mod scenarios;
mod table;
mod walks;

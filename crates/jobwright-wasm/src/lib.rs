//! The engine for the browser: decode, call, encode.
//!
//! Invariant: thin. What a method does is in `jobwright-sim`; nothing here knows a rule about Jobs. What
//! goes out is plain data of the types in `web/src/gen`; what is thrown is plain data too, except for
//! faults of the caller, which are JavaScript errors.

use jobwright_api::Catalogue;
use jobwright_sim::explore::{self, Wish};
use jobwright_sim::kubelet::Outcomes;
use jobwright_sim::reconcile::{self, Snapshot};
use jobwright_sim::scenario;
use jobwright_sim::session::{self, Injection, Options, PodEvent, Refusal};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// The generated types that the signatures below name.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Diagnostic } from "../Diagnostic.ts";
import type { Explanation } from "../Explanation.ts";
import type { Explored } from "../Explored.ts";
import type { FieldLine } from "../FieldLine.ts";
import type { Frame } from "../Frame.ts";
import type { PodActionFrame } from "../PodActionFrame.ts";
import type { Reconciled } from "../Reconciled.ts";
import type { Snapshot } from "../Snapshot.ts";

/** What `inject` and `perform` throw when it is impossible. */
export interface Refused { why: string }

/** A scenario (YAML) and its trace (JSON), as `jobwright replay` takes them. */
export interface Exported { scenario: string; trace: string }
"#;

/// Sends a panic with its place to the console before the engine stops.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The texts of a language by id: what `crates/jobwright-api/catalogue/en.json` or another one holds. Once, before anything
/// else; without it texts show as their ids.
#[wasm_bindgen(js_name = useTexts)]
pub fn use_texts(#[wasm_bindgen(unchecked_param_type = "Readonly<Record<string, string>>")] texts: &js_sys::Object) {
    let entries = js_sys::Object::entries(texts);
    Catalogue::install(entries.iter().filter_map(|entry| {
        let entry = js_sys::Array::from(&entry);
        Some((entry.get(0).as_string()?, entry.get(1).as_string()?))
    }));
}

/// All that an editor shows about a text: errors, warnings and lints with their places.
#[wasm_bindgen(unchecked_return_type = "Diagnostic[]")]
pub fn validate(text: &str) -> Result<JsValue, JsValue> {
    encode(&scenario::diagnose(text))
}

/// What the controller writes, and why, on one look at a Job and its pods as the API server stores them; no session, no
/// cluster. The controller has just started, or with `recall` knows the failures before. Throws an array of `Diagnostic`
/// with the field of what is wrong.
#[wasm_bindgen(unchecked_return_type = "Reconciled")]
pub fn reconcile(#[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue) -> Result<JsValue, JsValue> {
    let text = js_sys::JSON::stringify(snapshot)?;
    let snapshot = Snapshot::from_json(&text.as_string().unwrap_or_default()).map_err(|errors| thrown(&errors))?;
    encode(&reconcile::reconcile(&snapshot).map_err(|error| thrown(&vec![error.to_diagnostic()]))?)
}

/// Where the fields of the Job's spec stand in a text.
#[wasm_bindgen(js_name = fieldLines, unchecked_return_type = "FieldLine[]")]
pub fn field_lines(text: &str) -> Result<JsValue, JsValue> {
    encode(&scenario::field_lines(text))
}

/// All ends of the Job of a text, if pods end as `anyOf` says (`0,1,evict`) and so many things go wrong. `progress` is
/// called with the number of moments found so far. Throws an array of `Diagnostic`.
#[wasm_bindgen(unchecked_return_type = "Explored")]
pub fn explore(
    text: &str,
    any_of: String,
    crashes: u8,
    conflicts: u8,
    states_max: u32,
    progress: &js_sys::Function,
) -> Result<JsValue, JsValue> {
    let wish = Wish { any_of, crashes, conflicts, states_max: states_max as usize };
    let mut tell = |states: usize| {
        // What the page does with it cannot stop the walk.
        let _ = progress.call1(&JsValue::NULL, &JsValue::from(u32::try_from(states).unwrap_or(u32::MAX)));
    };
    encode(&explore::explore(text, &wish, &mut tell).map_err(|errors| thrown(&errors))?)
}

/// What is wrong with a script of outcomes, as a sentence.
#[wasm_bindgen(js_name = outcomesProblem)]
#[must_use]
pub fn outcomes_problem(script: &str) -> Option<String> {
    Outcomes::parse(script).err().map(|error| error.message)
}

/// A Job that is played: stepped, rewound, and interfered with.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session(session::Session);

#[wasm_bindgen]
impl Session {
    /// Reads a Job, a scenario or a dump of a stored Job and its pods; nothing is decided yet. Outcomes replace those of the text; the same text,
    /// outcomes and seed give the same session. Throws an array of `Diagnostic`.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, outcomes: Option<String>, seed: Option<u32>) -> Result<Self, JsValue> {
        let options = Options { outcomes: outcomes.unwrap_or_default(), seed: seed.unwrap_or_default().into() };
        session::Session::from_text(text, &options).map(Self).map_err(|errors| thrown(&errors))
    }

    /// Why the Job was where it was at the start, if the text is a dump.
    #[wasm_bindgen(unchecked_return_type = "Explanation | null")]
    pub fn explanation(&self) -> Result<JsValue, JsValue> {
        encode(&self.0.explanation())
    }

    /// The present moment.
    #[wasm_bindgen(unchecked_return_type = "Frame")]
    pub fn frame(&self) -> Result<JsValue, JsValue> {
        encode(&self.0.frame())
    }

    /// Goes to the next decision, if there is one.
    #[wasm_bindgen(unchecked_return_type = "Frame")]
    pub fn step(&mut self) -> Result<JsValue, JsValue> {
        self.0.step();
        self.frame()
    }

    /// Goes to the next call of the controller or the next decision, if there is one.
    #[wasm_bindgen(js_name = stepWrite, unchecked_return_type = "Frame")]
    pub fn step_write(&mut self) -> Result<JsValue, JsValue> {
        self.0.step_write();
        self.frame()
    }

    /// Goes to the decision before, if there is one.
    #[wasm_bindgen(js_name = stepBack, unchecked_return_type = "Frame")]
    pub fn step_back(&mut self) -> Result<JsValue, JsValue> {
        self.0.step_back();
        self.frame()
    }

    /// Goes to a decision, forwards or backwards; to the last one if there are not so many.
    #[wasm_bindgen(unchecked_return_type = "Frame")]
    pub fn seek(&mut self, decision: u32) -> Result<JsValue, JsValue> {
        self.0.seek(decision);
        self.frame()
    }

    /// Goes to the next decision that a timer of the Job led to, or to the end.
    #[wasm_bindgen(js_name = stepTimer, unchecked_return_type = "Frame")]
    pub fn step_timer(&mut self) -> Result<JsValue, JsValue> {
        self.0.step_timer();
        self.frame()
    }

    /// Goes to a decision and so many calls of the controller further.
    #[wasm_bindgen(js_name = seekWrite, unchecked_return_type = "Frame")]
    pub fn seek_write(&mut self, decision: u32, writes: u32) -> Result<JsValue, JsValue> {
        self.0.seek_write(decision, writes);
        self.frame()
    }

    /// How many calls of the decision under way lie behind.
    #[wasm_bindgen(js_name = writesBehind)]
    #[must_use]
    pub fn writes_behind(&self) -> u32 {
        self.0.writes_behind()
    }

    /// What may be done to a pod (its name, or `#3` for the third that was made).
    #[wasm_bindgen(unchecked_return_type = "PodActionFrame[]")]
    pub fn actions(&self, pod: &str) -> Result<JsValue, JsValue> {
        encode(&self.0.actions(pod))
    }

    /// Carries out an action of a scenario's step now, as YAML or JSON: `{"crash": {"afterWrites": 1}}`. Throws
    /// `Refused` if that is impossible; then nothing has changed.
    #[wasm_bindgen(unchecked_return_type = "Frame")]
    pub fn perform(&mut self, action: &str) -> Result<JsValue, JsValue> {
        self.0.perform(action).map_err(|Refusal(why)| thrown(&Refused { why }))?;
        self.frame()
    }

    /// The session so far as a scenario of that name, with its trace.
    #[wasm_bindgen(unchecked_return_type = "Exported")]
    pub fn export(&self, name: &str) -> Result<JsValue, JsValue> {
        let exported = self.0.export(name).map_err(|error| JsError::new(&error))?;
        encode(&Exported { scenario: exported.scenario, trace: exported.trace })
    }

    /// Does something to a pod (its name, or `#3` for the third that was made) now: one of its `actions`, `fail` with an
    /// exit code from 1 to 255. Throws `Refused` if that is impossible; then nothing has changed.
    #[wasm_bindgen(unchecked_return_type = "Frame")]
    pub fn inject(&mut self, pod: String, action: &str, exit_code: Option<u32>) -> Result<JsValue, JsValue> {
        // What is no exit code at all is refused as 0 is: with the sentence that names the range.
        let exit_code = exit_code.map(|code| u8::try_from(code).unwrap_or_default());
        let event =
            PodEvent::parse(action, exit_code).ok_or_else(|| JsError::new(&format!("no such action: {action}")))?;
        self.0.inject(&Injection { pod, event }).map_err(|Refusal(why)| thrown(&Refused { why }))?;
        self.frame()
    }

    /// A session that goes its own way from here.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self(self.0.fork())
    }
}

/// Why an action is impossible.
#[derive(Serialize)]
struct Refused {
    why: String,
}

/// A scenario and its trace.
#[derive(Serialize)]
struct Exported {
    scenario: String,
    trace: String,
}

/// Plain objects, `null` for what is absent: what `JSON.parse` would give.
fn encode<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
}

/// The same for what is thrown.
fn thrown<T: Serialize>(value: &T) -> JsValue {
    encode(value).unwrap_or_else(|error| error)
}

//! The engine for the browser: decode, call, encode.
//!
//! Invariant: thin. What a method does is in `jobwright-sim`; nothing here knows a rule about Jobs. What
//! goes out is plain data of the types in `web/src/gen`.

use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::JsValue;

/// The generated types that the signatures below name.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Diagnostic } from "../Diagnostic.ts";
import type { Frame } from "../Frame.ts";
"#;

/// Sends a panic with its place to the console before the engine stops.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// All that an editor shows about a text: errors and warnings with their places.
#[wasm_bindgen(unchecked_return_type = "Diagnostic[]")]
pub fn validate(text: &str) -> Result<JsValue, JsValue> {
    encode(&jobwright_api::manifest::validate(text))
}

/// Plain objects, `null` for what is absent: what `JSON.parse` would give.
fn encode<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
}

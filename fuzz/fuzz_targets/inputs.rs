//! See `jobwright_tests::fuzz::inputs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(wrong) = jobwright_tests::fuzz::inputs(bytes) {
        panic!("{wrong}");
    }
});

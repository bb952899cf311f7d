//! See `jobwright_tests::fuzz::index_text`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(wrong) = jobwright_tests::fuzz::index_text(bytes) {
        panic!("{wrong}");
    }
});

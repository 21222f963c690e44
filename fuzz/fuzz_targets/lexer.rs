//! Any text is tokens in order, and complaints in their places.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warpsim_tests::fuzz::lexer(bytes));

//! Checks that the parser turns any text into a syntax tree and messages.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warpsim_tests::fuzz::parser(bytes));

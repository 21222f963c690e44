//! Checks that the lexer turns any text into tokens in order, with messages at the right places.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warpsim_tests::fuzz::lexer(bytes));

//! Checks that any text gets an error message or compiles to verified programs.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warpsim_tests::fuzz::lowering(bytes));

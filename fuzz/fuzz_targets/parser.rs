//! Any text is a tree and complaints.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warpsim_tests::fuzz::parser(bytes));

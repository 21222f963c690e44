//! Checks that no verified program makes the executor panic.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    warpsim_tests::fuzz::code::executor(bytes);
});

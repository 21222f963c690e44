//! Checks that any sequence of calls of the CUDA runtime API does what a model says.

#![no_main]

#[path = "../../../language/cudart/tests/sequences/driver.rs"]
mod driver;
#[path = "../../../language/cudart/tests/sequences/host.rs"]
mod host;
#[path = "../../../language/cudart/tests/sequences/model.rs"]
mod model;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| driver::sequence(bytes));

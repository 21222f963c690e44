//! Checks that the compiler of CUDA C accepts or refuses any source of the generator of hostile
//! sources within bounds of time and memory.

#![no_main]

#[path = "../../../language/embedded/tests/hostile_sources/oracle.rs"]
#[expect(dead_code, reason = "the test prints more")]
mod oracle;
#[path = "../../../language/embedded/tests/hostile_sources/plan.rs"]
#[expect(dead_code, reason = "the test makes plans of seeds")]
mod plan;

/// How much longer a source may take than the bounds say, because the build has other options.
const FACTOR: u32 = 10;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let plan = plan::Plan::of_bytes(bytes);
    if let Some(failure) = oracle::compiled(&plan, FACTOR).failure {
        panic!("{}: {failure}", plan.description());
    }
});

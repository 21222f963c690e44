//! Random sequences of calls with hostile arguments, against a model. `tests/fuzz` has the same
//! property as a target of the fuzzer.

mod driver;
mod host;
mod model;

/// Runs `count` sequences of a deterministic generator.
fn sequences(count: u64, seed: u64) {
    let mut state = seed;
    for _ in 0..count {
        let bytes: Vec<u8> = (0..600)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        driver::sequence(&bytes);
    }
}

#[test]
fn any_sequence_of_calls_does_what_the_model_says() {
    sequences(2_000, 1);
}

/// The same as [`any_sequence_of_calls_does_what_the_model_says`], with more sequences.
#[test]
#[ignore = "minutes"]
fn any_sequence_of_calls_does_what_the_model_says_at_length() {
    sequences(400_000, 2);
}

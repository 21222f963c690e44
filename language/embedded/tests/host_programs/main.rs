//! Random host programs print what they print when the C or C++ compiler of the host compiles them.
//!
//! `WARPSIM_HOST_PROGRAMS=10000 cargo test --release --workspace --test host_programs` compares
//! more programs than CI; `WARPSIM_HOST_SEED=7` starts at another seed.

mod classes;
#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;
#[path = "../../../cuda/tests/differential/expression.rs"]
mod expression;
#[path = "../../../cuda/tests/differential/generate.rs"]
mod generate;
#[path = "../../../cuda/tests/differential/host.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod host;
#[path = "../common/native.rs"]
mod native;
mod objects;

use generate::inputs;
use native::{compiled, compiled_as_cpp};
use test_support::random::setting;

/// What a program prints that the host compiles; its text, the level and the name of the test.
type Native = fn(&str, &str, &str) -> Option<String>;

/// Compares what programs print: a program of each seed. `usual`: how many programs CI compares.
fn compare(test: &str, usual: u64, native: Native, program: &dyn Fn(u64) -> String) {
    let (count, first) = (setting("WARPSIM_HOST_PROGRAMS", usual), setting("WARPSIM_HOST_SEED", 0));
    let mut failures = 0;
    for seed in first..first + count {
        let text = program(seed);
        let run = common::run("random.cu", &text, "fermi", &[]);
        assert_eq!((run.code, run.message.as_str()), (0, ""), "seed {seed}:\n{text}");
        let Some(expected) = native(&text, "-O1", test) else { return };
        let mut lines = run.out.lines().zip(expected.lines()).enumerate();
        if run.out != expected {
            failures += 1;
            let first = lines.find(|(_, (found, expected))| found != expected);
            println!("seed {seed}, line, found and expected: {first:?}");
            if failures == 1 {
                println!("{text}");
            }
        }
    }
    assert_eq!(failures, 0, "the lines above name the programs of {test}");
}

/// The kernels that test the compiler of the device, as functions of the host.
#[test]
fn kernels_as_host_functions_agree_with_the_c_compiler() {
    let input = inputs();
    compare("kernels as host functions", 20, compiled, &|seed| {
        let name = format!("k{seed}");
        host::text(&[(name.clone(), generate::program(seed, &name))], &input)
    });
}

#[test]
fn recursive_programs_agree_with_the_c_compiler() {
    compare("recursive programs", 20, compiled, &objects::program);
}

#[test]
fn programs_of_classes_agree_with_the_cpp_compiler() {
    compare("programs of classes", 40, compiled_as_cpp, &classes::program);
}

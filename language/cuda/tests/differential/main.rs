//! Random programs have the same results without and with the optimizer, on every target, and on
//! the host if it has a C compiler.
//!
//! `WARPSIM_CUDA_PROGRAMS=100000 cargo test --release -p cuda --test differential` runs more
//! programs than CI; `WARPSIM_CUDA_SEED=7` starts at another seed.

#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;
mod expression;
mod generate;
mod host;
mod shrink;

use std::io::Write as _;

use common::{as_ints, compile, ints, run};
use generate::{BLOCKS, RESULTS, THREADS, inputs, program};
use test_support::random::setting;

const TARGETS: [&str; 3] = ["sm_10", "sm_13", "sm_20"];

fn execute(ptx: &str, target: &str, name: &str, input: &[i32]) -> Result<Vec<i32>, String> {
    let output = vec![0; BLOCKS * THREADS * RESULTS];
    let shape = ((BLOCKS as u32, 1), (THREADS as u32, 1));
    run(ptx, target, name, shape, 0, &[ints(input), ints(&output)]).map(|buffers| as_ints(&buffers[1]))
}

/// What is wrong with a program for a target and a level; `reference` has the results of the host.
/// Without them, the first results are the reference.
fn complaint(
    (name, text): &(String, String),
    (target, level): (&str, u32),
    input: &[i32],
    reference: &mut Option<Vec<i32>>,
) -> Option<String> {
    match compile(text, target, level).and_then(|ptx| execute(&ptx, target, name, input)) {
        Err(message) => Some(message),
        Ok(found) => {
            let reference = reference.get_or_insert_with(|| found.clone());
            let at = found.iter().zip(&*reference).position(|(a, b)| a != b)?;
            let (thread, result) = (at / RESULTS, at % RESULTS);
            let (found, expected) = (found[at], reference[at]);
            Some(format!("thread {thread}, result {result}: {found} instead of {expected}"))
        }
    }
}

/// The smallest part of a program with wrong results that has wrong results.
fn smallest((name, text): &(String, String), case: (&str, u32), input: &[i32]) -> String {
    let is_wrong = |text: &str| {
        let program = (name.clone(), text.to_owned());
        // The part is a program only if the compilers take it.
        let Ok(reference) = compile(text, case.0, 0).and_then(|ptx| execute(&ptx, case.0, name, input))
        else {
            return false;
        };
        let host = host::run(std::slice::from_ref(&program), input).map(|mut all| all.remove(0));
        complaint(&program, case, input, &mut Some(host.unwrap_or(reference))).is_some()
    };
    shrink::shrink(text, &is_wrong)
}

#[test]
fn optimizer_and_targets_agree() {
    let count = setting("WARPSIM_CUDA_PROGRAMS", 60);
    let first = setting("WARPSIM_CUDA_SEED", 0);
    let input = inputs();
    let mut failures = 0;
    for start in (first..first + count).step_by(50) {
        let end = (start + 50).min(first + count);
        let programs: Vec<(String, String)> =
            (start..end).map(|seed| (format!("k{seed}"), program(seed, &format!("k{seed}")))).collect();
        let expected = host::run(&programs, &input);
        if expected.is_none() && start == first {
            // The test harness does not capture this.
            let text = "SKIPPED: no C compiler (cc) on the host; only the targets are compared";
            writeln!(std::io::stderr(), "{text}").expect("standard error is open");
        }
        for (index, program) in programs.iter().enumerate() {
            let mut reference = expected.as_ref().map(|all| all[index].clone());
            for case in TARGETS.into_iter().flat_map(|target| [(target, 0), (target, 3)]) {
                let Some(complaint) = complaint(program, case, &input, &mut reference) else { continue };
                failures += 1;
                println!("{} {} -O{}: {complaint}", program.0, case.0, case.1);
                if failures == 1 {
                    println!("{}", smallest(program, case, &input));
                }
            }
        }
    }
    assert_eq!(failures, 0, "the lines above name the programs");
}

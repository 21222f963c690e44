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

use std::io::Write as _;

use common::{as_ints, compile, ints, run};
use generate::{BLOCKS, INPUTS, RESULTS, THREADS, program};

const TARGETS: [&str; 3] = ["sm_10", "sm_13", "sm_20"];

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn inputs() -> Vec<i32> {
    let mut state = 0x1234_5678_9abc_def1u64;
    (0..BLOCKS * THREADS * INPUTS)
        .map(|index| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Small numbers are as frequent as large ones.
            if index % 3 == 0 { (state % 64) as i32 - 16 } else { state as i32 }
        })
        .collect()
}

fn execute(ptx: &str, target: &str, name: &str, input: &[i32]) -> Result<Vec<i32>, String> {
    let output = vec![0; BLOCKS * THREADS * RESULTS];
    let shape = ((BLOCKS as u32, 1), (THREADS as u32, 1));
    run(ptx, target, name, shape, 0, &[ints(input), ints(&output)]).map(|buffers| as_ints(&buffers[1]))
}

#[test]
fn optimizer_and_targets_agree() {
    let count = number("WARPSIM_CUDA_PROGRAMS", 60);
    let first = number("WARPSIM_CUDA_SEED", 0);
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
        for (index, (name, text)) in programs.iter().enumerate() {
            let mut reference = expected.as_ref().map(|all| all[index].clone());
            for target in TARGETS {
                for level in [0, 3] {
                    let found =
                        compile(text, target, level).and_then(|ptx| execute(&ptx, target, name, &input));
                    let complaint = match found {
                        Err(message) => Some(message),
                        Ok(found) => {
                            let reference = reference.get_or_insert_with(|| found.clone());
                            let at = found.iter().zip(&*reference).position(|(a, b)| a != b);
                            at.map(|at| {
                                let (thread, result) = (at / RESULTS, at % RESULTS);
                                format!(
                                    "thread {thread}, result {result}: {} instead of {}",
                                    found[at], reference[at]
                                )
                            })
                        }
                    };
                    if let Some(complaint) = complaint {
                        failures += 1;
                        println!("{name} {target} -O{level}: {complaint}");
                        if failures == 1 {
                            println!("{text}");
                        }
                    }
                }
            }
        }
    }
    assert_eq!(failures, 0, "the lines above name the programs");
}

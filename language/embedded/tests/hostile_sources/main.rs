//! No source takes the compiler much time or memory, or makes it panic: it makes a program, or
//! names an error and its line. Sources are drawn from a structure-aware generator, most of them
//! small, some at the limits of the compiler.
//!
//! CI compiles 200 sources whose parts have a size of at most 100.
//! `WARPSIM_SOURCE_PROGRAMS=10000 cargo test --release --workspace --test hostile_sources` compiles
//! more sources, of all sizes; `WARPSIM_SOURCE_SIZE=100` limits their sizes, and
//! `WARPSIM_SOURCE_SEED=7` starts at another seed. `WARPSIM_SOURCE_FACTOR=1`
//! tests the bounds of the time themselves; the default allows more, because other tests run at the
//! same time. `WARPSIM_SOURCE_TRACE=1` prints the seed before each program, which names a program
//! that overflows the stack.

mod oracle;
mod plan;

use oracle::{Failure, compiled, start};
use plan::Plan;
use std::time::Duration;
use test_support::random::setting;

/// Most compilations that make a failing program smaller.
const SMALLER: usize = 40;

/// Returns a smaller plan that fails in the same way.
fn smallest(plan: &Plan, failure: &Failure, factor: u32) -> Plan {
    let same = |other: &Failure| std::mem::discriminant(other) == std::mem::discriminant(failure);
    let (mut best, mut left) = (plan.clone(), SMALLER);
    'again: loop {
        for smaller in best.smaller() {
            let Some(less) = left.checked_sub(1) else { return best };
            left = less;
            if compiled(&smaller, factor).failure.as_ref().is_some_and(same) {
                best = smaller;
                continue 'again;
            }
        }
        return best;
    }
}

#[test]
fn hostile_sources_end_within_bounds_of_time_and_memory() {
    let wanted = setting("WARPSIM_SOURCE_PROGRAMS", 0);
    let (count, size) = if wanted == 0 { (200, 100) } else { (wanted, u64::MAX) };
    let (size, first) = (setting("WARPSIM_SOURCE_SIZE", size), setting("WARPSIM_SOURCE_SEED", 0));
    let factor = setting("WARPSIM_SOURCE_FACTOR", 10) as u32;
    let trace = setting("WARPSIM_SOURCE_TRACE", 0) == 1;
    let (mut accepted, mut limits, mut failures) = (0, 0, 0);
    let mut slowest = (Duration::ZERO, Duration::ZERO, String::new());
    let mut reading = (Duration::ZERO, Duration::ZERO, String::new());
    let mut largest = (0, String::new());
    for seed in first..first + count {
        if trace {
            eprintln!("seed {seed}");
        }
        let mut plan = Plan::of_seed(seed);
        plan.parts.iter_mut().for_each(|part| part.size = part.size.min(size as usize));
        let made = compiled(&plan, factor);
        accepted += u64::from(made.accepted);
        limits += u64::from(made.limit);
        let name = || format!("seed {seed}, {}", plan.description());
        if made.took > slowest.0 {
            slowest = (made.took, made.reading, name());
        }
        if made.reading > reading.1 {
            reading = (made.took, made.reading, name());
        }
        if made.memory > largest.0 {
            largest = (made.memory, name());
        }
        if let Some(failure) = made.failure {
            failures += 1;
            println!("{}: {failure} ({:?}, {} MB)", name(), made.took, made.memory >> 20);
            // Each compilation of a slow program takes long.
            if failures <= 5 {
                let small = smallest(&plan, &failure, factor);
                println!("the same failure: {}", small.description());
                println!("{}", start(&small.text()));
            }
        }
    }
    println!("of {count} sources {accepted} are accepted; {limits} meet a limit");
    for (what, (took, read, name)) in [("slowest", &slowest), ("longest PTX", &reading)] {
        println!("{what}: {took:?}, of these {read:?} to read the PTX: {name}");
    }
    println!("most memory: {} MB: {}", largest.0 >> 20, largest.1);
    assert_eq!(failures, 0, "the lines above name the sources");
    assert!(accepted > count / 4, "of {count} sources {accepted} are accepted");
}

/// The fuzzer makes plans of bytes.
#[test]
fn sources_of_bytes_end_within_bounds_of_time_and_memory() {
    for kind in 0..26 {
        let plan = Plan::of_bytes(&[kind, 5, 99, kind, kind + 7, 3, 1, 2, 200]);
        let failure = compiled(&plan, 10).failure;
        assert!(
            failure.is_none(),
            "{}: {}",
            plan.description(),
            failure.map_or(String::new(), |one| one.to_string())
        );
    }
}

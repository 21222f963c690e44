//! No source takes the compiler much time or memory, or makes it panic: it makes a program, or
//! names an error and its line. Sources are drawn from a structure-aware generator, most of them
//! small, some at the limits of the compiler.
//!
//! `WARPSIM_SOURCE_PROGRAMS=10000 cargo test --release --workspace --test hostile_sources` compiles
//! more programs than CI; `WARPSIM_SOURCE_SEED=7` starts at another seed. `WARPSIM_SOURCE_FACTOR=1`
//! tests the bounds of the time themselves; the default allows more, because other tests run at the
//! same time. `WARPSIM_SOURCE_TRACE=1` prints the seed before each program, which names a program
//! that overflows the stack.

mod plan;

use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use plan::Plan;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Time for a source of at most so many lines.
const SHORT: (usize, Duration) = (10_000, Duration::from_secs(2));

/// Time for any source of 1 MB.
const LONG: Duration = Duration::from_secs(3);

/// Memory for any source.
const MEMORY: u64 = 1 << 30;

/// Most bytes of the messages about one source.
const MESSAGES: usize = 300_000;

/// Most compilations that make a failing program smaller.
const SMALLER: usize = 40;

/// How the compilation of a source ended.
struct Compiled {
    accepted: bool,
    limit: bool,
    took: Duration,
    /// Of `took`, the time in which `isa` read the PTX.
    reading: Duration,
    memory: u64,
    failure: Option<Failure>,
}

/// What must not be.
#[derive(Clone, PartialEq, Eq)]
enum Failure {
    Panic(String),
    Slow,
    Memory,
    NoLine(String),
    LongMessages(usize),
    Invalid(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic(message) => write!(f, "panic: {message}"),
            Self::Slow => f.write_str("too slow"),
            Self::Memory => f.write_str("too much memory"),
            Self::NoLine(messages) => write!(f, "an error without its line: {messages}"),
            Self::LongMessages(bytes) => write!(f, "{bytes} bytes of messages"),
            Self::Invalid(messages) => write!(f, "the PTX is refused: {messages}"),
        }
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The start of a text.
fn start(text: &str) -> &str {
    &text[..text.floor_char_boundary(600)]
}

/// Compiles a source, and reads the PTX. Returns whether it is accepted, whether a limit refuses it,
/// what is wrong with that, and the time in which the PTX was read.
fn end_of(text: &str, target: Target) -> (bool, bool, Option<Failure>, Duration) {
    let none = |_: &str, _: &str, _: bool| None::<Included>;
    match embedded::compile("hostile.cu", text, &none, target, &Options::of(target)) {
        Ok((compiled, messages)) => {
            let from = Instant::now();
            let (module, diagnostics) = isa::compile("hostile.ptx", &compiled.device.ptx);
            let reading = from.elapsed();
            // More values live at the same time than `isa` has registers for.
            let is_large = diagnostics.iter().any(|one| one.is_error() && one.code == "E0403");
            let failure = if module.is_none() && !is_large {
                let rendered = isa::diag::render_all(&diagnostics, "hostile.ptx", &compiled.device.ptx);
                Some(Failure::Invalid(start(&rendered).to_owned()))
            } else {
                (messages.len() > MESSAGES).then_some(Failure::LongMessages(messages.len()))
            };
            (true, false, failure, reading)
        }
        Err(refused) => {
            let messages = refused.messages;
            let failure = if !messages.contains("error") || !messages.contains("hostile.cu:") {
                Some(Failure::NoLine(start(&messages).to_owned()))
            } else {
                (messages.len() > MESSAGES).then_some(Failure::LongMessages(messages.len()))
            };
            (false, messages.contains("[limit]"), failure, Duration::ZERO)
        }
    }
}

/// Compiles the source of a plan under the bounds. `factor`: how much longer it may take.
fn compiled(plan: &Plan, factor: u32) -> Compiled {
    let text = plan.text();
    let target = if plan.parts.first().is_some_and(|part| part.seed % 4 == 1) { "sm_10" } else { "sm_20" };
    let target = Target::from_name(target).expect("a target");
    let (mut ended, from) = (None, Instant::now());
    let info = allocation_counter::measure(|| {
        ended = catch_unwind(AssertUnwindSafe(|| end_of(&text, target)))
            .map_err(|cause| {
                let text = cause.downcast_ref::<String>().map(String::as_str);
                text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
            })
            .into();
    });
    let took = from.elapsed();
    let (accepted, limit, failure, reading) = match ended.expect("the closure has run") {
        Ok(ended) => ended,
        Err(message) => (false, false, Some(Failure::Panic(message)), Duration::ZERO),
    };
    let bound = if text.lines().count() <= SHORT.0 { SHORT.1 } else { LONG };
    let failure = failure
        .or_else(|| (info.bytes_max > MEMORY).then_some(Failure::Memory))
        .or_else(|| (took > bound * factor).then_some(Failure::Slow));
    Compiled { accepted, limit, took, reading, memory: info.bytes_max, failure }
}

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
#[ignore = "some sources exceed the bounds"]
fn hostile_sources_end_within_bounds_of_time_and_memory() {
    let (count, first) = (number("WARPSIM_SOURCE_PROGRAMS", 200), number("WARPSIM_SOURCE_SEED", 0));
    let factor = number("WARPSIM_SOURCE_FACTOR", 10) as u32;
    let trace = number("WARPSIM_SOURCE_TRACE", 0) == 1;
    let (mut accepted, mut limits, mut failures) = (0, 0, 0);
    let mut slowest = (Duration::ZERO, Duration::ZERO, String::new());
    let mut reading = (Duration::ZERO, Duration::ZERO, String::new());
    let mut largest = (0, String::new());
    for seed in first..first + count {
        if trace {
            eprintln!("seed {seed}");
        }
        let plan = Plan::of_seed(seed);
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

//! Whether the compiler treats a source as it should: it makes a program, or names an error and its
//! line, within bounds of time and memory.

use super::plan::Plan;
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
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

/// How the compilation of a source ended.
pub struct Compiled {
    pub accepted: bool,
    pub limit: bool,
    pub took: Duration,
    /// Of `took`, the time in which `isa` read the PTX.
    pub reading: Duration,
    pub memory: u64,
    pub failure: Option<Failure>,
}

/// What must not be.
#[derive(Clone, PartialEq, Eq)]
pub enum Failure {
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

/// The start of a text.
pub fn start(text: &str) -> &str {
    &text[..text.floor_char_boundary(600)]
}

/// Compiles a source, and reads the PTX. Returns whether it is accepted, whether a limit refuses
/// it, what is wrong with that, and the time in which the PTX was read.
fn end_of(text: &str, target: Target) -> (bool, bool, Option<Failure>, Duration) {
    let none = |_: &str, _: &str, _: bool| None::<Included>;
    match embedded::compile(&[cuda::Unit::new("hostile.cu", text, &none, &Options::of(target))], target) {
        Ok((compiled, messages)) => {
            let from = Instant::now();
            let (module, diagnostics) = isa::compile("hostile.ptx", &compiled.device.ptx);
            let reading = from.elapsed();
            let failure = if module.is_none() {
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
pub fn compiled(plan: &Plan, factor: u32) -> Compiled {
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

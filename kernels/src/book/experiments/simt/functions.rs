//! SIMT-15: device functions and recursion run on Fermi, and are refused below with the reason.

use crate::RunError;
use crate::book::machines::Everywhere;
use crate::book::probe::Probe;
use crate::book::{Claim, Experiment, Finding, Runner, Shown};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "SIMT-15", show: functions }];

const FUNCTIONS: &str = include_str!("../../../../ptx/book/functions.ptx");
/// Threads of the block: one warp and a piece of one.
const THREADS: u32 = 48;

/// The recursion alone, in the spelling of compute capability 1.x: what is passed lies in
/// registers.
const RECURSION_OF_1_X: &str = ".version 1.4\n.target sm_13\n\
    .func (.reg .u32 result) factorial (.reg .u32 n)\n\
    { .reg .u32 %below; sub.u32 %below, n, 1; call (%below), factorial, (%below); mul.lo.u32 result, n, %below; ret; }\n\
    .entry functions (.param .u32 out)\n\
    { .reg .u32 %t, %at; mov.u32 %t, %tid.x; ld.param.u32 %at, [out]; call (%t), factorial, (%t); \
    st.global.u32 [%at], %t; exit; }\n";

/// A call that is no recursion, in that spelling.
const CALL_OF_1_X: &str = ".version 1.4\n.target sm_10\n\
    .func (.reg .u32 result) square (.reg .u32 x) { mul.lo.u32 result, x, x; ret; }\n\
    .entry functions (.param .u32 out)\n\
    { .reg .u32 %t, %at, %v; mov.u32 %t, %tid.x; shl.b32 %v, %t, 2; ld.param.u32 %at, [out]; add.u32 %at, %at, %v; \
    call (%v), square, (%t); st.global.u32 [%at], %v; exit; }\n";

fn factorial(n: u32) -> u32 {
    (2..=n).product()
}

/// What the compiler says of a text that it refuses; nothing if it takes it.
fn complaints(text: &str) -> Vec<String> {
    let (_, diagnostics) = isa::compile("functions.ptx", text);
    diagnostics.iter().filter(|d| d.is_error()).map(|d| d.message.clone()).collect()
}

/// Adds the finding that `text` is refused and that the reason holds `reason`.
fn refused(shown: &mut Shown, what: &str, text: &str, reason: &str) {
    let complaints = complaints(text);
    let named = complaints.iter().find(|complaint| complaint.contains(reason));
    let said = named.or(complaints.first()).map_or("it is taken", String::as_str);
    shown.find(Finding::shape(format!("{what}: refused"), reason, said, named.is_some()));
}

fn functions(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    claim.says("device function calls and recursion")?;
    let [generation] = claim.read("run on Fermi; refused on cc {}.x with the reason")?;
    let mut shown =
        Shown::new("a function and a recursive one in a kernel of 48 threads; texts and launches for cc 1.x");
    let found = Everywhere::run(&["fermi"], |machine| {
        let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, "functions.ptx", FUNCTIONS)?;
        let launch = probe.launch("functions", 1, THREADS).mode(machine.mode);
        probe.words(launch, 2 * THREADS as usize)
    })?;
    let right = |which: usize, value: fn(u32) -> u32| {
        found.exact(
            ["fermi: right squares", "fermi: right factorials"][which],
            THREADS as usize,
            move |(_, words)| {
                words.chunks(2).zip(0..).filter(|(pair, thread)| pair[which] == value(*thread)).count()
            },
        )
    };
    shown.find(right(0, |thread| thread * thread));
    shown.find(right(1, |thread| factorial(thread % 13)));

    let local = found.in_words(|(report, _)| report.launch.local_bytes.to_string());

    // A module for Fermi on a chip below.
    for name in ["g80", "gt200"] {
        let mut probe = Probe::new(runner, runner.chip(name, &[])?, "functions.ptx", FUNCTIONS)?;
        let refusal = probe.refusal(&probe.launch("functions", 1, THREADS))?.to_string();
        let reason = format!("requires compute capability 2.0, but the chip has {generation}.");
        let holds = refusal.contains(&reason);
        shown.find(Finding::shape(format!("{name}, the same module: refused"), reason, refusal, holds));
    }
    // The same text for a target below, and the recursion in the old spelling.
    let old = FUNCTIONS.replace(".version 2.3", ".version 1.4").replace(".target sm_20", ".target sm_13");
    let old = old.replace("\t.address_size 32\n", "");
    let needs = |what: &str| format!("{what} compute capability 2.0, but this module targets {generation}.");
    let reason = needs("`.param` parameters of a function require");
    refused(&mut shown, "the same text for sm_13", &old, &reason);
    let reason = needs("recursion requires");
    refused(&mut shown, "recursion with values in registers, for sm_13", RECURSION_OF_1_X, &reason);

    // PTX 1.x has calls whose values lie in registers, which compilers of the time replaced by the
    // function's body.
    let found = Everywhere::run(&crate::book::machines::CHIPS, |machine| {
        let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, "functions.ptx", CALL_OF_1_X)?;
        let launch = probe.launch("functions", 1, THREADS).mode(machine.mode);
        Ok(probe.words(launch, THREADS as usize)?.1)
    })?;
    let squares =
        |words: &Vec<u32>| words.iter().zip(0..).filter(|(word, thread)| **word == thread * thread).count();
    let what = "calls with values in registers, which PTX 1.x has, on every chip: right squares";
    shown.find(found.exact(what, THREADS as usize, squares));

    shown.because(format!(
        "Values passed in `.param` need the stack of compute capability 2.0, and so does a function that comes back to \
         itself: each call keeps what it needs again in local memory, of which a thread here has {local} B."
    ));
    Ok(shown)
}

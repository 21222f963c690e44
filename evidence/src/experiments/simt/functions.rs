//! SIMT-15: device functions and recursion run on Fermi; older chips refuse recursion with a
//! reason.

use crate::machines::Everywhere;
use crate::probe::Probe;
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "SIMT-15", show: functions }];

const FUNCTIONS: &str = include_str!("../../../../kernels/ptx/book/functions.ptx");
/// Threads of the block: a whole warp and a partial one.
const THREADS: u32 = 48;

/// The recursion alone, in the syntax of compute capability 1.x, which passes values in registers.
const RECURSION_OF_1_X: &str = ".version 1.4\n.target sm_13\n\
    .func (.reg .u32 result) factorial (.reg .u32 n)\n\
    { .reg .u32 %below; sub.u32 %below, n, 1; call (%below), factorial, (%below); mul.lo.u32 result, n, %below; ret; }\n\
    .entry functions (.param .u32 out)\n\
    { .reg .u32 %t, %at; mov.u32 %t, %tid.x; ld.param.u32 %at, [out]; call (%t), factorial, (%t); \
    st.global.u32 [%at], %t; exit; }\n";

/// A call without recursion, in the same syntax.
const CALL_OF_1_X: &str = ".version 1.4\n.target sm_10\n\
    .func (.reg .u32 result) square (.reg .u32 x) { mul.lo.u32 result, x, x; ret; }\n\
    .entry functions (.param .u32 out)\n\
    { .reg .u32 %t, %at, %v; mov.u32 %t, %tid.x; shl.b32 %v, %t, 2; ld.param.u32 %at, [out]; add.u32 %at, %at, %v; \
    call (%v), square, (%t); st.global.u32 [%at], %v; exit; }\n";

fn factorial(n: u32) -> u32 {
    (2..=n).product()
}

/// Returns the compiler's error messages for a text; none if it accepts the text.
fn complaints(text: &str) -> Vec<String> {
    let (_, diagnostics) = isa::compile("functions.ptx", text);
    diagnostics.iter().filter(|d| d.is_error()).map(|d| d.message.clone()).collect()
}

/// Adds the finding that `text` is refused with a message that contains `reason`.
fn refused(shown: &mut Shown, what: &str, text: &str, reason: &str) {
    let complaints = complaints(text);
    let named = complaints.iter().find(|complaint| complaint.contains(reason));
    let said = named.or(complaints.first()).map_or("accepted", String::as_str);
    shown.find(Finding::shape(format!("{what}: refused"), reason, said, named.is_some()));
}

fn functions(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [generation] = claim.numbers(["generation"]);
    let mut shown = Shown::new(
        "a plain and a recursive function in a kernel of 48 threads; modules and launches for cc 1.x",
    );
    let found = Everywhere::run(&["fermi"], |machine| {
        let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, "functions.ptx", FUNCTIONS)?;
        let launch = probe.launch("functions", 1, THREADS).mode(machine.mode);
        probe.words(launch, 2 * THREADS as usize)
    })?;
    let right = |which: usize, value: fn(u32) -> u32| {
        found.exact(
            ["fermi: correct squares", "fermi: correct factorials"][which],
            THREADS as usize,
            move |(_, words)| {
                words.chunks(2).zip(0..).filter(|(pair, thread)| pair[which] == value(*thread)).count()
            },
        )
    };
    shown.find(right(0, |thread| thread * thread));
    shown.find(right(1, |thread| factorial(thread % 13)));

    let local = found.in_words(|(report, _)| report.launch.local_bytes.to_string());

    // A module for Fermi on an older chip.
    for name in ["g80", "gt200"] {
        let mut probe = Probe::new(runner, runner.chip(name, &[])?, "functions.ptx", FUNCTIONS)?;
        let refusal = probe.refusal(&probe.launch("functions", 1, THREADS))?.to_string();
        let reason = format!("requires compute capability 2.0, but the chip has {generation}.");
        let holds = refusal.contains(&reason);
        shown.find(Finding::shape(format!("{name}, the same module: refused"), reason, refusal, holds));
    }
    // The same text for an older target, and the recursion in the old syntax.
    let old = FUNCTIONS.replace(".version 2.3", ".version 1.4").replace(".target sm_20", ".target sm_13");
    let old = old.replace("\t.address_size 32\n", "");
    let needs = |what: &str| format!("{what} compute capability 2.0, but this module targets {generation}.");
    let reason = needs("`.param` parameters of a function require");
    refused(&mut shown, "the same text for sm_13", &old, &reason);
    let reason = needs("recursion requires");
    refused(&mut shown, "recursion with values in registers, for sm_13", RECURSION_OF_1_X, &reason);

    // PTX 1.x has calls with values in registers, which compilers of the time always inlined.
    let found = Everywhere::run(&crate::machines::CHIPS, |machine| {
        let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, "functions.ptx", CALL_OF_1_X)?;
        let launch = probe.launch("functions", 1, THREADS).mode(machine.mode);
        Ok(probe.words(launch, THREADS as usize)?.1)
    })?;
    let squares =
        |words: &Vec<u32>| words.iter().zip(0..).filter(|(word, thread)| **word == thread * thread).count();
    let what = "calls with values in registers, as in PTX 1.x, on every chip: correct squares";
    shown.find(found.exact(what, THREADS as usize, squares));

    shown.because(format!(
        "Values passed in `.param` need the stack of compute capability 2.0, and so does a recursive \
         function: each call saves its live registers in local memory, of which a thread here has {local} B."
    ));
    Ok(shown)
}

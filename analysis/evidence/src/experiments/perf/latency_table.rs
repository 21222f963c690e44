//! PERF-17: latencies of registers, shared memory, cached constants and global memory on each chip.

use crate::finding::significant;
use crate::measure::micro::chase::{self, Space};
use crate::measure::micro::{banks, chains};
use crate::{Claim, Experiment, Finding, Runner, Shown, tools};
use isa::types::Capability;
use kernels::RunError;
use sim_core::config::builtin::simulated_names;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-17", show: latencies }];

/// An addition of registers.
const ADDITION: &str = "add.u32 %x, %x, %a;";
/// Relative tolerance of "about": operands and scheduling take some of the cycles.
const ABOUT: f64 = 0.2;
/// Tolerance in cycles: times are whole issue cycles, which may exceed the claim's number by a
/// tenth of a cycle.
const SLACK: f64 = 0.1;
/// With capability 2.1, independent warps use two of the three groups of cores (Volkov, GTC 2010):
/// half a cycle more.
const THREE_GROUPS: f64 = 0.5;

/// The claim's small numbers are throughputs of a busy SM, when warps hide all latency: they are
/// compared in cycles per core, with the largest block. The number for global memory is a latency,
/// measured by a pointer chase without cache hits. Cached constants and shared memory are also
/// compared by latency, in units of an addition.
fn latencies(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [registers] = claim.numbers(["registers"]);
    let shared_range: [f64; 2] = claim.numbers(["shared_least", "shared_most"]);
    let constant_range: [f64; 2] = claim.numbers(["constant_least", "constant_most"]);
    let global_range: [f64; 2] = claim.numbers(["global_least", "global_most"]);
    let names: Vec<&str> = runner.by_size(vec!["g80", "gt200", "fermi"], simulated_names().collect());
    let mut shown = Shown::new(format!("chains of additions and pointer chases on {}", names.join(", ")));
    for name in names {
        let chip = runner.chip(name, &[])?;
        let each = |throughput: f64| f64::from(tools::cores(&chip)) / throughput;
        let mut between = |what: &str, [least, most]: [f64; 2], found: f64| {
            let bounds = format!("{} to {}", significant(least), significant(most));
            let holds = (least..=most).contains(&found);
            shown.find(Finding::shape(format!("{name}: {what}"), bounds, significant(found), holds));
        };
        let with_slack = |[least, most]: [f64; 2]| [least, most + SLACK];
        let addition_each = each(chains::throughput(&chip, "u32", ADDITION)?);
        let has_three = chip.capability == Capability { major: 2, minor: 1 };
        let groups = if has_three { THREE_GROUPS } else { 0.0 };
        // A stream may end one percent early because of the measurement method.
        between(
            "an addition of registers, cycles of a core",
            [0.99 * registers, (1.0 + ABOUT) * registers + groups],
            addition_each,
        );
        let shared_each = each(banks::throughput(&chip, 1)?);
        between("a load from shared memory, cycles of a core", with_slack(shared_range), shared_each);

        let addition = chains::latency(&chip, "u32", ADDITION)?;
        let shared = chase::latency(&chip, Space::Shared, 1024, 4)?;
        let constant = chase::latency(&chip, Space::Constant, 1024, 64)?;
        between("latency of shared memory, in additions", with_slack(shared_range), shared / addition);
        between(
            "latency of a cached constant, in additions",
            with_slack(constant_range),
            constant / addition,
        );
        // The chase reads each line once, through more memory than any second-level cache holds.
        let global = chase::latency(&chip, Space::Global, 2 << 20, 128)?;
        between("latency of global memory, cycles", global_range, global);
        shown.because(format!(
            "{name}: the latency of an addition is {} cycles, of a load from shared memory {}, of a cached constant {}, of \
             global memory {}; in a busy SM an addition and a load from shared memory occupy a core for {} and {} cycles.",
            significant(addition),
            significant(shared),
            significant(constant),
            significant(global),
            significant(addition_each),
            significant(shared_each)
        ));
    }
    shown.because(format!(
        "The bounds are the claim's plus {SLACK}, because an SM issues in whole issue cycles; \"about\" allows {ABOUT} more. \
         Instructions of different warps use two of the three groups of cores of capability 2.1. For constants the claim's \
         cycles are compared with latencies, in additions."
    ));
    shown.because(
        "The latencies of additions, of shared memory and of constants that hit are parameters of the chip files; that of \
         global memory is the sum over load/store unit, crossbar, partition and DRAM, which was calibrated for G80 and GT200 \
         (docs/MODEL.md).",
    );
    Ok(shown)
}

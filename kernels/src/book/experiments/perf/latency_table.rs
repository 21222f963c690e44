//! PERF-17: what registers, shared memory, cached constants and global memory cost, on each chip.

use crate::RunError;
use crate::book::finding::significant;
use crate::book::{Claim, Experiment, Finding, Runner, Shown, tools};
use crate::measure::micro::chase::{self, Space};
use crate::measure::micro::{banks, chains};
use isa::types::Capability;
use sim_core::config::builtin::simulated_names;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-17", show: latencies }];

/// An addition of registers.
const ADDITION: &str = "add.u32 %x, %x, %a;";
/// "About", as a part: operands and turns cost some of the cycles.
const ABOUT: f64 = 0.2;
/// Cycles are whole issue cycles, which may be a tenth of a cycle more than what the row says.
const SLACK: f64 = 0.1;
/// Of the three groups of cores of capability 2.1 independent warps reach two (Volkov, GTC 2010):
/// half of a cycle more.
const THREE_GROUPS: f64 = 0.5;

/// The small numbers are of a busy SM: what an instruction costs a lane when warps hide all
/// latency. So they are cycles for each of the SM's cores, with the largest block; global memory's
/// is a latency, by a chase that no cache helps. Cached constants and shared memory also stand
/// nearer to the registers than global memory by one thread's chase.
fn latencies(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [registers] = claim.read("registers about {} cycle")?;
    let shared_range: [f64; 2] = claim.read("shared {}-{} (a throughput view)")?;
    let constant_range: [f64; 2] = claim.read("constant {}-{} cached")?;
    let global_range: [f64; 2] = claim.read("global {}-{}")?;
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
        // A stream may end a hundredth early, by the way it is taken.
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
        // Line by line through more than any second-level cache holds.
        let global = chase::latency(&chip, Space::Global, 2 << 20, 128)?;
        between("latency of global memory, cycles", global_range, global);
        shown.because(format!(
            "{name}: an addition takes {} cycles until its result can be used, a load from shared memory {}, a cached \
             constant {}, global memory {}; in a busy SM a core is taken for {} and {} cycles by an addition and a load \
             from shared memory.",
            significant(addition),
            significant(shared),
            significant(constant),
            significant(global),
            significant(addition_each),
            significant(shared_each)
        ));
    }
    shown.because(format!(
        "Bounds are the row's and {SLACK} more, for an SM issues in whole issue cycles; \"about\" is up to {ABOUT} more. Of the \
         three groups of cores of capability 2.1 two are reached by instructions of different warps. Of constants the row's cycles are taken as \
         latencies, in additions."
    ));
    shown.because(
        "Latencies of additions, of shared memory and of constants that hit are numbers of the chip files, read back; global \
         memory's is the sum of a way through load/store unit, crossbar, partition and DRAM, which was calibrated for \
         G80 and GT200 (docs/MODEL.md).",
    );
    Ok(shown)
}

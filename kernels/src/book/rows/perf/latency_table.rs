//! PERF-17: what registers, shared memory, cached constants and global memory cost, on each chip.

use crate::RunError;
use crate::book::finding::significant;
use crate::book::{Bench, Claim, Finding, Row, Shown};
use crate::measure::micro::chase::{self, Space};
use crate::measure::micro::{banks, chains};
use sim_core::config::builtin::simulated_names;

pub static CLAIMS: &[Claim] = &[Claim { id: "PERF-17", show: latencies }];

/// An addition of registers.
const ADDITION: &str = "add.u32 %x, %x, %a;";
/// Cycles are whole issue cycles, which may be a few percent more than what the row says.
const SLACK: f64 = 0.1;
/// Of three groups of cores (GF104) dependent instructions reach two (Volkov, GTC 2010): "about" 1 is up to this.
const ABOUT: f64 = 1.7;

/// The small numbers are of a busy SM: what an instruction costs a lane when warps hide all latency. So they are cycles
/// for each of the SM's cores, with the largest block; global memory's is a latency, by a chase that no cache helps.
/// Cached constants and shared memory also stand nearer to the registers than global memory by one thread's chase.
fn latencies(bench: &Bench, row: &Row) -> Result<Shown, RunError> {
    let [registers] = row.read("registers about {} cycle")?;
    let shared_range: [f64; 2] = row.read("shared {}-{} (a throughput view)")?;
    let constant_range: [f64; 2] = row.read("constant {}-{} cached")?;
    let global_range: [f64; 2] = row.read("global {}-{}")?;
    let names: Vec<&str> = bench.by_size(vec!["g80", "gt200", "fermi"], simulated_names().collect());
    let mut shown = Shown::new(format!("chains of additions and pointer chases on {}", names.join(", ")));
    for name in names {
        let chip = bench.chip(name, &[])?;
        let unit = chip.sm.units.iter().find(|unit| unit.name == "sp");
        let cores = unit.map_or(0, |unit| {
            unit.lanes * unit.count * if unit.per_scheduler { chip.sm.schedulers } else { 1 }
        });
        let each = |throughput: f64| f64::from(cores) / throughput;
        let mut between = |what: &str, [least, most]: [f64; 2], slack: f64, found: f64| {
            let holds = (least..=most + slack).contains(&found);
            let what = format!("{name}: {what}");
            shown.find(Finding::shape(what, format!("{least} to {most}"), significant(found), holds));
        };
        let addition_each = each(chains::throughput(&chip, "u32", ADDITION)?);
        // A stream may end a hundredth early, by the way it is taken.
        between(
            "an addition of registers, cycles of a core",
            [0.99 * registers, ABOUT * registers],
            0.0,
            addition_each,
        );
        let shared_each = each(banks::throughput(&chip, 1)?);
        between("a load from shared memory, cycles of a core", shared_range, SLACK, shared_each);

        let addition = chains::latency(&chip, "u32", ADDITION)?;
        let shared = chase::latency(&chip, Space::Shared, 1024, 4)?;
        let constant = chase::latency(&chip, Space::Constant, 1024, 64)?;
        between("latency of shared memory, in additions", shared_range, SLACK, shared / addition);
        between("latency of a cached constant, in additions", constant_range, SLACK, constant / addition);
        // Line by line through more than any second-level cache holds.
        let global = chase::latency(&chip, Space::Global, 2 << 20, 128)?;
        between("latency of global memory, cycles", global_range, 0.0, global);
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
    shown.because(
        "Latencies of additions, of shared memory and of constants that hit are numbers of the chip files, read back; global \
         memory's is the sum of a way through load/store unit, crossbar, partition and DRAM, which was calibrated for \
         G80 and GT200 (docs/MODEL.md).",
    );
    Ok(shown)
}

//! PERF-13: atomics on one address, on GT200 and on Fermi.

use crate::RunError;
use crate::book::finding::significant;
use crate::book::tools::{ensure, pointers, timing};
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use crate::measure::lab::Lab;
use isa::Options;
use sim_core::host::Launch;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-13", show: one_address }];

const ONE_SUM: &str = include_str!("../../../../ptx/book/one_sum.ptx");
const THREADS: u32 = 256;
/// Smallest factor for the claim's "several times".
const SEVERAL: f64 = 3.0;
/// Tolerated ratio of the kernel's time to that of its atomics, which follow each other at a fixed
/// distance.
const SLACK: f64 = 1.2;

fn one_address(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    claim.says("Fermi several times faster than GT200")?;
    let blocks = runner.by_size(30, 300);
    let atomics = blocks * THREADS;
    let mut shown = Shown::new(format!("{blocks} blocks of {THREADS} threads that each add 1 to one word"));
    let mut times = Vec::new();
    for name in ["gt200", "fermi"] {
        let chip = runner.chip(name, &[])?;
        let (apart, shader_mhz) = (chip.partition.atomic_cycles, chip.clocks.shader_khz as f64 / 1000.0);
        // No optimization: the results of the atomics are unused, and the instructions must not
        // change.
        let mut lab = Lab::on(runner.gpu(chip), "one_sum.ptx", ONE_SUM, Options::PLAIN)?;
        let sum = lab.upload(&[0])?;
        let launch = Launch::new(lab.module, "one_sum", blocks, THREADS).args(pointers(&[sum]));
        let report = lab.balanced(&launch.options(runner.options()))?;
        ensure(lab.download(sum, 1)? == [atomics], format!("wrong sum on {name}"))?;
        let time = timing(&report).microseconds;
        let best = f64::from(atomics) * f64::from(apart) / shader_mhz;
        shown.find(Finding::shape(
            format!("{name}: us for {atomics} atomics, at best one in {apart} shader cycles"),
            format!("{} or slightly more", significant(best)),
            significant(time),
            (best..SLACK * best).contains(&time),
        ));
        times.push((name, time, apart));
    }
    let [(_, gt200, slow), (_, fermi, fast)] = times[..] else { return Ok(shown) };
    shown.find(Finding::shape(
        "speedup of Fermi over GT200",
        format!("several: more than {SEVERAL}"),
        significant(gt200 / fermi),
        gt200 > SEVERAL * fermi,
    ));
    shown.because(format!(
        "All atomics change one word, so they are serialized: one in {fast} shader cycles in Fermi's L2, one in {slow} on \
         GT200, where each reads and writes the DRAM. Both distances are parameters of the chip files; GT200's is {} times \
         Fermi's (5 to 20 times is reported of silicon). The factor is therefore an input; the run shows that nothing else \
         limits the kernel: {} us and {} us.",
        significant(f64::from(slow) / f64::from(fast)),
        significant(gt200),
        significant(fermi)
    ));
    Ok(shown)
}

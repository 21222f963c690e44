//! Applies one instruction to many operands, for claims about the bits of results.

use crate::Runner;
use crate::machines::Machine;
use crate::probe::Probe;
use kernels::RunError;
use sim_core::host::Arg;

const ARITHMETIC: &str = include_str!("../../../../../kernels/ptx/book/arithmetic.template");
/// Threads per block.
const BLOCK: usize = 256;

/// Version and target of a PTX module.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// PTX version.
    version: &'static str,
    /// Target name, such as `sm_10`.
    pub name: &'static str,
}

/// Compute capability 1.0.
pub const SM_10: Target = Target { version: "1.4", name: "sm_10" };
/// Compute capability 2.0.
pub const SM_20: Target = Target { version: "2.0", name: "sm_20" };

/// Runs `operation`, which computes `%r` from `%a` and `%b`, on each pair of operands. Returns the
/// bits of the results.
pub fn apply(
    runner: &Runner,
    machine: Machine,
    target: Target,
    operation: &str,
    operands: &[(u32, u32)],
) -> Result<Vec<u32>, RunError> {
    let text = ARITHMETIC
        .replace("VERSION", target.version)
        .replace("TARGET", target.name)
        .replace("OPERATION", operation);
    let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, "arithmetic.ptx", &text)?;
    let blocks = operands.len().div_ceil(BLOCK);
    let whole = |pick: fn(&(u32, u32)) -> u32| {
        let mut words: Vec<u32> = operands.iter().map(pick).collect();
        words.resize(blocks * BLOCK, 0);
        words
    };
    let a = probe.lab.upload(&whole(|pair| pair.0))?;
    let b = probe.lab.upload(&whole(|pair| pair.1))?;
    let launch = probe.launch("arithmetic", blocks as u32, BLOCK as u32).mode(machine.mode);
    let (_, mut words) = probe.words(launch.args([Arg::Ptr(a), Arg::Ptr(b)]), blocks * BLOCK)?;
    words.truncate(operands.len());
    Ok(words)
}

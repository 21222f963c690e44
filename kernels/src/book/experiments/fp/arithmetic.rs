//! One instruction on many operands, for the rows that ask for its bits.

use crate::RunError;
use crate::book::Runner;
use crate::book::machines::Machine;
use crate::book::probe::Probe;
use sim_core::host::Arg;

const ARITHMETIC: &str = include_str!("../../../../ptx/book/arithmetic.template");
/// Threads of a block.
const BLOCK: usize = 256;

/// What a text is for.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The version of PTX.
    version: &'static str,
    /// Such as `sm_10`.
    pub name: &'static str,
}

/// For compute capability 1.0.
pub const SM_10: Target = Target { version: "1.4", name: "sm_10" };
/// For compute capability 1.3, the first with double precision.
pub const SM_13: Target = Target { version: "1.4", name: "sm_13" };
/// For compute capability 2.0.
pub const SM_20: Target = Target { version: "2.0", name: "sm_20" };

/// `operation`, which makes `%r` of `%a` and `%b`, on each pair of operands: the bits of the
/// results.
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

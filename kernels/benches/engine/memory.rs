//! Launches of memory-bound kernels that only this benchmark uses: a random gather, and a pointer
//! chase through lines that no cache holds.

use crate::{buffer, gpu};
use sim_core::host::{Arg, Gpu, Launch};

/// `gather`: in each round every thread loads from a line that a linear congruential generator
/// selects. The lane index is part of the line number, so that a warp always reads 32 lines.
/// `chase`: every block follows the offsets in memory, each in another line.
const TEXT: &str = include_str!("../workloads/gather.ptx");

/// Bytes of a line of the L1.
const LINE: u32 = 128;
/// Number of lines in memory, a power of two: 4 MiB, five times the L2.
const LINES: u32 = 1 << 15;
/// SMs of the chip.
const SMS: u32 = 15;

/// Prepares the kernel `entry`. Line `i` of its memory begins with `first(i)`; `number` is an
/// argument of the kernel; the output has a word per thread.
fn prepare(
    entry: &str,
    first: impl Fn(u32) -> u32,
    number: u32,
    rounds: u32,
    [grid, block]: [u32; 2],
) -> (Gpu, Launch) {
    let mut gpu = gpu("fermi");
    let (module, _) = isa::compile("own.ptx", TEXT);
    let module = gpu.load(module.expect("the kernels compile")).expect("the module fits");
    let words = (0..LINES * LINE / 4).map(|i| if i % (LINE / 4) == 0 { first(i / (LINE / 4)) } else { 0 });
    let lines = buffer(&mut gpu, words);
    let out = buffer(&mut gpu, (0..grid * block).map(|_| 0));
    let launch =
        Launch::new(module, entry, grid, block).args([lines, Arg::U32(number), Arg::U32(rounds), out]);
    (gpu, launch)
}

/// 32 rounds of 480 warps, each of 32 lanes in 32 random lines.
pub fn gather() -> (Gpu, Launch) {
    // The low five bits of a line number are the lane's.
    prepare("gather", |line| line, LINES - 32, 32, [4 * SMS, 256])
}

/// 20,000 loads by one warp on each SM; each load depends on the previous one, and all lanes have
/// one address.
pub fn chase() -> (Gpu, Launch) {
    // A linear congruential generator of full period: the chain visits every line before it closes.
    let next = |line: u32| line.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % LINES * LINE;
    prepare("chase", next, LINES / SMS * LINE, 20_000, [SMS, 32])
}

//! Launches of the kernels in `kernels/benches/workloads`, which `scripts/instructions` runs at
//! smaller sizes: irregular accesses, bytes, local memory and double precision.

use crate::{buffer, gpu};
use sim_core::host::{Arg, Gpu, Launch};

/// Returns a GPU with a buffer for each list of words, and the launch of the kernel `entry`, whose
/// parameters are the buffers and `last`.
fn prepare(
    entry: &str,
    text: &str,
    [grid, block]: [u32; 2],
    buffers: &[Vec<u32>],
    last: Option<u32>,
) -> (Gpu, Launch) {
    let mut gpu = gpu("fermi");
    let (module, _) = isa::compile("workload.ptx", text);
    let module = gpu.load(module.expect("the kernel compiles")).expect("the module fits");
    let args: Vec<Arg> = buffers.iter().map(|words| buffer(&mut gpu, words.iter().copied())).collect();
    (gpu, Launch::new(module, entry, grid, block).args(args.into_iter().chain(last.map(Arg::U32))))
}

/// Returns `count` random numbers from `low` to below `high`.
fn random(count: u32, low: u32, high: u32) -> Vec<u32> {
    // The high bits of a product with the golden ratio.
    let number = |i: u32| (i ^ i >> 7).wrapping_mul(0x9e37_79b1) >> 8;
    (0..count).map(|i| low + number(i) % (high - low)).collect()
}

/// Returns `count` random numbers in single precision.
fn floats(count: u32) -> Vec<u32> {
    random(count, 0, 100).into_iter().map(|n| (n as f32 / 50.0 - 1.0).to_bits()).collect()
}

/// Product of 256 × 64 and 64 × 60 elements.
pub fn columns() -> (Gpu, Launch) {
    const ROWS: u32 = 256;
    const LENGTH: u32 = 64;
    const COLUMNS: u32 = 60;
    let buffers = [floats(ROWS * LENGTH), floats(LENGTH * COLUMNS), floats(ROWS * COLUMNS)];
    let text = include_str!("../workloads/columns.ptx");
    prepare("columns", text, [COLUMNS, ROWS], &buffers, Some(LENGTH))
}

/// A matrix of 15,360 rows with 1 to 16 elements each, and a vector of 65,536 elements.
pub fn sparse() -> (Gpu, Launch) {
    const ROWS: u32 = 15_360;
    const VECTOR: u32 = 65_536;
    let columns = random(16 * ROWS, 0, VECTOR);
    let buffers = [random(ROWS, 1, 17), columns, floats(16 * ROWS), floats(VECTOR), floats(ROWS)];
    prepare("sparse", include_str!("../workloads/sparse.ptx"), [ROWS / 128, 128], &buffers, None)
}

/// A level with half of 61,440 vertices, which have up to 8 neighbors.
pub fn search() -> (Gpu, Launch) {
    const VERTICES: u32 = 61_440;
    let bits = |seed: u32| random(VERTICES / 4, 0, 1 << 24).into_iter().map(move |n| n >> seed & 0x0101_0101);
    let buffers = [
        random(VERTICES, 0, 9),
        random(8 * VERTICES, 0, VERTICES),
        bits(0).collect(),
        bits(3).collect(),
        vec![0; VERTICES as usize / 4],
        vec![0; VERTICES as usize],
    ];
    prepare("search", include_str!("../workloads/search.ptx"), [VERTICES / 256, 256], &buffers, None)
}

/// 7,680 histograms of 100 numbers.
pub fn counters() -> (Gpu, Launch) {
    const THREADS: u32 = 7_680;
    const ROUNDS: u32 = 100;
    let buffers = [random(THREADS * ROUNDS, 0, 64), vec![0; THREADS as usize]];
    let text = include_str!("../workloads/counters.ptx");
    prepare("counters", text, [THREADS / 128, 128], &buffers, Some(ROUNDS))
}

/// Forces between 1,024 particles.
pub fn forces() -> (Gpu, Launch) {
    const PARTICLES: u32 = 1024;
    let words = |n: u32| {
        let bits = (f64::from(n) / 100.0).to_bits();
        [bits as u32, (bits >> 32) as u32]
    };
    let positions = random(3 * PARTICLES, 0, 1000).into_iter().flat_map(words).collect();
    let buffers = [positions, vec![0; 6 * PARTICLES as usize]];
    prepare(
        "forces",
        include_str!("../workloads/forces.ptx"),
        [PARTICLES / 128, 128],
        &buffers,
        Some(PARTICLES),
    )
}

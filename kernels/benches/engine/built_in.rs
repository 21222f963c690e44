//! Launches of the built-in kernels, as their host programs make them.

use crate::{buffer, gpu};
use kernels::coulomb::Version;
use kernels::coulomb::atoms::{SPACING, over_slice, water};
use kernels::coulomb::version::{ATOMS, BLOCK, ENTRY};
use sim_core::host::{Arg, Gpu, Launch, ModuleId};

/// Returns a GPU of `chip` with the workload `name` loaded.
fn loaded(name: &str, chip: &str) -> (Gpu, ModuleId) {
    let workload = kernels::find(name).expect("the workload exists");
    let mut gpu = gpu(chip);
    let module = gpu.load(workload.compile().expect("the workload compiles")).expect("the module fits");
    (gpu, module)
}

/// Uploads `elements` small whole numbers in single precision.
fn numbers(gpu: &mut Gpu, elements: u32) -> Arg {
    buffer(gpu, (0..elements).map(|i| ((i % 7) as f32).to_bits()))
}

/// Product of two square matrices of `width` rows with the workload `name`, whose blocks have 16 ×
/// 16 threads.
pub fn matmul(name: &str, chip: &str, width: u32) -> (Gpu, Launch) {
    let (mut gpu, module) = loaded(name, chip);
    let matrices = [(); 3].map(|()| numbers(&mut gpu, width * width));
    let args = matrices.into_iter().chain([Arg::S32(width as i32)]);
    let launch = Launch::new(module, &name.replace('-', "_"), (width / 16, width / 16), (16, 16)).args(args);
    (gpu, launch)
}

/// Sums of 1,048,576 numbers, 512 per block.
pub fn reduce() -> (Gpu, Launch) {
    const ELEMENTS: u32 = 1 << 20;
    const BLOCK: u32 = 512;
    let (mut gpu, module) = loaded("reduce-interleaved", "g80");
    let (from, to) = (numbers(&mut gpu, ELEMENTS), numbers(&mut gpu, ELEMENTS / BLOCK));
    let args = [from, to, Arg::U32(ELEMENTS)];
    (gpu, Launch::new(module, "reduce_interleaved", ELEMENTS / BLOCK, BLOCK).args(args))
}

/// Potentials of 1000 atoms on a slice of 256 × 256 points: a quarter of the atoms that fit into
/// constant memory.
pub fn coulomb() -> (Gpu, Launch) {
    const SIDE: u32 = 256;
    let (mut gpu, module) = loaded("coulomb-v3", "g80");
    let mut atoms = water([SIDE, SIDE, 32]);
    atoms.truncate(ATOMS / 4);
    let constants = over_slice(&atoms, 16.0 * SPACING);
    gpu.copy_to_symbol(module, "atominfo", 0, &constants).expect("the atoms fit");
    let points = buffer(&mut gpu, (0..SIDE * SIDE).map(|_| 0));
    let args = [points, Arg::S32(atoms.len() as i32), Arg::F32(SPACING)];
    let [x, y] = Version::COALESCED.tile();
    (gpu, Launch::new(module, ENTRY, (SIDE / x, SIDE / y), BLOCK).args(args))
}

/// Histogram of 4,194,304 random bytes with atomics on shared memory, 16 words per thread.
pub fn histogram() -> (Gpu, Launch) {
    const THREADS: u32 = 256;
    const BLOCKS: u32 = 256;
    const WORDS: u32 = 16;
    let (mut gpu, module) = loaded("histogram-shared-16", "gtx460");
    // The product spreads the bits of the word's index over all four bytes.
    let random = |i: u32| (i ^ i >> 7).wrapping_mul(0x9e37_79b1).swap_bytes();
    let from = buffer(&mut gpu, (0..BLOCKS * THREADS * WORDS).map(random));
    let bins = buffer(&mut gpu, (0..256).map(|_| 0));
    let args = [from, bins, Arg::U32(WORDS)];
    (gpu, Launch::new(module, "histogram", BLOCKS, THREADS).args(args))
}

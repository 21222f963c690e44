//! A map of many slices: padding, and slices as tasks of a pool for several GPUs.

use super::Version;
use super::atoms::{Atom, SPACING, over_slice};
use super::version::{ATOMS, BLOCK, ENTRY, FILE};
use crate::RunError;
use crate::lab::Lab;
use crate::lab::wave;
use isa::Options;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Launch, RunOptions};
use sim_core::stats::Report;

/// Rounds the points along each axis up to a multiple.
pub fn padded(points: [u32; 3], multiples: [u32; 3]) -> [u32; 3] {
    std::array::from_fn(|axis| points[axis].next_multiple_of(multiples[axis]))
}

/// Removes the padding of a slice.
pub fn unpadded(slice: &[f32], width: u32, points: [u32; 2]) -> Vec<f32> {
    let rows = slice.chunks_exact(width as usize).take(points[1] as usize);
    rows.flat_map(|row| &row[..points[0] as usize]).copied().collect()
}

/// A map to compute.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a> {
    /// Version of the kernel.
    pub version: Version,
    /// Points along x, y and z; slices are stacked along z.
    pub points: [u32; 3],
    /// Atoms of the map.
    pub atoms: &'a [Atom],
    /// Options of the launches.
    pub options: RunOptions,
}

impl Map<'_> {
    /// Points of a padded slice along x and y.
    pub fn padded_slice(&self) -> [u32; 2] {
        let [x, y] = self.version.tile();
        let [width, height, _] = padded(self.points, [x, y, 1]);
        [width, height]
    }

    /// Pairs of a point and an atom in a padded slice.
    pub fn evaluations(&self) -> f64 {
        let [width, height] = self.padded_slice();
        f64::from(width) * f64::from(height) * self.atoms.len() as f64
    }
}

/// A computed slice.
#[derive(Debug)]
pub struct Slice {
    /// Potentials, row by row, without padding.
    pub energies: Vec<f32>,
    /// One report per launch.
    pub reports: Vec<Report>,
}

/// Number of blocks that all SMs of a chip hold at a time.
pub fn blocks_at_once(chip: &Chip, version: Version) -> Result<u32, RunError> {
    let lab = Lab::new(chip.clone(), FILE, &version.text(), Options::default())?;
    let args = [Arg::U32(0), Arg::S32(1), Arg::F32(SPACING)];
    Ok(wave(&lab, &Launch::new(lab.module, ENTRY, 1, BLOCK).args(args)))
}

/// A GPU that computes slices.
pub struct Worker {
    lab: Lab,
    grid: DevicePtr,
    /// Number of slices computed so far.
    pub slices: u32,
    /// Nanoseconds of its kernels, without the host's share.
    pub kernel_ns: f64,
}

impl Worker {
    /// Creates a GPU with the kernel of `map` and memory for one slice.
    pub fn new(mut lab: Lab, map: &Map<'_>) -> Result<Self, RunError> {
        let [width, height] = map.padded_slice();
        let grid = lab.allocate(u64::from(width) * u64::from(height))?;
        Ok(Self { lab, grid, slices: 0, kernel_ns: 0.0 })
    }

    /// Time in nanoseconds at which its last copy or kernel has ended, so that it is free for the
    /// next task.
    pub fn free_ns(&self) -> u64 {
        self.lab.gpu.timeline().now_ns()
    }

    /// Computes the slice with index `z`.
    pub fn compute(&mut self, map: &Map<'_>, z: u32) -> Result<Slice, RunError> {
        let [width, height] = map.padded_slice();
        let [tile_x, tile_y] = map.version.tile();
        let words = (width * height) as usize;
        self.lab.write(self.grid, &vec![0; words])?;
        let mut reports = Vec::new();
        for chunk in map.atoms.chunks(ATOMS) {
            let image = over_slice(chunk, z as f32 * SPACING);
            self.lab.gpu.copy_to_symbol(self.lab.module, "atominfo", 0, &image)?;
            let args = [Arg::Ptr(self.grid), Arg::S32(chunk.len() as i32), Arg::F32(SPACING)];
            let launch = Launch::new(self.lab.module, ENTRY, (width / tile_x, height / tile_y), BLOCK)
                .args(args)
                .options(map.options);
            let report = self.lab.run(&launch)?;
            self.kernel_ns += Lab::kernel_ns(&report);
            reports.push(report);
        }
        self.slices += 1;
        let energies: Vec<f32> =
            self.lab.download(self.grid, words)?.into_iter().map(f32::from_bits).collect();
        Ok(Slice { energies: unpadded(&energies, width, [map.points[0], map.points[1]]), reports })
    }
}

/// Computes the slices of `map` in order, each on the GPU that is free first (the first one of
/// several). This models host threads that get tasks from a pool, in simulated time, so the outcome
/// is deterministic.
pub fn by_pool(gpus: &mut [Worker], map: &Map<'_>) -> Result<Vec<Slice>, RunError> {
    let mut slices = Vec::new();
    for z in 0..map.points[2] {
        let Some(free) = gpus.iter_mut().min_by_key(|gpu| gpu.free_ns()) else { break };
        slices.push(free.compute(map, z)?);
    }
    Ok(slices)
}

#[cfg(test)]
mod tests {
    use super::super::atoms::{potentials, water};
    use super::*;
    use crate::check::Check;

    fn worker(map: &Map<'_>) -> Worker {
        let chip = Chip::builtin("g80").unwrap();
        let lab = Lab::new(chip, FILE, &map.version.text(), Options::default()).unwrap();
        Worker::new(lab, map).unwrap()
    }

    /// Tests: `potential-maps`.
    #[test]
    fn slices_go_to_the_first_free_gpu_and_are_correct() {
        let points = [20, 17, 5];
        let atoms = water(points);
        let options = RunOptions::default();
        let map = Map { version: Version::ADJACENT, points, atoms: &atoms, options };
        assert_eq!(map.padded_slice(), [64, 32]);
        let mut gpus: Vec<Worker> = (0..3).map(|_| worker(&map)).collect();
        let slices = by_pool(&mut gpus, &map).unwrap();
        assert_eq!(gpus.iter().map(|gpu| gpu.slices).collect::<Vec<_>>(), [2, 2, 1]);
        assert!(gpus[2].free_ns() < gpus[0].free_ns());
        for (z, slice) in slices.iter().enumerate() {
            let (expected, bound) = potentials([20, 17], z as f32 * SPACING, &atoms);
            let check = Check::compare(expected.into_iter(), &slice.energies, bound);
            assert!(check.passed(), "slice {z}: {}", check.describe("points"));
        }
    }

    /// 6,553 atoms; constant memory holds 4,000.
    ///
    /// Tests: `potential-maps`.
    #[test]
    fn a_second_launch_adds_to_the_first() {
        let (points, atoms) = ([33, 9, 1], water([128, 128, 32]));
        for version in [Version::FIRST, Version::ADJACENT, Version::COALESCED] {
            let map = Map { version, points, atoms: &atoms, options: RunOptions::default() };
            let slice = worker(&map).compute(&map, 0).unwrap();
            assert_eq!(slice.reports.len(), 2);
            let (expected, bound) = potentials([33, 9], 0.0, &atoms);
            let check = Check::compare(expected.into_iter(), &slice.energies, bound);
            assert!(check.passed(), "{version:?}: {}", check.describe("points"));
            // The check would detect a missing atom: here the first one.
            let (without, _) = potentials([33, 9], 0.0, &atoms[1..]);
            assert!(!Check::compare(without.into_iter(), &slice.energies, bound).passed());
        }
    }

    #[test]
    fn padding_rounds_up_and_is_removed_again() {
        assert_eq!(padded([1, 16, 17], [16, 16, 16]), [16, 16, 32]);
        let slice: Vec<f32> = (0..12).map(|i| i as f32).collect();
        assert_eq!(unpadded(&slice, 4, [3, 2]), [0.0, 1.0, 2.0, 4.0, 5.0, 6.0]);
    }
}

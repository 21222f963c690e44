//! Times of the three methods for a map, as functions of its size: simulated completely where that
//! takes seconds, otherwise scaled up from samples of the same kernels.
//!
//! A time includes the kernels, the host's launches, and the copies of atoms and results, but not
//! filling the map with zeros. Scaling is valid because the kernels are issue bound: their time is
//! proportional to the tested atoms and to the blocks, in whole rounds of the SMs.

use crate::Runner;
use crate::plan::programs::worker;
use crate::tools::sms;
use kernels::RunError;
use kernels::coulomb::Version;
use kernels::coulomb::atoms::{Atom, SPACING, count, water};
use kernels::coulomb::map::{Map, blocks_at_once, padded};
use kernels::coulomb::version::{ATOMS, SIDE};
use kernels::cutoff::problem::REGION;
use kernels::cutoff::{
    BLOCK, Bins, Cube, LARGE, LARGE_SIDE, Problem, SMALL, arguments, atoms_image, large_text, list_image,
    small_arguments, small_text,
};
use kernels::lab::Lab;
use kernels::lab::wave;
use sim_core::config::Chip;
use sim_core::host::{DevicePtr, Launch};
use sim_core::stats::Report;

/// Versions of direct summation; the host uses the fastest one for each size.
const DIRECT: [Version; 3] = [Version::FIRST, Version::ADJACENT, Version::COALESCED];
/// Atoms of the samples of direct summation.
const FEW: [usize; 2] = [32, 96];
/// Thinning of the two samples of a large cube: each keeps one of so many of the atoms around it.
const THINNED: [usize; 2] = [192, 64];

/// Samples of a chip, from which the times are computed.
pub struct Sweep<'b> {
    runner: &'b Runner,
    chip: Chip,
    /// For each version in [`DIRECT`] and each number of blocks on an SM: nanoseconds per launch
    /// and per atom.
    direct: Vec<Vec<Line>>,
    large: Line,
    /// Nanoseconds per atom that a block tests.
    small: f64,
}

/// A linear time in nanoseconds: a constant part, and a part per atom.
#[derive(Clone, Copy, Debug)]
struct Line {
    once: f64,
    each: f64,
}

impl Line {
    fn through([first, second]: [(usize, f64); 2]) -> Self {
        let each = (second.1 - first.1) / (second.0 as f64 - first.0 as f64);
        Self { once: first.1 - each * first.0 as f64, each }
    }
}

impl<'b> Sweep<'b> {
    /// Takes the samples of direct summation; `large` and `small` are those of the binnings.
    pub fn new(
        runner: &'b Runner,
        chip: &Chip,
        large: [Sample; 2],
        small: &Sample,
    ) -> Result<Self, RunError> {
        let mut direct = Vec::new();
        for version in DIRECT {
            let levels = blocks_at_once(chip, version)? / sms(chip);
            let lines = (1..=levels).map(|level| direct_line(runner, chip, version, level * sms(chip)));
            direct.push(lines.collect::<Result<_, _>>()?);
        }
        let large = Line::through(large.map(|sample| (sample.atoms as usize, sample.ns)));
        Ok(Self { runner, chip: chip.clone(), direct, large, small: small.ns / small.atoms })
    }

    /// Returns the time of direct summation for a cube of `side` points along each axis, in
    /// nanoseconds.
    pub fn direct(&self, side: u32) -> f64 {
        let atoms = count([side; 3]) as usize;
        let times = DIRECT.iter().zip(&self.direct).map(|(version, lines)| {
            let [tile_x, tile_y] = version.tile();
            let [width, height, _] = padded([side, side, 1], [tile_x, tile_y, 1]);
            let blocks = (width / tile_x) * (height / tile_y);
            let chunk = |atoms: usize| self.chunk(atoms) + on_levels(lines, blocks, sms(&self.chip), atoms);
            let chunks = (atoms / ATOMS) as f64 * chunk(ATOMS)
                + if atoms.is_multiple_of(ATOMS) { 0.0 } else { chunk(atoms % ATOMS) };
            f64::from(side) * chunks + self.copy(4.0 * f64::from(side) * f64::from(width) * f64::from(height))
        });
        times.fold(f64::INFINITY, f64::min)
    }

    /// Returns the time with large bins.
    pub fn large(&self, problem: &Problem) -> f64 {
        let whole = f64::from(LARGE_SIDE.pow(3));
        let cubes = Cube::all(problem.regions(), LARGE_SIDE).into_iter().map(|cube| {
            let share = f64::from(cube.count.iter().product::<u32>()) / whole;
            let near = cube.neighborhood(&problem.atoms);
            let chunk = |atoms: &[Atom]| {
                self.chunk(atoms.len()) + self.large.once + share * self.large.each * atoms.len() as f64
            };
            near.chunks(ATOMS).map(chunk).sum::<f64>()
        });
        cubes.sum::<f64>() + self.copy(4.0 * problem.words() as f64)
    }

    /// Returns the time with small bins, which the host has sorted.
    pub fn small(&self, problem: &Problem, bins: &Bins) -> f64 {
        let list = bins.neighbors();
        let [nx, ny, nz] = problem.regions();
        let regions = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        let scanned: u64 = regions.map(|region| bins.scanned(&list, region)).sum();
        self.small * scanned as f64
            + self.copy(4.0 * bins.words.len() as f64)
            + self.copy(4.0 * list.len() as f64)
            + self.chip.pcie.launch_ns as f64
            + self.copy(4.0 * problem.words() as f64)
    }

    /// Simulates direct summation of all slices completely, and returns the time of the fastest
    /// version.
    pub fn whole_direct(&self, problem: &Problem) -> Result<f64, RunError> {
        let times = DIRECT.map(|version| self.whole_by(version, problem));
        times.into_iter().try_fold(f64::INFINITY, |least, time| Ok(least.min(time?)))
    }

    fn whole_by(&self, version: Version, problem: &Problem) -> Result<f64, RunError> {
        let map =
            Map { version, points: problem.points, atoms: &problem.atoms, options: self.runner.options() };
        let mut gpu = worker(self.runner, &self.chip, &map)?;
        // Zeros are not counted, and the results are copied in one copy.
        let [width, height] = map.padded_slice();
        let slice = 4.0 * f64::from(width * height);
        let mut ns = self.copy(slice * f64::from(problem.points[2]));
        for z in 0..problem.points[2] {
            let from = gpu.free_ns();
            gpu.compute(&map, z)?;
            ns += (gpu.free_ns() - from) as f64 - 2.0 * self.copy(slice);
        }
        Ok(ns)
    }

    /// Time of the host's copy of atoms to constant memory and of its launch.
    fn chunk(&self, atoms: usize) -> f64 {
        self.copy(16.0 * atoms as f64) + self.chip.pcie.launch_ns as f64
    }

    /// Time of a copy of `bytes` bytes.
    fn copy(&self, bytes: f64) -> f64 {
        self.chip.pcie.latency_ns as f64 + bytes * 1e9 / self.chip.pcie.bytes_per_second as f64
    }
}

/// Time of a launch of `blocks` equal blocks: full rounds of the SMs, then the rest.
fn on_levels(lines: &[Line], blocks: u32, sms: u32, atoms: usize) -> f64 {
    let most = lines.len() as u32 * sms;
    let (rounds, rest) = (blocks / most, blocks % most);
    let of = |line: &Line| line.each * atoms as f64;
    let last = rest.div_ceil(sms).checked_sub(1).map_or(0.0, |level| of(&lines[level as usize]));
    lines[0].once + f64::from(rounds) * lines.last().map_or(0.0, of) + last
}

/// Samples two launches of `blocks` blocks of direct summation.
fn direct_line(runner: &Runner, chip: &Chip, version: Version, blocks: u32) -> Result<Line, RunError> {
    let all = water([64, 64, 8]);
    let time = |count: usize| {
        let atoms = &all[..count];
        let map =
            Map { version, points: [version.tile()[0] * blocks, SIDE, 1], atoms, options: runner.options() };
        let mut gpu = worker(runner, chip, &map)?;
        gpu.compute(&map, 0)?;
        Ok::<_, RunError>((count, gpu.kernel_ns))
    };
    Ok(Line::through([time(FEW[0])?, time(FEW[1])?]))
}

/// A sample of a binning: the kernel's time for a number of atoms, and its report.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Large bins: the atoms that all blocks test. Small bins: the atoms that each block tests,
    /// summed over the blocks.
    pub atoms: f64,
    /// Tested pairs of a point and an atom.
    pub pairs: f64,
    /// Time of the kernel in nanoseconds.
    pub ns: f64,
    /// Report of the launch.
    pub report: Report,
}

/// Samples a cube of large bins in the middle of a map, with one of `thinned` atoms around it.
fn large_sample(runner: &Runner, chip: &Chip, thinned: usize) -> Result<Sample, RunError> {
    // 16 Å larger than the cube on all sides.
    let problem = Problem::cube(112);
    let cube = Cube { first: [4; 3], count: [LARGE_SIDE; 3] };
    // Sorted by the distance from the middle of the cube, so that the same share of atoms is near
    // after thinning.
    let mut atoms = cube.neighborhood(&problem.atoms);
    let middle = SPACING * (REGION * (4 + LARGE_SIDE / 2)) as f32;
    let out = |atom: &Atom| [atom.x, atom.y, atom.z].map(|at| (at - middle).powi(2)).iter().sum::<f32>();
    atoms.sort_by(|a, b| out(a).total_cmp(&out(b)));
    let atoms: Vec<Atom> = atoms.into_iter().step_by(thinned).collect();
    let mut lab = runner.lab(chip.clone(), "cutoff_large_bin.ptx", &large_text())?;
    let map = lab.allocate(problem.words())?;
    let report = launch_large(&mut lab, runner, map, &problem, &cube, &atoms)?;
    let pairs = problem.region_points() * f64::from(LARGE_SIDE.pow(3)) * atoms.len() as f64;
    Ok(Sample { atoms: atoms.len() as f64, pairs, ns: Lab::kernel_ns(&report), report })
}

/// Takes both samples of a large bin.
pub fn large_samples(runner: &Runner, chip: &Chip) -> Result<[Sample; 2], RunError> {
    Ok([large_sample(runner, chip, THINNED[0])?, large_sample(runner, chip, THINNED[1])?])
}

/// Samples as many regions in the middle of a map as the chip holds at a time, with small bins.
pub fn small_sample(runner: &Runner, chip: &Chip) -> Result<Sample, RunError> {
    let problem = Problem::cube(80);
    let bins = Bins::of(&problem);
    let mut small = Small::new(runner, chip, &problem, &bins)?;
    let all = Cube { first: [0; 3], count: problem.regions() };
    let blocks = wave(&small.lab, &small.launch(runner, &problem, &bins, &all));
    let cube = Cube { first: [3; 3], count: [4, 4, (blocks / 16).clamp(1, 4)] };
    let report = small.lab.run(&small.launch(runner, &problem, &bins, &cube))?;
    let list = bins.neighbors();
    let [nx, ny, nz] = cube.count;
    let regions =
        (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [3 + x, 3 + y, 3 + z])));
    let atoms = regions.map(|region| bins.scanned(&list, region)).sum::<u64>() as f64;
    Ok(Sample { atoms, pairs: atoms * problem.region_points(), ns: Lab::kernel_ns(&report), report })
}

/// A GPU with small bins.
struct Small {
    lab: Lab,
    map: DevicePtr,
    bins: DevicePtr,
}

impl Small {
    fn new(runner: &Runner, chip: &Chip, problem: &Problem, bins: &Bins) -> Result<Self, RunError> {
        let mut lab = runner.lab(chip.clone(), "cutoff_small_bin.ptx", &small_text())?;
        let map = lab.allocate(problem.words())?;
        let words: Vec<u32> = bins.words.iter().map(|word| word.to_bits()).collect();
        let at = lab.upload(&words)?;
        lab.gpu.copy_to_symbol(lab.module, "neighbours", 0, &list_image(bins))?;
        Ok(Self { lab, map, bins: at })
    }

    fn launch(&self, runner: &Runner, problem: &Problem, bins: &Bins, cube: &Cube) -> Launch {
        let mut args = arguments(self.map, problem, cube);
        args.extend(small_arguments(self.bins, bins));
        Launch::new(self.lab.module, SMALL, cube.grid(), BLOCK).args(args).options(runner.options())
    }
}

/// Launches a cube of large bins with a chunk of atoms.
fn launch_large(
    lab: &mut Lab,
    runner: &Runner,
    map: DevicePtr,
    problem: &Problem,
    cube: &Cube,
    atoms: &[Atom],
) -> Result<Report, RunError> {
    lab.gpu.copy_to_symbol(lab.module, "atominfo", 0, &atoms_image(atoms))?;
    let mut args = arguments(map, problem, cube);
    args.push(sim_core::host::Arg::S32(atoms.len() as i32));
    lab.run(&Launch::new(lab.module, LARGE, cube.grid(), BLOCK).args(args).options(runner.options()))
}

/// Simulates a complete map with large bins. Returns its nanoseconds and the last report.
pub fn whole_large(runner: &Runner, chip: &Chip, problem: &Problem) -> Result<(f64, Report), RunError> {
    let mut lab = runner.lab(chip.clone(), "cutoff_large_bin.ptx", &large_text())?;
    let map = lab.allocate(problem.words())?;
    let mut last = None;
    for cube in Cube::all(problem.regions(), LARGE_SIDE) {
        for atoms in cube.neighborhood(&problem.atoms).chunks(ATOMS) {
            last = Some(launch_large(&mut lab, runner, map, problem, &cube, atoms)?);
        }
    }
    lab.download(map, problem.words() as usize)?;
    let report = last.ok_or_else(|| RunError::Unfinished("a map without atoms has no launch".to_owned()))?;
    Ok((lab.gpu.timeline().now_ns() as f64, report))
}

/// Simulates a complete map with small bins. Returns its nanoseconds and the report.
pub fn whole_small(
    runner: &Runner,
    chip: &Chip,
    problem: &Problem,
    bins: &Bins,
) -> Result<(f64, Report), RunError> {
    let mut small = Small::new(runner, chip, problem, bins)?;
    let all = Cube { first: [0; 3], count: problem.regions() };
    let report = small.lab.run(&small.launch(runner, problem, bins, &all))?;
    small.lab.download(small.map, problem.words() as usize)?;
    Ok((small.lab.gpu.timeline().now_ns() as f64, report))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_run_in_rounds() {
        // One block on an SM takes 3 per atom, two take 4.
        let lines = [Line { once: 10.0, each: 3.0 }, Line { once: 10.0, each: 4.0 }];
        let time = |blocks| on_levels(&lines, blocks, 16, 100) as u32;
        assert_eq!([1, 16, 17, 32, 33, 64, 90].map(time), [310, 310, 410, 410, 710, 810, 1210]);
    }

    #[test]
    fn a_line_goes_through_both_points() {
        let line = Line::through([(10, 120.0), (30, 160.0)]);
        assert!((line.once - 100.0).abs() < 1e-9 && (line.each - 2.0).abs() < 1e-9);
    }

    /// Compares a time from samples with a complete map small enough to simulate quickly.
    ///
    /// Tests: `time-from-samples`.
    #[test]
    fn samples_give_the_time_of_the_complete_map() {
        let chip = Chip::builtin("g80").unwrap();
        let runner = Runner::default();
        let small = Sample { atoms: 1.0, pairs: 0.0, ns: 1.0, report: small_report(&chip) };
        let large = [Sample { atoms: 2.0, ..small.clone() }, small.clone()];
        let sweep = Sweep::new(&runner, &chip, large, &small).unwrap();
        let problem = Problem::cube(16);
        let (sampled, whole) = (sweep.direct(16), sweep.whole_direct(&problem).unwrap());
        assert!((sampled / whole - 1.0).abs() < 0.1, "{sampled} and {whole}");
    }

    /// Returns the report of a small map.
    fn small_report(chip: &Chip) -> Report {
        let problem = Problem::cube(8);
        whole_small(&Runner::default(), chip, &problem, &Bins::of(&problem)).unwrap().1
    }
}

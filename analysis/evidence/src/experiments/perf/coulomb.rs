//! PERF-07, PERF-08, PERF-20: direct Coulomb summation on one GPU and on three, and the operations
//! that its second version saves.

use crate::finding::significant;
use crate::{Claim, Experiment, Finding, Runner, Shown, claims, why};
use isa::Options;
use isa::uop::{Class, Inst, Op, Program};
use kernels::RunError;
use kernels::coulomb::Version;
use kernels::coulomb::atoms::{Atom, water};
use kernels::coulomb::map::{Map, Worker, blocks_at_once, by_pool};
use kernels::coulomb::version::{ATOMS, ENTRY, FILE, SIDE};
use sim_core::config::Chip;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "PERF-07", show: three_versions },
    Experiment { id: "PERF-08", show: three_gpus },
    Experiment { id: "PERF-20", show: operations },
];

/// Points per row and number of rows at full size; the book says only that the grid is large.
const GRID: u32 = 512;

/// Returns `count` atoms. Their positions do not affect the time: the kernel has no branch that
/// depends on them.
fn atoms(count: usize) -> Vec<Atom> {
    let mut atoms = water([64, 64, count as u32 / 32 + 1]);
    atoms.truncate(count);
    atoms
}

/// Creates a GPU that computes slices of a map.
pub fn worker(runner: &Runner, chip: &Chip, map: &Map<'_>) -> Result<Worker, RunError> {
    Worker::new(runner.lab(chip.clone(), FILE, &map.version.text())?, map)
}

/// Returns the size of a slice: large, or as many blocks as the chip holds at a time.
fn slice(runner: &Runner, chip: &Chip, version: Version) -> Result<[u32; 2], RunError> {
    let [tile_x, _] = version.tile();
    Ok(runner.by_size([blocks_at_once(chip, version)? * tile_x, SIDE], [GRID, GRID]))
}

/// Measures the rates of the three versions and determines their limiters.
fn three_versions(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let (gflops, evaluations, band) = (claim.list("gflops"), claim.list("evaluations"), claim.band());
    let chip = runner.chip("g80", &[])?;
    let atoms = atoms(runner.by_size(300, ATOMS));
    let mut shown = Shown::new(format!(
        "coulomb-v1, -v2, -v3 on G80: a slice of {} and {} atoms",
        runner.by_size("as many blocks as fit together".to_owned(), format!("{GRID} x {GRID} points")),
        atoms.len()
    ));
    let versions = [("v1", Version::FIRST), ("v2", Version::ADJACENT), ("v3", Version::COALESCED)];
    let mut rates = Vec::new();
    for ((name, version), (gflops, evaluations)) in
        versions.into_iter().zip(gflops.into_iter().zip(evaluations))
    {
        let measure = |chip: &Chip| rate(runner, chip, version, &atoms);
        let (rate, report) = why::explain(&mut shown, name, "G evaluations/s", &chip, measure)?;
        shown.find(Finding::measured(format!("{name}: GFLOP/s"), gflops, band, rate * version.flops()));
        shown.find(Finding::measured(format!("{name}: G atom evaluations/s"), evaluations, band, rate));
        shown.because(format!(
            "{name}: {:.2} warp instructions for 32 evaluations, {} blocks of 256 threads on an SM.",
            per_evaluation(&report, version, atoms.len()),
            report.launch.occupancy.blocks
        ));
        rates.push(rate);
    }
    shown.find(Finding::shape(
        "order",
        "v1 < v2 < v3",
        rates.iter().map(|r| significant(*r)).collect::<Vec<_>>().join(", "),
        rates.is_sorted_by(|a, b| a < b),
    ));
    Ok(shown)
}

/// Returns 10^9 pairs of a point and an atom per second of the kernel, and its report.
fn rate(runner: &Runner, chip: &Chip, version: Version, atoms: &[Atom]) -> Result<(f64, Report), RunError> {
    let [width, height] = slice(runner, chip, version)?;
    let map = Map { version, points: [width, height, 1], atoms, options: runner.options() };
    let mut gpu = worker(runner, chip, &map)?;
    let slice = gpu.compute(&map, 0)?;
    let report = slice.reports.into_iter().next().expect("there are atoms");
    Ok((map.evaluations() / gpu.kernel_ns, report))
}

/// Warp instructions per atom and per point of each thread.
fn per_evaluation(report: &Report, version: Version, atoms: usize) -> f64 {
    let launch = &report.launch;
    let warps = launch.grid.count() * u64::from(launch.warps_per_block);
    report.instructions.warp as f64 / (warps * u64::from(version.points)) as f64 / atoms as f64
}

/// Runs the third version on three GPUs that get slices from a pool.
fn three_gpus(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [gflops] = claim.numbers(["gflops"]);
    let [evaluations] = claim.numbers(["evaluations"]);
    // The claim says "same" of PERF-07 and has its band.
    let same = claims::claim("PERF-07").ok_or_else(|| RunError::Unknown("PERF-07".to_owned()))?;
    let band = same.band();
    let chip = runner.chip("g80", &[])?;
    let version = Version::COALESCED;
    let atoms = atoms(runner.by_size(150, ATOMS));
    let [width, height] = slice(runner, &chip, version)?;
    let (gpus, slices) = (3, 6);
    let map = Map { version, points: [width, height, slices], atoms: &atoms, options: runner.options() };

    let mut pool = (0..gpus).map(|_| worker(runner, &chip, &map)).collect::<Result<Vec<_>, _>>()?;
    by_pool(&mut pool, &map)?;
    let all = map.evaluations() * f64::from(slices);
    let last = |ns: &dyn Fn(&Worker) -> f64| pool.iter().map(ns).fold(0.0, f64::max);
    let rate = all / last(&|gpu| gpu.kernel_ns);
    let mut shown = Shown::new(format!(
        "coulomb-v3 on {gpus} G80s: {slices} slices of {width} x {height} points and {} atoms from a pool",
        atoms.len()
    ));
    shown.find(Finding::measured("GFLOP/s", gflops, band, rate * version.flops()));
    shown.find(Finding::measured("G atom evaluations/s", evaluations, band, rate));
    let sum: f64 = pool.iter().map(|gpu| gpu.kernel_ns).sum();
    let speedup = sum / last(&|gpu| gpu.kernel_ns);
    let one = same.list("gflops").pop().unwrap_or(f64::INFINITY);
    // Equal slices on GPUs that share nothing: the speedup follows directly.
    shown.find(Finding::reported(
        "speedup over one GPU, without copies",
        format!("{}, as {gflops} to {one}", significant(gflops / one)),
        significant(speedup),
    ));
    let taken: Vec<String> = pool.iter().map(|gpu| gpu.slices.to_string()).collect();
    shown.because(format!(
        "The GPUs share nothing: they computed {} slices and ran kernels for {} us at most, {} us in total; with the copies of \
         atoms and results the last one ended after {} us.",
        taken.join(", "),
        significant(last(&|gpu| gpu.kernel_ns) / 1e3),
        significant(sum / 1e3),
        significant(last(&|gpu| gpu.free_ns() as f64) / 1e3)
    ));
    Ok(shown)
}

/// Operations of a thread for one atom, counted in the lowered code of the loop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counted {
    /// Different words of constant memory.
    words: u32,
    /// Reads of constant memory: a word is read for each operation that has it as an operand.
    reads: u32,
    /// Additions and subtractions; a multiply-add counts as one.
    sums: u32,
    /// Products; a multiply-add counts as one.
    products: u32,
    /// Reciprocal square roots.
    roots: u32,
    /// Micro-ops of the loop, without those that are fused into others.
    issued: u32,
}

impl Counted {
    /// Number of operations by the count that gives the book's 48: words, sums and products,
    /// without roots.
    fn operations(self) -> u32 {
        self.words + self.sums + self.products
    }
}

/// Returns the loop of a program: from the target of its only backward branch to that branch.
fn loop_of(program: &Program) -> &[Inst] {
    let back = |(pc, inst): &(usize, &Inst)| inst.op == Op::Bra && (inst.imm as usize) < *pc;
    let found = program.code.iter().enumerate().find(back);
    found.map_or(&[], |(pc, inst)| &program.code[inst.imm as usize..=pc])
}

/// Counts the operations of a loop.
fn counted(code: &[Inst]) -> Counted {
    let mut counted = Counted::default();
    let mut words = Vec::new();
    for inst in code {
        counted.issued += u32::from(inst.fused().is_none());
        match inst.op.class() {
            Class::LdConst => {
                counted.reads += 1;
                if !words.contains(&inst.imm) {
                    words.push(inst.imm);
                }
            }
            Class::FAdd => counted.sums += 1,
            Class::FMul => counted.products += 1,
            Class::FMad => {
                counted.sums += 1;
                counted.products += 1;
            }
            Class::FRcp => counted.roots += 1,
            _ => {}
        }
    }
    counted.words = words.len() as u32;
    counted
}

/// Counts the operations per atom and four points of a row, for the first and the second version.
fn operations(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [first, second, list] = claim.numbers(["first", "second", "list"]);
    let mut shown = Shown::new(
        "the lowered loops of coulomb-v1 and -v2 for sm_10, and launches on G80 with 40 and 41 atoms",
    );
    let four = Version::ADJACENT.points;
    let mut counts = [0; 2];
    for (i, version) in [Version::FIRST, Version::ADJACENT].into_iter().enumerate() {
        let name = format!("v{}", i + 1);
        let times = four / version.points;
        let text = version.text();
        let (module, _) = isa::compile_with(FILE, &text, Options::default());
        let module = module.ok_or_else(|| RunError::Unfinished("the text does not compile".to_owned()))?;
        let program =
            module.entries.iter().find(|p| p.name == ENTRY).ok_or_else(|| RunError::Unknown(name.clone()))?;
        let count = counted(loop_of(program));
        counts[i] = times * count.operations();
        let detail = format!(
            "{} constant words (read {} times), {} sums and differences, {} products",
            times * count.words,
            times * count.reads,
            times * count.sums,
            times * count.products
        );
        shown.because(format!(
            "{name}, four points and an atom: {detail}; {} roots are not counted; {} micro-ops issue.",
            times * count.roots,
            times * count.issued
        ));
        // One more atom costs one more iteration of the loop.
        let measured = extra_atom(runner, version)?;
        shown.find(Finding::exact(
            format!("{name}: warp instructions of the loop, and of a warp for one more atom"),
            f64::from(count.issued),
            measured,
        ));
    }
    shown.find(Finding::exact("v1: operations for four points and an atom", first, counts[0].into()));
    // Four words; a difference for dy and for each dx; a sum and a product each under the root and
    // for the energy.
    shown.find(Finding::exact(
        "v2: the same, compared with its pseudo code",
        4 + (1 + four) + 2 * (1 + 2 * four),
        counts[1],
    ));
    let ratio = f64::from(counts[1]) / f64::from(counts[0]);
    shown.find(Finding::shape(
        "v2 needs about half of these operations",
        format!("{second} of {first} (the text's list sums to {list})"),
        format!("{} of {}", counts[1], counts[0]),
        (ratio - second / first).abs() < 0.1,
    ));
    shown.because(format!(
        "Each of v2's four points still has one product for dx and one with the charge, so with the product for dy there are \
         {} products; a shorter list must omit some.",
        1 + 2 * four
    ));
    Ok(shown)
}

/// Returns the additional warp instructions of a warp for one more atom.
fn extra_atom(runner: &Runner, version: Version) -> Result<f64, RunError> {
    let chip = runner.chip("g80", &[])?;
    let [width, height] = version.tile();
    let mut executed = Vec::new();
    for count in [40, 41] {
        let atoms = atoms(count);
        let map = Map { version, points: [width, height, 1], atoms: &atoms, options: runner.options() };
        let slice = worker(runner, &chip, &map)?.compute(&map, 0)?;
        let report = &slice.reports[0];
        executed.push(report.instructions.warp as f64 / f64::from(report.launch.warps_per_block));
    }
    Ok(executed[1] - executed[0])
}

//! Whole programs of the experiments with their rates: matrix products, direct Coulomb summation,
//! histograms, sums of magnetic resonance imaging, and images.

use super::on::On;
use super::result::Ran;
use super::scope::Scope;
use crate::measure::programs::histogram::{at_once, short};
use crate::measure::programs::matmul::{FILE, Variant, rate};
use crate::runner::{Runner, Size};
use kernels::coulomb::Version;
use kernels::coulomb::atoms::water;
use kernels::coulomb::map::{Map, Worker, blocks_at_once, by_pool};
use kernels::coulomb::version::{self, SIDE};
use kernels::histogram::run as histogram;
use kernels::histogram::text::Kind;
use kernels::matmul::Tiled;
use kernels::mri::kernel::{DataPlacement, Kernel, Sum, Trig, Values};
use kernels::mri::phantom::Phantom;
use kernels::mri::program::reconstruct;
use kernels::mri::scan::Scan;
use kernels::{RunError, Session, Settings};
use serde::Deserialize;
use sim_core::config::Chip;
use sim_core::host::{LaunchSettings, Mode};

/// A program. Numbers are formulas, texts templates.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the comment of a variant describes its fields")]
pub enum Program {
    /// A product of square matrices, or its first waves of blocks, with tiles or one thread per
    /// element. Its registers are `published`, of this number, or as many as the code needs; with
    /// `everywhere` operands in shared memory are at any distance.
    Product {
        #[serde(default)]
        tile: Option<String>,
        #[serde(default)]
        merged: Option<String>,
        #[serde(default)]
        unrolled: Option<String>,
        #[serde(default)]
        prefetching: Option<String>,
        #[serde(default)]
        everywhere: bool,
        #[serde(default)]
        registers: Option<String>,
        #[serde(default)]
        published: bool,
        #[serde(default)]
        width: Option<String>,
    },
    /// Direct Coulomb summation in this version, of slices on several GPUs. Slices of 0 points have
    /// as many blocks as the chip holds at a time.
    Coulomb {
        version: String,
        atoms: String,
        points: [String; 2],
        #[serde(default)]
        slices: Option<String>,
        #[serde(default)]
        gpus: Option<String>,
    },
    /// A histogram of random bytes by `bytes`, `words` or `shared`; with `part` that part of the
    /// published input. With 0 blocks nothing is launched.
    Histogram {
        kind: String,
        blocks: String,
        #[serde(default)]
        words: Option<String>,
        #[serde(default)]
        part: Option<String>,
    },
    /// F^H d of magnetic resonance imaging: a published version, or as printed with the coordinates
    /// of the samples in constant memory, as arrays or structures, and with `constant` their
    /// values, too. With `samples` the voxels are as many as the chip has threads at a time.
    Fhd {
        #[serde(default)]
        version: Option<String>,
        #[serde(default)]
        structs: Option<String>,
        #[serde(default)]
        constant: bool,
        #[serde(default)]
        samples: Option<String>,
    },
    /// The image of a phantom by F^H d, with angles of additional turns, by a workload, and by the
    /// host in double precision.
    Image { workload: String, side: String, far: String },
}

/// Waves of blocks to run of a full-size product that is not sampled.
const WAVES: u32 = 2;

impl Program {
    /// Runs the program. The result has its `rate`.
    ///
    /// # Errors
    /// A launch is refused or does not finish, or a result is wrong.
    pub fn run(&self, runner: &Runner, on: &On, scope: &Scope<'_>) -> Result<Ran, RunError> {
        let chip = on.chip(runner, scope)?;
        let whole = |formula: &String| scope.number(formula).map(|number| number as u32);
        let some = |formula: &Option<String>| formula.as_ref().map(whole).transpose();
        let is = |formula: &Option<String>| some(formula).map(|number| number.is_some_and(|n| n != 0));
        match self {
            Self::Product {
                tile,
                merged,
                unrolled,
                prefetching,
                everywhere,
                registers,
                published,
                width,
            } => {
                let plain = some(tile)?.map(Tiled::new);
                let (merged, unrolled, prefetching) =
                    (some(merged)?.unwrap_or(1), is(unrolled)?, is(prefetching)?);
                let tiled = plain.map(|tiled| Tiled { merged, unrolled, prefetching, ..tiled });
                let own = if *published { tiled.and_then(Tiled::published_registers) } else { None };
                let tiled = tiled.map(|tiled| if *everywhere { tiled.reaching_everywhere() } else { tiled });
                let variant = Variant { tiled, registers: some(registers)?.or(own) };
                product(runner, &chip, variant, some(width)?)
            }
            Self::Coulomb { version, atoms, points, slices, gpus } => {
                let version = match whole(version)? {
                    1 => Version::FIRST,
                    2 => Version::ADJACENT,
                    3 => Version::COALESCED,
                    other => return Err(RunError::Wrong(format!("there is no version {other}"))),
                };
                let counts = [whole(atoms)?, some(slices)?.unwrap_or(1), some(gpus)?.unwrap_or(1)];
                coulomb(runner, &chip, version, [whole(&points[0])?, whole(&points[1])?], counts)
            }
            Self::Histogram { kind, blocks, words, part } => {
                let kind = match kind.as_str() {
                    "bytes" => Kind::Bytes,
                    "words" => Kind::Words,
                    "shared" => Kind::SharedFermi,
                    other => return Err(RunError::Wrong(format!("there is no histogram by `{other}`"))),
                };
                let resident = at_once(&chip)?;
                let mut size = histogram::Size { blocks: whole(blocks)?, words: some(words)?.unwrap_or(1) };
                if let Some(part) = some(part)? {
                    size = short(size, part, resident);
                }
                let mut ran = Ran::default();
                if size.blocks > 0 {
                    let mut lab = histogram::laboratory(runner.gpu(chip.clone()), kind)?;
                    let (rate, report) = histogram::measure(&mut lab, kind, size)?;
                    ran = Ran::of(&chip, &report);
                    ran.number("rate", rate);
                }
                ran.number("resident", resident);
                Ok(ran)
            }
            Self::Fhd { version, structs, constant, samples } => {
                let place = if is(structs)? { DataPlacement::Structs } else { DataPlacement::Arrays };
                let values = if *constant { Values::Constant } else { Values::Global };
                let kernel = match some(version)? {
                    Some(version) => {
                        use kernels::mri::kernel::Version::{Constant, Global, Tuned};
                        let version = match version {
                            1 => Global,
                            2 => Constant,
                            3 => Tuned,
                            other => return Err(RunError::Wrong(format!("there is no version {other}"))),
                        };
                        Kernel::measured(Sum::Fhd, version)
                    }
                    None => Kernel { values, trig: Trig::Software, ..Kernel::fhd(place) },
                };
                fhd(runner, &chip, kernel, some(samples)?)
            }
            Self::Image { workload, side, far } => {
                image(runner, chip, workload, &Phantom::new(whole(side)?, whole(far)?))
            }
        }
    }
}

/// Runs [`Program::Product`]: one or two waves of resident blocks, or, if launches are sampled at
/// full size, the whole product.
fn product(runner: &Runner, chip: &Chip, variant: Variant, width: Option<u32>) -> Result<Ran, RunError> {
    let width = width.unwrap_or(runner.by_size(256, 512));
    let waves = match (runner.size, runner.sampling) {
        (Size::Reduced, _) => Some(1),
        (Size::Full, None) => Some(WAVES),
        (Size::Full, Some(_)) => None,
    };
    let lab = runner.lab(chip.clone(), FILE, &variant.text(chip))?;
    let (gflops, report) = rate(lab, variant, width, waves, runner.options())?;
    let mut ran = Ran::of(chip, &report);
    ran.number("rate", gflops);
    ran.text("name", variant.tiled.map_or_else(String::new, Tiled::name));
    ran.text(
        "size",
        match waves {
            None => format!("the product of two {width} x {width} matrices"),
            Some(1) => format!("one wave of resident blocks of a {width} x {width} product"),
            Some(waves) => format!("{waves} waves of resident blocks of a {width} x {width} product"),
        },
    );
    Ok(ran)
}

/// Runs [`Program::Coulomb`], with numbers of atoms, slices and GPUs. The positions of atoms do not
/// affect the time: the kernel has no branch that depends on them.
fn coulomb(
    runner: &Runner,
    chip: &Chip,
    version: Version,
    [mut width, mut height]: [u32; 2],
    [atoms, slices, gpus]: [u32; 3],
) -> Result<Ran, RunError> {
    let [tile_x, tile_y] = version.tile();
    if width == 0 {
        [width, height] = [blocks_at_once(chip, version)? * tile_x, SIDE];
    }
    let mut list = water([64, 64, atoms / 32 + 1]);
    list.truncate(atoms as usize);
    let map = Map { version, points: [width, height, slices], atoms: &list, options: runner.options() };
    let gpu = |_| worker(runner, chip, &map);
    let mut pool = (0..gpus).map(gpu).collect::<Result<Vec<_>, _>>()?;
    let computed = by_pool(&mut pool, &map)?;
    let report = computed.first().and_then(|slice| slice.reports.first());
    let mut ran = report.map_or_else(Ran::default, |report| Ran::of(chip, report));
    let last = |ns: &dyn Fn(&Worker) -> f64| pool.iter().map(ns).fold(0.0, f64::max);
    let busy = last(&|gpu| gpu.kernel_ns);
    let [padded_x, padded_y] = map.padded_slice();
    for (name, value) in [
        ("rate", map.evaluations() * f64::from(slices) / busy),
        ("flops", version.flops()),
        ("points", version.points.into()),
        ("width", width.into()),
        ("height", height.into()),
        ("tile_x", tile_x.into()),
        ("tile_y", tile_y.into()),
        ("padded_x", padded_x.into()),
        ("padded_y", padded_y.into()),
        ("busy_ns", busy),
        ("all_ns", pool.iter().map(|gpu| gpu.kernel_ns).sum()),
        ("end_ns", last(&|gpu| gpu.free_ns() as f64)),
    ] {
        ran.number(name, value);
    }
    ran.set("taken", crate::text::Value::List(pool.iter().map(|gpu| gpu.slices.into()).collect()));
    Ok(ran)
}

/// Creates a GPU that computes slices of a map.
pub fn worker(runner: &Runner, chip: &Chip, map: &Map<'_>) -> Result<Worker, RunError> {
    Worker::new(runner.lab(chip.clone(), version::FILE, &map.version.text())?, map)
}

/// Runs [`Program::Fhd`]. Without a number of samples, reduced size has as many voxels as the chip
/// has threads at a time, full size all voxels, and the samples are as many as needed for a steady
/// state of similar launches.
fn fhd(runner: &Runner, chip: &Chip, kernel: Kernel, samples: Option<u32>) -> Result<Ran, RunError> {
    let mut lab = kernel.laboratory(runner.gpu(chip.clone()))?;
    let (voxels, samples) = match (samples, runner.size) {
        (Some(samples), _) => (kernel.voxels_at_once(&lab), samples),
        (None, Size::Reduced) => (kernel.voxels_at_once(&lab), kernel.few_samples() / 2),
        (None, Size::Full) => (kernel.side().pow(3), kernel.few_samples()),
    };
    let (found, _) = kernel.whole(&mut lab, &Scan::made(voxels, samples))?;
    let report = found.reports.last().ok_or_else(|| RunError::Wrong("no samples".to_owned()))?;
    let mut ran = Ran::of(chip, report);
    let operations = kernel.flops() * f64::from(voxels) * f64::from(samples);
    ran.number("rate", operations / found.microseconds() / 1000.0);
    ran.number("flops", kernel.flops());
    Ok(ran)
}

/// Runs [`Program::Image`] on the functional machine, which has no timing to sample.
fn image(runner: &Runner, chip: Chip, name: &str, phantom: &Phantom) -> Result<Ran, RunError> {
    let runner = Runner { sampling: None, ..runner.clone() };
    let unknown = || RunError::Unknown(name.to_owned());
    let (workload, variant) = kernels::find(name).zip(kernels::mri::variant(name)).ok_or_else(unknown)?;
    let mut gpu = runner.gpu(chip);
    let launches =
        LaunchSettings { mode: Mode::Functional, options: runner.options(), ..LaunchSettings::default() };
    let settings = Settings { launches, ..Settings::default() };
    let mut session = Session::new(workload, workload.compile()?, &mut gpu, settings)?;
    let made = reconstruct(&mut session, variant.way, phantom)?;
    if !made.check.passed() {
        return Err(RunError::Wrong(made.check.describe("sums")));
    }
    let mut ran = Ran::default();
    let [found, host] = made.psnr;
    ran.number("turns", phantom.most_turns());
    ran.number("psnr", found);
    ran.number("host", host);
    Ok(ran)
}

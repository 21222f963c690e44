//! The runs of the figures.

use super::super::runs::{verified, whole};
use crate::args::BookFigure;
use crate::exit::Failure;
use crate::watch::Watch;
use crate::workload::watchdog_cycles;
use figures::columns::Columns;
use isa::Options;
use kernels::coulomb::Version;
use kernels::coulomb::atoms::{Atom, SPACING, water};
use kernels::coulomb::map::{Map, Worker};
use kernels::coulomb::version::FILE;
use kernels::lab;
use kernels::{RunError, Settings};
use sim_core::config::Chip;
use sim_core::host::{Gpu, HostError, LaunchSettings, RunOptions};
use sim_core::stats::Report;

/// Atoms of figure 9.10.
const ATOMS: usize = 300;
/// Largest number of points of a row in figure 9.10.
const LARGEST_SLICE: u64 = 1024;

/// Runs kernels on a chip.
pub struct Lab {
    /// Chip on which the kernels run.
    pub chip: Chip,
    /// Maximum number of host threads.
    pub threads: usize,
    /// The progress.
    pub watch: Watch,
}

/// Returns the bars of a figure for a problem of size `size`.
///
/// # Errors
///
/// A kernel does not accept the size, fails or gives a wrong result.
pub fn figure(lab: &Lab, figure: BookFigure, size: Option<u64>) -> Result<Columns, Failure> {
    match figure {
        BookFigure::Products => products(lab, size.unwrap_or(256)),
        BookFigure::Mri => mri(lab, size.unwrap_or(16)),
        BookFigure::Coulomb => coulomb(lab, size.unwrap_or(512)),
        BookFigure::Cutoff => cutoff(lab, size.unwrap_or(48)),
    }
}

impl Lab {
    fn options(&self) -> RunOptions {
        let max_cycles = watchdog_cycles(&self.chip);
        RunOptions { threads: self.threads, max_cycles, ..RunOptions::default() }
    }

    fn gpu(&self) -> Gpu {
        let mut gpu = Gpu::new(self.chip.clone());
        self.watch.follow(&mut gpu);
        gpu
    }

    /// Runs a built-in kernel and checks its result. Returns its reports; `None` if the chip
    /// refuses the launch.
    fn run(&self, name: &str, size: u64) -> Result<Option<Vec<Report>>, Failure> {
        let settings = Settings {
            size: Some(size),
            launches: LaunchSettings { options: self.options(), ..LaunchSettings::default() },
        };
        let run = match kernels::run(name, &mut self.gpu(), settings) {
            Err(RunError::Host(HostError::Launch(_))) => return Ok(None),
            run => run.map_err(|why| failed(name, &why))?,
        };
        verified(name, run).map(Some)
    }
}

fn failed(name: &str, why: &RunError) -> Failure {
    Failure::input(format!("error: {name}: {why}"))
}

/// Microseconds of all launches.
fn microseconds(reports: &[Report]) -> f64 {
    reports.iter().filter_map(|report| report.timing.as_ref()).map(|timing| timing.microseconds).sum()
}

/// Figure 6.16: the tiled products.
fn products(lab: &Lab, size: u64) -> Result<Columns, Failure> {
    let tunings = ["", "-prefetch", "-unrolled", "-unrolled-prefetch"];
    let mut groups = Vec::new();
    for tile in [8, 16] {
        for merged in [1, 2, 4] {
            let rates = tunings.iter().map(|tuning| {
                let name = format!("matmul-{tile}x{tile}-1x{merged}{tuning}");
                let reports = lab.run(&name, size)?;
                // 2 n³ operations of the product; the time includes all launches.
                let operations = 2.0 * (size as f64).powi(3);
                Ok(reports.map(|reports| operations / microseconds(&reports) / 1000.0))
            });
            let rates = rates.collect::<Result<Vec<_>, Failure>>()?;
            groups.push((format!("{tile}×{tile}, 1×{merged}"), rates));
        }
    }
    Ok(Columns {
        title: "Figure 6.16: tiled matrix products".to_owned(),
        notes: vec![
            format!("{size} × {size} matrices, simulated"),
            "Registers by the simulator's own count; with those of the book's compiler 16×16, 1×4 with prefetching does not launch."
                .to_owned(),
        ],
        quantity: "rate (GFLOP/s)".to_owned(),
        across: "tile size, tiles that a block computes".to_owned(),
        series: ["plain", "prefetching", "unrolled", "unrolled and prefetching"].map(str::to_owned).to_vec(),
        groups,
        log: false,
    })
}

/// Figure 8.20: F^H d, tuned step by step.
fn mri(lab: &Lab, size: u64) -> Result<Columns, Failure> {
    let versions = [
        ("global", "global memory"),
        ("registers", "registers"),
        ("constant", "constant memory"),
        ("structs", "structures"),
        ("sfu", "SFU sines"),
        ("tuned", "tuned"),
    ];
    let pairs = (size as f64).powi(6);
    let mut groups = Vec::new();
    for (version, name) in versions {
        let reports = lab.run(&format!("mri-fhd-{version}"), size)?;
        groups.push((name.to_owned(), vec![reports.map(|reports| pairs / microseconds(&reports) / 1000.0)]));
    }
    Ok(Columns {
        title: "Figure 8.20: F^H d of an MRI scan".to_owned(),
        notes: vec![format!(
            "{size}³ voxels and as many samples, simulated; each version adds to the one before"
        )],
        quantity: "rate (G voxel-sample pairs per second)".to_owned(),
        across: "version".to_owned(),
        series: vec!["rate".to_owned()],
        groups,
        log: false,
    })
}

/// Figure 9.10: direct summation, by the size of the slice.
fn coulomb(lab: &Lab, size: u64) -> Result<Columns, Failure> {
    // The kernel has no branch that depends on atoms, so few of them are enough.
    let mut atoms = water([64, 64, 16]);
    atoms.truncate(ATOMS);
    let versions = [Version::FIRST, Version::ADJACENT, Version::COALESCED];
    let mut groups = Vec::new();
    if !(8..=LARGEST_SLICE).contains(&size) {
        let message = format!("error: --size {size}: expected 8 to {LARGEST_SLICE} points of a row");
        return Err(Failure::input(message));
    }
    for side in [size / 8, size / 4, size / 2, size] {
        let points = [side as u32, side as u32, 1];
        let pairs = (side * side) as f64 * atoms.len() as f64;
        let rates = versions.map(|version| Ok(Some(pairs / slice(lab, version, points, &atoms, 0)?)));
        let rates = rates.into_iter().collect::<Result<Vec<_>, Failure>>()?;
        groups.push((format!("{side} × {side}"), rates));
    }
    Ok(Columns {
        title: "Figure 9.10: direct summation of the potential".to_owned(),
        notes: vec![format!(
            "{} atoms; pairs of a point and an atom, without the points that only pad the slice; simulated",
            atoms.len()
        )],
        quantity: "rate (G pairs per second)".to_owned(),
        across: "points of the slice".to_owned(),
        series: ["v1: a point per thread", "v2: four adjacent points", "v3: eight points, coalesced"]
            .map(str::to_owned)
            .to_vec(),
        groups,
        log: false,
    })
}

/// Figure 10.3: bins and direct summation, by the volume of the map.
fn cutoff(lab: &Lab, size: u64) -> Result<Columns, Failure> {
    let mut groups = Vec::new();
    for side in [size / 4, size / 2, size * 3 / 4, size] {
        let mut times = Vec::new();
        for name in ["cutoff-large-bin", "cutoff-small-bin"] {
            times.push(lab.run(name, side)?.map(|reports| microseconds(&reports) / 1000.0));
        }
        times.push(Some(direct(lab, side as u32)?));
        let volume = (side as f64 * f64::from(SPACING)).powi(3);
        groups.push((format!("{} Å³", crate::render::number::fixed(volume, 0)), times));
    }
    Ok(Columns {
        title: "Figure 10.3: potential with a cutoff".to_owned(),
        notes: vec![
            "Cubes of water, cutoff 12 Å; simulated kernels without the host's share. The axis is logarithmic.".to_owned(),
            "Direct summation: the time of one slice, of the fastest version, times the number of slices".to_owned(),
        ],
        quantity: "time of a map (ms)".to_owned(),
        across: "volume of the map".to_owned(),
        series: ["large bins", "small bins", "direct summation"].map(str::to_owned).to_vec(),
        groups,
        log: true,
    })
}

/// Milliseconds of a whole map by direct summation.
fn direct(lab: &Lab, side: u32) -> Result<f64, Failure> {
    let atoms = water([side, side, side]);
    let mut best = f64::INFINITY;
    for version in [Version::FIRST, Version::ADJACENT, Version::COALESCED] {
        let ns = slice(lab, version, [side, side, side], &atoms, side / 2)?;
        best = best.min(ns * f64::from(side) / 1e6);
    }
    Ok(best)
}

/// Nanoseconds of the kernels that compute slice `z` of a map by direct summation.
fn slice(lab: &Lab, version: Version, points: [u32; 3], atoms: &[Atom], z: u32) -> Result<f64, Failure> {
    let map = Map { version, points, atoms, options: lab.options() };
    let compute = || {
        let lab = lab::Lab::on(lab.gpu(), FILE, &version.text(), Options::default())?;
        let mut worker = Worker::new(lab, &map)?;
        let slice = worker.compute(&map, z)?;
        Ok((worker.kernel_ns, slice.reports))
    };
    let (ns, reports) = compute().map_err(|why: RunError| failed("direct summation", &why))?;
    whole("direct summation", &reports)?;
    Ok(ns)
}

//! Host programs of the potential with a cutoff (section 10.3): large bins in constant memory,
//! small bins in global memory.

pub mod bins;
pub mod problem;
mod text;

pub use bins::{Bins, Cube};
pub use problem::Problem;
pub use text::{large as large_text, small as small_text};

use crate::Workload;
use crate::check::Check;
use crate::coulomb::atoms::{Atom, ROUNDING, SPACING};
use crate::coulomb::version::ATOMS;
use crate::host::{HostRun, RunError, Session};
use crate::numbers::counted;
use isa::types::Dim3;
use problem::{CUTOFF, REGION, Reference};
use sim_core::host::{Arg, DevicePtr};
use sim_core::stats::Report;

/// Threads per block.
pub const BLOCK: Dim3 = Dim3::new(REGION, REGION, 2);
/// Regions along an axis of the cube of a large bin: 24 Å.
pub const LARGE_SIDE: u32 = 6;
/// Name of the kernel with large bins.
pub const LARGE: &str = "cutoff_large_bin";
/// Name of the kernel with small bins.
pub const SMALL: &str = "cutoff_small_bin";
/// Points along an axis of the largest map.
const LARGEST: u64 = 128;

/// Returns the family's workloads.
pub fn workloads() -> Vec<Workload> {
    let workload =
        |name, about, file, text: String, cuda, program: fn(&mut Session<'_>, &Problem) -> Computed| {
            Workload {
                name,
                family: Some("cutoff"),
                about,
                book: "Kirk & Hwu, section 10.3",
                default_size: 24,
                small_sizes: &[1, 9, 20],
                size_meaning: "points along each axis of a cube of water, 1 to 128",
                block: BLOCK,
                registers: None,
                file,
                ptx: String::leak(text),
                cuda,
                program: Box::new(move |session, size| run(session, size, program)),
            }
        };
    vec![
        workload(
            "cutoff-large-bin",
            "electrostatic potential within 12 angstrom: launch by launch, atoms around a large cube in constant memory",
            "cutoff_large_bin.ptx",
            large_text(),
            include_str!("../../cuda/cutoff_large_bin.cu"),
            large,
        ),
        workload(
            "cutoff-small-bin",
            "electrostatic potential within 12 angstrom: in one launch, each block fetches the bins around its own region",
            "cutoff_small_bin.ptx",
            small_text(),
            include_str!("../../cuda/cutoff_small_bin.cu"),
            small,
        ),
    ]
}

/// Function that computes the map of a problem, region by region.
type Binning = fn(&mut Session<'_>, &Problem) -> Computed;
/// Reports and the map, or the reason why there is no map to compare.
type Computed = Result<(Vec<Report>, Result<Vec<f32>, Check>), RunError>;

/// Computes the map of a cube of `size` points along each axis.
fn run(session: &mut Session<'_>, size: u64, program: Binning) -> Result<HostRun, RunError> {
    if size == 0 || size > LARGEST {
        return Err(session.bad_size(size, format!("it must be from 1 to {LARGEST}")));
    }
    let problem = Problem::cube(size as u32);
    session.require_memory(size, u128::from(problem.words()))?;
    let (reports, map) = program(session, &problem)?;
    let check = map.map_or_else(
        |none| none,
        |map| {
            let Reference { values, bound, .. } = problem.reference();
            Check::compare(values.into_iter(), &problem.in_order(&map), bound)
        },
    );
    let summary = format!(
        "potential at {size} x {size} x {size} points of {} within 12 angstrom, {}: {}",
        counted(problem.atoms.len() as u64, "atom", "atoms"),
        counted(reports.len() as u64, "launch", "launches"),
        check.describe("points")
    );
    Ok(HostRun { reports, check, summary })
}

/// First arguments of both kernels.
pub fn arguments(energies: DevicePtr, problem: &Problem, cube: &Cube) -> Vec<Arg> {
    let [wide, high, _] = problem.regions();
    let [x, y, z] = cube.first;
    let mut args = vec![Arg::Ptr(energies)];
    args.extend([wide, high, x, y, z, cube.count[1]].map(Arg::U32));
    args.extend([SPACING, CUTOFF * CUTOFF, -1.0 / (CUTOFF * CUTOFF)].map(Arg::F32));
    args
}

/// Further arguments of the small bins' kernel, after [`arguments`]; the bins are at address `at`.
pub fn small_arguments(at: DevicePtr, bins: &Bins) -> [Arg; 4] {
    let [wide, high, _] = bins.count;
    let listed = bins.neighbors().len() as u32;
    [at.address() + bins.first(), wide, wide * high, listed].map(Arg::U32)
}

/// Constant-memory image of atoms.
pub fn atoms_image(atoms: &[Atom]) -> Vec<u8> {
    atoms.iter().flat_map(|a| [a.x, a.y, a.z, a.charge]).flat_map(f32::to_le_bytes).collect()
}

/// Constant-memory image of the list of neighbors.
pub fn list_image(bins: &Bins) -> Vec<u8> {
    bins.neighbors().into_iter().flat_map(i32::to_le_bytes).collect()
}

/// Launches one kernel per cube and per 4,000 atoms.
fn large(session: &mut Session<'_>, problem: &Problem) -> Computed {
    let map = session.upload(&vec![0.0; problem.words() as usize])?;
    let mut reports = Vec::new();
    'launches: for cube in Cube::all(problem.regions(), LARGE_SIDE) {
        for atoms in cube.neighborhood(&problem.atoms).chunks(ATOMS) {
            session.copy_to_symbol("atominfo", 0, &atoms_image(atoms))?;
            let mut args = arguments(map, problem, &cube);
            args.push(Arg::S32(atoms.len() as i32));
            let report = session.launch(LARGE, cube.grid(), BLOCK, args)?;
            let whole = report.verdict.is_whole();
            reports.push(report);
            if !whole {
                break 'launches;
            }
        }
    }
    let map = match Check::unfinished(&reports) {
        Some(none) => Err(none),
        None => Ok(session.download(map, problem.words())?),
    };
    Ok((reports, map))
}

/// Computes all regions in one launch; then the host adds the atoms of the overflow list.
fn small(session: &mut Session<'_>, problem: &Problem) -> Computed {
    let bins = Bins::of(problem);
    let map = session.allocate(problem.words())?;
    let at = session.upload(&bins.words)?;
    session.copy_to_symbol("neighbours", 0, &list_image(&bins))?;
    let all = Cube { first: [0; 3], count: problem.regions() };
    let mut args = arguments(map, problem, &all);
    args.extend(small_arguments(at, &bins));
    let reports = vec![session.launch(SMALL, all.grid(), BLOCK, args)?];
    if let Some(none) = Check::unfinished(&reports) {
        return Ok((reports, Err(none)));
    }
    let mut map = session.download(map, problem.words())?;
    add_overflow(problem, &bins, &mut map);
    Ok((reports, Ok(map)))
}

/// Adds the contribution of the overflow list to a map that is stored region by region.
fn add_overflow(problem: &Problem, bins: &Bins, map: &mut [f32]) {
    let rest = Problem { points: problem.regions().map(|n| n * REGION), atoms: bins.overflow.clone() };
    let more = rest.reference().values;
    let places: Vec<f32> = (0..map.len()).map(|i| i as f32).collect();
    debug_assert!(map.len() as f64 * ROUNDING < 1.0, "places are exact");
    for (place, value) in rest.in_order(&places).into_iter().zip(more) {
        map[place as usize] += value as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use sim_core::config::Chip;
    use sim_core::host::{Gpu, LaunchSettings, Mode};

    /// 25.5 Å along x: two cubes, more regions than a neighborhood has, and a partial region at the
    /// end.
    ///
    /// Tests: `potential-maps`.
    #[test]
    fn both_binnings_compute_the_hosts_map() {
        let points = [51, 20, 17];
        let problem = Problem { points, atoms: crate::coulomb::atoms::water(points) };
        let Reference { values, bound, .. } = problem.reference();
        let programs: [(_, Binning, _); 2] = [("cutoff-large-bin", large, 2), ("cutoff-small-bin", small, 1)];
        for (name, program, launches) in programs {
            let workload = crate::find(name).unwrap();
            let mut gpu = Gpu::new(Chip::builtin("g80").unwrap());
            let settings = Settings {
                launches: LaunchSettings { mode: Mode::Functional, ..LaunchSettings::default() },
                ..Settings::default()
            };
            let mut session =
                Session::new(workload, workload.compile().unwrap(), &mut gpu, settings).unwrap();
            let (reports, map) = program(&mut session, &problem).unwrap();
            assert_eq!(reports.len(), launches);
            let check = Check::compare(values.iter().copied(), &problem.in_order(&map.unwrap()), bound);
            assert!(check.passed(), "{name}: {}", check.describe("points"));
        }
    }

    /// Tests: `potential-maps`.
    #[test]
    fn the_host_adds_the_overflow_atoms() {
        let mut problem = Problem::cube(12);
        let crowd = Atom { x: 1.015_625, y: 1.015_625, z: 1.015_625, charge: 1.0 };
        problem.atoms.extend([crowd; 9]);
        let bins = Bins::of(&problem);
        assert!(bins.overflow.len() >= 9);
        let mut map = vec![0.0; problem.words() as usize];
        add_overflow(&problem, &bins, &mut map);
        let over = Problem { points: problem.points, atoms: bins.overflow };
        let expected = over.reference();
        let check = Check::compare(expected.values.into_iter(), &problem.in_order(&map), 1e-4);
        assert!(check.passed(), "{}", check.describe("points"));
    }
}

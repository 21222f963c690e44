//! Host program of direct Coulomb summation (chapter 9): one slice of a map, or a map of many
//! slices on several GPUs.
//!
//! Invariant `potential-maps`: Potential maps equal the maps that the host computes, within the
//! error bound of the kernels' arithmetic. Launches add up, a slice runs on the GPU that is free
//! first, every bin within reach is visited, and overflow atoms are computed by the host.

pub mod atoms;
pub mod map;
pub mod version;

pub use version::Version;

use crate::Workload;
use crate::check::Check;
use crate::host::{HostRun, RunError, Session};
use crate::numbers::counted;
use atoms::{SPACING, over_slice, potentials, water};
use map::padded;
use sim_core::host::Arg;
use version::{ATOMS, BLOCK, ENTRY, FILE};

/// Points of the box of atoms along z: 16 Å.
const DEPTH: u32 = 32;
/// Rows of the largest slice: 102,400 atoms need 26 launches.
const LARGEST: u64 = 512;

/// Returns the family's workloads.
pub fn workloads() -> Vec<Workload> {
    let workload = |name, about, book, version: Version| Workload {
        name,
        family: Some("coulomb"),
        about,
        book,
        default_size: 64,
        small_sizes: &[1, 16, 33],
        size_meaning: "points of a row and rows of the slice, 1 to 512; the box of atoms is as wide and 32 points high",
        block: BLOCK,
        registers: None,
        file: FILE,
        ptx: String::leak(version.text()),
        cuda: String::leak(version.cuda()),
        program: Box::new(move |session, size| run(session, version, size)),
    };
    vec![
        workload(
            "coulomb-v1",
            "electrostatic potential of a slice by direct summation, a point for each thread",
            "Kirk & Hwu, section 9.2, figure 9.5",
            Version::FIRST,
        ),
        workload(
            "coulomb-v2",
            "electrostatic potential of a slice by direct summation, four neighboring points for each thread: fewer instructions, stores do not coalesce",
            "Kirk & Hwu, section 9.3, figure 9.7",
            Version::ADJACENT,
        ),
        workload(
            "coulomb-v3",
            "electrostatic potential of a slice by direct summation, eight points a block's width apart for each thread: stores coalesce",
            "Kirk & Hwu, section 9.4, figure 9.9",
            Version::COALESCED,
        ),
    ]
}

/// Computes the slice through the middle of a box of `size` x `size` x 32 points.
fn run(session: &mut Session<'_>, version: Version, size: u64) -> Result<HostRun, RunError> {
    if size == 0 || size > LARGEST {
        return Err(session.bad_size(size, format!("it must be from 1 to {LARGEST}")));
    }
    let side = size as u32;
    let [tile_x, tile_y] = version.tile();
    let [width, height, _] = padded([side, side, 1], [tile_x, tile_y, 1]);
    session.require_memory(size, u128::from(width) * u128::from(height))?;
    let atoms = water([side, side, DEPTH]);
    let z = (DEPTH / 2) as f32 * SPACING;

    let grid = session.upload(&vec![0.0; (width * height) as usize])?;
    let mut reports = Vec::new();
    for chunk in atoms.chunks(ATOMS) {
        session.copy_to_symbol("atominfo", 0, &over_slice(chunk, z))?;
        let args = [Arg::Ptr(grid), Arg::S32(chunk.len() as i32), Arg::F32(SPACING)];
        reports.push(session.launch(ENTRY, (width / tile_x, height / tile_y), BLOCK, args)?);
        if reports.iter().any(|report| !report.verdict.is_whole()) {
            break;
        }
    }

    let check = if let Some(none) = Check::unfinished(&reports) {
        none
    } else {
        let energies = session.download(grid, u64::from(width) * u64::from(height))?;
        let (expected, bound) = potentials([side, side], z, &atoms);
        Check::compare(expected.into_iter(), &map::unpadded(&energies, width, [side, side]), bound)
    };
    let summary = format!(
        "potential at {side} x {side} points (padded to {width} x {height}) of {}, {}: {}",
        counted(atoms.len() as u64, "atom", "atoms"),
        counted(reports.len() as u64, "launch", "launches"),
        check.describe("points")
    );
    Ok(HostRun { reports, check, summary })
}

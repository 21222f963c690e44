//! Direct Coulomb summation on a slice of a grid, in the book's three versions (the kernels of
//! [`kernels::coulomb`]), and on three GPUs.

use crate::measure::{Measured, Scale};
use isa::Options;
use isa::types::Dim3;
use kernels::RunError;
use kernels::coulomb::Version;
use kernels::coulomb::atoms::SPACING;
use kernels::coulomb::version::{BLOCK, ENTRY, FILE, SIDE};
use kernels::lab::Lab;
use kernels::lab::{compiled_for, wave};
use kernels::numbers::whole;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Launch};

/// Atoms of the full run, as many as fit into constant memory; and of the short run, still twice
/// the constant cache.
const ATOMS: u32 = 4000;
const SHORT_ATOMS: u32 = 1000;
/// Points per row and number of rows of the full run; the published grid is only said to be large.
const GRID: u32 = 1024;

/// The versions of the book.
pub const VERSIONS: [Version; 3] = [Version::FIRST, Version::ADJACENT, Version::COALESCED];

/// Measures GFLOP/s as the book counts them. The GPUs share no memory and compute separate slices;
/// the last one to end counts.
pub fn run(chip: &Chip, version: Version, gpus: u32, scale: Scale) -> Result<Measured, RunError> {
    let atoms = super::by_scale(scale, SHORT_ATOMS, ATOMS);
    let (mut evaluations, mut ns) = (0.0, 0.0f64);
    let mut instead = String::new();
    for slice in 0..gpus {
        let mut lab = laboratory(version, chip)?;
        lab.gpu.copy_to_symbol(lab.module, "atominfo", 0, &image(&atoms_over(slice, atoms)))?;
        let mut slice_launch = launch(&lab, DevicePtr::new(0), Dim3::new(1, 1, 1), atoms);
        slice_launch.grid = match scale {
            Scale::Short => Dim3::new(wave(&lab, &slice_launch), 1, 1),
            Scale::Full => Dim3::new(GRID / SIDE / version.points, GRID / SIDE, 1),
        };
        let points = slice_launch.grid.count() * u64::from(SIDE * SIDE * version.points);
        let grid = lab.allocate(points)?;
        slice_launch.args[0] = Arg::Ptr(grid);
        ns = ns.max(Lab::kernel_ns(&lab.run(&slice_launch)?));
        evaluations += points as f64 * f64::from(atoms);
        instead = format!("{points} points and {atoms} atoms instead of a large grid");
    }
    let measured = Measured::new(evaluations * version.flops() / ns);
    Ok(if scale == Scale::Short { measured.instead(instead) } else { measured })
}

/// Atoms (x, y, squared distance in z, charge) for slice `slice` of a grid.
fn atoms_over(slice: u32, atoms: u32) -> Vec<[f32; 4]> {
    let number = |stream, atom| whole(stream, u64::from(atom), 1, 4000) as f32 / 16.0;
    let atom = |atom| {
        let dz = number(3, atom) - slice as f32 * SPACING;
        [number(1, atom), number(2, atom), dz * dz, number(4, atom) / 128.0 - 1.0]
    };
    (0..atoms).map(atom).collect()
}

/// Bytes of constant memory for the atoms.
fn image(atoms: &[[f32; 4]]) -> Vec<u8> {
    atoms.iter().flatten().flat_map(|v| v.to_le_bytes()).collect()
}

/// Describes the launch of the kernel on the slice at `grid`, with `blocks` blocks.
fn launch(lab: &Lab, grid: DevicePtr, blocks: Dim3, atoms: u32) -> Launch {
    let args = [Arg::Ptr(grid), Arg::S32(atoms as i32), Arg::F32(SPACING)];
    Launch::new(lab.module, ENTRY, blocks, BLOCK).args(args)
}

/// Creates a GPU of the chip with the kernel, compiled for the chip.
fn laboratory(version: Version, chip: &Chip) -> Result<Lab, RunError> {
    Lab::new(chip.clone(), FILE, &compiled_for(chip, &version.text()), Options::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `measured-kernels-are-right`.
    #[test]
    fn energies_match_the_formula() {
        let atoms = atoms_over(5, 21);
        for chip in ["g80", "fermi"] {
            for version in VERSIONS {
                let mut lab = laboratory(version, &Chip::builtin(chip).unwrap()).unwrap();
                lab.gpu.copy_to_symbol(lab.module, "atominfo", 0, &image(&atoms)).unwrap();
                let (width, height) = (2 * SIDE * version.points, 2 * SIDE);
                let grid = lab.upload(&vec![2.5f32.to_bits(); (width * height) as usize]).unwrap();
                lab.run(&launch(&lab, grid, Dim3::new(2, 2, 1), 21)).unwrap();
                let energies = lab.download(grid, (width * height) as usize).unwrap();
                for (i, energy) in energies.iter().enumerate() {
                    let at = |i: u32| f64::from(i) * f64::from(SPACING);
                    let (x, y) = (at(i as u32 % width), at(i as u32 / width));
                    let term = |[ax, ay, dz2, charge]: &[f32; 4]| {
                        let square = |d: f64| d * d;
                        let r2 = square(x - f64::from(*ax)) + square(y - f64::from(*ay)) + f64::from(*dz2);
                        f64::from(*charge) / r2.sqrt()
                    };
                    let expected = 2.5 + atoms.iter().map(term).sum::<f64>();
                    let got = f64::from(f32::from_bits(*energy));
                    assert!(
                        (got - expected).abs() < 1e-4,
                        "{version:?} on {chip}, point {i}: {got}, not {expected}"
                    );
                }
            }
        }
    }
}

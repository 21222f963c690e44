//! Direct Coulomb summation on a slice of a grid, in the book's three versions, whose text comes from one template
//! (`ptx/measure/coulomb.template`), and on three GPUs at once.

use super::{compiled_for, fill, unknown, wave};
use crate::RunError;
use crate::measure::lab::Lab;
use crate::measure::{Experiment, Measured, Scale};
use crate::numbers::whole;
use isa::Options;
use isa::types::Dim3;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Launch};
use std::fmt::Write;

const PTX: &str = include_str!("../../../ptx/measure/coulomb.template");
/// Rows and columns of a block's threads: padding a slice to 128 x 16 points, as the book's third version does, is this
/// with 8 points a thread.
const SIDE: u32 = 16;
/// Between grid points.
const SPACING: f32 = 0.5;
/// As many atoms as constant memory holds of them; and in the short run, which still is twice the constant cache.
const ATOMS: u32 = 4000;
const SHORT_ATOMS: u32 = 1000;
/// Points of a row and rows of the full run; the published grid is only said to be large.
const GRID: u32 = 1024;

/// The rows. V193, the 110 ms of the host's start, is no kernel's.
pub static EXPERIMENTS: &[Experiment] = &[Experiment { rows: &["V189", "V190", "V191", "V192"], run }];

/// A version of the kernel.
#[derive(Clone, Copy, Debug)]
struct Version {
    /// Points of a thread.
    points: u32,
    /// From one to the next: 1, or the width of a block, so that the threads' points are neighbours.
    apart: u32,
}

const FIRST: Version = Version { points: 1, apart: 1 };
const ADJACENT: Version = Version { points: 4, apart: 1 };
const COALESCED: Version = Version { points: 8, apart: SIDE };

/// The version of a row, and on how many GPUs.
fn of(row: &str) -> Option<(Version, u32)> {
    match row {
        "V189" => Some((FIRST, 1)),
        "V190" => Some((ADJACENT, 1)),
        "V191" => Some((COALESCED, 1)),
        "V192" => Some((COALESCED, 3)),
        _ => None,
    }
}

/// GFLOP/s as the book counts them. GPUs share no memory and work on slices of their own; the last to end counts.
fn run(chip: &Chip, row: &str, scale: Scale) -> Result<Measured, RunError> {
    let (version, gpus) = of(row).ok_or_else(|| unknown(row))?;
    let atoms = super::by_scale(scale, SHORT_ATOMS, ATOMS);
    let (mut evaluations, mut ns) = (0.0, 0.0f64);
    let mut instead = String::new();
    for slice in 0..gpus {
        let mut lab = version.laboratory(chip)?;
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
    let measured = Measured::emergent(evaluations * version.flops() / ns);
    Ok(if scale == Scale::Short { measured.instead(instead) } else { measured })
}

/// Atoms (x, y, squared distance in z, charge) as slice `slice` of a grid sees them.
fn atoms_over(slice: u32, atoms: u32) -> Vec<[f32; 4]> {
    let number = |stream, atom| whole(stream, u64::from(atom), 1, 4000) as f32 / 16.0;
    let atom = |atom| {
        let dz = number(3, atom) - slice as f32 * SPACING;
        [number(1, atom), number(2, atom), dz * dz, number(4, atom) / 128.0 - 1.0]
    };
    (0..atoms).map(atom).collect()
}

/// As bytes of constant memory.
fn image(atoms: &[[f32; 4]]) -> Vec<u8> {
    atoms.iter().flatten().flat_map(|v| v.to_le_bytes()).collect()
}

/// The kernel on a slice at `grid`, in so many blocks.
fn launch(lab: &Lab, grid: DevicePtr, blocks: Dim3, atoms: u32) -> Launch {
    let args = [Arg::Ptr(grid), Arg::S32(atoms as i32), Arg::F32(SPACING)];
    Launch::new(lab.module, "coulomb", blocks, (SIDE, SIDE)).args(args)
}

impl Version {
    /// Floating-point operations of a point and an atom, as the book counts them: 10, 7.75, 7.375. Three for dy and
    /// its square, which the points of a thread share, and seven for each point.
    fn flops(self) -> f64 {
        f64::from(3 + 7 * self.points) / f64::from(self.points)
    }

    fn laboratory(self, chip: &Chip) -> Result<Lab, RunError> {
        Lab::new(chip.clone(), "coulomb.ptx", &compiled_for(chip, &self.text()), Options::default())
    }

    /// The template, filled in.
    fn text(self) -> String {
        let Self { points, apart } = self;
        // Where points are neighbours a thread's first one is `points` times its number.
        let first = if apart == 1 {
            format!("\tadd.u32\t\t%x, %x, %tx;\n\tmul24.lo.u32\t%x, %x, {points};")
        } else {
            format!("\tmad24.lo.u32\t%x, %x, {points}, %tx;")
        };
        let values = [
            ("POINTS_X", self.coordinates()),
            ("POINTS", points.to_string()),
            ("FIRST_X", first),
            ("APART", format!("0f{:08X}", (apart as f32).to_bits())),
            ("ATOM", self.atom()),
            ("STORE", self.store()),
        ];
        fill(PTX, &values)
    }

    /// Energies and, where they are kept, coordinates of the points. The third version makes its distances from the
    /// first point's.
    fn coordinates(self) -> String {
        self.each(|text, k| {
            if k > 0 && self.apart == 1 {
                writeln!(text, "\tadd.f32\t\t%coorx{k}, %coorx{}, %apart;", k - 1)?;
            }
            writeln!(text, "\tmov.f32\t\t%energy{k}, 0f00000000;")
        })
    }

    /// What is done with an atom.
    fn atom(self) -> String {
        let y = "\tld.const.f32\t%ay, [%atom+4];\n\tsub.f32\t\t%dy, %coory, %ay;\n";
        if self.points == 1 {
            // dx * dx + dy * dy + z, from left to right
            return "\tld.const.f32\t%ax, [%atom];\n\tsub.f32\t\t%dx, %coorx0, %ax;\n".to_owned()
                + y
                + "\tmul.f32\t\t%r, %dx, %dx;\n\tmad.f32\t\t%r, %dy, %dy, %r;\n"
                + "\tld.const.f32\t%az, [%atom+8];\n\tadd.f32\t\t%r, %r, %az;\n"
                + &charge(0);
        }
        y.to_owned()
            + "\tld.const.f32\t%az, [%atom+8];\n\tmad.f32\t\t%dyz, %dy, %dy, %az;\n"
            + &self.each(|text, k| {
                if k > 0 && self.apart != 1 {
                    writeln!(text, "\tadd.f32\t\t%dx, %dx, %apart;")?;
                } else {
                    writeln!(text, "\tld.const.f32\t%ax, [%atom];\n\tsub.f32\t\t%dx, %coorx{k}, %ax;")?;
                }
                writeln!(text, "\tmad.f32\t\t%r, %dx, %dx, %dyz;")?;
                text.write_str(&charge(k))
            })
    }

    /// Adds the energies to what lies there.
    fn store(self) -> String {
        self.each(|text, k| {
            let at = 4 * k * self.apart;
            writeln!(text, "\tld.global.f32\t%old, [%address+{at}];\n\tadd.f32\t\t%old, %old, %energy{k};")?;
            writeln!(text, "\tst.global.f32\t[%address+{at}], %old;")
        })
    }

    /// What `line` writes for each point.
    fn each(self, mut line: impl FnMut(&mut String, u32) -> std::fmt::Result) -> String {
        let mut text = String::new();
        for k in 0..self.points {
            line(&mut text, k).expect("a string takes what is written to it");
        }
        text
    }
}

/// The charge over the root of what is in `%r`, added to the energy of a point.
fn charge(point: u32) -> String {
    format!(
        "\trsqrt.approx.f32\t%r, %r;\n\tld.const.f32\t%aw, [%atom+12];\n\tmad.f32\t\t%energy{point}, %aw, %r, %energy{point};\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energies_are_those_of_the_formula() {
        let atoms = atoms_over(5, 21);
        for chip in ["g80", "fermi"] {
            for row in ["V189", "V190", "V191"] {
                let (version, _) = of(row).unwrap();
                let mut lab = version.laboratory(&Chip::builtin(chip).unwrap()).unwrap();
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
                        "{row} on {chip}, point {i}: {got}, not {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn operations_are_counted_as_published() {
        assert_eq!([FIRST, ADJACENT, COALESCED].map(|v| (1000.0 * v.flops()) as u32), [10_000, 7750, 7375]);
    }
}

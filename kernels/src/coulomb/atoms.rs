//! Atoms: a box with the density of water, their image in constant memory, and the host's own sums.

use crate::numbers::whole;

/// Distance of the points of a map in Å, as in the book's comparison (section 10.3).
pub const SPACING: f32 = 0.5;
/// Atoms per cubic Å of water: 0.997 g/cm³ are 33.3 molecules of three atoms per cubic nanometer.
const DENSITY: f64 = 0.1;
/// Positions are odd multiples of 1/64 Å: they never coincide with a point of a map, and every
/// difference of coordinates is exact.
const STEP: f64 = 1.0 / 32.0;

/// An atom: position in Å, and charge in arbitrary units.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "coordinates and charge")]
pub struct Atom {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub charge: f32,
}

/// Number of cells of a box along each axis; each cell contains one atom.
fn cells(points: [u32; 3]) -> [u64; 3] {
    let cell = (1.0 / DENSITY).cbrt();
    points.map(|n| ((f64::from(n) * f64::from(SPACING) / cell).round() as u64).max(1))
}

/// Number of atoms in a box of water.
pub fn count(points: [u32; 3]) -> u64 {
    cells(points).iter().product()
}

/// Returns a box with `points` points along each axis, filled with atoms at the density of water:
/// one atom per cell of 10 cubic Å (stretched to divide the box evenly), displaced from the cell's
/// center by up to two fifths of the cell. Charges have both signs and are never 0.
pub fn water(points: [u32; 3]) -> Vec<Atom> {
    let length = points.map(|n| f64::from(n) * f64::from(SPACING));
    let cells = cells(points);
    let place = |stream, index, at: u64, axis: usize| {
        let moved = f64::from(whole(stream, index, -400, 400)) / 1000.0;
        let exact = (at as f64 + 0.5 + moved) * length[axis] / cells[axis] as f64;
        ((exact / STEP).floor() * STEP + STEP / 2.0) as f32
    };
    (0..cells.iter().product())
        .map(|i: u64| {
            let at = [i % cells[0], i / cells[0] % cells[1], i / cells[0] / cells[1]];
            let size = whole(4, i, 16, 64) as f32 / 64.0;
            Atom {
                x: place(1, i, at[0], 0),
                y: place(2, i, at[1], 1),
                z: place(3, i, at[2], 2),
                charge: if whole(5, i, 0, 1) == 0 { size } else { -size },
            }
        })
        .collect()
}

/// Selects about every `step`-th atom at random. A fixed step could fit the rows of atoms and
/// select atoms from one side of the box only.
pub fn some(atoms: &[Atom], step: usize) -> impl Iterator<Item = &Atom> {
    let taken = move |i: usize| whole(6, i as u64, 0, step.max(1) as i32 - 1) == 0;
    atoms.iter().enumerate().filter_map(move |(i, atom)| taken(i).then_some(atom))
}

/// Returns the constant-memory image for the slice at height `z`: x, y, squared distance in z, and
/// charge of each atom.
pub fn over_slice(atoms: &[Atom], z: f32) -> Vec<u8> {
    let words = |atom: &Atom| [atom.x, atom.y, (atom.z - z) * (atom.z - z), atom.charge];
    atoms.iter().flat_map(words).flat_map(f32::to_le_bytes).collect()
}

/// Returns the potentials of a slice, row by row, in double precision, and the error bound of
/// single precision.
///
/// The bound follows the kernel's own arithmetic in its order. An addition to the running sum has
/// an error of at most 2^-24 of that sum. A term has a relative error of ten times 2^-24: squares
/// and sums under the root 2.5 * 2^-23 (products of `mad.f32` are truncated, not rounded), half of
/// it after the root, 2^-22 for `rsqrt.approx`, 2^-23 for the product with the charge. Differences
/// of coordinates are exact.
pub fn potentials(points: [u32; 2], z: f32, atoms: &[Atom]) -> (Vec<f64>, f64) {
    let mut bound = 0.0f64;
    let square = |d: f64| d * d;
    let heights: Vec<f64> = atoms.iter().map(|a| square(f64::from(a.z) - f64::from(z))).collect();
    let mut values = Vec::with_capacity((points[0] * points[1]) as usize);
    for (row, column) in (0..points[1]).flat_map(|row| (0..points[0]).map(move |column| (row, column))) {
        let [x, y] = [column, row].map(|i| f64::from(i) * f64::from(SPACING));
        let (mut sum, mut partial, mut terms) = (0.0f64, 0.0f64, 0.0f64);
        for (atom, height) in atoms.iter().zip(&heights) {
            let square = square(x - f64::from(atom.x)) + square(y - f64::from(atom.y)) + height;
            let term = f64::from(atom.charge) / square.sqrt();
            sum += term;
            partial += sum.abs();
            terms += term.abs();
        }
        values.push(sum);
        bound = bound.max(ROUNDING * (partial + 10.0 * terms));
    }
    (values, bound)
}

/// Half a unit in the last place of 1 in single precision.
pub const ROUNDING: f64 = 1.0 / 16_777_216.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_the_density_of_water_and_contains_its_atoms() {
        let atoms = water([80, 64, 40]);
        let volume = f64::from(80 * 64 * 40) / 8.0;
        assert!((atoms.len() as f64 / volume / DENSITY - 1.0).abs() < 0.1, "{}", atoms.len());
        for atom in &atoms {
            assert!(atom.x > 0.0 && atom.x < 40.0 && atom.y > 0.0 && atom.y < 32.0);
            assert!(atom.z > 0.0 && atom.z < 20.0 && atom.charge != 0.0);
            assert!([atom.x, atom.y, atom.z].iter().all(|v| (v * 64.0) as i32 % 2 == 1));
        }
        assert!(atoms.iter().any(|a| a.charge > 0.0) && atoms.iter().any(|a| a.charge < 0.0));
        assert_eq!(water([1, 1, 1]).len(), 1);
        assert_eq!(atoms.len() as u64, count([80, 64, 40]));
    }

    #[test]
    fn the_reference_equals_the_formula() {
        let atom = |x, y, z, charge| Atom { x, y, z, charge };
        // 3-4-5 in the plane and 12 above it: distance 13 from the point (0, 0), 12.5 in z and y
        // from the next one along x.
        let (values, bound) =
            potentials([2, 1], 2.0, &[atom(3.0, 4.0, 14.0, 26.0), atom(0.0, 0.0, 0.0, -1.0)]);
        assert!((values[0] - 1.5).abs() < 1e-12);
        let next = 26.0 / (6.25f64 + 16.0 + 144.0).sqrt() - 1.0 / 4.25f64.sqrt();
        assert!((values[1] - next).abs() < 1e-12);
        assert!(bound > 1e-7 && bound < 1e-5);
    }
}

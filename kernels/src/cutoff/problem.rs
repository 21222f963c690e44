//! A map with a cutoff, and the host's reference computation.

use crate::coulomb::atoms::{Atom, ROUNDING, SPACING, some, water};

/// Points of a region along each axis; a region is the work of a block, and the size of a small
/// bin.
pub const REGION: u32 = 8;
/// Distance in Å beyond which an atom has no influence, as in the book's comparison (section 10.3).
pub const CUTOFF: f32 = 12.0;

/// A map to compute: the potential of its atoms, q / r * (1 - r² / cutoff²)² for those nearer than
/// the cutoff.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Points along each axis.
    pub points: [u32; 3],
    /// Atoms, all in the box of the points.
    pub atoms: Vec<Atom>,
}

/// Results of the host's computation.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Potentials, along x, then y, then z.
    pub values: Vec<f64>,
    /// Error bound of single precision, for any order of additions.
    pub bound: f64,
    /// Pairs of a point and an atom within the cutoff.
    pub pairs: u64,
}

impl Problem {
    /// A cube of `side` points along each axis, filled with atoms at the density of water.
    pub fn cube(side: u32) -> Self {
        Self { points: [side; 3], atoms: water([side; 3]) }
    }

    /// Regions along each axis; the last ones may extend beyond the map.
    pub fn regions(&self) -> [u32; 3] {
        self.points.map(|n| n.div_ceil(REGION))
    }

    /// Words of the map on the device: 512 per region.
    pub fn words(&self) -> u64 {
        self.regions().iter().map(|n| u64::from(*n)).product::<u64>() * u64::from(REGION.pow(3))
    }

    /// Points of a region.
    pub fn region_points(&self) -> f64 {
        f64::from(REGION.pow(3))
    }

    /// Returns the points of the map in order, from a map that is stored region by region.
    pub fn in_order(&self, map: &[f32]) -> Vec<f32> {
        let [wide, high, _] = self.regions();
        let [nx, ny, nz] = self.points;
        let at = |x: u32, y: u32, z: u32| {
            let region = (z / REGION * high + y / REGION) * wide + x / REGION;
            (region * REGION + z % REGION) * REGION * REGION + y % REGION * REGION + x % REGION
        };
        let rows = (0..nz).flat_map(|z| (0..ny).map(move |y| (y, z)));
        rows.flat_map(|(y, z)| (0..nx).map(move |x| map[at(x, y, z) as usize])).collect()
    }

    /// The host's computation: each atom is added to the points of the sphere around it.
    ///
    /// The bound: a sum of n terms has, for each term, an error of 2^-24 of the sum of their
    /// magnitudes. A term q s² / r has an error of at most 28 * 2^-24 of q / r: s by 4.5 * 2^-23
    /// (r² by 2.5, the division by 0.5, a truncated product by 1, the sum by 0.5), twice that after
    /// the square, the rest 5 * 2^-23 as in direct summation. Whether an atom exactly at the cutoff
    /// counts makes no difference, because s² is almost zero there.
    pub fn reference(&self) -> Reference {
        let count = self.points.iter().map(|n| *n as usize).product();
        let (mut values, mut bounds) = (vec![0.0; count], vec![(0u32, 0.0, 0.0); count]);
        for atom in &self.atoms {
            self.near(atom, |index, square| {
                let fading = 1.0 - square / f64::from(CUTOFF * CUTOFF);
                let bare = f64::from(atom.charge) / square.sqrt();
                values[index] += bare * fading * fading;
                let (n, terms, bares) = &mut bounds[index];
                *n += 1;
                *terms += (bare * fading * fading).abs();
                *bares += bare.abs();
            });
        }
        let bound = |(n, terms, bares): &(u32, f64, f64)| ROUNDING * (f64::from(*n) * terms + 28.0 * bares);
        Reference {
            values,
            bound: bounds.iter().map(bound).fold(0.0, f64::max),
            pairs: bounds.iter().map(|(n, ..)| u64::from(*n)).sum(),
        }
    }

    /// Estimates the pairs within the cutoff from a sample of about `sample` atoms.
    pub fn pairs(&self, sample: usize) -> f64 {
        let (mut pairs, mut looked) = (0u64, 0u64);
        for atom in some(&self.atoms, self.atoms.len() / sample) {
            looked += 1;
            self.near(atom, |_, _| pairs += 1);
        }
        pairs as f64 * self.atoms.len() as f64 / looked.max(1) as f64
    }

    /// Calls `point` with the index and the squared distance of each point within the cutoff of an
    /// atom.
    fn near(&self, atom: &Atom, mut point: impl FnMut(usize, f64)) {
        let (spacing, cutoff) = (f64::from(SPACING), f64::from(CUTOFF));
        let range = |at: f32, axis: usize| {
            let first = ((f64::from(at) - cutoff) / spacing).ceil().max(0.0) as u32;
            let behind = ((f64::from(at) + cutoff) / spacing).floor() as u32 + 1;
            first..behind.min(self.points[axis])
        };
        let square = |i: u32, at: f32| (f64::from(i) * spacing - f64::from(at)).powi(2);
        for z in range(atom.z, 2) {
            for y in range(atom.y, 1) {
                let plane = square(z, atom.z) + square(y, atom.y);
                let row = (z * self.points[1] + y) * self.points[0];
                for x in range(atom.x, 0) {
                    let square = plane + square(x, atom.x);
                    if square < cutoff * cutoff {
                        point((row + x) as usize, square);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_equals_the_formula_and_ends_at_the_cutoff() {
        let atom = Atom { x: 0.0, y: 3.0, z: 4.0, charge: 2.0 };
        let problem = Problem { points: [40, 1, 1], atoms: vec![atom] };
        let Reference { values, pairs, .. } = problem.reference();
        // Distance 5 Å: 2/5 * (1 - 25/144)². Distance 13 Å: zero.
        assert!((values[0] - 0.4 * (119.0f64 / 144.0).powi(2)).abs() < 1e-12);
        assert!(values[24].abs() < f64::EPSILON);
        // sqrt(144 - 25) = 10.9 Å along the row: points 0 to 21.
        assert_eq!(pairs, 22);
        assert!((problem.pairs(8) - 22.0).abs() < 1e-9);
    }

    #[test]
    fn pairs_are_estimated_from_a_sample() {
        let problem = Problem::cube(43);
        let all = problem.reference().pairs as f64;
        let sampled = problem.pairs(200);
        assert!((sampled / all - 1.0).abs() < 0.1, "{sampled} of {all}");
    }

    #[test]
    fn points_of_regions_are_put_in_order() {
        let problem = Problem { points: [9, 2, 2], atoms: Vec::new() };
        assert_eq!((problem.regions(), problem.words()), ([2, 1, 1], 1024));
        let map: Vec<f32> = (0..1024).map(|i| i as f32).collect();
        let order = problem.in_order(&map);
        assert_eq!(order.len(), 36);
        assert_eq!(order[7..10], [7.0, 512.0, 8.0]);
        assert_eq!(order[18..20], [64.0, 65.0]);
    }
}

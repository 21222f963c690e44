//! Data that the host prepares: small bins with the list of neighbors, and the atoms around a large
//! cube.

use super::problem::{CUTOFF, Problem, REGION};
use crate::coulomb::atoms::{Atom, SPACING};

/// Maximum number of atoms in a small bin.
pub const CAPACITY: usize = 8;
/// Words of a small bin.
const BIN_WORDS: usize = 4 * CAPACITY;
/// Side of a region and of a small bin, in Å.
const LENGTH: f32 = REGION as f32 * SPACING;

/// Atoms sorted into small bins.
#[derive(Clone, Debug)]
pub struct Bins {
    /// Bins along each axis, including the empty ones around the map.
    pub count: [u32; 3],
    /// Words of the bins: four per atom, zeros for unused entries.
    pub words: Vec<f32>,
    /// Atoms whose bin was full; the host computes their contribution.
    pub overflow: Vec<Atom>,
}

/// Largest distance, in bins along one axis, of a bin within the cutoff.
pub fn reach() -> u32 {
    (1..1024).take_while(|bins| gap(*bins) < CUTOFF || gap(-bins) < CUTOFF).count() as u32
}

/// Distance in Å between the points of a region and a bin `bins` further along an axis. The last
/// point is one spacing before the end of the region.
fn gap(bins: i32) -> f32 {
    let after = bins as f32 * LENGTH - (LENGTH - SPACING);
    let before = -(bins + 1) as f32 * LENGTH;
    after.max(before).max(0.0)
}

impl Bins {
    /// Sorts the atoms of a problem.
    pub fn of(problem: &Problem) -> Self {
        let margin = reach();
        let count = problem.regions().map(|n| n + 2 * margin);
        let bins = count.iter().map(|n| *n as usize).product::<usize>();
        let mut words = vec![0.0; bins * BIN_WORDS];
        let mut taken = vec![0; bins];
        let mut overflow = Vec::new();
        for atom in &problem.atoms {
            let [x, y, z] = [atom.x, atom.y, atom.z].map(|at| (at / LENGTH) as u32 + margin);
            let bin = ((z * count[1] + y) * count[0] + x) as usize;
            if taken[bin] == CAPACITY {
                overflow.push(*atom);
                continue;
            }
            let at = bin * BIN_WORDS + 4 * taken[bin];
            words[at..at + 4].copy_from_slice(&[atom.x, atom.y, atom.z, atom.charge]);
            taken[bin] += 1;
        }
        Self { count, words, overflow }
    }

    /// Offset in bytes of the bin of region (0, 0, 0).
    pub fn first(&self) -> u32 {
        let margin = reach();
        ((margin * self.count[1] + margin) * self.count[0] + margin) * BIN_WORDS as u32 * 4
    }

    /// Offset in bytes, from a region's own bin, of each bin that is within the cutoff of the
    /// region's points.
    pub fn neighbors(&self) -> Vec<i32> {
        let reach = reach() as i32;
        let [wide, high, _] = self.count.map(|n| n as i32);
        let mut list = Vec::new();
        for z in -reach..=reach {
            for y in -reach..=reach {
                for x in -reach..=reach {
                    let square: f32 = [x, y, z].map(|n| gap(n) * gap(n)).iter().sum();
                    if square < CUTOFF * CUTOFF {
                        list.push(((z * high + y) * wide + x) * BIN_WORDS as i32 * 4);
                    }
                }
            }
        }
        list
    }

    /// Number of atoms in the bins that a region's block reads; `list` is the result of
    /// [`Self::neighbors`].
    pub fn scanned(&self, list: &[i32], region: [u32; 3]) -> u64 {
        let margin = reach();
        let [x, y, z] = region.map(|n| n + margin);
        let own = i64::from((z * self.count[1] + y) * self.count[0] + x) * BIN_WORDS as i64;
        let atoms = |way: i32| {
            let bin = &self.words[(own + i64::from(way / 4)) as usize..][..BIN_WORDS];
            bin.chunks_exact(4).take_while(|atom| atom[3] != 0.0).count() as u64
        };
        list.iter().copied().map(atoms).sum()
    }
}

/// A box of regions that is computed by one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// First region along each axis.
    pub first: [u32; 3],
    /// Regions along each axis.
    pub count: [u32; 3],
}

impl Cube {
    /// Returns the atoms closer than the cutoff to the box of its points: the atoms that the points
    /// of a large bin test.
    pub fn neighborhood(&self, atoms: &[Atom]) -> Vec<Atom> {
        let low = self.first.map(|n| n as f32 * LENGTH);
        let high: [f32; 3] =
            std::array::from_fn(|i| (self.first[i] + self.count[i]) as f32 * LENGTH - SPACING);
        let near = |atom: &&Atom| {
            let at = [atom.x, atom.y, atom.z];
            let out = |i: usize| (low[i] - at[i]).max(at[i] - high[i]).max(0.0);
            (0..3).map(|i| out(i) * out(i)).sum::<f32>() < CUTOFF * CUTOFF
        };
        atoms.iter().filter(near).copied().collect()
    }

    /// Grid of the launch; grids have only two dimensions.
    pub fn grid(&self) -> (u32, u32) {
        (self.count[0], self.count[1] * self.count[2])
    }

    /// Divides a map into cubes of at most `side` regions per axis.
    pub fn all(regions: [u32; 3], side: u32) -> Vec<Self> {
        let [nx, ny, nz] = regions;
        let starts = |n: u32| (0..n).step_by(side as usize);
        let places =
            starts(nz).flat_map(|z| starts(ny).flat_map(move |y| starts(nx).map(move |x| [x, y, z])));
        places
            .map(|first| Self { first, count: std::array::from_fn(|i| side.min(regions[i] - first[i])) })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_atom_is_in_its_bin_or_in_the_overflow_list() {
        let mut problem = Problem::cube(40);
        let crowd = Atom { x: 0.015_625, y: 0.015_625, z: 0.015_625, charge: 1.0 };
        problem.atoms.extend([crowd; 9]);
        let bins = Bins::of(&problem);
        let kept = bins.words.chunks_exact(4).filter(|atom| atom[3] != 0.0).count();
        assert_eq!(kept + bins.overflow.len(), problem.atoms.len());
        assert!(!bins.overflow.is_empty() && bins.overflow.len() < problem.atoms.len() / 10);
        assert_eq!(bins.count, [5 + 2 * reach(); 3]);
        let first = &bins.words[bins.first() as usize / 4..][..4];
        assert!(first[..3].iter().all(|at| (0.0..LENGTH).contains(at)) && first[3] != 0.0);
    }

    /// Tests for every bin in the surroundings whether one of its atoms could be near one of the
    /// points.
    ///
    /// Tests: `potential-maps`.
    #[test]
    fn the_list_contains_exactly_the_bins_within_the_cutoff() {
        assert_eq!(reach(), 3);
        let bins = Bins::of(&Problem { points: [8; 3], atoms: Vec::new() });
        let list = bins.neighbors();
        let near = |bin: [i32; 3]| {
            // Smallest distance of an atom of the bin to a point of the region along an axis, by
            // exhaustive search.
            let along = |n: i32| {
                let points = (0..8).map(|i| i * 64);
                let places = (0..512).map(|i| n * 512 + i);
                places.flat_map(|at| points.clone().map(move |p| (p - at).abs())).min().unwrap_or(0)
            };
            // Positions are 1/128 Å apart, so the last one before a region is nearer by that
            // distance than the region's end.
            bin.map(along).iter().map(|d| d * d).sum::<i32>() < (12 * 128) * (12 * 128)
        };
        let mut expected = Vec::new();
        for z in -5i32..=5 {
            for y in -5..=5 {
                for x in -5..=5 {
                    if near([x, y, z]) {
                        expected.push(((z * 7 + y) * 7 + x) * 128);
                    }
                }
            }
        }
        assert_eq!(list, expected);
        assert!(list.len() <= 1024);
    }

    #[test]
    fn cubes_cover_the_map_and_find_the_near_atoms() {
        let cubes = Cube::all([7, 3, 1], 6);
        assert_eq!(cubes.iter().map(|c| c.count.iter().product::<u32>()).sum::<u32>(), 21);
        assert_eq!(cubes[1], Cube { first: [6, 0, 0], count: [1, 3, 1] });
        let at = |x| Atom { x, y: 1.0, z: 1.0, charge: 1.0 };
        // Its points extend from 24 to 27.5 Å.
        assert_eq!(cubes[1].neighborhood(&[at(11.9), at(12.1), at(39.4), at(39.6)]), [at(12.1), at(39.4)]);
    }
}

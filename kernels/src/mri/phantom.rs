//! The scanned object: a head of ellipsoids in whole numbers, the data that a scanner would record,
//! in double precision, and the quality of an image.

use crate::numbers::whole;
use std::f64::consts::TAU;

/// An ellipsoid: its center and half axes in 64ths of half the image, and the density that it adds.
struct Ellipsoid {
    center: [i64; 3],
    axes: [i64; 3],
    density: i32,
}

/// A skull, its content, two ventricles and three spots.
const HEAD: [Ellipsoid; 7] = [
    Ellipsoid { center: [0, 0, 0], axes: [46, 60, 54], density: 100 },
    Ellipsoid { center: [0, -1, 0], axes: [43, 56, 50], density: -60 },
    Ellipsoid { center: [15, 0, 0], axes: [9, 21, 16], density: -25 },
    Ellipsoid { center: [-15, 0, 0], axes: [12, 27, 18], density: -25 },
    Ellipsoid { center: [0, 24, -9], axes: [15, 17, 17], density: 20 },
    Ellipsoid { center: [0, -39, 5], axes: [9, 7, 7], density: 35 },
    Ellipsoid { center: [12, -22, 22], axes: [8, 8, 8], density: 30 },
];
/// A sample is displaced from its grid point by at most this fraction of a k-space step.
const PARTS: u32 = 32;

/// The scan of an image of `side` voxels in each direction.
pub struct Phantom {
    /// x, y and z of each voxel: whole numbers around 0.
    pub voxels: [Vec<f32>; 3],
    /// Density of each voxel: a whole number.
    pub density: Vec<f32>,
    /// kx, ky and kz of each sample, in turns per voxel step.
    pub places: [Vec<f32>; 3],
    /// Coil factor of each sample: 1, i, -1 or -i.
    pub phi: [Vec<f32>; 2],
    /// Recorded data.
    pub data: [Vec<f32>; 2],
}

impl Phantom {
    /// Scans the head in `side`^3 voxels, with as many samples, each displaced slightly from the
    /// grid, so that the scan is not Cartesian. Each coordinate is increased by `far` whole turns
    /// per voxel step in each direction: this changes no sine or cosine, because voxels have whole
    /// coordinates, but increases the angles by many turns.
    pub fn new(side: u32, far: u32) -> Self {
        let count = side.pow(3);
        let half = i64::from(side / 2);
        let axis = |i: u32, k: u32| i64::from(i / side.pow(k) % side) - half;
        let voxels = [0, 1, 2].map(|k| (0..count).map(|i| axis(i, k) as f32).collect::<Vec<_>>());
        let density = (0..count).map(|i| density([0, 1, 2].map(|k| axis(i, k)), side) as f32).collect();
        let offset = |k: u32, i: u32| whole(10 + u64::from(k), i.into(), -1, 1) as f32 / PARTS as f32;
        let place = |k: u32, i: u32| (axis(i, k) as f32 + offset(k, i)) / side as f32 + far as f32;
        let places = [0, 1, 2].map(|k| (0..count).map(|i| place(k, i)).collect::<Vec<_>>());
        let quarter: Vec<i32> = (0..count).map(|i| whole(13, i.into(), 0, 3)).collect();
        let phi = [[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, -1.0]]
            .map(|part: [f32; 4]| quarter.iter().map(|q| part[*q as usize]).collect::<Vec<_>>());
        let mut phantom = Self { voxels, density, places, phi, data: [Vec::new(), Vec::new()] };
        phantom.record();
        phantom
    }

    /// Records the data: phi times the sum of all voxels, each rotated back by its angle.
    pub fn record(&mut self) {
        for m in 0..self.samples() {
            let [mut re, mut im] = [0.0, 0.0];
            for n in (0..self.voxels[0].len()).filter(|n| self.density[*n] != 0.0) {
                let (sin, cos) = self.angle(m, n).sin_cos();
                re += f64::from(self.density[n]) * cos;
                im -= f64::from(self.density[n]) * sin;
            }
            let [a, b] = [0, 1].map(|part| f64::from(self.phi[part][m]));
            self.data[0].push((a * re - b * im) as f32);
            self.data[1].push((a * im + b * re) as f32);
        }
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.places[0].len()
    }

    /// Angle of a sample at a voxel in turns: exact in single precision, as in the kernels.
    pub fn turns(&self, sample: usize, voxel: usize) -> f32 {
        (0..3).map(|k| self.places[k][sample] * self.voxels[k][voxel]).sum()
    }

    /// Angle of a sample at a voxel in radians, without whole turns.
    pub fn angle(&self, sample: usize, voxel: usize) -> f64 {
        let turns = self.turns(sample, voxel);
        f64::from(turns - turns.round()) * TAU
    }

    /// Largest angle in turns.
    pub fn most_turns(&self) -> f64 {
        let largest = |v: &Vec<f32>| v.iter().fold(0.0f32, |most, value| most.max(value.abs()));
        (0..3).map(|k| f64::from(largest(&self.places[k]) * largest(&self.voxels[k]))).sum()
    }

    /// Values of the samples: the conjugate of phi times the recorded data. Exact in single
    /// precision, because phi only changes signs and swaps parts.
    pub fn mu(&self) -> [Vec<f32>; 2] {
        let [a, b] = &self.phi;
        let [re, im] = &self.data;
        let of = |f: &dyn Fn(usize) -> f32| (0..self.samples()).map(f).collect::<Vec<f32>>();
        [of(&|m| a[m] * re[m] + b[m] * im[m]), of(&|m| a[m] * im[m] - b[m] * re[m])]
    }

    /// Quality of the image with the voxels `real`, sums over all samples: the peak signal-to-noise
    /// ratio in decibels, 20 log10 of the largest density divided by the root of the mean squared
    /// error (figure 8.18). The samples are about evenly distributed, so their mean is the image.
    pub fn psnr(&self, real: impl Iterator<Item = f64>) -> f64 {
        let samples = self.samples() as f64;
        let errors =
            real.zip(&self.density).map(|(sum, density)| (sum / samples - f64::from(*density)).powi(2));
        let error = errors.sum::<f64>() / self.density.len() as f64;
        let peak = self.density.iter().fold(0.0f32, |most, value| most.max(*value));
        20.0 * (f64::from(peak) / error.sqrt()).log10()
    }
}

/// Density of the voxel at `place` of `side`^3.
fn density(place: [i64; 3], side: u32) -> i32 {
    // Center of the voxel, in 64ths of half the image.
    let at = place.map(|i| (2 * i + 1) * 64 / i64::from(side));
    let within = |e: &&Ellipsoid| {
        let [a, b, c] = e.axes.map(|axis| axis * axis);
        let [x, y, z] = [0, 1, 2].map(|k| (at[k] - e.center[k]).pow(2));
        x * b * c + y * a * c + z * a * b <= a * b * c
    };
    HEAD.iter().filter(within).map(|e| e.density).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_has_its_parts() {
        let values: Vec<i32> =
            (0..16i64.pow(3)).map(|i| density([i % 16 - 8, i / 16 % 16 - 8, i / 256 - 8], 16)).collect();
        assert_eq!(values[0], 0, "air in the corner");
        for part in [0, 15, 40, 60, 100] {
            assert!(values.contains(&part), "{part}");
        }
        assert!(values.iter().all(|value| (0..=100).contains(value)));
    }
}

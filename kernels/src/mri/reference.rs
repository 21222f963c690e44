//! The host's sums of F^H d in double precision, and the error bound of the kernels' single
//! precision.

use super::kernel::Trig;
use super::phantom::Phantom;
use std::f64::consts::TAU;

/// Half a unit in the last place of 1 in single precision: the largest relative error of an
/// addition.
const ROUNDING: f64 = 1.0 / 16_777_216.0;

/// Order of a kernel's additions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Sample after sample.
    OfSamples,
    /// Any order of threads.
    Any,
}

/// A voxel's sum, real or imaginary.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostSum {
    /// The sum.
    pub value: f64,
    /// Sum of the magnitudes of the running sums, one per sample.
    in_order: f64,
    /// Sums of the positive and of the negative terms: no running sum exceeds them, in any order.
    extremes: [f64; 2],
    /// Sum of the magnitudes of the samples' values.
    values: f64,
    /// The same, each multiplied by the angle of its sample in radians, including whole turns.
    angles: f64,
}

impl HostSum {
    /// Adds a term of a sample whose two values have magnitudes of `value` together.
    fn add(&mut self, term: f64, value: f64, angle: f64) {
        self.value += term;
        self.in_order += self.value.abs();
        self.extremes[0] += term.max(0.0);
        self.extremes[1] += term.min(0.0);
        self.values += value;
        self.angles += value * angle;
    }

    /// Returns the error bound of a kernel's sum of `samples` terms.
    ///
    /// An addition has an error of at most 2^-24 of the running sum; in unknown order, the running
    /// sum is assumed to be as large as possible. The error of a term, relative to its sample's
    /// values, has three parts: 2^-22 of the angle, because 2 pi and the product with it are
    /// rounded and the special function units use as many digits; 2^-23 for a polynomial, or
    /// 2^-19.5 for the units (`isa::sem::fidelity::TURN`); 2^-21 for two products, truncated to 24
    /// bits, and their addition.
    pub fn bound(&self, samples: usize, trig: Trig, order: Order) -> f64 {
        let function = match trig {
            Trig::Software => 2.0f64.powi(-23),
            Trig::Units => isa::sem::fidelity::TURN.log2().exp2(),
        };
        let additions = match order {
            Order::OfSamples => self.in_order,
            Order::Any => samples as f64 * self.extremes[0].max(-self.extremes[1]),
        };
        ROUNDING * additions + 2.0f64.powi(-22) * self.angles + (function + 2.0f64.powi(-21)) * self.values
    }
}

impl Phantom {
    /// Computes F^H d: real and imaginary sums of each voxel.
    pub fn reference(&self) -> [Vec<HostSum>; 2] {
        let [a, b] = self.mu().map(|part| part.into_iter().map(f64::from).collect::<Vec<f64>>());
        let mut sums = [Vec::new(), Vec::new()];
        for n in 0..self.voxels[0].len() {
            let [mut re, mut im] = [HostSum::default(); 2];
            for m in 0..self.samples() {
                let (sin, cos) = self.angle(m, n).sin_cos();
                let (value, angle) = (a[m].abs() + b[m].abs(), f64::from(self.turns(m, n).abs()) * TAU);
                re.add(a[m] * cos - b[m] * sin, value, angle);
                im.add(b[m] * cos + a[m] * sin, value, angle);
            }
            sums[0].push(re);
            sums[1].push(im);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_reproduces_the_image() {
        // With every sample on the grid, the sums are those of a Fourier transform and its inverse.
        let mut phantom = Phantom::new(4, 0);
        for column in &mut phantom.places {
            for place in column {
                *place = (*place * 4.0).round() / 4.0;
            }
        }
        phantom.data = [Vec::new(), Vec::new()];
        phantom.record();
        let [re, im] = phantom.reference().map(|part| part.iter().map(|sum| sum.value).collect::<Vec<_>>());
        for ((re, im), density) in re.iter().zip(im).zip(&phantom.density) {
            assert!((re / 64.0 - f64::from(*density)).abs() < 1e-4 && im.abs() < 1e-2);
        }
        assert!(phantom.psnr(re.into_iter()) > 100.0);
    }

    #[test]
    fn a_missing_sample_is_detected() {
        let phantom = Phantom::new(8, 0);
        let sums = phantom.reference();
        let [a, b] = phantom.mu();
        for (order, trig) in [(Order::OfSamples, Trig::Units), (Order::Any, Trig::Software)] {
            let bounds = sums.each_ref().map(|part| {
                part.iter().map(|sum| sum.bound(phantom.samples(), trig, order)).collect::<Vec<_>>()
            });
            // For some voxel, the contribution of a sample exceeds the error bound.
            let noticed = |m: usize| {
                let [a, b] = [f64::from(a[m]), f64::from(b[m])];
                (0..phantom.voxels[0].len()).any(|n| {
                    let (sin, cos) = phantom.angle(m, n).sin_cos();
                    (a * cos - b * sin).abs() > bounds[0][n] || (b * cos + a * sin).abs() > bounds[1][n]
                })
            };
            assert!((0..phantom.samples()).all(noticed), "{order:?}");
        }
    }
}

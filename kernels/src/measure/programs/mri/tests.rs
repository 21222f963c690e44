//! The sums against the host's, and sine and cosine in software over their whole range.

use super::*;

const ROWS: [&str; 6] = ["V194", "V195", "V196", "V197", "V198", "V199"];

/// Real and imaginary sums of a voxel, in double precision, from the single-precision angle of the kernels: all
/// products and sums but the last one are exact.
fn expected(kernel: Kernel, scan: &Scan, voxel: usize) -> [f64; 2] {
    let [x, y, z] = [0, 1, 2].map(|k| scan.voxels[k][voxel]);
    let mut sums = [0.0, 0.0];
    for sample in 0..scan.samples[0].len() {
        let [kx, ky, kz, a, b] = [0, 1, 2, 3, 4].map(|k| scan.samples[k][sample]);
        let angle = f64::from((kx * x + ky * y + kz * z) * std::f32::consts::TAU);
        let (a, b) = (f64::from(a), if kernel.sum == Sum::Fhd { f64::from(b) } else { 0.0 });
        sums[0] += a * angle.cos() - b * angle.sin();
        sums[1] += b * angle.cos() + a * angle.sin();
    }
    sums
}

/// The sums of the kernel, and the largest difference from the host's.
fn largest_error(chip: &str, row: &str, scan: &Scan) -> f64 {
    let kernel = of(row).unwrap();
    let mut lab = kernel.laboratory(&Chip::builtin(chip).unwrap()).unwrap();
    let (_, sums) = kernel.whole(&mut lab, scan).unwrap();
    let voxels = scan.voxels[0].len();
    let [re, im] = sums.map(|sum| lab.download(sum, voxels).unwrap());
    let mut largest = 0.0f64;
    for voxel in 0..voxels {
        let expected = expected(kernel, scan, voxel);
        for (got, expected) in [re[voxel], im[voxel]].into_iter().zip(expected) {
            let error = (f64::from(f32::from_bits(got)) - expected).abs();
            largest = largest.max(if error.is_nan() { f64::INFINITY } else { error });
        }
    }
    largest
}

#[test]
fn sums_are_those_of_the_formula() {
    // 16 samples of values below 1, angles of up to 96 turns: special function units see 2^-24 of that.
    let scan = Scan::made(256, 16);
    for chip in ["g80", "fermi"] {
        for row in ROWS {
            let bound = if of(row).unwrap().version == Version::Tuned { 2e-3 } else { 1e-5 };
            let error = largest_error(chip, row, &scan);
            assert!(error < bound, "{row} on {chip}: {error}");
        }
    }
}

#[test]
fn chunks_add_up() {
    let mut scan = Scan::made(256, CHUNK + 8);
    // Before the last samples there is nothing but zeros.
    for column in &mut scan.samples[3..] {
        column[8..CHUNK as usize].fill(0.0);
    }
    for row in ["V196", "V199"] {
        let error = largest_error("g80", row, &scan);
        assert!(error < 2e-3, "{row}: {error}");
    }
}

#[test]
fn software_sine_and_cosine_are_right_for_every_angle() {
    // One sample, so that a voxel's sums are cosine and sine of its angle: of every size from 2^-20 to 2^127, both
    // ways of the reduction, both signs.
    let size = |i: u32| {
        let fraction = 1.0 + f32::from(whole(9, i.into(), 0, 32_767) as i16) / 32_768.0;
        let power = 2.0f64.powi((i / 2) as i32 % 147 - 22) as f32;
        fraction * power * if i.is_multiple_of(2) { 1.0 } else { -1.0 }
    };
    let zeros = vec![0.0; 512];
    let voxels = [(0..512).map(size).collect(), zeros.clone(), zeros];
    let one = |value: f32| vec![value];
    let scan = Scan { voxels, samples: [one(1.0), one(0.0), one(0.0), one(1.0), one(0.0)] };
    for chip in ["g80", "fermi"] {
        for row in ["V194", "V195", "V197", "V198"] {
            let error = largest_error(chip, row, &scan);
            assert!(error < 1.5e-7, "{row} on {chip}: {error}");
        }
    }
}

#[test]
fn operations_are_counted_so_that_minutes_and_rates_agree() {
    let evaluations = |side: u32| f64::from(side.pow(3)) * f64::from(SAMPLES);
    let published = [
        ("V194", 128, 41.0, 5.4),
        ("V195", 128, 9.8, 22.8),
        ("V196", 128, 1.5, 144.5),
        ("V197", 256, 260.2, 5.1),
        ("V198", 256, 72.0, 18.6),
        ("V199", 256, 7.5, 178.9),
    ];
    for (row, side, minutes, rate) in published {
        let flops = of(row).unwrap().flops();
        // Both numbers are rounded to a tenth.
        let at = |minutes: f64| flops * evaluations(side) / minutes / 60.0 / 1e9;
        let (low, high) = (at(minutes + 0.05) - 0.05, at(minutes - 0.05) + 0.05);
        assert!((low..high).contains(&rate), "{row}: {low} to {high}");
    }
}

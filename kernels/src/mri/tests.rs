//! Tests of the sums against the host's, and of sine and cosine in software over their whole range.

use super::kernel::{CHUNK, Kernel, Sum, Trig, Version};
use super::scan::Scan;
use crate::numbers::whole;
use crate::{Check, HostRun, RunError, Settings};
use sim_core::config::Chip;
use sim_core::host::{Gpu, LaunchSettings, Mode};

const SUMS: [Sum; 2] = [Sum::Fhd, Sum::Q];

/// Returns the kernels of the published times.
fn measured(versions: &[Version]) -> Vec<Kernel> {
    SUMS.iter().flat_map(|sum| versions.iter().map(|version| Kernel::measured(*sum, *version))).collect()
}

/// Returns real and imaginary sums of a voxel in double precision, from the single-precision angle
/// of the kernels: all products and sums except the last one are exact.
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

/// Runs the kernel and returns the largest difference from the host's sums.
fn largest_error(chip: &str, kernel: Kernel, scan: &Scan) -> f64 {
    let mut lab = kernel.laboratory(Gpu::new(Chip::builtin(chip).unwrap())).unwrap();
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

/// Tests: `measured-kernels-are-right`.
#[test]
fn sums_match_the_formula() {
    // 16 samples of values below 1, angles of up to 96 turns: special function units have 2^-24 of
    // that as resolution.
    let scan = Scan::made(256, 16);
    for chip in ["g80", "fermi"] {
        for kernel in measured(&[Version::Global, Version::Constant, Version::Tuned]) {
            let bound = if kernel.trig == Trig::Units { 2e-3 } else { 1e-5 };
            let error = largest_error(chip, kernel, &scan);
            assert!(error < bound, "{kernel:?} on {chip}: {error}");
        }
    }
}

#[test]
fn chunks_add_up() {
    let mut scan = Scan::made(256, CHUNK + 8);
    // Before the last samples all values are zero.
    for column in &mut scan.samples[3..] {
        column[8..CHUNK as usize].fill(0.0);
    }
    for kernel in measured(&[Version::Tuned]) {
        let error = largest_error("g80", kernel, &scan);
        assert!(error < 2e-3, "{kernel:?}: {error}");
    }
}

/// Tests: `measured-kernels-are-right`.
#[test]
fn software_sine_and_cosine_are_correct_for_every_angle() {
    // One sample, so that a voxel's sums are cosine and sine of its angle: of every magnitude from
    // 2^-20 to 2^127, with both methods of argument reduction, and both signs.
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
        for kernel in measured(&[Version::Global, Version::Constant]) {
            let error = largest_error(chip, kernel, &scan);
            assert!(error < 1.5e-7, "{kernel:?} on {chip}: {error}");
        }
    }
}

fn run(name: &str, chip: &str, size: u64, mode: Mode) -> Result<HostRun, RunError> {
    let mut gpu = Gpu::new(Chip::builtin(chip).unwrap());
    crate::run(
        name,
        &mut gpu,
        Settings { size: Some(size), launches: LaunchSettings { mode, ..LaunchSettings::default() } },
    )
}

#[test]
fn without_atomics_sums_are_lost() {
    for mode in [Mode::Functional, Mode::Timed] {
        let outcome = run("mri-fhd-racing", "g80", 4, mode).unwrap();
        assert!(matches!(outcome.check, Check::Failed { wrong, .. } if wrong > 100), "{}", outcome.summary);
        assert!(run("mri-fhd-scatter", "fermi", 4, mode).unwrap().check.passed());
    }
}

#[test]
fn chips_without_atomics_refuse_them() {
    for (name, chip, needed) in [("mri-fhd-scatter-cas", "g80", "1.1"), ("mri-fhd-scatter", "gt200", "2.0")] {
        let refusal = run(name, chip, 4, Mode::Timed).expect_err("the chip is too old").to_string();
        assert!(refusal.contains(needed), "{refusal}");
    }
}

#[test]
fn a_large_scan_uses_constant_memory_in_chunks() {
    let outcome = run("mri-fhd-tuned", "g80", 16, Mode::Functional).unwrap();
    assert!(outcome.check.passed(), "{}", outcome.summary);
    assert_eq!(outcome.reports.len(), 2, "4,096 samples, 2,048 at a time");
    let outcome = run("mri-fhd-sfu", "g80", 16, Mode::Functional).unwrap();
    assert!(outcome.check.passed(), "{}", outcome.summary);
}

#[test]
fn unsupported_sizes_are_refused() {
    for size in [0, 6, 36] {
        let refusal = run("mri-fhd-global", "g80", size, Mode::Functional).expect_err("no such size");
        assert!(refusal.to_string().contains("multiple of 4 from 4 to 32"), "{refusal}");
    }
}

//! Particles, fields and random numbers.

use super::{Case, numbers};
use crate::common::{Argument, as_floats, floats, ints};

const FILE: &str = "physics.cu";

/// Compares a buffer with values of more precision.
fn near(at: usize, expected: Vec<f64>, tolerance: f64) -> impl Fn(&[Vec<u8>]) {
    move |buffers: &[Vec<u8>]| {
        for (i, (found, expected)) in as_floats(&buffers[at]).iter().zip(&expected).enumerate() {
            let error = (f64::from(*found) - expected).abs();
            assert!(
                error <= tolerance * expected.abs().max(1.0),
                "element {i}: {found} instead of {expected}"
            );
        }
    }
}

fn doubles(values: &[f32]) -> Vec<f64> {
    values.iter().map(|x| f64::from(*x)).collect()
}

fn transforms() -> Vec<Case> {
    let scaled = |factor: usize| -> Vec<f32> { numbers(64, factor, 32).iter().map(|x| x / 16.0).collect() };
    let (x, y, z) = (scaled(3), scaled(5), scaled(7));
    let waves = [[0.25, 0.5, 0.125, 1.0], [0.5, 0.25, 0.375, 2.0], [0.75, 0.125, 0.25, 0.5]];
    let sum = |of: fn(f64) -> f64| -> Vec<f64> {
        let point = |i: usize| [f64::from(x[i]), f64::from(y[i]), f64::from(z[i])];
        let phase =
            |w: &[f64; 4], p: [f64; 3]| std::f64::consts::TAU * (w[0] * p[0] + w[1] * p[1] + w[2] * p[2]);
        (0..64).map(|i| 1.0 + waves.iter().map(|w| w[3] * of(phase(w, point(i)))).sum::<f64>()).collect()
    };
    let (real, imaginary) = (near(3, sum(f64::cos), 1e-5), near(4, sum(f64::sin), 1e-5));
    let (r, im, k) = (scaled(11), scaled(13), scaled(9));
    let fhd = (0..64)
        .map(|i| {
            let angle = |m: usize| std::f64::consts::TAU * f64::from(k[m] * x[i]);
            (0..20).map(|m| f64::from(r[m]) * angle(m).cos() - f64::from(im[m]) * angle(m).sin()).sum()
        })
        .collect();
    vec![
        Case::new(FILE, "ComputeQ_GPU", ((1, 1), (64, 1)))
            .arguments(vec![Argument::Int(3), Argument::Int(0), floats(&x), floats(&y), floats(&z)])
            .arguments(vec![floats(&[1.0; 64]), floats(&[1.0; 64])])
            .check(real)
            .check(imaginary),
        Case::new(FILE, "cmpFHd", ((1, 1), (64, 1)))
            .arguments(vec![
                floats(&r),
                floats(&im),
                floats(&k),
                floats(&x),
                floats(&[0.0; 64]),
                Argument::Int(20),
            ])
            .check(near(4, fhd, 2e-3)),
    ]
}

fn potentials() -> Vec<Case> {
    let atoms = [
        [0.5, 0.25, 0.0625, 1.0],
        [1.5, 1.25, 0.25, -2.0],
        [3.0, 0.75, 1.0, 1.5],
        [2.25, 2.0, 0.5, 0.5],
        [0.1, 2.75, 0.75, -1.0],
    ];
    let energies = (0..64 * 8)
        .map(|i| {
            let (x, y) = (f64::from(i % 64) / 16.0, f64::from(i / 64) / 16.0);
            let one = |a: &[f64; 4]| a[3] / ((x - a[0]).powi(2) + (y - a[1]).powi(2) + a[2]).sqrt();
            1.0 + atoms.iter().map(one).sum::<f64>()
        })
        .collect();
    // Two by two bins of 8 by 8 points, with six atoms each.
    let cloud: Vec<f32> = (0..24)
        .flat_map(|i| {
            let (bin, k) = (i / 6, (i % 6) as f32);
            let (x, y) = ((bin % 2 * 8) as f32 * 0.5, (bin / 2 * 8) as f32 * 0.5);
            [x + k * 0.6, y + 3.5 - k * 0.45, 0.3 + k * 0.1, 1.0 + (k - 2.0) * 0.5]
        })
        .collect();
    let cells: Vec<i32> = (0..9).flat_map(|i| [i % 3 - 1, i / 3 - 1]).collect();
    let lattice = (0..256)
        .map(|i| {
            let (x, y) = (f64::from(i % 16) * 0.5, f64::from(i / 16) * 0.5);
            let one = |a: &[f64]| {
                let r2 = (a[0] - x).powi(2) + (a[1] - y).powi(2) + a[2] * a[2];
                if r2 < 4.0 { a[3] / r2.sqrt() * (1.0 - r2 / 4.0).powi(2) } else { 0.0 }
            };
            doubles(&cloud).chunks(4).map(one).sum()
        })
        .collect();
    vec![
        Case::new(FILE, "cenergy", ((1, 1), (16, 8)))
            .arguments(vec![Argument::Int(5), Argument::Float(0.0625), floats(&[1.0; 512])])
            .check(near(0, energies, 2e-5)),
        Case::new(FILE, "cutoffBins", ((2, 2), (8, 8)))
            .arguments(vec![floats(&cloud), ints(&[0, 6, 12, 18, 24]), ints(&cells), Argument::Int(9)])
            .arguments(vec![Argument::Int(2), Argument::Int(2), Argument::Float(0.5), Argument::Float(4.0)])
            .arguments(vec![floats(&[0.0; 256])])
            .check(near(3, lattice, 1e-4)),
    ]
}

fn particles() -> Vec<Case> {
    let bodies: Vec<f32> = numbers(128 * 4, 7, 31).iter().map(|x| x / 8.0).collect();
    let wide = doubles(&bodies);
    let accelerations = wide
        .chunks(4)
        .flat_map(|a| {
            let mut sum = [0.0; 4];
            for b in wide.chunks(4) {
                let r: Vec<f64> = (0..3).map(|d| b[d] - a[d]).collect();
                let square: f64 = r.iter().map(|r| r * r).sum::<f64>() + 0.01;
                (0..3).for_each(|d| sum[d] += r[d] * b[3] / square.powi(3).sqrt());
            }
            sum
        })
        .collect();
    let start: Vec<f32> = numbers(50 * 7, 5, 13).iter().map(|x| x - 6.0).collect();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for particle in start.chunks(7) {
        let alive = particle[6] > 0.0;
        let mut moved = particle[..6].to_vec();
        for d in 0..3 {
            let x = moved[d] + moved[d + 3] * 0.5;
            if alive {
                moved[d] = x.abs();
                moved[d + 3] = if x < 0.0 { -moved[d + 3] } else { moved[d + 3] };
            }
        }
        for (list, values) in [(&mut before, &particle[..6]), (&mut after, &moved[..])] {
            list.extend(values.iter().flat_map(|x| x.to_le_bytes()));
            list.extend(i32::from(alive).to_le_bytes());
        }
    }
    let lists: Vec<Vec<f32>> = (0..6).map(|k| numbers(40, 3 + 2 * k, 11)).collect();
    let moved = |d: usize| (0..40).map(|i| lists[d][i] + 0.25 * lists[d + 3][i]).collect();
    let record =
        |first: usize| Argument::Record(lists[first..first + 3].iter().map(|list| floats(list)).collect());
    vec![
        Case::new(FILE, "calculate_forces", ((2, 1), (64, 1)))
            .dynamic(1024)
            .arguments(vec![floats(&bodies), floats(&[0.0; 512]), Argument::Int(128), Argument::Int(64)])
            .check(near(1, accelerations, 1e-4)),
        Case::new(FILE, "moveAoS", ((1, 1), (64, 1)))
            .arguments(vec![Argument::Buffer(before), Argument::Int(50), Argument::Float(0.5)])
            .bytes(0, after),
        Case::new(FILE, "moveSoA", ((1, 1), (64, 1)))
            .arguments(vec![record(0), record(3), Argument::Int(40), Argument::Float(0.25)])
            .floats(0, moved(0))
            .floats(1, moved(1))
            .floats(2, moved(2)),
    ]
}

fn others() -> Vec<Case> {
    let (older, old) = (numbers(60, 3, 16), numbers(60, 5, 16));
    let next = (0..60)
        .map(|i| {
            if i == 0 || i == 59 {
                return 0.0;
            }
            2.0 * old[i] - older[i] + 0.25 * (old[i - 1] - 2.0 * old[i] + old[i + 1])
        })
        .collect();
    let random = |state: &mut u32| {
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        (*state >> 8) as f32 / 16_777_216.0
    };
    let inside: Vec<i32> = (0..64u32)
        .map(|thread| {
            let mut state = 12345 + 1 + thread;
            let point = |_| (random(&mut state), random(&mut state));
            // Products of 48 bits and their sum are exact enough for the comparison.
            let points: Vec<(f32, f32)> = (0..50).map(point).collect();
            points.iter().filter(|(x, y)| f64::from(*x).powi(2) + f64::from(*y).powi(2) < 1.0).count() as i32
        })
        .collect();
    vec![
        Case::new(FILE, "wave", ((1, 1), (64, 1)))
            .arguments(vec![floats(&older), floats(&old), floats(&[0.0; 60]), Argument::Int(60)])
            .arguments(vec![Argument::Float(0.25)])
            .floats(2, next),
        Case::new(FILE, "countInside", ((1, 1), (64, 1)))
            .arguments(vec![Argument::Int(12345), Argument::Int(50), ints(&[0; 64])])
            .ints(0, inside),
    ]
}

pub fn cases() -> Vec<Case> {
    let mut all = transforms();
    all.extend(potentials());
    all.extend(particles());
    all.extend(others());
    all
}

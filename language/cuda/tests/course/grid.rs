//! Stencils, convolutions and pictures.

use super::{Case, numbers};
use crate::common::{Argument, floats, ints};

const FILE: &str = "grid.cu";

fn bytes(count: usize, factor: usize) -> Vec<u8> {
    (0..count).map(|i| (i * factor % 251) as u8).collect()
}

/// A value of a picture; 0 outside.
fn at(picture: &[f32], (width, height): (i32, i32), (x, y): (i32, i32)) -> f32 {
    if (0..width).contains(&x) && (0..height).contains(&y) { picture[(y * width + x) as usize] } else { 0.0 }
}

fn convolutions() -> Vec<Case> {
    let (width, height) = (30, 22);
    let picture = numbers(30 * 22, 7, 16);
    let taps = [1.0, 2.0, 3.0, 2.0, 1.0];
    let filtered: Vec<f32> = (0..width * height)
        .map(|i| {
            let (x, y) = (i % width, i / width);
            let tap = |k: i32| taps[(k / 5) as usize] * taps[(k % 5) as usize];
            (0..25).map(|k| tap(k) * at(&picture, (width, height), (x + k % 5 - 2, y + k / 5 - 2))).sum()
        })
        .collect();
    let arguments =
        || vec![floats(&picture), floats(&[0.0; 30 * 22]), Argument::Int(width), Argument::Int(height)];
    let source = numbers(64 * 8, 5, 32);
    let kernel = [1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 3.0];
    let rows = (0..64 * 8)
        .map(|i| {
            (0..7).map(|j| kernel[(6 - j) as usize] * at(&source, (64, 8), (i % 64 + j - 3, i / 64))).sum()
        })
        .collect();
    vec![
        Case::new(FILE, "convolution_2D_basic", ((2, 2), (16, 16)))
            .arguments(arguments())
            .floats(1, filtered.clone()),
        Case::new(FILE, "convolution_tiled_2D", ((3, 2), (16, 16)))
            .arguments(arguments())
            .floats(1, filtered),
        Case::new(FILE, "convolutionRows", ((2, 2), (32, 4)))
            .arguments(vec![floats(&[0.0; 64 * 8]), floats(&source), Argument::Int(64), floats(&kernel)])
            .floats(0, rows),
    ]
}

fn stencils() -> Vec<Case> {
    let (nx, ny, nz) = (18usize, 10, 6);
    let cube = numbers(nx * ny * nz, 7, 64);
    let inside = |i: usize| {
        let (x, y, z) = (i % nx, i / nx % ny, i / nx / ny);
        (1..nx - 1).contains(&x) && (1..ny - 1).contains(&y) && (1..nz - 1).contains(&z)
    };
    let layer = nx * ny;
    let next = (0..cube.len())
        .map(|i| {
            let around = |i: usize| {
                cube[i - 1] + cube[i + 1] + cube[i - nx] + cube[i + nx] + cube[i - layer] + cube[i + layer]
            };
            if inside(i) { 0.5 * cube[i] + 0.25 * around(i) } else { 0.0 }
        })
        .collect();
    let sizes = [nx, ny, nz].map(|size| Argument::Int(size as i32));
    let plate = numbers(18 * 18, 5, 32);
    let heated = (0..18 * 18)
        .map(|i| {
            let (x, y) = (i % 18, i / 18);
            if !(1..17).contains(&x) || !(1..17).contains(&y) {
                return 0.0;
            }
            let around = plate[i - 18] + plate[i + 18] + plate[i - 1] + plate[i + 1];
            plate[i] + 0.25 * (around - 4.0 * plate[i])
        })
        .collect();
    vec![
        Case::new(FILE, "stencil7", ((2, 2), (16, 8)))
            .arguments(vec![floats(&cube), floats(&vec![0.0; cube.len()])])
            .arguments(sizes.into())
            .floats(1, next),
        Case::new(FILE, "heat", ((2, 2), (8, 8)))
            .arguments(vec![floats(&[0.0; 324]), floats(&plate), Argument::Float(0.25), Argument::Int(18)])
            .floats(0, heated),
    ]
}

fn pictures() -> Vec<Case> {
    let color = bytes(20 * 12 * 3, 7);
    let gray = color
        .chunks(3)
        .map(|p| (0.25 * f32::from(p[0]) + 0.5 * f32::from(p[1]) + 0.25 * f32::from(p[2])) as u8)
        .collect();
    let one = bytes(20 * 12, 11);
    let blurred = (0..240i32)
        .map(|i| {
            let around = (0..9).map(|k| (i % 20 + k % 3 - 1, i / 20 + k / 3 - 1));
            let inside: Vec<i32> = around
                .filter(|(x, y)| (0..20).contains(x) && (0..12).contains(y))
                .map(|(x, y)| i32::from(one[(y * 20 + x) as usize]))
                .collect();
            (inside.iter().sum::<i32>() / inside.len() as i32) as u8
        })
        .collect();
    let rgba = bytes(100 * 4, 3);
    let inverted = rgba.iter().enumerate().map(|(i, b)| if i % 4 == 3 { *b } else { 255 - b }).collect();
    let empty = |count: usize| Argument::Buffer(vec![0; count]);
    let sizes = || vec![Argument::Int(20), Argument::Int(12)];
    vec![
        Case::new(FILE, "colorToGrayscale", ((2, 1), (16, 16)))
            .arguments(vec![empty(240), Argument::Buffer(color)])
            .arguments(sizes())
            .bytes(0, gray),
        Case::new(FILE, "blurKernel", ((2, 1), (16, 16)))
            .arguments(vec![Argument::Buffer(one), empty(240)])
            .arguments(sizes())
            .bytes(1, blurred),
        Case::new(FILE, "invert", ((2, 1), (64, 1)))
            .arguments(vec![Argument::Buffer(rgba), Argument::Int(100)])
            .bytes(0, inverted),
    ]
}

/// The number of iterations before a point leaves the circle, with the roundings of the device.
fn iterations(cx: f32, cy: f32, fused: bool) -> i32 {
    let madd = |a: f32, b: f32, c: f32| if fused { a.mul_add(b, c) } else { a * b + c };
    let (mut x, mut y, mut n) = (0f32, 0f32, 0);
    while madd(x, x, y * y) <= 4.0 && n < 100 {
        let t = madd(x, x, -(y * y)) + cx;
        y = madd(2.0 * x, y, cy);
        x = t;
        n += 1;
    }
    n
}

fn fractals() -> Vec<Case> {
    let check = |buffers: &[Vec<u8>]| {
        let counts = crate::common::as_ints(&buffers[0]);
        let point = |i: usize| ((i % 32) as f32 * 0.125 - 2.5, (i / 32) as f32 * 0.125 - 1.0);
        // Rounding decides near the border.
        let wrong = (0..512)
            .filter(|i| {
                let (x, y) = point(*i);
                ![true, false].iter().any(|fused| (counts[*i] - iterations(x, y, *fused)).abs() <= 1)
            })
            .count();
        assert!(wrong <= 5, "{wrong} of 512 points differ");
        assert!(counts.contains(&100) && counts.contains(&1));
    };
    let inside = |buffers: &[Vec<u8>]| {
        let wrong = (0..32 * 32)
            .filter(|i| {
                let scale = |x: i32| 1.5 * (16 - x) as f32 / 16.0;
                let (mut x, mut y) = (scale(i % 32), scale(i / 32));
                let mut expected = 255;
                for _ in 0..50 {
                    (x, y) = (x * x - y * y - 0.75, 2.0 * x * y + 0.125);
                    if x * x + y * y > 1000.0 {
                        expected = 0;
                        break;
                    }
                }
                buffers[0][*i as usize] != expected
            })
            .count();
        assert!(wrong <= 10, "{wrong} of 1024 points differ");
    };
    vec![
        Case::new(FILE, "mandelbrot", ((2, 2), (16, 8)))
            .arguments(vec![ints(&[0; 512]), Argument::Int(32), Argument::Float(-2.5), Argument::Float(-1.0)])
            .arguments(vec![Argument::Float(0.125), Argument::Int(100)])
            .check(check),
        Case::new(FILE, "juliaSet", ((2, 2), (16, 16)))
            .arguments(vec![Argument::Buffer(vec![0; 1024]), Argument::Int(32)])
            .check(inside),
    ]
}

pub fn cases() -> Vec<Case> {
    let mut all = convolutions();
    all.extend(stencils());
    all.extend(pictures());
    all.extend(fractals());
    all
}

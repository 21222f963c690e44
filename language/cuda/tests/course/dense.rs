//! Dense matrices and vectors.

use super::{Case, numbers};
use crate::common::{Argument, floats};

const FILE: &str = "dense.cu";

/// The product of two matrices of small integers, which is exact.
fn product(a: &[f32], b: &[f32], (rows, inner, columns): (usize, usize, usize)) -> Vec<f32> {
    (0..rows * columns)
        .map(|at| (0..inner).map(|k| a[at / columns * inner + k] * b[k * columns + at % columns]).sum())
        .collect()
}

pub fn cases() -> Vec<Case> {
    let (a, b) = (numbers(20 * 30, 3, 11), numbers(30 * 25, 5, 13));
    let rectangle = product(&a, &b, (20, 30, 25));
    let (m, n) = (numbers(1024, 3, 11), numbers(1024, 5, 13));
    let square = product(&m, &n, (32, 32, 32));
    let squares = |extra: &[i32]| {
        let mut all = vec![floats(&m), floats(&n), floats(&[0.0; 1024])];
        all.extend(extra.iter().map(|value| Argument::Int(*value)));
        all
    };
    let mut cases = vec![
        Case::new(FILE, "sgemmTiled", ((2, 2), (16, 16)))
            .arguments(vec![floats(&a), floats(&b), floats(&[0.0; 500])])
            .arguments([20, 30, 25].map(Argument::Int).into())
            .floats(2, rectangle),
        Case::new(FILE, "matmulDynamicTile", ((4, 4), (8, 8)))
            .dynamic(512)
            .arguments(squares(&[32, 8]))
            .floats(2, square.clone()),
    ];
    for (entry, shape) in
        [("matrixMulCoarsened", ((1, 4), (8, 8))), ("matmulRegisterTiled", ((2, 2), (8, 8)))]
    {
        cases.push(Case::new(FILE, entry, shape).arguments(squares(&[32])).floats(2, square.clone()));
    }
    let matrix = numbers(50 * 40, 7, 23);
    let x = numbers(40, 5, 9);
    let y: Vec<f32> = matrix.chunks(40).map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
    cases.push(
        Case::new(FILE, "matVec", ((1, 1), (64, 1)))
            .arguments(vec![
                floats(&matrix),
                floats(&x),
                floats(&[0.0; 50]),
                Argument::Int(50),
                Argument::Int(40),
            ])
            .floats(2, y),
    );
    let picture = numbers(64 * 32, 1, 5000);
    let turned = (0..64 * 32).map(|at| picture[at % 32 * 64 + at / 32]).collect();
    cases.push(
        Case::new(FILE, "transposeNoBankConflicts", ((2, 1), (32, 8)))
            .arguments(vec![floats(&[0.0; 64 * 32]), floats(&picture), Argument::Int(64), Argument::Int(32)])
            .floats(0, turned),
    );
    let (u, v) = (numbers(300, 3, 7), numbers(300, 5, 11));
    let mut partial = vec![0.0; 2];
    for i in 0..300 {
        partial[i / 64 % 2] += u[i] * v[i];
    }
    cases.push(
        Case::new(FILE, "dotProduct", ((2, 1), (64, 1)))
            .arguments(vec![floats(&u), floats(&v), floats(&[0.0; 2]), Argument::Int(300)])
            .floats(2, partial),
    );
    let mut system = numbers(32 * 32, 3, 5);
    (0..32).for_each(|i| system[33 * i] = 64.0);
    let (right, old) = (numbers(32, 7, 64), numbers(32, 3, 8));
    let next = (0..32)
        .map(|i| {
            let others: f32 = (0..32).filter(|j| *j != i).map(|j| system[32 * i + j] * old[j]).sum();
            (right[i] - others) / 64.0
        })
        .collect();
    cases.push(
        Case::new(FILE, "jacobi", ((1, 1), (64, 1)))
            .arguments(vec![
                floats(&system),
                floats(&right),
                floats(&old),
                floats(&[0.0; 32]),
                Argument::Int(32),
            ])
            .floats(3, next),
    );
    let sum = (0..200).map(|i| 2.0 * u[i] + v[i]).collect();
    cases.push(
        Case::new(FILE, "axpy<float>", ((4, 1), (64, 1)))
            .arguments(vec![Argument::Float(2.0), floats(&u[..200]), floats(&v[..200]), Argument::Int(200)])
            .floats(1, sum),
    );
    cases
}

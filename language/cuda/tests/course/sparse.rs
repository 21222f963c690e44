//! Sparse matrices, graphs and sorting.

use super::{Case, integers, numbers};
use crate::common::{Argument, as_ints, floats, ints};

const FILE: &str = "sparse.cu";
const FAR: i32 = i32::MAX;

/// Rows of a matrix of 40 columns: pairs of columns and values.
fn matrix() -> Vec<Vec<(i32, f32)>> {
    (0..40)
        .map(|row| (0..row * 7 % 6).map(|k| ((row * 5 + 11 * k) % 40, (1 + (row + k) % 8) as f32)).collect())
        .collect()
}

fn products() -> Vec<Case> {
    let rows = matrix();
    let x = numbers(40, 3, 8);
    let dots: Vec<f32> =
        rows.iter().map(|row| row.iter().map(|(column, value)| x[*column as usize] * value).sum()).collect();
    let mut starts = vec![0];
    for row in &rows {
        starts.push(starts[starts.len() - 1] + row.len() as i32);
    }
    let flat: Vec<(i32, f32)> = rows.concat();
    let columns: Vec<i32> = flat.iter().map(|pair| pair.0).collect();
    let values: Vec<f32> = flat.iter().map(|pair| pair.1).collect();
    let of_row: Vec<i32> = (0..40).flat_map(|row| vec![row; rows[row as usize].len()]).collect();
    let whole: Vec<i32> = x.iter().map(|x| *x as i32).collect();
    let count = columns.len() as i32;
    let (mut ell_columns, mut ell_values) = (vec![0; 40 * 6], vec![0.0; 40 * 6]);
    for (row, pairs) in rows.iter().enumerate() {
        for (k, (column, value)) in pairs.iter().enumerate() {
            (ell_columns[k * 40 + row], ell_values[k * 40 + row]) = (*column, *value);
        }
    }
    let lengths: Vec<i32> = rows.iter().map(|row| row.len() as i32).collect();
    let y = numbers(40, 1, 5);
    let added = dots.iter().zip(&y).map(|(dot, y)| dot + y).collect();
    let record = Argument::Record(vec![
        Argument::Int(40),
        Argument::Int(40),
        Argument::Int(count),
        ints(&starts),
        ints(&columns),
        floats(&values),
    ]);
    vec![
        Case::new(FILE, "spmv_coo", ((2, 1), (64, 1)))
            .arguments(vec![ints(&of_row), ints(&columns), floats(&values), Argument::Int(count)])
            .arguments(vec![ints(&whole), ints(&[0; 40])])
            .ints(4, dots.iter().map(|dot| *dot as i32).collect()),
        Case::new(FILE, "spmv_ell", ((1, 1), (64, 1)))
            .arguments(vec![ints(&ell_columns), floats(&ell_values), ints(&lengths), Argument::Int(40)])
            .arguments(vec![floats(&x), floats(&[0.0; 40])])
            .floats(4, dots.clone()),
        Case::new(FILE, "spmv_csr_vector", ((20, 1), (64, 1)))
            .arguments(vec![Argument::Int(40), ints(&starts), ints(&columns), floats(&values)])
            .arguments(vec![floats(&x), floats(&y)])
            .floats(4, added),
        Case::new(FILE, "spmv_csr_struct", ((1, 1), (64, 1)))
            .arguments(vec![record, floats(&x), floats(&[0.0; 40])])
            .floats(4, dots),
    ]
}

/// Edges of a graph of 60 vertices, and the levels of a search that has reached level 1.
fn graph() -> (Vec<i32>, Vec<i32>, Vec<i32>) {
    let starts: Vec<i32> = (0..=60).map(|v| v * 3).collect();
    let targets: Vec<i32> = (0..180).map(|e| (e * 17 + e / 3) % 60).collect();
    let mut levels = vec![FAR; 60];
    levels[5] = 0;
    for v in [1, 7, 20, 33] {
        levels[v] = 1;
    }
    (starts, targets, levels)
}

fn searches() -> Vec<Case> {
    let (starts, targets, levels) = graph();
    let mut next = levels.clone();
    for (edge, target) in targets.iter().enumerate() {
        if levels[edge / 3] == 1 && levels[*target as usize] == FAR {
            next[*target as usize] = 2;
        }
    }
    let mut found: Vec<i32> = (0..60).filter(|v| next[*v as usize] == 2).collect();
    found.sort_unstable();
    let expected = next.clone();
    let frontier = move |buffers: &[Vec<u8>]| {
        assert_eq!(as_ints(&buffers[2]), expected);
        let count = as_ints(&buffers[5])[0] as usize;
        let mut all = as_ints(&buffers[4])[..count].to_vec();
        all.sort_unstable();
        assert_eq!(all, found);
    };
    vec![
        Case::new(FILE, "bfs_kernel", ((1, 1), (64, 1)))
            .arguments(vec![ints(&starts), ints(&targets), ints(&levels), ints(&[0])])
            .arguments(vec![Argument::Int(2), Argument::Int(60)])
            .ints(2, next)
            .ints(3, vec![1]),
        Case::new(FILE, "bfs_frontier", ((1, 1), (64, 1)))
            .arguments(vec![
                ints(&starts),
                ints(&targets),
                ints(&levels),
                ints(&[1, 7, 20, 33]),
                ints(&[0; 60]),
            ])
            .arguments(vec![Argument::Int(4), ints(&[0]), Argument::Int(2)])
            .check(frontier),
    ]
}

fn sorting() -> Vec<Case> {
    let mut a = integers(70, 37, 200);
    let mut b = integers(50, 53, 180);
    a.sort_unstable();
    b.sort_unstable();
    let mut merged = [a.clone(), b.clone()].concat();
    merged.sort_unstable();
    let values = integers(128, 71, 509);
    let mut sorted = values.clone();
    sorted.sort_unstable();
    let mut by_bit = values.clone();
    by_bit.sort_by_key(|x| x >> 3 & 1);
    let shorts =
        |values: &[i32]| values.iter().flat_map(|x| (*x as i16 - 200).to_le_bytes()).collect::<Vec<u8>>();
    vec![
        Case::new(FILE, "merge_basic_kernel", ((1, 1), (32, 1)))
            .arguments(vec![ints(&a), Argument::Int(70), ints(&b), Argument::Int(50), ints(&[0; 120])])
            .ints(2, merged),
        Case::new(FILE, "bitonicSort", ((1, 1), (128, 1)))
            .dynamic(512)
            .arguments(vec![ints(&values)])
            .ints(0, sorted.clone()),
        Case::new(FILE, "radixStep", ((1, 1), (128, 1)))
            .arguments(vec![ints(&values), ints(&[0; 128]), Argument::Int(3)])
            .ints(1, by_bit),
        Case::new(FILE, "oddEvenSort", ((1, 1), (64, 1)))
            .arguments(vec![Argument::Buffer(shorts(&values)), Argument::Int(128)])
            .bytes(0, shorts(&sorted)),
    ]
}

pub fn cases() -> Vec<Case> {
    let mut all = products();
    all.extend(searches());
    all.extend(sorting());
    all.into_iter().map(|case| case.from("sm_12")).collect()
}

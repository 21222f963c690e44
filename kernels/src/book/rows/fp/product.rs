//! FP-01: the product of the appendix.

use crate::RunError;
use crate::book::machines::{CHIPS, Everywhere};
use crate::book::probe::Probe;
use crate::book::{Bench, Claim, Row, Shown};
use sim_core::host::Arg;

pub static CLAIMS: &[Claim] = &[Claim { id: "FP-01", show: product_of_the_appendix }];

/// The two factors are m\[i\]\[j\] = n\[i\]\[j\] = i + j + 1, and all sums of products are exact.
fn product_of_the_appendix(bench: &Bench, row: &Row) -> Result<Shown, RunError> {
    let [rows, columns, one] = row.read("{}x{} product of m[i][j] = n[i][j] = i+j+{}")?;
    let first = row.list(", last element")?;
    let [last, sum] = row.read("last element {}, sum of all elements {}")?;
    let (width, columns) = (rows as usize, columns as usize);
    let matrix: Vec<u32> = (0..width * columns)
        .map(|at| ((at / columns + at % columns) as f32 + one as f32).to_bits())
        .collect();
    let kernel = crate::find("matmul-naive").ok_or_else(|| RunError::Unknown("matmul-naive".to_owned()))?;
    let mut shown = Shown::new(
        "the product without tiles in blocks of 8x8, 4x4 and 2x2, on every chip, timed and functional",
    );
    for side in [8, 4, 2] {
        let found = Everywhere::run(&CHIPS, |machine| {
            let mut probe = Probe::new(bench, bench.chip(machine.chip, &[])?, kernel.file, kernel.ptx)?;
            let (m, n) = (probe.lab.upload(&matrix)?, probe.lab.upload(&matrix)?);
            let p = probe.lab.allocate(matrix.len() as u64)?;
            let blocks = width as u32 / side;
            let launch = probe.launch("matmul_naive", (blocks, blocks), (side, side, 1)).mode(machine.mode);
            probe.run(&launch.args([Arg::Ptr(m), Arg::Ptr(n), Arg::Ptr(p), Arg::S32(width as i32)]))?;
            let words = probe.lab.download(p, matrix.len())?;
            Ok(words.into_iter().map(|word| f64::from(f32::from_bits(word))).collect::<Vec<_>>())
        })?;
        let what = format!("blocks of {side}x{side}");
        shown.find(found.exact_list(format!("{what}: first row"), &first, |p| p[..width].to_vec()));
        shown.find(found.exact(format!("{what}: last element"), last, |p| p[p.len() - 1]));
        shown.find(found.exact(format!("{what}: sum of all elements"), sum, |p| p.iter().sum::<f64>()));
    }
    shown.because(
        "Whole numbers below 2^24 are exact in single precision, and so are their sums here, in any order.",
    );
    Ok(shown)
}

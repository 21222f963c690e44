//! FP-01: the matrix product of the appendix.

use crate::machines::{CHIPS, Everywhere};
use crate::probe::{Probe, UNTOUCHED};
use crate::{Claim, Experiment, Runner, Shown};
use isa::types::Dim3;
use kernels::RunError;
use kernels::matmul::{Tiled, multiply};
use kernels::numbers::floats;
use sim_core::host::Arg;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "FP-01", show: product_of_the_appendix }];

/// A kernel that multiplies square matrices.
struct Method {
    what: String,
    text: String,
    entry: String,
    grid: Dim3,
    block: Dim3,
}

/// Returns the kernel without tiles, and the kernels with tiles of several sides.
fn methods(width: u32) -> Result<Vec<Method>, RunError> {
    let kernel = kernels::find("matmul-naive").ok_or_else(|| RunError::Unknown("matmul-naive".to_owned()))?;
    let naive = Method {
        what: "no tiles".to_owned(),
        text: kernel.ptx.to_owned(),
        entry: "matmul_naive".to_owned(),
        grid: Dim3::new(width.div_ceil(8), width.div_ceil(8), 1),
        block: Dim3::new(8, 8, 1),
    };
    let tiles = [8, 4, 2].map(Tiled::new).map(|tiled| Method {
        what: format!("tiles of {}", tiled.name()),
        text: tiled.text(),
        entry: tiled.entry(),
        grid: tiled.grid(width),
        block: tiled.block(),
    });
    Ok(std::iter::once(naive).chain(tiles).collect())
}

/// Multiplies m\[i\]\[j\] = n\[i\]\[j\] = i + j + 1, whose sums of products are exact.
fn product_of_the_appendix(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [rows, columns, one] = claim.numbers(["rows", "columns", "one"]).map(|n| n as usize);
    let first = claim.list("first");
    let [last, sum] = claim.numbers(["last", "sum"]);
    let matrix: Vec<i32> = (0..rows * columns).map(|at| (at / columns + at % columns + one) as i32).collect();
    let words: Vec<u32> = floats(&matrix).into_iter().map(f32::to_bits).collect();
    let mut shown = Shown::new(
        "the product without tiles and with tiles of three sides, on every chip, timed and functional",
    );
    for method in methods(rows as u32)? {
        let found = Everywhere::run(&CHIPS, |machine| {
            let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, "matmul.ptx", &method.text)?;
            let (m, n) = (probe.lab.upload(&words)?, probe.lab.upload(&words)?);
            let p = probe.lab.upload(&vec![UNTOUCHED; words.len()])?;
            let launch = probe.launch(&method.entry, method.grid, method.block).mode(machine.mode);
            probe.run(&launch.args([Arg::Ptr(m), Arg::Ptr(n), Arg::Ptr(p), Arg::S32(rows as i32)]))?;
            let words = probe.lab.download(p, words.len())?;
            Ok(words.into_iter().map(|word| f64::from(f32::from_bits(word))).collect::<Vec<_>>())
        })?;
        let what = &method.what;
        let row = |p: &Vec<f64>| p.iter().take(columns).copied().collect();
        shown.find(found.exact_list(format!("{what}: first row"), &first, row));
        let end = |p: &Vec<f64>| p.last().copied().unwrap_or(f64::NAN);
        shown.find(found.exact(format!("{what}: last element"), last, end));
        shown.find(found.exact(format!("{what}: sum of all elements"), sum, |p| p.iter().sum::<f64>()));
        let product = multiply(&matrix, &matrix, rows, columns);
        let wrong = |p: &Vec<f64>| {
            let differ = |(got, right): &(&f64, &i32)| got.total_cmp(&f64::from(**right)).is_ne();
            p.iter().zip(&product).filter(differ).count()
        };
        shown.find(found.exact(format!("{what}: elements that differ from the host's"), 0, wrong));
    }
    shown.because(
        "Whole numbers below 2^24 are exact in single precision, and so are their sums here, in any order.",
    );
    Ok(shown)
}

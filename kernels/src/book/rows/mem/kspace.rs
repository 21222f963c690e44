//! MEM-11 and MEM-19 on the kernels of magnetic resonance imaging: what the samples' arrangement in constant memory is to
//! the caches.

use crate::RunError;
use crate::book::finding::significant;
use crate::book::tools::timing;
use crate::book::{Bench, Finding, Shown};
use crate::mri::kernel::{Kernel, Place, Trig, Values};
use crate::mri::scan::Scan;
use sim_core::stats::report::ConstantReport;

/// Samples: enough for all words of some lines.
const SAMPLES: u32 = 32;

/// F^H d with samples as arrays or structures, with sine and cosine in software. In constant memory are their places alone,
/// as the figures have it, or their values too.
fn constants(
    bench: &Bench,
    chip: &str,
    place: Place,
    values: Values,
) -> Result<(ConstantReport, u64), RunError> {
    let kernel = Kernel { values, trig: Trig::Software, ..Kernel::fhd(place) };
    let mut lab = kernel.laboratory(bench.gpu(bench.chip(chip, &[])?))?;
    let voxels = kernel.voxels_at_once(&lab);
    let (ran, _) = kernel.whole(&mut lab, &Scan::made(voxels, SAMPLES))?;
    let report = ran.reports.last().ok_or_else(|| RunError::Wrong("no samples".to_owned()))?;
    Ok((timing(report).constant.clone(), timing(report).cycles))
}

/// Adds to MEM-11 what misses in F^H d.
pub fn structures(bench: &Bench, shown: &mut Shown) -> Result<(), RunError> {
    for (chip, values, words) in [("g80", Values::Constant, 5), ("fermi", Values::Global, 3)] {
        let of = |place| constants(bench, chip, place, values);
        let (arrays, slow) = of(Place::Arrays)?;
        let (structs, fast) = of(Place::Structs)?;
        shown.find(Finding::shape(
            format!("F^H d on {chip}, {words} words of a sample: misses of the SMs' constant caches"),
            "less than a quarter as structures",
            format!("{} as arrays, {} as structures", arrays.l1.misses, structs.l1.misses),
            4 * structs.l1.misses < arrays.l1.misses,
        ));
        let sets = "arrays of 8 KB, so that a sample's words fall into one set of the cache, and warps drive each other's \
                    lines out; of a structure they lie in one line or two";
        shown.because(format!(
            "F^H d on {chip}: {words} {sets}; {slow} and {fast} cycles for {SAMPLES} samples."
        ));
    }
    let (arrays, _) = constants(bench, "g80", Place::Arrays, Values::Global)?;
    let (structs, _) = constants(bench, "g80", Place::Structs, Values::Global)?;
    shown.because(format!(
        "F^H d on g80 as the figures have it, three words in constant memory and the values in global memory: {} misses as \
         arrays and {} as structures, for a set holds the three lines, and warps that wait for the same global words keep \
         in step.",
        arrays.l1.misses, structs.l1.misses
    ));
    Ok(())
}

/// Adds to MEM-19 which part of the threads' reads in F^H d the caches save: `saved` percent at least.
pub fn one_address(bench: &Bench, shown: &mut Shown, saved: f64) -> Result<(), RunError> {
    for place in [Place::Arrays, Place::Structs] {
        let (found, _) = constants(bench, "g80", place, Values::Constant)?;
        let asked = 32 * (found.l1.requests + found.l1.operands);
        let percent = 100.0 * (1.0 - found.l1.misses as f64 / asked as f64);
        let what = if place == Place::Arrays { "arrays" } else { "structures" };
        shown.find(Finding::shape(
            format!("F^H d on g80, samples as {what}: saved of {asked} reads of threads"),
            format!("at least {saved} %"),
            format!("{} %", significant(percent)),
            percent >= saved,
        ));
    }
    Ok(())
}

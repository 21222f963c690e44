//! MEM-11 and MEM-19 on the kernels of magnetic resonance imaging: what the samples' arrangement in
//! constant memory is to the caches.

use super::constants::{fewer, shape};
use crate::RunError;
use crate::book::finding::significant;
use crate::book::machines::CHIPS;
use crate::book::tools::timing;
use crate::book::{Finding, Runner, Shown};
use crate::mri::kernel::{CHUNK, DataPlacement, Kernel, Trig, Values};
use crate::mri::scan::Scan;
use sim_core::stats::report::ConstantReport;

/// Samples: enough for all words of some lines.
const SAMPLES: u32 = 32;

/// F^H d with samples as arrays or structures, with sine and cosine in software. In constant memory
/// are their places alone, as the figures have it, or their values too.
fn constants(
    runner: &Runner,
    chip: &str,
    place: DataPlacement,
    values: Values,
) -> Result<(ConstantReport, u64), RunError> {
    let kernel = Kernel { values, trig: Trig::Software, ..Kernel::fhd(place) };
    let mut lab = kernel.laboratory(runner.gpu(runner.chip(chip, &[])?))?;
    let voxels = kernel.voxels_at_once(&lab);
    let (ran, _) = kernel.whole(&mut lab, &Scan::made(voxels, SAMPLES))?;
    let report = ran.reports.last().ok_or_else(|| RunError::Wrong("no samples".to_owned()))?;
    Ok((timing(report).constant.clone(), timing(report).cycles))
}

/// Adds to MEM-11 what misses in F^H d: first with the layout of the figures, three words of a
/// sample in constant memory and its values in global memory, then with all five words in constant
/// memory, at small sizes on G80 only.
pub fn structures(runner: &Runner, shown: &mut Shown) -> Result<(), RunError> {
    for (layout, values, words, chips) in [
        ("as the figures have it, 3 words of a sample in constant memory", Values::Global, 3, &CHIPS[..]),
        (
            "all 5 words of a sample in constant memory",
            Values::Constant,
            5,
            runner.by_size(&CHIPS[..1], &CHIPS),
        ),
    ] {
        for chip in chips {
            let (arrays, slow) = constants(runner, chip, DataPlacement::Arrays, values)?;
            let (structs, fast) = constants(runner, chip, DataPlacement::Structs, values)?;
            let what = format!("F^H d on {chip}, {layout}: misses of the SMs' constant caches");
            shown.find(fewer(what, arrays.l1.misses, structs.l1.misses));
            let cache = shape(runner, chip)?;
            let set = if words > cache.ways { "which has only" } else { "which has" };
            shown.because(format!(
                "F^H d on {chip}, {layout}: {words} arrays of {} KB, so that a sample's words fall into one set of the \
                 cache, {set} {} lines, for all warps of the SM; of a structure they lie in one line or two. {slow} and \
                 {fast} cycles for {SAMPLES} samples.",
                4 * CHUNK / 1024,
                cache.ways
            ));
        }
    }
    shown.because(
        "The row gives no number for a sharp fall: judged is that structures miss less often, and the factor stands beside.",
    );
    Ok(())
}

/// Adds to MEM-19 which part of the threads' reads in F^H d the caches save: `saved` percent at
/// least.
pub fn one_address(runner: &Runner, shown: &mut Shown, saved: f64) -> Result<(), RunError> {
    for place in [DataPlacement::Arrays, DataPlacement::Structs] {
        let (found, _) = constants(runner, "g80", place, Values::Constant)?;
        let asked = 32 * (found.l1.requests + found.l1.operands);
        let percent = 100.0 * (1.0 - found.l1.misses as f64 / asked as f64);
        let what = if place == DataPlacement::Arrays { "arrays" } else { "structures" };
        shown.find(Finding::shape(
            format!("F^H d on g80, samples as {what}: saved of {asked} reads of threads"),
            format!("at least {saved} %"),
            format!("{} %", significant(percent)),
            percent >= saved,
        ));
    }
    Ok(())
}

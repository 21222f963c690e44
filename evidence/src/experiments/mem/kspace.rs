//! MEM-11 and MEM-19 on the kernels of magnetic resonance imaging: effect of the layout of the
//! samples in constant memory on the caches.

use super::constants::{fewer, shape};
use crate::finding::significant;
use crate::machines::CHIPS;
use crate::tools::timing;
use crate::{Finding, Runner, Shown};
use kernels::RunError;
use kernels::mri::kernel::{CHUNK, DataPlacement, Kernel, Trig, Values};
use kernels::mri::scan::Scan;
use sim_core::stats::report::ConstantReport;

/// Number of samples: enough to use all words of some lines.
const SAMPLES: u32 = 32;

/// Runs F^H d with samples as arrays or structures, with sine and cosine in software. Constant
/// memory holds the samples' coordinates, as in the figures, and with [`Values::Constant`] their
/// values too. Returns the cache counters and the cycles.
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

/// Adds the misses in F^H d to MEM-11: first with the layout of the figures (three words of a
/// sample in constant memory, its values in global memory), then with all five words in constant
/// memory. At small sizes the second layout runs on G80 only.
pub fn structures(runner: &Runner, shown: &mut Shown) -> Result<(), RunError> {
    for (layout, values, words, chips) in [
        ("layout of the figures, 3 words of a sample in constant memory", Values::Global, 3, &CHIPS[..]),
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
                "F^H d on {chip}, {layout}: {words} arrays of {} KB, so that a sample's words map to one set of the \
                 cache, {set} {} lines, for all warps of the SM; in a structure they are in one or two lines. {slow} and \
                 {fast} cycles for {SAMPLES} samples.",
                4 * CHUNK / 1024,
                cache.ways
            ));
        }
    }
    shown.because(
        "The claim gives no number for a sharp fall, so structures must miss less often; the factor is shown.",
    );
    Ok(())
}

/// Adds to MEM-19 the share of the threads' reads in F^H d that the caches save: `saved` percent at
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

//! PERF-09: F^H d on a Quadro FX 5600, from everything in global memory to sines by the special
//! function units.

use crate::RunError;
use crate::book::finding::significant;
use crate::book::{Claim, Experiment, Finding, Runner, Shown, Size, Verdict, why};
use crate::measure::programs::mri::of;
use crate::mri::kernel::{DataPlacement, Kernel};
use crate::mri::scan::Scan;
use sim_core::config::Chip;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-09", show: versions }];

/// GFLOP/s of a kernel as they were counted for publication, and its last report. Reduced: as many
/// voxels as the chip has threads at once. At the ledger's size: all voxels. Samples are as many as
/// make a steady state, of launches that are alike.
fn rate(runner: &Runner, chip: &Chip, kernel: Kernel) -> Result<(f64, Report), RunError> {
    let mut lab = kernel.laboratory(runner.gpu(chip.clone()))?;
    let (voxels, samples) = match runner.size {
        Size::Reduced => (kernel.voxels_at_once(&lab), kernel.few_samples() / 2),
        Size::Full => (kernel.side().pow(3), kernel.few_samples()),
    };
    let (ran, _) = kernel.whole(&mut lab, &Scan::made(voxels, samples))?;
    let report = ran.reports.last().cloned().ok_or_else(|| RunError::Wrong("no samples".to_owned()))?;
    Ok((kernel.flops() * f64::from(voxels) * f64::from(samples) / ran.microseconds() / 1000.0, report))
}

/// The three versions, and the one of figure 8.13 as it is printed.
fn versions(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let published = claim.list("GFLOP/s")?;
    let band = claim.band()?;
    let [operations, _] = claim.read("about {} flop each, not {}")?;
    let kernels = ["V194", "V195", "V196"].map(of).into_iter().flatten();
    let names = ["everything in global memory", "samples in constant memory", "SFU, tuned"];
    let chip = runner.chip("fx5600", &[])?;

    let mut shown = Shown::new(match runner.size {
        Size::Reduced => "a wave of voxels and up to 512 samples instead of 128^3 and 284,592",
        Size::Full => "128^3 voxels and up to 1,024 of the 284,592 samples; from global memory 64 of them",
    });
    let (mut rates, mut utilisation) = (Vec::new(), Vec::new());
    for ((name, kernel), published) in names.into_iter().zip(kernels).zip(&published) {
        let measure = |chip: &Chip| rate(runner, chip, kernel);
        let (found, report) = why::explain(&mut shown, name, "GFLOP/s", &chip, measure)?;
        shown.find(Finding::measured(format!("{name}: GFLOP/s"), *published, band, found));
        shown.because(format!(
            "{name}: {} ns for a voxel and a sample, published {}.",
            significant(kernel.flops() / found),
            significant(kernel.flops() / published)
        ));
        if rates.is_empty() {
            // As published results were counted; nothing of it is simulated.
            let counted = kernel.flops();
            shown.find(Finding::shape(
                "operations that are counted for a voxel and a sample",
                format!("about {operations}"),
                significant(counted),
                (counted - operations).abs() < 0.5,
            ));
        }
        rates.push(found);
        utilisation.push(report.timing.map_or(0.0, |timing| timing.dram.utilisation));
    }
    let in_words = rates.iter().map(|rate| significant(*rate)).collect::<Vec<_>>().join(" < ");
    let ordered = published.len() == rates.len() && rates.is_sorted() && published.is_sorted();
    shown.find(Finding::shape("the order of the versions", "as published", in_words, ordered));
    if shown.verdict() >= Verdict::Outside {
        let (printed, _) = rate(runner, &chip, Kernel::fhd(DataPlacement::Arrays))?;
        shown.cause = Some(cause(printed, utilisation.first().copied().unwrap_or_default()));
    }
    Ok(shown)
}

/// What is known of the errors. `printed`: the rate of figure 8.13 with values in global memory;
/// `utilisation`: of the DRAM by the first version.
fn cause(printed: f64, utilisation: f64) -> String {
    format!(
        "From global memory: lanes that read one word of a sample make 16 transactions of 32 bytes on this chip, and by this \
         count the published rate is the board's copy bandwidth (decision 7). Here all blocks are at about the same sample, \
         whose words lie in five of the six partitions; two of them, read twice, make one partition the bottleneck while \
         the DRAM as a whole moves {:.0} % of its peak. How the arrays lay is not published. From constant memory: by the \
         published time some 170 instructions for a voxel and a sample, of which a sine and a cosine must have taken about \
         70 each; those written here take some 40, and NVIDIA's of the time are not at hand. Tried: the values of samples in \
         global memory, as figure 8.13 prints it; all SMs then wait for the partitions of two words, {} GFLOP/s. SFU, \
         tuned: here the units' sines are all that counts, as they are for Q, whose rate comes out (V199). The published \
         F^H d takes 10 issue slots more for each sample. Tried: arrays or structures, unrolled or not, 180 to 237 GFLOP/s, \
         so that is not where they go; the published time is rounded minutes.",
        100.0 * utilisation,
        significant(printed)
    )
}

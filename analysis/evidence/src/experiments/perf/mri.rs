//! PERF-09: F^H d on a Quadro FX 5600, from all data in global memory to sines by the special
//! function units.

use crate::finding::significant;
use crate::{Claim, Experiment, Finding, Runner, Shown, Size, Verdict, why};
use kernels::RunError;
use kernels::mri::kernel::{DataPlacement, Kernel, Sum, Version};
use kernels::mri::scan::Scan;
use sim_core::config::Chip;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-09", show: versions }];

/// Returns the GFLOP/s of a kernel, counted as in the publication, and its last report. Reduced
/// size: as many voxels as the chip has threads at a time. Full size: all voxels. The samples are
/// as many as needed for a steady state of similar launches.
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

/// Runs the three versions and, if one is outside its band, the kernel as printed in figure 8.13.
fn versions(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let published = claim.list("gflops");
    let band = claim.band();
    let [operations, _] = claim.numbers(["operations", "formula"]);
    let kernels = [Version::Global, Version::Constant, Version::Tuned]
        .map(|version| Kernel::measured(Sum::Fhd, version))
        .into_iter();
    let names = ["everything in global memory", "samples in constant memory", "SFU, tuned"];
    let chip = runner.chip("fx5600", &[])?;

    let mut shown = Shown::new(match runner.size {
        Size::Reduced => "a wave of voxels and up to 512 samples instead of 128^3 and 284,592",
        Size::Full => "128^3 voxels and up to 1,024 of the 284,592 samples; from global memory 64 of them",
    });
    let (mut rates, mut utilization) = (Vec::new(), Vec::new());
    for ((name, kernel), published) in names.into_iter().zip(kernels).zip(&published) {
        let measure = |chip: &Chip| rate(runner, chip, kernel);
        let (found, report) = why::explain(&mut shown, name, "GFLOP/s", &chip, measure)?;
        shown.find(Finding::measured(format!("{name}: GFLOP/s"), *published, band, found));
        shown.because(format!(
            "{name}: {} ns per voxel and sample, published {}.",
            significant(kernel.flops() / found),
            significant(kernel.flops() / published)
        ));
        if rates.is_empty() {
            // The count of the publication; not a result of the simulation.
            let counted = kernel.flops();
            shown.find(Finding::shape(
                "operations counted per voxel and sample",
                format!("about {operations}"),
                significant(counted),
                (counted - operations).abs() < 0.5,
            ));
        }
        rates.push(found);
        utilization.push(report.timing.map_or(0.0, |timing| timing.dram.utilization));
    }
    let in_words = rates.iter().map(|rate| significant(*rate)).collect::<Vec<_>>().join(" < ");
    let ordered = published.len() == rates.len() && rates.is_sorted() && published.is_sorted();
    shown.find(Finding::shape("order of the versions", "as published", in_words, ordered));
    if shown.verdict() >= Verdict::Outside {
        let (printed, _) = rate(runner, &chip, Kernel::fhd(DataPlacement::Arrays))?;
        shown.cause = Some(cause(printed, utilization.first().copied().unwrap_or_default()));
    }
    Ok(shown)
}

/// Known part of the causes. `printed` is the rate of figure 8.13 with values in global memory,
/// `utilization` the DRAM utilization of the first version.
fn cause(printed: f64, utilization: f64) -> String {
    format!(
        "Global memory: lanes that read one word of a sample make 16 transactions of 32 bytes on this chip, and by this count \
         the published rate is the board's copy bandwidth (decision 7). In the simulation all blocks are at about the same \
         sample, whose words are in five of the six partitions; two of these words, read twice, make one partition the \
         bottleneck while the whole DRAM moves {:.0} % of its peak. The placement of the arrays is not published. Constant \
         memory: the published time allows about 170 instructions per voxel and sample, about 70 of them for each of sine and \
         cosine; ours take about 40, and NVIDIA's code of that time is not available. Tried: the values of samples in global \
         memory, as printed in figure 8.13; all SMs then wait for the partitions of two words, {} GFLOP/s. SFU, tuned: only \
         the units' sines limit the simulated kernel, as for Q, whose rate matches (V199). The published F^H d takes 10 more \
         issue slots per sample. Tried: arrays or structures, unrolled or not, 180 to 237 GFLOP/s, so these are not the \
         cause; the published time is in rounded minutes.",
        100.0 * utilization,
        significant(printed)
    )
}

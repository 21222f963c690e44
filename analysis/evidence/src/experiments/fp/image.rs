//! FP-06: effect of the special function units' sine and cosine on an image.

use crate::finding::significant;
use crate::{Claim, Experiment, Finding, Runner, Shown, Verdict};
use kernels::Session;
use kernels::mri::phantom::Phantom;
use kernels::mri::program::reconstruct;
use kernels::mri::variant;
use kernels::{RunError, Settings, find};
use sim_core::host::{LaunchSettings, Mode};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "FP-06", show: image }];

/// The same kernel with sine and cosine in software and by the units.
const KERNELS: [&str; 2] = ["mri-fhd-structs", "mri-fhd-sfu"];
/// Whole turns that are added to the angle of each voxel step.
const FAR: [u32; 4] = [0, 8, 128, 1024];
/// Turns of the largest angle of the published scan: half a turn for each of 64 voxels from the
/// middle, in three directions.
const PUBLISHED: f64 = 96.0;
/// Band in percent: a printed loss of 0.1 dB means 0.05 to 0.15.
const PRINTED: f64 = 50.0;

/// Rounds to four decimal places, without a negative zero.
fn rounded(decibels: f64) -> f64 {
    (decibels * 1e4).round() / 1e4 + 0.0
}

/// Returns the PSNR in dB of the images of both kernels and of the host's sums in double precision.
fn psnr(runner: &Runner, phantom: &Phantom) -> Result<[f64; 3], RunError> {
    let mut found = [f64::NAN; 3];
    for (k, name) in KERNELS.into_iter().enumerate() {
        let unknown = || RunError::Unknown(name.to_owned());
        let (workload, variant) = find(name).zip(variant(name)).ok_or_else(unknown)?;
        let mut gpu = runner.gpu(runner.chip("fx5600", &[])?);
        let settings = Settings {
            launches: LaunchSettings {
                mode: Mode::Functional,
                options: runner.options(),
                ..LaunchSettings::default()
            },
            ..Settings::default()
        };
        let mut session = Session::new(workload, workload.compile()?, &mut gpu, settings)?;
        let made = reconstruct(&mut session, variant.way, phantom)?;
        if !made.check.passed() {
            return Err(RunError::Wrong(made.check.describe("sums")));
        }
        [found[k], found[2]] = made.psnr;
    }
    Ok(found)
}

/// Reconstructs the phantom with both kernels, with angles of more and more turns. Whole turns do
/// not change a sine, but single precision keeps fewer fractional digits of a larger angle.
fn image(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [expected] = claim.numbers(["loss"]);
    // Functional mode has no timing to sample.
    let runner = &Runner { sampling: None, ..runner.clone() };
    let side = runner.by_size(8, 16);
    let mut shown = Shown::new(format!(
        "F^H d of a phantom of {side}^3 voxels from as many samples, each within 1/32 step of a grid point; \
         functional machine"
    ));
    let mut found = Vec::new();
    for far in FAR {
        let phantom = Phantom::new(side, far);
        let turns = phantom.most_turns();
        let [software, units, host] = psnr(runner, &phantom)?;
        shown.because(format!(
            "Angles of up to {} turns: PSNR {software:.4} dB by software, {units:.4} dB by the units, {host:.4} dB in double \
             precision; difference of the units: {:+.4} dB.",
            significant(turns),
            units - software
        ));
        found.push((turns, software - units));
    }
    let near = |turns: f64| (turns - PUBLISHED).abs();
    let published = found.iter().copied().min_by(|a, b| near(a.0).total_cmp(&near(b.0)));
    let (turns, loss) = published.unwrap_or_default();
    shown.find(Finding::measured(
        format!("loss in dB, angles of {} turns", significant(turns)),
        expected,
        PRINTED,
        rounded(loss),
    ));
    shown.find(Finding::reported(
        "loss in dB by turns of the largest angle",
        format!("about {expected} at some {PUBLISHED} turns"),
        found
            .iter()
            .map(|(turns, loss)| format!("{} at {}", rounded(*loss), significant(*turns)))
            .collect::<Vec<_>>()
            .join(", "),
    ));
    if shown.verdict() == Verdict::Outside {
        shown.cause = Some(
            "The image of F^H d alone loses almost nothing: the units' sine has an error of about 2^-20, and the rounding of an \
             angle of many turns to single precision is a larger error, in both kernels. The published image is the result \
             of a solver that repeats such sums, and its loss is the last printed digit; that solver is not simulated. \
             Tried: angles of more turns."
                .to_owned(),
        );
    }
    Ok(shown)
}

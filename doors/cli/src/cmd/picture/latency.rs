//! Latency of a load by footprint and stride: a staircase for each stride, with the published
//! steps.

use super::files::Targets;
use super::runs::named;
use crate::args::LatencyArgs;
use crate::chip;
use crate::exit::{Code, Failure};
use crate::output::Files;
use evidence::measure::micro::curves::{self, Curve};
use figures::axis::bytes;
use figures::latency;
use figures::scene::Scene;
use sim_core::config::Chip;

/// Draws the picture of the arguments.
pub fn run(args: &LatencyArgs) -> Result<Code, Failure> {
    let (chip, _) = chip::load_to_run(&args.chip)?;
    let mut files = Files::new();
    chip::reads(&mut files, &args.chip.chip)?;
    let targets = Targets::open(&args.files, &mut files)?;
    let curves = measure(&chip)?;
    targets.write(&scene(&named(&chip, &args.chip), &chip.name, &curves))?;
    Ok(Code::Fine)
}

/// Measures the curves of a chip.
pub fn measure(chip: &Chip) -> Result<Vec<Curve>, Failure> {
    curves::curves(chip)
        .map_err(|why| Failure { code: Code::WrongResult, message: format!("error: {}: {why}", chip.name) })
}

/// Returns the picture of the curves of the chip `chip`; `title` names it.
pub fn scene(title: &str, chip: &str, curves: &[Curve]) -> Scene {
    let curve = |curve: &Curve| latency::Curve {
        name: format!("{}, stride {}", curve.space.name(), bytes(curve.stride as f64)),
        points: curve.points.clone(),
    };
    let drawn: Vec<latency::Curve> = curves.iter().map(curve).collect();
    latency::scene(title, &drawn, &curves::steps(chip))
}

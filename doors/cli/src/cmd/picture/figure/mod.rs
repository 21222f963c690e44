//! Grouped bars of figures of the book, from simulated runs. `measure` runs the kernels.

mod measure;

use super::files::Targets;
use super::runs::named;
use crate::args::FigureArgs;
use crate::chip;
use crate::exit::{Code, Failure};
use crate::output::Files;
use crate::watch::Watch;
use figures::columns;
use measure::Lab;

/// Draws the picture of the arguments.
pub fn run(args: &FigureArgs) -> Result<Code, Failure> {
    let (chip, _) = chip::load_to_run(&args.chip)?;
    let name = named(&chip, &args.chip);
    let mut files = Files::new();
    chip::reads(&mut files, &args.chip.chip)?;
    let targets = Targets::open(&args.files, &mut files)?;
    let lab = Lab { chip, threads: args.threads, watch: Watch::of(&args.progress) };
    let bars = measure::figure(&lab, args.figure, args.size);
    lab.watch.clear();
    targets.write(&columns::scene(&name, &bars?))?;
    Ok(Code::Fine)
}

//! The roofline of a chip with the points of kernels; both axes are logarithmic.

use super::runs::{self, Ended, chosen, launch_line, verified};
use crate::args::RooflineArgs;
use crate::args::WhichLaunch;
use crate::exit::{Code, Failure};
use crate::watch::Watch;

use figures::roofline::{self, Kernel, Peaks};
use figures::scene::Scene;
use kernels::Workload;
use sim_core::host::{Gpu, Mode};
use sim_core::stats::Report;

/// Draws the picture of the arguments.
pub fn run(args: &RooflineArgs) -> Result<Code, Failure> {
    let others: Vec<&'static Workload> =
        args.others.iter().map(|name| other(name)).collect::<Result<_, _>>()?;
    let ended = runs::run(&args.run, None, |_, _| Ok(()))?;
    let scene = draw(&ended, args, &others);
    Ok(ended.finish(scene, None))
}

/// Finds a built-in kernel.
fn other(name: &str) -> Result<&'static Workload, Failure> {
    kernels::find(name).ok_or_else(|| {
        let near = isa::diag::nearest(name, kernels::all().iter().map(|one| one.name));
        let near = near.map_or_else(String::new, |near| format!("\nhelp: did you mean `{near}`?"));
        Failure::input(format!("error: --with {name}: unknown built-in kernel{near}"))
    })
}

fn draw(ended: &Ended<'_>, args: &RooflineArgs, others: &[&'static Workload]) -> Result<Scene, Failure> {
    let reports = &ended.outcome.reports;
    let number = chosen(reports, &WhichLaunch::default())?;
    let mut points = vec![point(&ended.kernel, &reports[number])?];
    for workload in others {
        points.push(run_other(ended, args, workload)?);
    }
    let names: Vec<&str> = points.iter().map(|point| point.name.as_str()).collect();
    let title = format!("Roofline of {}: {}", ended.chip_name, names.join(", "));
    let note = match (others.is_empty(), args.run.workload.size) {
        (true, _) => launch_line(reports, number),
        (false, Some(size)) => format!("each with the problem size {size}"),
        (false, None) => "each with its default problem size".to_owned(),
    };
    Ok(roofline::scene(&title, &[note], Peaks::of(&reports[number]), &points))
}

/// Runs another built-in kernel with the same settings, and returns its point.
fn run_other(ended: &Ended<'_>, args: &RooflineArgs, workload: &'static Workload) -> Result<Kernel, Failure> {
    let mut gpu = Gpu::new(ended.chip.clone());
    let watch = Watch::of(&args.run.progress);
    watch.follow(&mut gpu);
    let settings = args.run.workload.settings(Mode::Timed, args.run.threads, &ended.chip);
    let module = workload.compile_with(args.run.workload.compile.options());
    let run = module.and_then(|module| workload.run(module, &mut gpu, settings));
    watch.clear();
    let run = run.map_err(|why| {
        let message = format!("error: --with {}: {why}", workload.name);
        Failure::input(message)
    })?;
    let reports = verified(workload.name, run)?;
    let number = chosen(&reports, &WhichLaunch::default())?;
    point(workload.name, &reports[number])
}

/// Returns the point of a launch.
fn point(name: &str, report: &Report) -> Result<Kernel, Failure> {
    let cannot = |why| Failure::input(format!("error: the roofline does not apply to {name}: {why}"));
    Kernel::of(name, report).map_err(cannot)
}

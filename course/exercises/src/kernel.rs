//! One run of a kernel in OpenCL C: its test describes the launch, and the output is the contents
//! of buffers.

use crate::observed::{Budget, Mode, Observed, Shape};
use crate::rubric::{NdRange, Test};
use isa::types::Dim3;
use isa::uop::Module;
use report::exit::Failure;
use report::launch_file::{self, DataName, Device, Plan, decode};
use report::render::verdict;
use request::direct::{Direct, Threads};
use sim_core::check::Checks;
use sim_core::config::Chip;
use sim_core::host::{self, Effects, Gpu, LaunchSettings, RunOptions};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use std::fmt::Write as _;
use std::path::Path;

/// Name of the launch in messages.
const LAUNCH: &str = "launch.ron";
/// Values on a line of the output.
const VALUES: usize = 10;

/// A compiled kernel.
#[derive(Debug)]
pub struct Kernel {
    /// The module of its file.
    pub module: Module,
    /// Its name, if the file has several kernels.
    pub name: Option<String>,
}

/// Runs a kernel.
pub fn run(
    kernel: &Kernel,
    file: &str,
    ((test, range), arguments): ((&Test, &NdRange), &[String]),
    (chip, mode): (&Chip, Mode),
    budget: Budget,
) -> Observed {
    let (functional, checks, effects) = match mode {
        Mode::Timed => (false, Checks::NONE, Effects::Off),
        Mode::Functional(checks, effects) => (true, checks, effects),
    };
    let mut gpu = Gpu::new(chip.clone());
    gpu.check(checks);
    gpu.set_effects(effects);
    let direct = Direct {
        threads: Threads::Range(range.global, range.local),
        entry: kernel.name.as_deref(),
        arguments,
        expect: &[],
        dynamic_shared: 0,
    };
    let mut settings = LaunchSettings { options: RunOptions::default(), ..LaunchSettings::default() };
    settings.options.max_cycles = budget.cycles;
    if functional {
        settings.mode = host::Mode::Functional;
    }
    let mut printed = String::new();
    let ran = launched(kernel, &direct, file, &mut gpu, settings, &mut |device, plan| {
        print(device, plan, &test.entry.output).map(|text| printed = text)
    });
    let (reports, failed) = match ran {
        Ok((reports, failed)) => (reports, failed),
        Err(failed) => (Vec::new(), Some(failed)),
    };
    let error = failed.as_ref().map(|failed| failed.message.as_str());
    let launch = reports.first().map(|report| &report.launch);
    let extents = |of: Dim3| [of.x, of.y, of.z];
    let unfinished = reports.iter().find(|report| !report.verdict.is_whole());
    Observed {
        code: i32::from(failed.is_some()),
        terminal: [&printed, error.unwrap_or_default()].concat(),
        out: printed,
        steps: 0,
        cycles: reports.iter().filter_map(|report| Some(report.timing.as_ref()?.cycles)).max().unwrap_or(0),
        program_ns: gpu.timeline().now_ns(),
        kernels: launch.iter().map(|launch| launch.kernel.clone()).collect(),
        is_over_budget: reports.iter().any(|report| matches!(report.verdict, Verdict::Limit { .. })),
        failure: unfinished.map(|report| format!("`{}`: {}", report.launch.kernel, verdict::short(report))),
        shape: Shape {
            launches: launch.iter().map(|launch| [launch.grid, launch.block].map(extents)).collect(),
            ..Shape::default()
        },
        reports,
        effects: gpu.set_effects(Effects::Off),
    }
}

/// Launches the kernel; `print` reads the buffers of a launch that has finished. Returns the
/// reports, and why the buffers could not be read.
fn launched(
    kernel: &Kernel,
    direct: &Direct<'_>,
    file: &str,
    gpu: &mut Gpu,
    settings: LaunchSettings,
    print: &mut dyn FnMut(&mut Device<'_>, &Plan) -> Result<(), Failure>,
) -> Result<(Vec<Report>, Option<Failure>), Failure> {
    let text = direct.launch_file(file, &kernel.module, &mut |_| {})?;
    let memory = gpu.chip().usable_bytes();
    let plan = Plan::read(Path::new(LAUNCH), &text, &kernel.module, memory).map_err(Failure::input)?;
    let mut dump = |device: &mut Device<'_>, plan: &Plan, is_finished: bool| {
        if is_finished { print(device, plan).err().into_iter().collect() } else { Vec::new() }
    };
    let mut ran = launch_file::run(plan, kernel.module.clone(), gpu, settings, &mut dump)?;
    Ok((ran.reports, ran.failures.pop()))
}

/// The contents of buffers as text: lines with the index of their first element.
fn print(device: &mut Device<'_>, plan: &Plan, names: &[String]) -> Result<String, Failure> {
    let mut text = String::new();
    for name in names {
        let of = plan.file.buffers.iter().find(|array| array.name.value == *name);
        let Some((array, ty)) = of.and_then(|array| Some((array, array.ty?))) else {
            return Err(Failure::input(format!("error: the launch has no buffer `{name}`")));
        };
        let bytes = device.contents(&DataName::Buffer(array.name.clone()))?;
        let values: Vec<String> =
            bytes.chunks_exact(ty.bytes() as usize).map(|bytes| decode(ty, bytes).to_string()).collect();
        for (line, values) in values.chunks(VALUES).enumerate() {
            let _ = writeln!(text, "{name}[{}]: {}", line * VALUES, values.join(" "));
        }
    }
    Ok(text)
}

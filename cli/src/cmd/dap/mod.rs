//! `warpsim dap`: the Debug Adapter Protocol on standard input and output, so that editors step
//! through the warps of a launch, forward and back.
//!
//! `launch` reads the arguments of the client.

mod launch;

use crate::args::Lines;
use crate::chip;
use crate::cuda_c;
use crate::exit::{Code, Failure};
use crate::output::{Files, interrupt};
use crate::watch::Process;
use crate::workload::{Source, settings};
use debugger::dap::{Launched, Sources, serve};
use serde_json::Value;
use sim_core::host::Mode;

/// Serves a client until it disconnects.
pub fn run() -> Result<Code, Failure> {
    interrupt::catch();
    let served = serve(&Process, &mut launch);
    if interrupt::asked() { Ok(interrupt::code()) } else { served.map(|()| Code::Fine) }
}

/// Prepares the program of a `launch` request for `start`.
fn launch(
    arguments: &Value,
    warn: &mut dyn FnMut(&str),
    start: &mut dyn FnMut(Launched<'_>),
) -> Result<(), Failure> {
    let (args, warnings) = launch::read(arguments).map_err(Failure::input)?;
    for warning in &warnings {
        warn(warning);
    }
    if let Some(folder) = &args.cwd {
        std::env::set_current_dir(folder).map_err(|why| {
            Failure::input(format!("error: cannot use the folder {}: {why}", folder.display()))
        })?;
    }
    cuda_c::select(&args.chip.chip);
    cuda_c::optimize(args.workload.compile.opt_level);
    if args.workload.compile.lines == Lines::Ptx {
        cuda_c::keep_ptx_lines();
    }
    let source = Source::of(&args.workload)?;
    let (chip, _) = chip::load_to_run(&args.chip)?;
    let mode = if args.functional { Mode::Functional } else { Mode::Timed };
    let settings = settings(&args.workload, mode, args.threads, &chip);
    let prepared = source.prepare(args.workload.compile.options())?;
    let mut files = Files::new();
    chip::reads(&mut files, &args.chip.chip)?;
    prepared.reads(&mut files)?;
    let sources = match &source {
        Source::Builtin(workload) => Sources::Builtin(workload),
        Source::Custom { .. } => Sources::Files(prepared.ptx()),
    };
    start(Launched {
        module: prepared.module(),
        sources,
        chip,
        stop_on_entry: args.stop_on_entry,
        no_debug: args.no_debug,
        run: &mut |gpu| prepared.run(gpu, settings, Some(&mut files)),
    });
    Ok(())
}

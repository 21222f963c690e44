//! `warpsim dap`: the Debug Adapter Protocol on standard input and output, so that editors step
//! through the warps of a launch, forward and back.
//!
//! `launch` reads the arguments of the client.

mod launch;

use crate::args::LaunchArgs;
use crate::exit::{Code, Failure};
use crate::output::{Files, interrupt};
use crate::watch::Process;
use crate::workload::debugged::Debugged;
use crate::workload::{Opened, mode, run as run_prepared};
use debugger::dap::{Launched, Run, Sources, serve};
use request::Source;
use serde_json::Value;
use std::path::PathBuf;

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
    if args.workload.is_program() {
        return program(&args, start);
    }
    let mut files = Files::new();
    let how = (mode(args.functional), args.threads);
    let Opened { source, prepared, settings, chip, .. } =
        Opened::new(&args.workload, &args.chip, how, &mut files)?;
    let sources = match &source {
        Source::Builtin(workload) => Sources::Text { name: workload.file, ptx: workload.ptx },
        Source::Kernel { .. } | Source::Program(_) => Sources::Files(prepared.ptx()),
    };
    start(Launched {
        module: prepared.module(),
        sources,
        chip,
        stop_on_entry: args.stop_on_entry,
        no_debug: args.no_debug,
        run: Run::Launches(&mut |gpu| run_prepared(&prepared, gpu, settings, &mut files)),
    });
    Ok(())
}

/// Prepares a whole program with its host code.
fn program(args: &LaunchArgs, start: &mut dyn FnMut(Launched<'_>)) -> Result<(), Failure> {
    let debugged = Debugged::prepare(&args.workload, &args.chip, (args.functional, args.threads))?;
    let file = PathBuf::from(&args.workload.kernel);
    let (name, lines) = debugged.lines();
    start(Launched {
        module: debugged.program.module(),
        sources: Sources::Files(std::slice::from_ref(&file)),
        chip: debugged.chip.clone(),
        stop_on_entry: args.stop_on_entry,
        no_debug: args.no_debug,
        run: Run::Program {
            file: name,
            lines,
            run: &mut |gpu, control, streams| debugged.start(gpu, control, streams),
        },
    });
    Ok(())
}

//! Input of commands, with the files and the signals of this process. The crate `request` has the
//! request and what is compiled from it.

pub mod debugged;
pub mod streams;
pub mod which;

use crate::chip;
use crate::exit::Failure;
use crate::launch_file::{self, Device, Dump, Plan, folder_of};
use crate::output::{Files, OutputFile, complain, interrupt, shown};
use embedded::library::{DiskFolder, Folder};
use kernels::Settings;
pub use report::launch_file::watchdog_cycles;
pub use report::outcome::RunResult;
use request::program::current;
use request::{ChipArgs, Compilation, Prepared, Request, Source};
use sim_core::config::Chip;
use sim_core::config::base::Texts;
use sim_core::host::{Gpu, Mode};
use std::path::Path;
use std::sync::Arc;

/// Compiles what a command runs. Warnings go to standard error, and a signal ends a program.
pub fn prepare(source: &Source, how: &Compilation) -> Result<Prepared, Failure> {
    source.prepare(how, &mut complain).map(interruptible)
}

/// A program that a signal ends.
pub fn interruptible(prepared: Prepared) -> Prepared {
    prepared.until(Arc::new(|| interrupt::flow().is_break()))
}

/// Input of a command, on its chip.
pub struct Opened {
    /// Source that the request names.
    pub source: Source,
    /// The same, compiled.
    pub prepared: Prepared,
    /// Settings of its launches.
    pub settings: Settings,
    /// Chip with all overrides.
    pub chip: Chip,
    /// Texts of the chip.
    pub texts: Texts,
}

impl Opened {
    /// Loads the chip and compiles the request. The files that are read are added to `files`.
    pub fn new(
        request: &Request,
        chip_args: &ChipArgs,
        (mode, threads): (Mode, usize),
        files: &mut Files,
    ) -> Result<Self, Failure> {
        let (chip, texts) = chip::load_to_run(chip_args)?;
        let how = request.compilation(&chip);
        let source = Source::of(request, &how)?;
        let settings = request.settings(mode, threads, &chip);
        let prepared = prepare(&source, &how)?;
        chip::reads(files, &chip_args.chip)?;
        reads(&prepared, files)?;
        Ok(Self { source, prepared, settings, chip, texts })
    }
}

/// The files of this machine for a program, which writes none of `files`.
pub fn folder(files: Files) -> Box<dyn Folder> {
    Box::new(DiskFolder::new(current(), Box::new(move |path| files.has(path))))
}

/// The machine of `--functional`.
pub fn mode(functional: bool) -> Mode {
    if functional { Mode::Functional } else { Mode::Timed }
}

/// Adds all input files.
pub fn reads(prepared: &Prepared, files: &mut Files) -> Result<(), Failure> {
    prepared.files().iter().try_for_each(|path| files.reads(path))
}

/// Runs it on `gpu`, and writes the dumps of a launch file.
pub fn run(
    prepared: &Prepared,
    gpu: &mut Gpu,
    settings: Settings,
    files: &mut Files,
) -> Result<RunResult, Failure> {
    let Prepared::Kernel(kernel) = prepared else { return prepared.run(gpu, settings) };
    let (plan, module) = kernel.plan(None, gpu)?;
    let folder = folder_of(kernel.launch());
    let open = |dump: &Dump| files.open_named(&folder.join(&dump.to.value));
    let mut dumps: Vec<OutputFile> = plan.file.dumps.iter().map(open).collect::<Result<_, _>>()?;
    launch_file::run(plan, module, gpu, settings.launches, &mut |device, plan, finished| {
        write(device, plan, folder, std::mem::take(&mut dumps), finished)
    })
}

/// Writes the dumps to their files; returns the failures.
fn write(
    device: &mut Device<'_>,
    plan: &Plan,
    folder: &Path,
    files: Vec<OutputFile>,
    finished: bool,
) -> Vec<Failure> {
    let mut failures = Vec::new();
    for (dump, file) in plan.file.dumps.iter().zip(files) {
        let path = folder.join(&dump.to.value);
        let written = device.contents(&dump.what).map_err(Failure::from).and_then(|bytes| {
            file.write(&bytes)?;
            Ok(bytes.len())
        });
        match written {
            Ok(bytes) if finished => complain(&format!("wrote {} ({bytes} bytes)", shown(&path))),
            Ok(bytes) => {
                complain(&format!("wrote {} ({bytes} bytes, from an unfinished kernel)", shown(&path)));
            }
            Err(failure) => failures.push(failure),
        }
    }
    failures
}

//! A whole program as a debugger runs it: watched, and perhaps several times. The debugger sees it
//! through its own traits, which `seen` implements.

mod seen;

use super::{Opened, folder, mode};
use crate::args::{ChipArgs, Request};
use crate::chip;
use crate::exit::Failure;
use crate::output::Files;
use debugger::program::{Control, Ended};
use embedded::stop::Stop;
use kernels::Settings;
use report::program::streams::Streams;
use request::Prepared;
use request::program::{Around, Program};
use seen::{Controlled, main_file};
use sim_core::config::Chip;
use sim_core::host::Gpu;

/// A program for a debugger.
pub struct Debugged {
    /// Program with its host code.
    pub program: Box<Program>,
    /// The chip on which it runs.
    pub chip: Chip,
    /// Name or file of the chip.
    chip_name: String,
    settings: Settings,
}

impl Debugged {
    /// Prepares the program of a command with these options.
    ///
    /// # Errors
    ///
    /// An option is of single launches, or the program is refused.
    pub fn prepare(
        workload: &Request,
        chip_args: &ChipArgs,
        (functional, threads): (bool, usize),
    ) -> Result<Self, Failure> {
        let how = (mode(functional), threads);
        let Opened { prepared, settings, chip, .. } =
            Opened::new(workload, chip_args, how, &mut Files::new())?;
        let Prepared::Program(program) = prepared else {
            return Err(Failure::input(format!("error: {} has no host code", workload.kernel)));
        };
        Ok(Self { program, chip, chip_name: chip_args.chip.clone(), settings })
    }

    /// The files of the run, which the program does not write.
    fn files(&self) -> Result<Files, Failure> {
        let mut files = Files::new();
        self.program.files().iter().try_for_each(|file| files.reads(file))?;
        chip::reads(&mut files, &self.chip_name)?;
        Ok(files)
    }

    /// Runs it once, watched.
    ///
    /// # Errors
    ///
    /// A file of the run cannot be used.
    pub fn start(
        &self,
        gpu: &mut Gpu,
        control: Box<dyn Control>,
        streams: Box<dyn Streams>,
    ) -> Result<Ended, Failure> {
        let control = Some(Box::new(Controlled(control)) as _);
        let around = Around { streams, folder: folder(self.files()?), control };
        let ended = self.program.start(gpu, self.settings.launches, around);
        Ok(Ended { code: ended.code, message: ended.message, is_killed: ended.stop == Stop::Killed })
    }

    /// Name of the file of `main`, and its lines that have code.
    pub fn lines(&self) -> (&str, Vec<u32>) {
        let compiled = &self.program.compiled;
        let main = main_file(&compiled.sources);
        (&compiled.sources.file(main).name, compiled.lines().of_file(main).collect())
    }
}

//! A whole program as a debugger runs it: watched, and perhaps several times.

use super::embedded::{Program, outside, prepare, settings};
use super::{source, variables};
use crate::args::{ChipArgs, ExecArgs, WorkloadArgs};
use crate::chip;
use crate::exit::Failure;
use crate::output::Files;
use embedded::library::Streams;
use embedded::{Control, Ended, Outside};
use sim_core::config::Chip;
use sim_core::host::Gpu;
use std::ffi::OsString;

/// A program for a debugger.
pub struct Debugged {
    /// The program.
    pub program: Program,
    /// The chip on which it runs.
    pub chip: Chip,
    /// Name or file of the chip.
    chip_name: String,
    variables: Vec<(&'static str, OsString)>,
}

impl Debugged {
    /// Prepares the program of a command with these options, on the default chip of programs unless
    /// the user names one.
    ///
    /// # Errors
    ///
    /// An option is of single launches, or the program is refused.
    pub fn prepare(
        workload: &WorkloadArgs,
        chip: &ChipArgs,
        names_chip: bool,
        (functional, threads): (bool, usize),
    ) -> Result<Self, Failure> {
        source::check(workload, &[])?;
        let exec = ExecArgs {
            functional,
            threads: Some(threads),
            ..ExecArgs::of_program(workload, chip, names_chip)
        };
        let (chip, _) = chip::load_to_run(&exec.chip)?;
        let program = prepare(workload, &exec.chip.chip)??;
        let variables = variables(&exec, None, None);
        Ok(Self { program, chip, chip_name: exec.chip.chip, variables })
    }

    /// The files of the run, which the program does not write.
    fn files(&self) -> Result<Files, Failure> {
        let mut files = Files::new();
        self.program.files.iter().try_for_each(|file| files.reads(file))?;
        chip::reads(&mut files, &self.chip_name)?;
        Ok(files)
    }

    /// Runs it once, watched. The first of `words` is the name of the program.
    ///
    /// # Errors
    ///
    /// A setting is wrong.
    pub fn start(
        &self,
        words: &[String],
        gpu: &mut Gpu,
        control: Box<dyn Control>,
        streams: Box<dyn Streams>,
    ) -> Result<Ended, Failure> {
        let outside = Outside { gpu: Some(gpu), control: Some(control), ..outside(streams, self.files()?) };
        Ok(self.program.start(words, settings(&self.variables)?, outside))
    }
}

//! A whole program as a debugger runs it: watched, and perhaps several times.

use super::program::{Around, Prepared};
use super::{Source, compilation, settings};
use crate::args::{ChipArgs, WorkloadArgs};
use crate::chip;
use crate::exit::Failure;
use crate::output::{Files, complain};
use embedded::library::Streams;
use embedded::{Control, Ended};
use kernels::Settings;
use sim_core::config::Chip;
use sim_core::host::{Gpu, Mode};

/// A program for a debugger.
pub struct Debugged {
    /// The program.
    pub program: Prepared,
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
        workload: &WorkloadArgs,
        chip_args: &ChipArgs,
        (functional, threads): (bool, usize),
    ) -> Result<Self, Failure> {
        let (chip, _) = chip::load_to_run(chip_args)?;
        let how = compilation(workload, &chip);
        // Options of single launches are refused.
        Source::of(workload, &how)?;
        let program = Prepared::new(workload, &how, &mut complain)??;
        let mode = if functional { Mode::Functional } else { Mode::Timed };
        let settings = settings(workload, mode, threads, &chip);
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
        let around = Around { streams, files: Some(self.files()?), control: Some(control) };
        Ok(self.program.start(gpu, self.settings, around))
    }
}

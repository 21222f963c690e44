//! The runner of experiments: the problem size, the chips, and overrides of chip parameters.

use super::tally::Tally;
use super::why;
use isa::Options;
use kernels::lab::Lab;
use kernels::{HostRun, RunError, Settings};
use sim_core::config::Chip;
use sim_core::config::builtin::builtin_text;
use sim_core::host::{Gpu, LaunchSettings, Mode, RunOptions, Sampling};
use sim_core::stats::limits::Limiter;
use std::fmt;
use std::sync::Arc;

/// Problem size of an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// Small enough to run all exact claims within minutes. Exact numbers that do not depend on the
    /// size match the claims table; orders and ratios hold.
    #[default]
    Reduced,
    /// The sizes of the claims table.
    Full,
}

/// How experiments run.
#[derive(Clone, Debug, Default)]
pub struct Runner {
    /// Problem size.
    pub size: Size,
    /// Host threads of a launch; 0 and 1 both mean one thread.
    pub threads: usize,
    /// Overrides (path, value) of every chip, applied after those of the experiment.
    pub sets: Vec<(String, String)>,
    /// A resource of which every chip has twice as much.
    pub twice: Option<Limiter>,
    /// How launches of many blocks, and repeated identical launches, are sampled; `None` simulates
    /// everything.
    pub sampling: Option<Sampling>,
    /// Called with every GPU that [`Self::gpu`] creates, before its first launch.
    pub follow: Option<Follow>,
    /// Counts the sampled launches.
    pub tally: Arc<Tally>,
}

/// Callback that receives new GPUs, for example to attach a monitor.
#[derive(Clone)]
pub struct Follow(pub Arc<dyn Fn(&mut Gpu) + Send + Sync>);

impl fmt::Debug for Follow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Follow")
    }
}

impl Runner {
    /// Returns `reduced` or `full`, according to the problem size.
    pub fn by_size<T>(&self, reduced: T, full: T) -> T {
        match self.size {
            Size::Reduced => reduced,
            Size::Full => full,
        }
    }

    /// Returns the built-in chip `name` with some parameters replaced.
    ///
    /// # Errors
    /// The chip does not exist, or a replacement is invalid.
    pub fn chip(&self, name: &str, sets: &[(&str, &str)]) -> Result<Chip, RunError> {
        let text = builtin_text(name).ok_or_else(|| RunError::Unknown(name.to_owned()))?;
        let own = sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned()));
        let sets: Vec<_> = own.chain(self.sets.iter().cloned()).collect();
        let (chip, _) = Chip::from_ron(name, text, &sets).map_err(|complaints| RunError::Numbers {
            chip: name.to_owned(),
            complaints: complaints.to_string(),
        })?;
        Ok(self.twice.map_or_else(|| chip.clone(), |limiter| why::twice(&chip, limiter)))
    }

    /// Creates a GPU with the runner's sampling and callbacks.
    pub fn gpu(&self, chip: Chip) -> Gpu {
        let mut gpu = Gpu::new(chip);
        gpu.sample(self.sampling);
        if let Some(Follow(follow)) = &self.follow {
            follow(&mut gpu);
        }
        let tally = Arc::clone(&self.tally);
        gpu.listen(Some(Box::new(move |report| tally.add(report))));
        gpu
    }

    /// Creates a GPU of `chip` and loads `ptx`; error messages call the text `file`.
    pub fn lab(&self, chip: Chip, file: &'static str, ptx: &str) -> Result<Lab, RunError> {
        Lab::on(self.gpu(chip), file, ptx, Options::default())
    }

    /// Returns the options of launches.
    pub fn options(&self) -> RunOptions {
        RunOptions { threads: self.threads.max(1), ..RunOptions::default() }
    }

    /// Runs the built-in workload `name` on `chip` and checks its result unless the launch was
    /// sampled.
    ///
    /// # Errors
    /// The workload cannot run, does not finish, or has a wrong result.
    pub fn workload(&self, chip: Chip, name: &str, size: u64) -> Result<HostRun, RunError> {
        self.workload_on(Mode::Timed, chip, name, Some(size))
    }

    /// Like [`Self::workload`], on a machine and with any size.
    pub fn workload_on(
        &self,
        mode: Mode,
        chip: Chip,
        name: &str,
        size: Option<u64>,
    ) -> Result<HostRun, RunError> {
        let launches = LaunchSettings { mode, options: self.options(), ..LaunchSettings::default() };
        let outcome = kernels::run(name, &mut self.gpu(chip), Settings { size, launches })?;
        if let Some(report) = outcome.reports.iter().find(|report| !report.verdict.is_whole()) {
            return Err(RunError::Unfinished(kernels::lab::in_words(&report.verdict)));
        }
        if matches!(outcome.check, kernels::Check::Failed { .. }) {
            return Err(RunError::Wrong(outcome.summary));
        }
        Ok(outcome)
    }
}

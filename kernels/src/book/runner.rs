//! The runner on which rows are run: how large, on which chips, with what laid over them.

use super::tally::Tally;
use crate::measure::lab::Lab;
use crate::{HostRun, RunError, Settings};
use isa::Options;
use sim_core::config::Chip;
use sim_core::config::builtin::builtin_text;
use sim_core::host::{Gpu, RunOptions, Sampling};
use std::fmt;
use std::sync::Arc;

/// How large a row is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// Small enough for all exact and shape rows together to take minutes. Exact numbers that do
    /// not depend on the size are those of the ledger; orders and ratios hold.
    #[default]
    Reduced,
    /// The sizes that the ledger names.
    Full,
}

/// How rows are run.
#[derive(Clone, Debug, Default)]
pub struct Runner {
    /// How large.
    pub size: Size,
    /// Host threads of a launch; 0 and 1 are one.
    pub threads: usize,
    /// (path, value) laid over every chip, after what the row lays over it.
    pub sets: Vec<(String, String)>,
    /// How launches of many blocks, and many launches that do the same, are sampled; `None`: all is
    /// simulated.
    pub sampling: Option<Sampling>,
    /// Is given every GPU that [`Self::gpu`] makes before its first launch.
    pub follow: Option<Follow>,
    /// Adds up what is estimated.
    pub tally: Arc<Tally>,
}

/// Follows the launches of GPUs: gives each a monitor, say.
#[derive(Clone)]
pub struct Follow(pub Arc<dyn Fn(&mut Gpu) + Send + Sync>);

impl fmt::Debug for Follow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Follow")
    }
}

impl Runner {
    /// `reduced`, or what the ledger names.
    pub fn by_size<T>(&self, reduced: T, full: T) -> T {
        match self.size {
            Size::Reduced => reduced,
            Size::Full => full,
        }
    }

    /// The built-in chip `name` with some of its numbers replaced.
    ///
    /// # Errors
    /// If there is no such chip or a replacement is refused.
    pub fn chip(&self, name: &str, sets: &[(&str, &str)]) -> Result<Chip, RunError> {
        let text = builtin_text(name).ok_or_else(|| RunError::Unknown(name.to_owned()))?;
        let own = sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned()));
        let sets: Vec<_> = own.chain(self.sets.iter().cloned()).collect();
        Chip::from_ron(name, text, &sets).map(|(chip, _)| chip).map_err(|complaints| RunError::Numbers {
            chip: name.to_owned(),
            complaints: complaints.to_string(),
        })
    }

    /// A GPU.
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

    /// A GPU of `chip` that has loaded `ptx`; `file` is what complaints call it.
    pub fn lab(&self, chip: Chip, file: &'static str, ptx: &str) -> Result<Lab, RunError> {
        Lab::on(self.gpu(chip), file, ptx, Options::default())
    }

    /// How launches are run.
    pub fn options(&self) -> RunOptions {
        RunOptions { threads: self.threads.max(1), ..RunOptions::default() }
    }

    /// The built-in workload `name` on `chip`, its result checked unless it was sampled.
    ///
    /// # Errors
    /// If it cannot be run, does not finish, or its result is wrong.
    pub fn workload(&self, chip: Chip, name: &str, size: u64) -> Result<HostRun, RunError> {
        self.workload_with(chip, name, Settings { size: Some(size), ..Settings::default() })
    }

    /// [`Self::workload`] with other settings.
    pub fn workload_with(&self, chip: Chip, name: &str, settings: Settings) -> Result<HostRun, RunError> {
        let mut gpu = self.gpu(chip);
        let outcome = crate::run(name, &mut gpu, Settings { options: self.options(), ..settings })?;
        if let Some(report) = outcome.reports.iter().find(|report| !report.verdict.is_whole()) {
            return Err(RunError::Unfinished(crate::measure::lab::in_words(&report.verdict)));
        }
        if matches!(outcome.check, crate::Check::Failed { .. }) {
            return Err(RunError::Wrong(outcome.summary));
        }
        Ok(outcome)
    }
}

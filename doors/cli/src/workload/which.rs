//! The launch of a program that the command line selects.

use crate::args::WhichLaunch;
use crate::exit::Failure;
use kernels::Settings;
use report::mangled::plain;
use report::outcome::weight;
use request::Prepared;
use sim_core::config::Chip;
use sim_core::host::{Gpu, LaunchSettings, Mode};
use sim_core::stats::Report;

impl WhichLaunch {
    /// The number, from 0, of the selected launch of a run that has ended; `None` if none is
    /// selected. Without a number, the longest launch of a kernel is meant.
    ///
    /// # Errors
    ///
    /// The program does not have it.
    pub fn of(&self, reports: &[Report]) -> Result<Option<usize>, Failure> {
        let longest = |own: &[usize]| own.iter().copied().rev().max_by_key(|at| weight(&reports[*at]));
        match (self.launch_index, &self.of_kernel) {
            (Some(number), _) if number as usize <= reports.len() => Ok(Some(number as usize - 1)),
            (Some(number), _) => Err(no_launch(number as usize, reports.len())),
            (None, Some(text)) => of_kernel(text, reports, longest).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The number, from 1, of the selected launch before a run: the first one without an option. To
    /// find the launches of a kernel, the program runs once without timing.
    ///
    /// # Errors
    ///
    /// The program does not have it, or fails.
    pub fn before(&self, prepared: &Prepared, chip: &Chip, settings: Settings) -> Result<u32, Failure> {
        let Some(text) = &self.of_kernel else { return Ok(self.launch_index.unwrap_or(1)) };
        let launches = LaunchSettings { mode: Mode::Functional, ..settings.launches };
        let ended = prepared.run(&mut Gpu::new(chip.clone()), Settings { launches, ..settings })?;
        let number = of_kernel(text, &ended.reports, |own| own.first().copied())?;
        Ok(number as u32 + 1)
    }
}

/// The number, from 0, of a launch of a kernel: `NAME:K`, or without K the one that `usual` chooses
/// from all of the kernel.
fn of_kernel(
    text: &str,
    reports: &[Report],
    usual: impl FnOnce(&[usize]) -> Option<usize>,
) -> Result<usize, Failure> {
    // A name can have colons, too (`space::kernel`).
    let numbered = text.rsplit_once(':').and_then(|(name, number)| {
        let number: usize = number.parse().ok().filter(|number| *number > 0)?;
        Some((name, Some(number)))
    });
    let (name, number) = numbered.unwrap_or((text, None));
    let is_own = |report: &Report| {
        let kernel = report.launch.kernel.as_str();
        kernel == name || plain(kernel) == name
    };
    let own: Vec<usize> = (0..reports.len()).filter(|at| is_own(&reports[*at])).collect();
    let found = match number {
        Some(number) => own.get(number - 1).copied(),
        None => usual(&own),
    };
    found.ok_or_else(|| {
        Failure::input(format!("error: --kernel {text}: the number of launches of `{name}` is {}", own.len()))
    })
}

/// Error for a launch that the host program does not have.
pub fn no_launch(wanted: usize, launches: usize) -> Failure {
    let word = if launches == 1 { "launch" } else { "launches" };
    Failure::input(format!("error: launch {wanted} does not exist: the host program has {launches} {word}"))
}

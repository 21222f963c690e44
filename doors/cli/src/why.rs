//! `--why`: the experiments that test a limit. The kernel runs again with each resource twice as
//! fast, and with each resource idealized; the gain shows what limits it.

use crate::exit::Failure;
use crate::output::interrupt;
use crate::provenance::Provenance;
use crate::watch::Watch;
use crate::workload::RunResult;
use kernels::Settings;
use rayon::prelude::*;
use report::why::{Gain, OverrideGain, Why, confirms, kernel_time, limit_of};
use request::Prepared;
use sim_core::config::Chip;
use sim_core::config::base::Texts;
use sim_core::host::timeline::Timeline;
use sim_core::host::{Gpu, LaunchSettings, RunOptions};
use sim_core::stats::limits::change::{Change, changed, computed};
use sim_core::stats::limits::{LimitReport, Limiter};

/// Data shared by the experiments.
pub struct Lab<'a> {
    /// The kernel.
    pub prepared: &'a Prepared,
    /// Settings of the launch.
    pub settings: Settings,
    /// The chip as the command line describes it.
    pub chip: &'a Chip,
    /// Texts of the chip.
    pub texts: &'a Texts,
    /// The overrides.
    pub provenance: &'a Provenance,
    /// Monitor of the runs.
    pub watch: &'a Watch,
}

impl Lab<'_> {
    /// Returns the microseconds of the kernels, and of the whole program, on `chip`; `None` if a
    /// kernel did not finish.
    fn time(&self, chip: Chip) -> Option<(f64, f64)> {
        if interrupt::asked() {
            return None;
        }
        let mut gpu = Gpu::new(chip);
        self.watch.follow(&mut gpu);
        let options = RunOptions { threads: 1, ..self.settings.launches.options };
        let outcome = self
            .prepared
            .run(
                &mut gpu,
                Settings { launches: LaunchSettings { options, ..self.settings.launches }, ..self.settings },
            )
            .ok()?;
        Some((kernel_time(&outcome)?, gpu.timeline().now_ns() as f64 / 1e3))
    }

    /// Runs all experiments, on as many threads as the settings allow. `outcome` and `timeline` are
    /// those of the run on the unchanged chip.
    ///
    /// # Errors
    ///
    /// If a kernel of that run did not finish, or Ctrl-C ended the experiments.
    pub fn run(&self, outcome: &RunResult, timeline: &Timeline) -> Result<Why, Failure> {
        let unfinished = || Failure::input("error: --why needs a timed run in which every kernel finishes");
        let microseconds = kernel_time(outcome).ok_or_else(unfinished)?;
        let limits = limit_of(outcome).ok_or_else(unfinished)?;
        let with_copies = timeline.now_ns() as f64 / 1e3;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.settings.launches.options.threads)
            .build()
            .map_err(|error| Failure::input(format!("error: cannot start threads: {error}")))?;
        let gain = |limiter: Limiter, unit: Option<usize>, change: Change| {
            let chip = changed(self.chip, limiter, unit, change)?;
            let (kernels, all) = self.time(chip)?;
            Some(if limiter == Limiter::Pcie { with_copies / all } else { microseconds / kernels })
        };
        let mut gains: Vec<Gain> = pool.install(|| {
            let resources = self.resources(limits);
            resources
                .into_par_iter()
                .map(|(resource, unit)| Gain {
                    resource,
                    unit: unit.map(|unit| self.chip.sm.units[unit].name.clone()),
                    twice: gain(resource, unit, Change::Twice),
                    ideal: gain(resource, unit, Change::Ideal),
                })
                .collect()
        });
        gains.extend(of_the_program(limits));
        let twice = |gain: &Gain| gain.twice.unwrap_or(0.0);
        let counts_program = |gain: &Gain| gain.resource == Limiter::Pcie;
        gains.sort_by(|a, b| counts_program(a).cmp(&counts_program(b)).then(twice(b).total_cmp(&twice(a))));
        let overrides = self.overrides(microseconds);
        if interrupt::asked() {
            let message = "error: interrupted: the experiments of --why did not finish".to_owned();
            return Err(Failure { code: interrupt::code(), message });
        }
        let mut why = Why {
            limited_by: limits.limited_by,
            unit: limits.unit.clone(),
            confirmed: false,
            best_other: None,
            microseconds,
            with_copies,
            gains,
            overrides,
        };
        let gain = |gain: Option<&Gain>| gain.and_then(|gain| gain.twice);
        why.best_other = why.find_best_other().cloned();
        let best = gain(why.best_other.as_ref());
        why.confirmed = gain(why.own()).is_some_and(|own| confirms(own, best));
        Ok(why)
    }

    /// Returns the resources that the chip can change; of the execution units, those that the
    /// kernel uses.
    fn resources(&self, limits: &LimitReport) -> Vec<(Limiter, Option<usize>)> {
        let mut all = Vec::new();
        for (_, limiter) in Limiter::NAMES {
            if limiter == Limiter::ExecutionUnit {
                let used = limits.used.units.iter().enumerate().filter(|(_, unit)| unit.1 > 0.0);
                all.extend(used.map(|(number, _)| (limiter, Some(number))));
            } else if changed(self.chip, limiter, None, Change::Twice).is_some() {
                all.push((limiter, None));
            }
        }
        all
    }

    /// Returns the effect of each override, from a run without it.
    fn overrides(&self, microseconds: f64) -> Vec<OverrideGain> {
        let all = self.provenance.sets();
        let effect = |left_out: usize| {
            let mut sets = all.clone();
            let (path, value) = sets.remove(left_out);
            let without = Chip::from_texts(self.texts, &sets).ok().and_then(|(chip, _)| self.time(chip));
            OverrideGain {
                text: format!("{path}={}", value.trim()),
                gain: without.map(|(kernels, _)| kernels / microseconds),
            }
        };
        (0..all.len()).map(effect).collect()
    }
}

/// Returns the gains of what a chip cannot change: the program's divergence, and the distribution
/// of its work over the SMs.
fn of_the_program(limits: &LimitReport) -> impl Iterator<Item = Gain> {
    let distribution = if limits.limited_by == Limiter::Tail { Limiter::Tail } else { Limiter::Imbalance };
    let startup = (limits.limited_by == Limiter::TooLittleWork).then_some(Limiter::TooLittleWork);
    [Limiter::Divergence, distribution].into_iter().chain(startup).filter_map(|resource| {
        let twice = Some(computed(limits, resource, Change::Twice)?);
        Some(Gain { resource, unit: None, twice, ideal: computed(limits, resource, Change::Ideal) })
    })
}

//! `--why`: the experiments that test a limit. The kernel runs again with each resource twice as
//! fast, and with each resource idealized; the gain shows what limits it.

use crate::exit::Failure;
use crate::provenance::Provenance;
use crate::watch::{Watch, interrupt};
use crate::workload::{Prepared, RunResult};
use kernels::Settings;
use rayon::prelude::*;
use serde::Serialize;
use sim_core::config::Chip;
use sim_core::config::base::Texts;
use sim_core::host::timeline::Timeline;
use sim_core::host::{Gpu, RunOptions};
use sim_core::stats::Report;
use sim_core::stats::limits::change::{Change, changed};
use sim_core::stats::limits::{LimitReport, Limiter};
use sim_core::stats::report::TimingReport;

/// The results of all experiments.
#[derive(Debug, Serialize)]
pub struct Why {
    /// The limit that the report states.
    pub limited_by: Limiter,
    /// Name of the execution unit, if the limit is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Whether no other resource gains clearly more when it is twice as fast.
    pub confirmed: bool,
    /// The largest gain of another resource that competes with the stated one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_other: Option<Gain>,
    /// Microseconds of all kernels on the unchanged chip.
    pub microseconds: f64,
    /// Microseconds with copies over PCI Express and launch calls.
    pub with_copies: f64,
    /// The resources, the largest gain of twice the speed first. The gain of PCI Express is that of
    /// the whole program, all others are those of the kernels.
    pub gains: Vec<Gain>,
    /// The overrides, each with the gain of the run over a run without it.
    pub overrides: Vec<OverrideGain>,
}

impl Why {
    /// Returns the gain of the stated limit.
    pub fn own(&self) -> Option<&Gain> {
        self.gains.iter().find(|gain| gain.resource == self.limited_by && gain.unit == self.unit)
    }

    /// Returns the largest gain of another resource. Copies do not compete: their gain is that of
    /// the whole program. The issue rate contains the execution units.
    fn find_best_other(&self) -> Option<&Gain> {
        let competes = |gain: &&Gain| match gain.resource {
            Limiter::Pcie => false,
            Limiter::IssueRate => !matches!(self.limited_by, Limiter::ExecutionUnit | Limiter::IssueRate),
            Limiter::ExecutionUnit => self.limited_by != Limiter::IssueRate && gain.unit != self.unit,
            other => other != self.limited_by,
        };
        self.gains.iter().find(competes)
    }
}

/// Gain of a faster resource: time before divided by time after.
#[derive(Clone, Debug, Serialize)]
pub struct Gain {
    /// The resource.
    pub resource: Limiter,
    /// Name of the execution unit, if the resource is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Gain at twice the speed; `None` if the run did not finish.
    pub twice: Option<f64>,
    /// Gain of the idealized resource; `None` if the run did not finish.
    pub ideal: Option<f64>,
}

impl Gain {
    /// Whether the time changes by 1 % or more, or is unknown.
    pub fn changes(&self) -> bool {
        [self.twice, self.ideal].iter().any(|gain| gain.is_none_or(|gain| (gain - 1.0).abs() >= ALIKE))
    }
}

/// The effect of an override.
#[derive(Clone, Debug, Serialize)]
pub struct OverrideGain {
    /// Path and value.
    pub text: String,
    /// Time without it divided by time with it; `None` if the run without it did not finish.
    pub gain: Option<f64>,
}

/// Difference below which two gains count as equal.
const ALIKE: f64 = 0.01;

/// Returns the microseconds of the kernels of `outcome`, if all of them finished.
fn kernel_time(outcome: &RunResult) -> Option<f64> {
    let time = |report: &Report| report.verdict.is_finished().then_some(report.timing.as_ref()?.microseconds);
    outcome.reports.iter().map(time).sum()
}

/// Returns the limit of the kernels of a run: that of the launch that took longest.
fn limit_of(outcome: &RunResult) -> Option<&LimitReport> {
    let timings = outcome.reports.iter().filter_map(|report| report.timing.as_ref());
    let longest = timings.fold(None, |longest: Option<&TimingReport>, timing| {
        longest.filter(|longest| longest.cycles >= timing.cycles).or(Some(timing))
    })?;
    Some(&longest.limits)
}

/// Returns the microseconds of the whole program and of its kernels, if copies over PCI Express and
/// launch calls take more than half of the time: then they limit the program.
pub fn limited_by_copies(outcome: &RunResult, timeline: &Timeline) -> Option<(f64, f64)> {
    let (kernels, all) = (kernel_time(outcome)?, timeline.now_ns() as f64 / 1e3);
    (kernels * 2.0 < all).then_some((all, kernels))
}

/// Data shared by the experiments.
pub struct Lab<'a> {
    /// The kernel.
    pub prepared: &'a Prepared<'a>,
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
        let options = RunOptions { threads: 1, ..self.settings.options };
        let outcome = self.prepared.run(&mut gpu, Settings { options, ..self.settings }, None).ok()?;
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
            .num_threads(self.settings.options.threads)
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
        gains.sort_by(|a, b| b.twice.unwrap_or(0.0).total_cmp(&a.twice.unwrap_or(0.0)));
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
        why.confirmed = gain(why.own()).is_some_and(|own| best.is_none_or(|best| own + ALIKE >= best));
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

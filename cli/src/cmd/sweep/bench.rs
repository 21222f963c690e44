//! One point of a sweep: its values, and its row.

use super::space::{Changes, Space};
use crate::exit::Code;
use crate::metrics::{Metric, Reports};
use crate::point::{Common, Failed, Finished, Setup};
use crate::watch::{Watch, interrupt};
use crate::workload::Prepared;
use serde_json::Number;
use sim_core::config::base::Texts;
use sim_core::host::WarmupCache;

/// Result of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Verdict, one of [`crate::point::VERDICTS`].
    pub verdict: &'static str,
    /// Error on one line; for a finished point, the overrides without an effect.
    pub message: String,
    /// Exit code of the point.
    pub code: Code,
    /// Requested metrics of launches that ran to their end; empty for others.
    pub metrics: Vec<Option<Number>>,
}

/// Data shared by all points.
pub struct Bench<'a> {
    /// The programs to launch: one for each value of the list of kernels, or one.
    pub prepared: Vec<Prepared<'a>>,
    /// The axes.
    pub space: &'a Space,
    /// Texts of the chips: one for each value of the list of chips, or one.
    pub chips: &'a [Texts],
    /// Options of all points.
    pub common: Common,
    /// Monitor of the launches.
    pub watch: Watch,
    /// Metrics of each row.
    pub metrics: &'a [&'static Metric],
}

impl Bench<'_> {
    /// Runs point `index`; `None` if Ctrl-C stops it.
    pub fn run(&self, index: u64) -> Option<Row> {
        if interrupt::asked() {
            return None;
        }
        let result = match self.setup(index).ready() {
            Ok(ready) => ready.run(&self.watch)?,
            Err(failed) => Err(failed),
        };
        Some(match result {
            Ok(Finished { verdict, code, message, reports, .. }) => {
                let reports = Reports::new(&reports);
                let metrics = self.metrics.iter().map(|metric| reports.value(metric)).collect();
                Row { verdict, message, code, metrics }
            }
            Err(Failed { verdict, code, message }) => {
                Row { verdict, message, code, metrics: vec![None; self.metrics.len()] }
            }
        })
    }

    fn setup(&self, index: u64) -> Setup<'_> {
        let mut setup = Setup {
            prepared: &self.prepared[0],
            texts: &self.chips[0],
            sets: Vec::new(),
            edits: Vec::new(),
            size: None,
            registers: None,
            seed: None,
            ideal: Vec::new(),
            warmups: WarmupCache::default(),
            common: self.common,
        };
        for (axis, place) in self.space.axes.iter().zip(self.space.places(index)) {
            let value = &axis.values[place];
            let named = || (axis.name.clone(), value.clone());
            match axis.changes {
                Changes::Kernel => setup.prepared = &self.prepared[place],
                Changes::Chip => setup.texts = &self.chips[place],
                Changes::Size => setup.size = value.parse().ok(),
                Changes::Registers => setup.registers = value.parse().ok(),
                Changes::Grid | Changes::Block => setup.edits.push(named()),
                Changes::Set => setup.sets.push(named()),
            }
        }
        setup
    }
}

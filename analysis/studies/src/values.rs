//! Values of the names in formulas, for a point with its result.

use crate::design::{factor_value, sensitivity};
use crate::file::{Formula, Quantity, value_of};
use crate::outcome::{Outcome, metric};
use crate::plan::{Plan, Planned};
use sim_core::config::set;
use sim_core::config::source::Sources;
use sim_core::config::tree::Node;
use std::cell::OnceCell;

/// A point with its result.
pub struct Values<'a> {
    /// Index of the point among the selected ones.
    pub index: usize,
    /// The point.
    pub planned: &'a Planned,
    plan: &'a Plan<'a>,
    outcome: &'a Outcome,
    /// The tree of the chip with the overrides of the point.
    chip: OnceCell<Node>,
}

impl<'a> Values<'a> {
    /// Values of a point whose kernel ran to its end with the right result; `None` for others.
    pub fn of(plan: &'a Plan<'a>, index: usize, outcome: Option<&'a Outcome>) -> Option<Self> {
        let outcome = outcome.filter(|outcome| outcome.ending.is_good())?;
        Some(Self { index, planned: &plan.points[index], plan, outcome, chip: OnceCell::new() })
    }

    /// Returns the value of a metric; NaN if the result does not have it.
    pub fn metric(&self, name: &str) -> f64 {
        metric(name).map_or(f64::NAN, |metric| self.outcome.number(metric))
    }

    /// Returns the digest of device memory after the run.
    pub fn memory(&self) -> &'a str {
        &self.outcome.memory
    }

    /// Returns the value of a formula; NaN if a value is missing.
    pub fn formula(&self, formula: &Formula) -> f64 {
        value_of(formula, &|name| self.quantity(name))
    }

    fn quantity(&self, name: &Quantity) -> f64 {
        let file = self.plan.study.file;
        match name {
            Quantity::Factor(_) => factor_value(file, &self.planned.point.levels, name),
            Quantity::Metric(name) => self.metric(name),
            Quantity::Formula(index) => self.formula(&file.formulas[*index].formula),
            Quantity::Field(path) => self.field(path),
        }
    }

    /// Returns a number of the chip of the point.
    pub fn field(&self, path: &str) -> f64 {
        let root = self.chip.get_or_init(|| {
            let point = &self.planned.point;
            let mut root = self.plan.study.chip(point).root.clone();
            let sets = self.plan.study.setup(point).map(|setup| setup.sets).unwrap_or_default();
            // A point with a result has valid overrides.
            let _ = set::apply(&mut root, &sets, &mut Sources::default());
            root
        });
        let path = set::resolve(root, path).ok();
        path.and_then(|path| sensitivity::number_at(root, &path)).unwrap_or(f64::NAN)
    }
}

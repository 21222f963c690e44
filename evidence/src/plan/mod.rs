//! Experiments as data: the runs of a claim, and the comparison of their results with its numbers.
//!
//! A [`Plan`] has parts. A part runs once for each of its cases, or once on every machine, and
//! compares named results: `{a.blocks}` is the value `blocks` of run `a`. Kinds of runs are in
//! [`run`]: launches whose blocks record when they are resident, and occupancy tables; workloads
//! and kernels with the metrics of their reports; curves, which repeat a run; and launches that end
//! with a verdict. A ratio of two runs is a formula over both. Formulas are those of launch files
//! (`report::formula`), names that are not results are values of the case or numbers of the
//! claim.

pub mod result;
pub mod run;
mod scope;

use crate::claims::Claim;
use crate::finding::{Finding, Shown, list};
use crate::machines::{MODES, Machine, in_words};
use crate::runner::{Runner, Size};
use crate::text::Value;
use kernels::RunError;
use result::Ran;
use run::Run;
use scope::Scope;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Named values.
type Values = BTreeMap<String, Value>;

/// The experiment of a claim.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Template of the description of the runs.
    ran: String,
    /// Sizes by name, reduced and full.
    #[serde(default)]
    sizes: BTreeMap<String, (f64, f64)>,
    parts: Vec<Part>,
}

/// Runs and their comparisons.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    /// Values of each case; without cases the part runs once.
    #[serde(default)]
    cases: Vec<Values>,
    /// Chips; every run is repeated on each, timed and functional, and a comparison covers all.
    #[serde(default)]
    everywhere: Vec<String>,
    /// Named formulas over the claim and the case.
    #[serde(default)]
    given: Vec<(String, String)>,
    #[serde(default)]
    runs: Vec<(String, Run)>,
    /// Named formulas over the results, too.
    #[serde(default)]
    derived: Vec<(String, String)>,
    #[serde(default)]
    checks: Vec<Check>,
    /// Templates of explanations.
    #[serde(default)]
    why: Vec<String>,
    /// Templates of explanations for each point of a curve.
    #[serde(default)]
    why_each: Vec<(String, String)>,
}

/// A comparison. The first text names the quantity. Lists of formulas are numbers separated by
/// commas; a list of the claim or a curve contributes all its numbers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
enum Check {
    /// Numbers that must match exactly: expected, found.
    Exact(String, Vec<String>, Vec<String>),
    /// Texts that must match exactly: expected, found.
    Text(String, String, String),
    /// The distinct texts of the points of a curve, which must match: expected, curve, found.
    Distinct(String, String, String, String),
    /// A statement that must hold: expected, found, condition.
    Shape(String, String, String, String),
    /// A number measured on silicon, within the band of the claim: expected, found.
    Measured(String, String, String),
    /// A value without a verdict: expected, found.
    Reported(String, String, String),
    /// A comparison that is made if a condition holds.
    If(String, Box<Self>),
}

/// The results of a part in one case, on one machine or on none in particular.
struct World {
    machine: Option<Machine>,
    values: Values,
    runs: BTreeMap<String, Ran>,
}

impl Plan {
    /// Runs the experiment.
    ///
    /// # Errors
    /// A required launch failed, or a formula names something that is not there.
    pub fn run(&self, runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
        let mut shown = Shown::default();
        let size = |(reduced, full): &(f64, f64)| match runner.size {
            Size::Reduced => *reduced,
            Size::Full => *full,
        };
        let sizes: Values =
            self.sizes.iter().map(|(name, pair)| (name.clone(), Value::One(size(pair)))).collect();
        let mut kept = BTreeMap::new();
        let none = [Values::new()];
        for part in &self.parts {
            for case in if part.cases.is_empty() { &none[..] } else { &part.cases } {
                let values: Values = sizes.iter().chain(case).map(|(k, v)| (k.clone(), v.clone())).collect();
                let worlds = part.worlds(runner, claim, &values, &kept)?;
                let scopes: Vec<(Option<Machine>, Scope<'_>)> = worlds
                    .iter()
                    .map(|world| (world.machine, Scope::new(claim, &world.values, &world.runs, &kept)))
                    .collect();
                for check in &part.checks {
                    shown.findings.extend(check.finding(&scopes)?);
                }
                let (_, first) = &scopes[0];
                for why in &part.why {
                    shown.because(first.text(why)?);
                }
                for (curve, why) in &part.why_each {
                    for point in first.points(curve)? {
                        shown.because(point.text(why)?);
                    }
                }
                kept.extend(worlds.into_iter().next().into_iter().flat_map(|world| world.runs));
            }
        }
        shown.ran = Scope::new(claim, &sizes, &kept, &kept).text(&self.ran)?;
        Ok(shown)
    }
}

impl Part {
    /// Makes the runs of a case.
    fn worlds(
        &self,
        runner: &Runner,
        claim: &Claim,
        values: &Values,
        kept: &BTreeMap<String, Ran>,
    ) -> Result<Vec<World>, RunError> {
        let known = |name: &String| {
            crate::machines::KNOWN
                .into_iter()
                .find(|known| known == name)
                .ok_or_else(|| RunError::Unknown(name.clone()))
        };
        let mut machines = Vec::new();
        for name in &self.everywhere {
            let chip = known(name)?;
            machines.extend(MODES.map(|mode| Some(Machine { chip, mode })));
        }
        if machines.is_empty() {
            machines.push(None);
        }
        let world = |machine: Option<Machine>| {
            let mut world = World { machine, values: values.clone(), runs: BTreeMap::new() };
            if let Some(Machine { chip, .. }) = machine {
                world.values.insert("chip".to_owned(), Value::Text(chip.to_owned()));
            }
            world.name(&self.given, claim, kept)?;
            for (label, run) in &self.runs {
                let scope = Scope::new(claim, &world.values, &world.runs, kept);
                let ran = run.run(runner, &scope, machine.map(|machine| machine.mode))?;
                world.runs.insert(label.clone(), ran);
            }
            world.name(&self.derived, claim, kept)?;
            Ok(world)
        };
        machines.into_iter().map(world).collect()
    }
}

impl World {
    /// Adds the values of named formulas.
    fn name(
        &mut self,
        formulas: &[(String, String)],
        claim: &Claim,
        kept: &BTreeMap<String, Ran>,
    ) -> Result<(), RunError> {
        for (name, formula) in formulas {
            let value = Scope::new(claim, &self.values, &self.runs, kept).number(formula)?;
            self.values.insert(name.clone(), Value::One(value));
        }
        Ok(())
    }
}

impl Check {
    /// Compares the results; `None` if the comparison is not made.
    fn finding(&self, scopes: &[(Option<Machine>, Scope<'_>)]) -> Result<Option<Finding>, RunError> {
        let (_, first) = &scopes[0];
        let everywhere = |text: &dyn Fn(&Scope<'_>) -> Result<String, RunError>| {
            let mut found = Vec::new();
            for (machine, scope) in scopes {
                found.push((*machine, text(scope)?));
            }
            Ok::<_, RunError>(in_words(&found))
        };
        Ok(Some(match self {
            Self::If(condition, check) if first.number(condition)? != 0.0 => return check.finding(scopes),
            Self::If(..) => return Ok(None),
            Self::Exact(what, expected, found) => {
                let (words, simulated) = (everywhere(&|scope| scope.list(found))?, first.numbers(found)?);
                let finding = Finding::exact(first.text(what)?, first.list(expected)?, words);
                // The numbers of the first machine are not those of the finding if another differs.
                let agreed = if finding.simulated == list(&simulated) { simulated } else { Vec::new() };
                finding.with_numbers(&first.numbers(expected)?, &agreed)
            }
            Self::Text(what, expected, found) => Finding::exact(
                first.text(what)?,
                first.text(expected)?,
                everywhere(&|scope| scope.text(found))?,
            ),
            Self::Distinct(what, expected, curve, found) => {
                let texts = first
                    .points(curve)?
                    .iter()
                    .map(|point| point.text(found))
                    .collect::<Result<BTreeSet<_>, _>>()?;
                let found = texts.into_iter().collect::<Vec<_>>().join(" or ");
                Finding::exact(first.text(what)?, first.text(expected)?, found)
            }
            Self::Shape(what, expected, found, holds) => {
                let mut all = true;
                for (_, scope) in scopes {
                    all &= scope.number(holds)? != 0.0;
                }
                let found = everywhere(&|scope| scope.text(found))?;
                Finding::shape(first.text(what)?, first.text(expected)?, found, all)
            }
            Self::Measured(what, expected, found) => {
                let band = first.claim.band();
                Finding::measured(first.text(what)?, first.number(expected)?, band, first.number(found)?)
            }
            Self::Reported(what, expected, found) => Finding::reported(
                first.text(what)?,
                first.text(expected)?,
                everywhere(&|scope| scope.text(found))?,
            ),
        }))
    }
}

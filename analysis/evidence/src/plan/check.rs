//! Comparisons of a plan: named results with what the claim expects.

use super::Part;
use super::scope::Scope;
use crate::finding::{Finding, Shown, list};
use crate::machines::{Machine, in_words};
use crate::runner::Runner;
use crate::why;
use kernels::RunError;
use serde::Deserialize;
use std::collections::BTreeSet;

/// A comparison. The first text names the quantity. Lists of formulas are numbers separated by
/// commas; a list of the claim or a curve contributes all its numbers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub enum Check {
    /// Numbers that must match exactly: expected, found.
    Exact(String, Vec<String>, Vec<String>),
    /// Numbers of all machines that must match exactly: expected, found.
    Machines(String, String, String),
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
    /// The limiter of a run, whose rate must rise if the limiter is twice as fast: label of the
    /// run, unit and formula of the rate, in which the run is `point`. Also an explanation.
    Explain(String, String, String, String),
    /// A comparison that is made if a condition holds.
    If(String, Box<Self>),
    /// A comparison for each value 0, 1 and so on of a variable, with their number.
    Each(String, String, Box<Self>),
    /// A comparison for each point of a curve.
    Points(String, Box<Self>),
}

/// What comparisons need besides names: they can repeat a run.
pub struct Context<'c> {
    /// The runner.
    pub runner: &'c Runner,
    /// The part of the comparison.
    pub part: &'c Part,
}

/// The names of each machine, or of none in particular.
pub type Scopes<'s> = [(Option<Machine>, Scope<'s>)];

impl Check {
    /// Compares the results.
    ///
    /// # Errors
    /// A formula is invalid, or a repeated run failed.
    pub fn add(&self, on: &Context<'_>, scopes: &Scopes<'_>, shown: &mut Shown) -> Result<(), RunError> {
        let (machine, first) = &scopes[0];
        let everywhere = |text: &dyn Fn(&Scope<'_>) -> Result<String, RunError>| {
            let mut found = Vec::new();
            for (machine, scope) in scopes {
                found.push((*machine, text(scope)?));
            }
            Ok::<_, RunError>(in_words(&found))
        };
        let finding = match self {
            Self::If(condition, check) => {
                let holds = first.number(condition)? != 0.0;
                return if holds { check.add(on, scopes, shown) } else { Ok(()) };
            }
            Self::Each(over, count, check) => {
                for i in 0..first.number(count)? as u32 {
                    let with = scopes.iter().map(|(machine, scope)| (*machine, scope.with(over, i.into())));
                    check.add(on, &with.collect::<Vec<_>>(), shown)?;
                }
                return Ok(());
            }
            Self::Points(curve, check) => {
                for point in first.points(curve)? {
                    check.add(on, &[(*machine, point)], shown)?;
                }
                return Ok(());
            }
            Self::Explain(what, label, unit, rate) => {
                return explain(on, first, shown, [what, label, unit, rate]);
            }
            Self::Exact(what, expected, found) => {
                let (words, simulated) = (everywhere(&|scope| scope.list(found))?, first.numbers(found)?);
                let finding = Finding::exact(first.text(what)?, first.list(expected)?, words);
                // The numbers of the first machine are not those of the finding if another differs.
                let agreed = if finding.simulated == list(&simulated) { simulated } else { Vec::new() };
                finding.with_numbers(&first.numbers(expected)?, &agreed)
            }
            Self::Machines(what, expected, found) => {
                let all = |formula: &str| {
                    let each = scopes.iter().map(|(_, scope)| scope.number(formula));
                    each.collect::<Result<Vec<_>, _>>()
                };
                Finding::exact_list(first.text(what)?, &all(expected)?, &all(found)?)
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
        };
        shown.find(finding);
        Ok(())
    }
}

/// Makes [`Check::Explain`]: repeats the run on a chip with more of its limiter.
fn explain(
    on: &Context<'_>,
    scope: &Scope<'_>,
    shown: &mut Shown,
    [what, label, unit, rate]: [&String; 4],
) -> Result<(), RunError> {
    let (what, label) = (scope.text(what)?, scope.text(label)?);
    let named = |(name, _): &&(String, _)| scope.text(name).is_ok_and(|name| name == label);
    let unknown = || RunError::Unknown(label.clone());
    let (_, run) = on.part.runs.iter().find(named).ok_or_else(unknown)?;
    let ran = scope.run(&label).ok_or_else(unknown)?;
    let used = ran.used.as_ref().ok_or_else(|| RunError::Wrong(format!("`{label}` has no report")))?;
    why::explain(shown, &what, unit, (scope.at("", 0.0, ran).number(rate)?, used), |twice| {
        let runner = Runner { twice: Some(twice), ..on.runner.clone() };
        scope.at("", 0.0, &run.run(&runner, scope, None)?).number(rate)
    })
}

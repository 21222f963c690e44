//! Experiments as data: the runs of a claim, and the comparison of their results with its numbers.
//!
//! A [`Plan`] has parts. A part runs once for each of its cases, or once on every machine, and
//! compares named results: `{a.blocks}` is the value `blocks` of run `a`. Kinds of runs are in
//! [`run`] and [`kernel`]: launches whose blocks record when they are resident, and occupancy
//! tables; workloads and kernels with the metrics of their reports; curves, which repeat a run; and
//! launches that end with a verdict. A ratio of two runs is a formula over both. Formulas are those
//! of launch files (`report::formula`), names that are not results are values of the case or
//! numbers of the claim.

pub mod kernel;
mod on;
pub mod result;
pub mod run;
mod scope;

use crate::claims::Claim;
use crate::finding::{Finding, Shown, list};
use crate::machines::{MODES, Machine, in_words};
use crate::runner::{Runner, Size};
use crate::text::Value;
use kernel::Kernel;
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
    /// Kernels by name, for runs that differ in some values.
    #[serde(default)]
    pub kernels: BTreeMap<String, Kernel>,
    parts: Vec<Part>,
}

/// Runs and their comparisons.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    /// Chips, for each of which the part runs, and in each of its cases.
    #[serde(default)]
    chips: Vec<String>,
    /// Values of each case; without cases the part runs once.
    #[serde(default)]
    cases: Vec<Values>,
    /// Condition over the case, without which the part does not run.
    #[serde(default)]
    when: Option<String>,
    /// Chips; every run is repeated on each, timed and functional, and a comparison covers all.
    #[serde(default)]
    everywhere: Vec<String>,
    /// Named values over the claim and the case.
    #[serde(default)]
    given: Vec<(String, Named)>,
    /// Runs with the templates of their names. Later parts can use them, too.
    #[serde(default)]
    runs: Vec<(String, Run)>,
    /// Named values over the results, too.
    #[serde(default)]
    derived: Vec<(String, Named)>,
    #[serde(default)]
    checks: Vec<Check>,
    /// Templates of explanations for each timed `{machine}`.
    #[serde(default)]
    why_timed: Vec<String>,
    /// Templates of explanations.
    #[serde(default)]
    why: Vec<String>,
    /// Templates of explanations with their conditions.
    #[serde(default)]
    why_if: Vec<(String, String)>,
    /// Templates of explanations for each point of a curve.
    #[serde(default)]
    why_each: Vec<(String, String)>,
}

/// The formula of a named value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Named {
    /// Of one number.
    One(String),
    /// Of a list: variable, number of its values 0, 1 and so on, and formula. The list does not
    /// have values that are no numbers.
    Each(String, String, String),
}

/// A comparison. The first text names the quantity. Lists of formulas are numbers separated by
/// commas; a list of the claim or a curve contributes all its numbers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
enum Check {
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
    /// A comparison that is made if a condition holds.
    If(String, Box<Self>),
    /// A comparison for each value 0, 1 and so on of a variable, with their number.
    Each(String, String, Box<Self>),
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
        for part in &self.parts {
            for case in part.cases() {
                let values: Values = sizes.clone().into_iter().chain(case).collect();
                if let Some(when) = &part.when
                    && Scope::new(claim, &values, &kept, &kept).number(when)? == 0.0
                {
                    continue;
                }
                let worlds = part.worlds(runner, claim, &values, &kept)?;
                let scopes: Vec<(Option<Machine>, Scope<'_>)> = worlds
                    .iter()
                    .map(|world| (world.machine, Scope::new(claim, &world.values, &world.runs, &kept)))
                    .collect();
                for check in &part.checks {
                    check.add(&scopes, &mut shown.findings)?;
                }
                for (_, timed) in scopes.iter().filter(|(on, _)| on.is_some_and(Machine::is_timed)) {
                    for why in &part.why_timed {
                        shown.because(timed.text(why)?);
                    }
                }
                let (_, first) = &scopes[0];
                for why in &part.why {
                    shown.because(first.text(why)?);
                }
                for (condition, why) in &part.why_if {
                    if first.number(condition)? != 0.0 {
                        shown.because(first.text(why)?);
                    }
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
    /// Returns the values of all cases, chip by chip.
    fn cases(&self) -> Vec<Values> {
        let once = [Values::new()];
        let cases = if self.cases.is_empty() { &once[..] } else { &self.cases };
        if self.chips.is_empty() {
            return cases.to_vec();
        }
        let with = |chip: &String, case: &Values| {
            let chip = ("chip".to_owned(), Value::Text(chip.clone()));
            case.clone().into_iter().chain([chip]).collect()
        };
        self.chips.iter().flat_map(|chip| cases.iter().map(move |case| with(chip, case))).collect()
    }

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
            if let Some(machine) = machine {
                world.values.insert("chip".to_owned(), Value::Text(machine.chip.to_owned()));
                world.values.insert("machine".to_owned(), Value::Text(machine.to_string()));
            }
            world.name(&self.given, claim, kept)?;
            for (label, run) in &self.runs {
                let scope = Scope::new(claim, &world.values, &world.runs, kept);
                let label = scope.text(label)?;
                let ran = run.run(runner, &scope, machine.map(|machine| machine.mode))?;
                world.runs.insert(label, ran);
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
        formulas: &[(String, Named)],
        claim: &Claim,
        kept: &BTreeMap<String, Ran>,
    ) -> Result<(), RunError> {
        for (name, formula) in formulas {
            let scope = Scope::new(claim, &self.values, &self.runs, kept);
            let value = match formula {
                Named::One(formula) => Value::One(scope.number(formula)?),
                Named::Each(over, count, formula) => {
                    let mut all = scope.each(over, formula, scope.number(count)? as usize)?;
                    all.retain(|value| !value.is_nan());
                    Value::List(all)
                }
            };
            self.values.insert(name.clone(), value);
        }
        Ok(())
    }
}

impl Check {
    /// Compares the results.
    fn add(&self, scopes: &[(Option<Machine>, Scope<'_>)], all: &mut Vec<Finding>) -> Result<(), RunError> {
        let (_, first) = &scopes[0];
        let everywhere = |text: &dyn Fn(&Scope<'_>) -> Result<String, RunError>| {
            let mut found = Vec::new();
            for (machine, scope) in scopes {
                found.push((*machine, text(scope)?));
            }
            Ok::<_, RunError>(in_words(&found))
        };
        all.push(match self {
            Self::If(condition, check) if first.number(condition)? != 0.0 => return check.add(scopes, all),
            Self::If(..) => return Ok(()),
            Self::Each(over, count, check) => {
                for i in 0..first.number(count)? as u32 {
                    let with = scopes.iter().map(|(machine, scope)| (*machine, scope.with(over, i.into())));
                    check.add(&with.collect::<Vec<_>>(), all)?;
                }
                return Ok(());
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
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::claim;

    /// What a plan without launches shows, with the numbers of OCC-14.
    fn shown(parts: &str) -> Result<Shown, RunError> {
        let text = format!(
            "#![enable(implicit_some)](ran: \"{{slots}}\", sizes: {{\"full\": (0, 1)}}, parts: [{parts}])"
        );
        let plan: Plan = ron::from_str(&text).expect("a plan");
        plan.run(&Runner::default(), claim("OCC-14").expect("in the table"))
    }

    fn found(parts: &str) -> Vec<(String, String, String)> {
        let shown = shown(parts).expect("it runs");
        shown
            .findings
            .into_iter()
            .map(|finding| (finding.what, finding.expected, finding.simulated))
            .collect()
    }

    #[test]
    fn lists_omit_values_that_are_no_numbers() {
        let parts = r#"(
            derived: [("odd", ("k", "6", "k % 2 ? k : 0 / 0")), ("none", ("k", "0", "k"))],
            checks: [Exact("odd", ["1", "3", "5"], ["odd"]), Text("none", "none", "{none}")],
        )"#;
        let row = |what: &str, value: &str| (what.to_owned(), value.to_owned(), value.to_owned());
        assert_eq!(found(parts), [row("odd", "1, 3, 5"), row("none", "none")]);
    }

    #[test]
    fn parts_repeat_for_chips_and_cases_if_their_condition_holds() {
        let parts = r#"
            (chips: ["g80", "fermi"], cases: [{"n": 1}, {"n": 2}], checks: [Text("{chip}", "{n}", "{n}")]),
            (cases: [{"always": 1}, {"always": 0}], when: "always || full", checks: [Text("once", "", "{always:?yes|no}")]),
        "#;
        let found = found(parts);
        let names: Vec<&str> = found.iter().map(|(what, ..)| what.as_str()).collect();
        assert_eq!(names, ["g80", "g80", "fermi", "fermi", "once"]);
        assert_eq!((found[1].1.as_str(), found[4].2.as_str()), ("2", "yes"));
    }

    #[test]
    fn a_comparison_is_repeated_for_a_variable() {
        let parts = r#"(checks: [Each("k", "2", If("threads[k] < 256", Text("{k}", "", "{threads[k]}")))])"#;
        assert_eq!(found(parts), [("1".to_owned(), String::new(), "128".to_owned())]);
    }

    #[test]
    fn a_launch_of_no_kernel_and_a_replacement_of_no_text_are_errors() {
        let launch = r#"(runs: [("a", Launch("none", {}))])"#;
        assert_eq!(shown(launch).unwrap_err().to_string(), "unknown kernel `none`");
        let fill = r#"(runs: [("a", Kernel((on: "g80", file: "guards.ptx", entry: "guarded", grid: "1", block: ["32"], fill: [("// CHAIN", "", "1")])))])"#;
        assert_eq!(
            shown(fill).unwrap_err().to_string(),
            "wrong result: guards.ptx does not contain `// CHAIN`"
        );
    }
}

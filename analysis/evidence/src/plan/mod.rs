//! Experiments as data: the runs of a claim, and the comparison of their results with its numbers.
//!
//! A [`Plan`] has parts. A part runs once for each of its cases, or once on every machine, and
//! compares named results: `{a.blocks}` is the value `blocks` of run `a`. Kinds of runs are in
//! [`run`]: launches whose blocks record when they are resident, and occupancy tables; workloads,
//! kernels and programs with the metrics of their reports; host programs with their times; lowered
//! code; and curves, which repeat a run. A ratio of two runs is a formula over both. Formulas are
//! those of launch files (`report::formula`), names that are not results are values of the case or
//! numbers of the claim.

mod check;
mod code;
mod host;
pub mod kernel;
mod named;
mod on;
pub mod programs;
pub mod result;
pub mod run;
mod scope;
mod source;
mod texts;
mod verdict;

use crate::Verdict;
use crate::claims::Claim;
use crate::finding::Shown;
use crate::machines::{MODES, Machine};
use crate::runner::{Runner, Size};
use crate::text::Value;
use check::{Check, Context};
use kernel::Kernel;
use kernels::RunError;
use named::Named;
use result::Ran;
use run::Run;
use scope::Scope;
use serde::Deserialize;
use std::collections::BTreeMap;

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
    /// Named values over the results, too. Their names are templates, and later parts can use them.
    #[serde(default)]
    derived: Vec<(String, Named)>,
    /// Conditions without which the experiment ends with an error.
    #[serde(default)]
    requires: Vec<String>,
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
    /// Templates of the cause of findings outside their band.
    #[serde(default)]
    cause: Vec<String>,
}

/// The results of a part in one case, on one machine or on none in particular.
struct World {
    machine: Option<Machine>,
    values: Values,
    /// The values of `values` that follow from the runs.
    derived: Values,
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
        let mut sizes: Values =
            self.sizes.iter().map(|(name, pair)| (name.clone(), Value::One(size(pair)))).collect();
        let mut kept = BTreeMap::new();
        for part in &self.parts {
            for case in part.cases() {
                let outside = shown.findings.iter().any(|finding| finding.verdict >= Verdict::Outside);
                sizes.insert("outside".to_owned(), Value::One(outside.into()));
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
                part.show(runner, &scopes, &mut shown)?;
                let Some(first) = worlds.into_iter().next() else { continue };
                sizes.extend(first.derived);
                kept.extend(first.runs);
            }
        }
        shown.ran = Scope::new(claim, &sizes, &kept, &kept).text(&self.ran)?;
        Ok(shown)
    }
}

impl Part {
    /// Adds the comparisons and explanations of a case.
    fn show(
        &self,
        runner: &Runner,
        scopes: &[(Option<Machine>, Scope<'_>)],
        shown: &mut Shown,
    ) -> Result<(), RunError> {
        let (_, first) = &scopes[0];
        for condition in &self.requires {
            if first.number(condition)? == 0.0 {
                return Err(RunError::Wrong(format!("{}: not {condition}", first.claim.id)));
            }
        }
        for check in &self.checks {
            check.add(&Context { runner, part: self }, scopes, shown)?;
        }
        for (_, timed) in scopes.iter().filter(|(on, _)| on.is_some_and(Machine::is_timed)) {
            for why in &self.why_timed {
                shown.because(timed.text(why)?);
            }
        }
        for why in &self.why {
            shown.because(first.text(why)?);
        }
        for (condition, why) in &self.why_if {
            if first.number(condition)? != 0.0 {
                shown.because(first.text(why)?);
            }
        }
        for (curve, why) in &self.why_each {
            for point in first.points(curve)? {
                shown.because(point.text(why)?);
            }
        }
        for cause in &self.cause {
            let before = shown.cause.take().map_or_else(String::new, |before| before + " ");
            shown.cause = Some(before + &first.text(cause)?);
        }
        Ok(())
    }

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
            let (values, derived, runs) = (values.clone(), Values::new(), BTreeMap::new());
            let mut world = World { machine, values, derived, runs };
            if let Some(machine) = machine {
                world.values.insert("chip".to_owned(), Value::Text(machine.chip.to_owned()));
                world.values.insert("machine".to_owned(), Value::Text(machine.to_string()));
            }
            for (name, formula) in &self.given {
                let value = formula.value(&Scope::new(claim, &world.values, &world.runs, kept))?;
                world.values.insert(name.clone(), value);
            }
            for (label, run) in &self.runs {
                let scope = Scope::new(claim, &world.values, &world.runs, kept);
                let label = scope.text(label)?;
                let ran = run.run(runner, &scope, machine.map(|machine| machine.mode))?;
                world.runs.insert(label, ran);
            }
            for (name, formula) in &self.derived {
                let scope = Scope::new(claim, &world.values, &world.runs, kept);
                let (name, value) = (scope.text(name)?, formula.value(&scope)?);
                world.values.insert(name.clone(), value.clone());
                world.derived.insert(name, value);
            }
            Ok(world)
        };
        machines.into_iter().map(world).collect()
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
    fn a_different_value_on_one_machine_fails_and_is_shown() {
        let parts = |cc: &str| {
            format!(
                r#"(everywhere: ["gt200", "fermi"], runs: [("b", Board("{{chip}}"))], checks: [Exact("cc", ["{cc}"], ["{cc} + (b.cc > 1.5)"]), Exact("always", ["7"], ["7"])])"#
            )
        };
        let shown = shown(&parts("1.3")).expect("it runs");
        assert_eq!(shown.findings[0].verdict, Verdict::Failed);
        assert!(shown.findings[0].simulated.starts_with("1.3 (gt200, timed); "), "{shown:?}");
        assert!(shown.findings[0].simulated.contains("2.3 (fermi, timed)"));
        assert_eq!((shown.findings[1].verdict, shown.findings[1].simulated.as_str()), (Verdict::Passed, "7"));
    }

    #[test]
    fn functions_of_lists() {
        let parts = r#"(
            derived: [
                ("list", ("k", "4", "3 - k")), ("up", ("sorted", ["list", "2"])), ("few", ("least", ["list"])),
                ("many", ("most", ["list"])), ("rounded", ("singles", ["up"])), ("random", ("wholes", ["1", "3", "5", "5"])),
            ],
            checks: [Text("all", "", "{up}; {few} to {many}; {rounded}; {random}")],
        )"#;
        assert_eq!(found(parts)[0].2, "2, 3, 0, 1; 0 to 3; 2, 3, 0, 1; 5, 5, 5");
        let unknown = r#"(derived: [("x", ("median", []))])"#;
        let message = "wrong result: no function `median` has these arguments";
        assert_eq!(shown(unknown).unwrap_err().to_string(), message);
    }

    #[test]
    fn later_parts_use_derived_values_and_give_the_cause() {
        let parts = r#"
            (derived: [("twice", "2 * threads[0]")], checks: [Shape("fits", "", "", "0")]),
            (cases: [{"n": 1}, {"n": 2}], when: "outside", requires: ["twice > 0"], cause: ["{twice} in case {n}."]),
        "#;
        let cause = shown(parts).expect("it runs").cause.expect("a finding failed");
        assert!(cause.contains(" in case 1. ") && cause.ends_with(" in case 2."), "{cause}");
        let failed = r#"(requires: ["1 > 2"])"#;
        assert_eq!(shown(failed).unwrap_err().to_string(), "wrong result: OCC-14: not 1 > 2");
    }

    #[test]
    fn a_version_or_a_kind_that_does_not_exist_is_an_error() {
        for (program, message) in [
            (r#"Histogram(kind: "bits", blocks: "0")"#, "there is no histogram by `bits`"),
            (r#"Fhd(version: "4")"#, "there is no version 4"),
            (r#"Coulomb(version: "0", atoms: "1", points: ("1", "1"))"#, "there is no version 0"),
        ] {
            let parts = format!(r#"(runs: [("a", Program("g80", {program}))])"#);
            assert_eq!(shown(&parts).unwrap_err().to_string(), format!("wrong result: {message}"));
        }
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

//! A study: kernels, chips and factors with everything that they name, and the run of each point.

use crate::chip::ChipEntry;
use crate::design::{Point, Variant, factor_value};
use crate::file::{Experiment, Formula, Kernel, Source, Target, value_of};
use crate::host::Host;
use crate::outcome::{Failed, Outcome};
use crate::point::{self, Common, Setup};
use crate::programs::{self, Architecture, Programs};
use serde::{Serialize, Serializer};
use serde_json::Value;
use sim_core::host::WarmupCache;
use std::str::FromStr;
use std::sync::Arc;

/// Names and values, as a JSON object that keeps their order.
#[derive(Clone, Debug)]
pub struct Pairs<N, V>(pub Vec<(N, V)>);

impl<N: Serialize, V: Serialize> Serialize for Pairs<N, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Points of an experiment or a sweep, and how they run.
#[derive(Clone, Copy)]
pub struct Study<'a> {
    /// Name, for texts.
    pub name: &'a str,
    /// Kernels, chips, factors and design.
    pub file: &'a Experiment,
    /// The chips, in the order of the file.
    pub chips: &'a [ChipEntry],
    /// The compiled kernels.
    pub programs: &'a Programs,
    /// Options of all points.
    pub common: Common,
    /// Results of warm-ups, which points that differ only in their timing share.
    pub warmups: &'a WarmupCache,
    /// The program around the study.
    pub host: &'a Arc<dyn Host>,
}

impl<'a> Study<'a> {
    /// Returns the kernel of a point.
    pub fn kernel(&self, point: &Point) -> &'a Kernel {
        &self.file.kernels[point.kernel]
    }

    /// Returns the chip of a point.
    pub fn chip(&self, point: &Point) -> &'a ChipEntry {
        &self.chips[point.chip]
    }

    /// Returns the architecture of the chip of a point; `None` if the chip has none.
    pub fn architecture(&self, point: &Point) -> Option<Architecture> {
        let chip = self.chip(point);
        programs::architecture(chip, |is_set| {
            let factors = self.file.factors.iter().zip(&point.levels).rev();
            factors
                .filter(|(factor, _)| factor.targets.iter().any(|one| is_set(chip, &one.value)))
                .find_map(|(factor, level)| Some(factor.levels[(*level)?].text.as_str()))
        })
    }

    /// Runs a point; `None` if a signal stops the run.
    pub fn run(&self, point: &Point) -> Option<Outcome> {
        point::run(self.setup(point), &**self.host)
    }

    /// Returns the description of the run of a point.
    ///
    /// # Errors
    ///
    /// If a value of the point has a wrong type.
    pub fn setup(&self, point: &Point) -> Result<Setup<'a>, Failed> {
        let chip = self.chip(point);
        let size = match &self.kernel(point).source {
            Source::Builtin { size, .. } => *size,
            Source::File { .. } | Source::Program { .. } => None,
        };
        let mut setup = Setup {
            programs: self.programs,
            kernel: point.kernel,
            texts: &chip.texts,
            sets: Vec::new(),
            edits: Vec::new(),
            arguments: Vec::new(),
            size,
            registers: None,
            seed: point.seed,
            ideal: Vec::new(),
            warmups: self.warmups.clone(),
            common: self.common,
        };
        for (factor, level) in self.file.factors.iter().zip(&point.levels) {
            let Some(level) = level else { continue };
            for target in &factor.targets {
                apply(&mut setup, &target.value, &factor.levels[*level].text)?;
            }
        }
        let kernel = &self.kernel(point).name;
        for linked in &self.file.linked {
            if linked.only.is_empty() || linked.only.iter().any(|name| name.value == *kernel) {
                let text = self.linked_text(&linked.formula, point)?;
                linked.targets.iter().try_for_each(|target| apply(&mut setup, &target.value, &text))?;
            }
        }
        match &point.variant {
            Variant::Base => {}
            Variant::Field(change) => setup.sets.push((change.path.clone(), change.value.clone())),
            Variant::Ideal(resources) => {
                setup.ideal = resources.iter().map(|resource| &chip.resources[*resource]).collect();
            }
        }
        Ok(setup)
    }

    /// Returns the value of a linked field as text: a whole number without a fraction.
    fn linked_text(&self, formula: &Formula, point: &Point) -> Result<String, Failed> {
        let value = value_of(formula, &|name| factor_value(self.file, &point.levels, name));
        if !value.is_finite() {
            return Err(Failed::bad_input(format!("the formula `{}` has no value", formula.text.value)));
        }
        Ok(if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:?}") })
    }

    /// Returns the names and values of a point: the factors, the seed, and the variant.
    pub fn values(&self, point: &Point) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        for (factor, level) in self.file.factors.iter().zip(&point.levels) {
            let value = level.map_or(Value::Null, |level| json(&factor.levels[level].text));
            values.push((factor.name.value.clone(), value));
        }
        if !self.file.given.seeds.is_empty() {
            values.push(("seed".to_owned(), point.seed.map_or(Value::Null, Value::from)));
        }
        match &point.variant {
            Variant::Base => {}
            Variant::Field(change) => {
                values.push(("field".to_owned(), Value::from(change.path.clone())));
                values.push(("value".to_owned(), json(&change.value)));
            }
            Variant::Ideal(resources) => {
                values.push(("ideal".to_owned(), Value::from(self.ideal_names(point, resources))));
            }
        }
        values
    }

    /// Returns the names of ideal resources.
    pub fn ideal_names(&self, point: &Point, resources: &[usize]) -> String {
        let names = &self.chip(point).resources;
        resources.iter().map(|resource| names[*resource].name.as_str()).collect::<Vec<_>>().join(" + ")
    }
}

/// Sets a field of a run.
fn apply(setup: &mut Setup<'_>, target: &Target, text: &str) -> Result<(), Failed> {
    let wrong = |what| Failed::bad_input(format!("{what} must be a whole number, found {text}"));
    match target {
        Target::Chip(path) => setup.sets.push((path.clone(), text.to_owned())),
        Target::Launch(path) => setup.edits.push((path.clone(), text.to_owned())),
        Target::Argument(number) => {
            setup.arguments.push((*number as usize, text.trim_matches('"').to_owned()));
        }
        Target::Size => setup.size = Some(u64::from_str(text).map_err(|_| wrong("the size"))?),
        Target::Registers => {
            setup.registers = Some(u32::from_str(text).map_err(|_| wrong("the number of registers"))?);
        }
    }
    Ok(())
}

/// Returns a value as JSON: a number, or otherwise the text without its quotation marks.
pub fn json(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(number @ Value::Number(_)) => number,
        _ => Value::from(text.trim_matches('"')),
    }
}

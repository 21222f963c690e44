//! From points to runs: the overrides of each point, its digest, and its description.

use super::load::{ChipEntry, Loaded};
use crate::point::{Common, Failed, Setup, of_text};
use crate::provenance::PROGRAM;
use crate::workload::Prepared;
use experiment::design::{Point, Points, Variant, factor_value};
use experiment::file::{Formula, Kernel, Source, Target, value_of};
use experiment::store::{Description, Entry};
use rayon::prelude::*;
use serde_json::{Map, Value};
use sim_core::host::WarmupCache;
use std::str::FromStr;

/// A point with the digest of its run.
pub struct Planned {
    /// Number of the point.
    pub number: usize,
    /// The point.
    pub point: Point,
    /// Digest of everything that decides the result.
    pub digest: String,
}

/// The runs of an experiment.
pub struct Plan<'a> {
    /// The experiment.
    pub loaded: &'a Loaded,
    /// The kernels.
    pub prepared: &'a [Prepared<'a>],
    /// The selected points, in the order of their numbers.
    pub points: Vec<Planned>,
    warmups: WarmupCache,
}

impl<'a> Plan<'a> {
    /// Computes the digests of the points with these numbers.
    pub fn new(
        loaded: &'a Loaded,
        prepared: &'a [Prepared<'a>],
        points: &Points,
        selected: &[usize],
    ) -> Self {
        let modules: Vec<String> = prepared.iter().map(Prepared::module_digest).collect();
        let plan = Self { loaded, prepared, points: Vec::new(), warmups: WarmupCache::default() };
        let digest = |point: &Point| match plan.setup(point).and_then(Setup::ready) {
            Ok(ready) => ready.digest(&modules[point.kernel]),
            // A point that cannot run has its reason as its result.
            Err(failed) => of_text(failed.verdict, &format!("{point:?} {}", failed.message)),
        };
        let planned = |number: &usize| {
            let point = points.at(*number);
            Planned { number: *number, digest: digest(&point), point }
        };
        Self { points: selected.par_iter().map(planned).collect(), ..plan }
    }

    /// Returns the kernel of a point.
    pub fn kernel(&self, point: &Point) -> &Kernel {
        &self.loaded.file.kernels[point.kernel]
    }

    /// Returns the chip of a point.
    pub fn chip(&self, point: &Point) -> &'a ChipEntry {
        &self.loaded.chips[point.chip]
    }

    /// Returns the description of the run of a point.
    pub fn setup(&self, point: &Point) -> Result<Setup<'a>, Failed> {
        let file = &self.loaded.file;
        let chip = self.chip(point);
        let size = match &self.kernel(point).source {
            Source::Builtin { size, .. } => *size,
            Source::File { .. } => None,
        };
        let mut setup = Setup {
            prepared: &self.prepared[point.kernel],
            texts: &chip.texts,
            sets: Vec::new(),
            edits: Vec::new(),
            size,
            registers: None,
            seed: point.seed,
            ideal: Vec::new(),
            warmups: self.warmups.clone(),
            common: Common {
                barriers: None,
                memory_rule: None,
                cache: None,
                max_cycles: file.max_cycles,
                sample: file.sample,
                warmup: file.warmup,
                memory: true,
            },
        };
        for (factor, level) in file.factors.iter().zip(&point.levels) {
            let Some(level) = level else { continue };
            for target in &factor.targets {
                apply(&mut setup, &target.value, &factor.levels[*level].text)?;
            }
        }
        let kernel = &self.kernel(point).name;
        for linked in &file.linked {
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
        let value = value_of(formula, &|name| factor_value(&self.loaded.file, &point.levels, name));
        if !value.is_finite() {
            return Err(Failed::bad_input(format!("the formula `{}` has no value", formula.text.value)));
        }
        Ok(if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:?}") })
    }

    /// Returns the columns of a point: the factors, the seed, and the variant.
    pub fn values(&self, point: &Point) -> Vec<(String, Value)> {
        let file = &self.loaded.file;
        let mut values = Vec::new();
        for (factor, level) in file.factors.iter().zip(&point.levels) {
            let value = level.map_or(Value::Null, |level| json(&factor.levels[level].text));
            values.push((factor.name.value.clone(), value));
        }
        if !file.seeds.is_empty() {
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

    /// Returns the point as an entry of the store.
    pub fn entry(&self, planned: &Planned) -> Entry {
        let values: Map<String, Value> = self.values(&planned.point).into_iter().collect();
        Entry {
            digest: planned.digest.clone(),
            kernel: self.kernel(&planned.point).name.clone(),
            chip: self.chip(&planned.point).name.clone(),
            factors: Value::Object(values).to_string(),
        }
    }

    /// Returns the description of the result of a point.
    pub fn description(&self, planned: &Planned) -> Description {
        let Entry { digest, kernel, chip, factors } = self.entry(planned);
        let kernel = match &self.kernel(&planned.point).source {
            Source::Builtin { kernel, .. } => kernel.value.clone(),
            Source::File { .. } => kernel,
        };
        let overrides = self.setup(&planned.point).map_or(factors, |setup| overrides(&setup));
        Description { digest, program: PROGRAM.to_owned(), kernel, chip, overrides }
    }
}

/// Returns all values that a run sets, as a JSON object.
fn overrides(setup: &Setup<'_>) -> String {
    let mut values = Map::new();
    values.extend(setup.size.map(|size| ("size".to_owned(), Value::from(size))));
    values.extend(setup.registers.map(|n| ("registers".to_owned(), Value::from(n))));
    values.extend(setup.seed.map(|seed| ("seed".to_owned(), Value::from(seed))));
    values.extend(setup.sets.iter().map(|(path, value)| (path.clone(), json(value))));
    values.extend(setup.edits.iter().map(|(path, value)| (format!("launch.{path}"), json(value))));
    if !setup.ideal.is_empty() {
        let names: Vec<Value> =
            setup.ideal.iter().map(|resource| Value::from(resource.name.clone())).collect();
        values.insert("ideal".to_owned(), Value::Array(names));
    }
    Value::Object(values).to_string()
}

/// Sets a field of a run.
fn apply(setup: &mut Setup<'_>, target: &Target, text: &str) -> Result<(), Failed> {
    let wrong = |what| Failed::bad_input(format!("{what} must be a whole number, found {text}"));
    match target {
        Target::Chip(path) => setup.sets.push((path.clone(), text.to_owned())),
        Target::Launch(path) => setup.edits.push((path.clone(), text.to_owned())),
        Target::Size => setup.size = Some(u64::from_str(text).map_err(|_| wrong("the size"))?),
        Target::Registers => {
            setup.registers = Some(u32::from_str(text).map_err(|_| wrong("the number of registers"))?);
        }
    }
    Ok(())
}

/// Returns a value as JSON: a number, or otherwise the text.
fn json(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(number @ Value::Number(_)) => number,
        _ => Value::from(text.trim_matches('"')),
    }
}

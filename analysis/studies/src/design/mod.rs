//! The points of an experiment: their values, and their numbers.
//!
//! The points are in the order of nested loops: kernels, chips, settings of the factors, seeds,
//! variants. The order, and so the number of a point, depends on the file alone. `settings`
//! computes a setting from its number, `sample` chooses the settings of the random designs,
//! `sensitivity` the values of the timing fields.
//!
//! Invariant `same-file-same-points`: The same experiment file gives the same points with the same
//! numbers.

mod rule;
mod sample;
pub mod sensitivity;
mod settings;

use crate::file::{Design, Experiment, Quantity};
use settings::Settings;

/// A point of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Index of the kernel.
    pub kernel: usize,
    /// Index of the chip.
    pub chip: usize,
    /// Position of the value of each factor; `None` for a factor that does not apply to the kernel.
    pub levels: Vec<Option<usize>>,
    /// Seed of a repetition.
    pub seed: Option<u64>,
    /// Difference from the point with the same values.
    pub variant: Variant,
}

/// Difference of a point from the point with the same kernel, chip, values and seed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// None.
    #[default]
    Base,
    /// A field of the chip has another value.
    Field(FieldChange),
    /// One or two resources are ideal: indices of the resources of the chip.
    Ideal(Vec<usize>),
}

/// Another value of a field of the chip.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldChange {
    /// Path of the field.
    pub path: String,
    /// New value as RON text.
    pub value: String,
    /// Whether the new value is larger than that of the chip.
    pub larger: bool,
}

/// Facts about a chip that the design needs.
#[derive(Clone, Debug, Default)]
pub struct ChipFacts {
    /// Changes of its timing fields.
    pub changes: Vec<FieldChange>,
    /// Number of resources that can be made ideal.
    pub resources: usize,
}

/// The points of an experiment, each computed from its number: neither the time nor the memory of a
/// point depends on how many others there are.
#[derive(Debug)]
pub struct Points {
    /// Settings of each kernel.
    settings: Vec<Settings>,
    /// Variants of each point, by chip.
    variants: Vec<Vec<Variant>>,
    seeds: Vec<Option<u64>>,
    /// Number of the first point of each kernel and chip, in the order of the points.
    starts: Vec<usize>,
    count: usize,
}

/// Returns the points of an experiment; `chips` has the facts about each chip of the file. `None`
/// if there are more than `most`.
pub fn points(file: &Experiment, chips: &[ChipFacts], most: usize) -> Option<Points> {
    let seeds: Vec<Option<u64>> = match file.given.seeds.as_slice() {
        [] => vec![None],
        seeds => seeds.iter().copied().map(Some).collect(),
    };
    let variants: Vec<_> = chips.iter().map(|facts| variants(file, facts)).collect();
    let mut points = Points { settings: Vec::new(), variants, seeds, starts: Vec::new(), count: 0 };
    for entry in &file.kernels {
        let settings = Settings::of(file, &entry.name, most)?;
        for variants in &points.variants {
            points.starts.push(points.count);
            points.count += settings.count() * points.seeds.len() * variants.len();
            if points.count > most {
                return None;
            }
        }
        points.settings.push(settings);
    }
    Some(points)
}

impl Points {
    /// Returns the number of points.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of settings that the conditions exclude.
    pub fn excluded(&self) -> u64 {
        self.settings.iter().map(|settings| settings.excluded).sum()
    }

    /// Returns the point with a number, which is below the number of points.
    pub fn at(&self, number: usize) -> Point {
        assert!(number < self.count, "point {number} of {}", self.count);
        let part = self.starts.partition_point(|start| *start <= number) - 1;
        let (kernel, chip) = (part / self.variants.len(), part % self.variants.len());
        let variants = &self.variants[chip];
        let rest = number - self.starts[part];
        let (rest, variant) = (rest / variants.len(), rest % variants.len());
        let (setting, seed) = (rest / self.seeds.len(), rest % self.seeds.len());
        let levels = self.settings[kernel].at(setting);
        Point { kernel, chip, levels, seed: self.seeds[seed], variant: variants[variant].clone() }
    }
}

/// Returns the variants of each point on a chip, the base first.
fn variants(file: &Experiment, facts: &ChipFacts) -> Vec<Variant> {
    use crate::file::Idealize;
    let mut variants = vec![Variant::Base];
    if matches!(file.given.design, Design::Sensitivity(_)) {
        variants.extend(facts.changes.iter().cloned().map(Variant::Field));
    }
    let pairs = match file.given.idealize {
        Idealize::None => return variants,
        Idealize::Gains => false,
        Idealize::Interactions => true,
    };
    variants.extend((0..facts.resources).map(|resource| Variant::Ideal(vec![resource])));
    if pairs {
        let pairs = (0..facts.resources).flat_map(|a| (a + 1..facts.resources).map(move |b| vec![a, b]));
        variants.extend(pairs.map(Variant::Ideal));
    }
    variants
}

/// Returns the value of a factor in a setting; NaN without a number.
pub fn factor_value(file: &Experiment, levels: &[Option<usize>], name: &Quantity) -> f64 {
    let Quantity::Factor(index) = name else { return f64::NAN };
    let level = levels[*index].map(|level| &file.factors[*index].levels[level]);
    level.and_then(|level| level.number).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests;

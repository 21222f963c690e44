//! The points of an experiment: their values, and their numbers.
//!
//! The points are in the order of nested loops: kernels, chips, settings of the factors, seeds,
//! variants. The order, and so the number of a point, depends on the file alone. `sample` chooses
//! the settings of the random designs, `sensitivity` the values of the timing fields.
//!
//! Invariant `same-file-same-points`: The same experiment file gives the same points with the same
//! numbers.

mod sample;
pub mod sensitivity;

use crate::file::{Design, Experiment, Factor, Formula, Quantity, value_of};
use std::collections::BTreeSet;

/// Maximum number of points of an experiment.
pub const MOST_POINTS: usize = 1_000_000;

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

/// Returns all points; `chips` has the facts about each chip of the file. The second value is the
/// number of settings that the conditions exclude.
///
/// # Errors
///
/// If there are too many points, as a message.
pub fn points(file: &Experiment, chips: &[ChipFacts]) -> Result<(Vec<Point>, u64), String> {
    let too_many = || format!("the experiment has more than {MOST_POINTS} points");
    let mut points = Vec::new();
    let mut excluded = 0;
    for (kernel, entry) in file.kernels.iter().enumerate() {
        let applies = |factor: &Factor| {
            factor.only.is_empty() || factor.only.iter().any(|name| name.value == entry.name)
        };
        let applies: Vec<bool> = file.factors.iter().map(applies).collect();
        let all = settings(file, &applies).ok_or_else(too_many)?;
        let found = all.len();
        let settings: Vec<_> =
            all.into_iter().filter(|levels| file.conditions.iter().all(|c| holds(file, c, levels))).collect();
        excluded += (found - settings.len()) as u64;
        for (chip, facts) in chips.iter().enumerate() {
            let variants = variants(file, facts);
            let seeds: Vec<Option<u64>> = match file.seeds.as_slice() {
                [] => vec![None],
                seeds => seeds.iter().copied().map(Some).collect(),
            };
            if points.len() + settings.len() * seeds.len() * variants.len() > MOST_POINTS {
                return Err(too_many());
            }
            for levels in &settings {
                for seed in &seeds {
                    points.extend(variants.iter().map(|variant| Point {
                        kernel,
                        chip,
                        levels: levels.clone(),
                        seed: *seed,
                        variant: variant.clone(),
                    }));
                }
            }
        }
    }
    Ok((points, excluded))
}

/// Returns the variants of each point on a chip, the base first.
fn variants(file: &Experiment, facts: &ChipFacts) -> Vec<Variant> {
    use crate::file::Idealize;
    let mut variants = vec![Variant::Base];
    if matches!(file.design, Design::Sensitivity { .. }) {
        variants.extend(facts.changes.iter().cloned().map(Variant::Field));
    }
    let pairs = match file.idealize {
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

/// Returns the positions of the factors' values of each setting, without duplicates; `None` if
/// there are too many. Factors that do not apply have no value.
fn settings(file: &Experiment, applies: &[bool]) -> Option<Vec<Vec<Option<usize>>>> {
    let counts: Vec<usize> = file.factors.iter().map(|factor| factor.levels.len()).collect();
    let positions: Vec<Vec<usize>> = match &file.design {
        Design::Full => {
            let counts: Vec<usize> = counts
                .iter()
                .zip(applies)
                .map(|(count, applies)| if *applies { *count } else { 1 })
                .collect();
            full(&counts)?
        }
        Design::OneAtATime { base } => one_at_a_time(base, &counts),
        Design::LatinHypercube { points, seed } => sample::latin_hypercube(*points, *seed, &counts),
        Design::Random { points, seed } => sample::random(*points, *seed, &counts),
        Design::Sensitivity { .. } => vec![Vec::new()],
    };
    let mut seen = BTreeSet::new();
    let of_kernel = |setting: Vec<usize>| -> Vec<Option<usize>> {
        setting.into_iter().zip(applies).map(|(level, applies)| applies.then_some(level)).collect()
    };
    let settings = positions.into_iter().map(of_kernel);
    Some(settings.filter(|setting| seen.insert(setting.clone())).collect())
}

/// Returns every combination; the last position varies fastest.
fn full(counts: &[usize]) -> Option<Vec<Vec<usize>>> {
    let all = counts.iter().try_fold(1usize, |all, count| all.checked_mul(*count))?;
    if all > MOST_POINTS {
        return None;
    }
    let setting = |number: usize| {
        let mut rest = number;
        let mut setting: Vec<usize> = counts
            .iter()
            .rev()
            .map(|count| {
                let level = rest % count;
                rest /= count;
                level
            })
            .collect();
        setting.reverse();
        setting
    };
    Some((0..all).map(setting).collect())
}

/// Returns the base, and the settings that differ from it in one factor.
fn one_at_a_time(base: &[usize], counts: &[usize]) -> Vec<Vec<usize>> {
    let mut settings = vec![base.to_vec()];
    for (factor, count) in counts.iter().enumerate() {
        for level in (0..*count).filter(|level| *level != base[factor]) {
            let mut setting = base.to_vec();
            setting[factor] = level;
            settings.push(setting);
        }
    }
    settings
}

/// Whether a setting meets a condition. A condition over a factor that does not apply to the kernel
/// is met.
fn holds(file: &Experiment, condition: &Formula, levels: &[Option<usize>]) -> bool {
    let mut all = true;
    condition.expression.each_name(&mut |name| {
        all &= !matches!(name, Quantity::Factor(index) if levels[*index].is_none());
    });
    !all || value_of(condition, &|name| factor_value(file, levels, name)) != 0.0
}

/// Returns the value of a factor in a setting; NaN without a number.
pub fn factor_value(file: &Experiment, levels: &[Option<usize>], name: &Quantity) -> f64 {
    let Quantity::Factor(index) = name else { return f64::NAN };
    let level = levels[*index].map(|level| &file.factors[*index].levels[level]);
    level.and_then(|level| level.number).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests;
